/**
 * The JSON records that Python sends: the whole interface of the two sides.
 * Written by tools/record_types.py from tfedu/view/records: change the dataclasses there, then `make format`.
 */

export const VERSION = 1;

export const EDGE_KINDS: readonly EdgeKind[] = ["data", "control", "reference"];

/** Values for the places of a message. */
export type Params = Record<string, string | number>;

export type BoxKind = "cond" | "branch" | "loop" | "scope";

export type Change = "added" | "removed" | "renamed" | "rewired" | "changed";

export type EdgeKind = "data" | "control" | "reference";

export type GroupKind = "repeat" | "series";

export type Health = "" | "fine" | "zero" | "tiny" | "nan" | "inf" | "dead";

export type Look = "number" | "string" | "table" | "heat" | "image" | "histogram" | "name";

export type MoveCode =
  | "ran"
  | "dead"
  | "failed"
  | "asks"
  | "right"
  | "wrong"
  | "pruned"
  | "fed"
  | "data"
  | "control"
  | "merge"
  | "begins"
  | "goes_on"
  | "again"
  | "had"
  | "had_dead"
  | "answer_first"
  | "over"
  | "which";

export type Odd = "nan" | "inf" | "-inf";

export type PassCode = "whole" | "prune" | "place" | "order" | "known" | "needless" | "fuse" | "write";

export type RaceKind = "read_write" | "write_read" | "write_write" | "itself";

export type Role = "constant" | "placeholder" | "variable" | "read" | "update" | "noop" | "control" | "op";

export type Severity = "mistake" | "suspicion" | "advice";

export type ShareCode = "passed" | "aside" | "integer" | "none";

/** A line of the user's program. */
export interface SiteRecord {
  label: string;
  source: string;
  line: number;
}

/** One output of a node; `text` is its dtype and shape as a picture writes them. */
export interface OutputRecord {
  name: string;
  dtype: string;
  shape: (number | null)[] | null;
  text: string;
}

/** One node. `id` is the operation's number in its graph, not its place in the record. */
export interface NodeRecord {
  id: number;
  name: string;
  type: string;
  scope: string;
  role: Role;
  device: string;
  stateful: boolean;
  site: SiteRecord | null;
  attrs: [string, string][];
  outputs: OutputRecord[];
}

/** One edge: a value that flows, a variable that is handed on ("reference"), or an order without a value. */
export interface EdgeRecord {
  id: number;
  kind: EdgeKind;
  source: number;
  output: number | null;
  target: number;
  input: number | null;
  text: string;
}

/** A name scope; the nodes inside tell it themselves. The graph itself is the parent "" and not listed. */
export interface ScopeRecord {
  path: string;
  parent: string;
}

/** One `with control_dependencies(...)` block: what it waits for and which nodes were made inside. */
export interface BlockRecord {
  id: number;
  site: SiteRecord | null;
  control_inputs: number[];
  created: number[];
  empty: boolean;
}

/** A node that holds state. */
export interface VariableRecord {
  node: number;
  name: string;
  kind: "reference" | "resource";
}

/** A node that `gradients` made, and the node whose gradient it belongs to; a sum or a start belongs to none. */
export interface GradientNodeRecord {
  node: number;
  of: number | null;
}

/** Something to be told beside the picture: the message `notice.<code>` with these params. */
export interface NoticeRecord {
  code: string;
  params: Params;
}

/**
 * A cond, one of its branches, a loop, or a name scope beside or inside; `nodes` are those directly in it.
 *
 * label: the condition of a cond, the side of a branch, the name of a loop or scope. The graph itself is the parent "".
 */
export interface BoxRecord {
  path: string;
  parent: string;
  kind: BoxKind;
  label: string;
  nodes: number[];
}

/** One more box around some of a scope's things: copies of one block ("repeat": `scopes`), or a chain ("series": `nodes`). */
export interface GroupRecord {
  path: string;
  parent: string;
  kind: GroupKind;
  scopes: string[];
  nodes: number[];
}

/**
 * What is left out of the record of a large graph, and told only by its numbers: a scope, or the "rest" of one's nodes.
 *
 * `id` is below 0 and stands for its nodes in bundles; `data`, `control` and `reference` count the edges inside.
 */
export interface SealedRecord {
  id: number;
  path: string;
  parent: string;
  kind: "scope" | "rest";
  nodes: number;
  data: number;
  control: number;
  reference: number;
}

/** Edges of one kind from or to what is left out: between a node or sealed scope and another one. */
export interface BundleRecord {
  kind: EdgeKind;
  source: number;
  target: number;
  count: number;
}

/**
 * A graph, or a part of one. `boxes` put the same nodes together as `scopes`, each cond and each loop as one box;
 *
 * there are none in a graph that has neither. `sealed` and `bundles` count what a large graph's record leaves out.
 */
export interface GraphRecord {
  version: 1;
  kind: "graph";
  nodes: NodeRecord[];
  edges: EdgeRecord[];
  scopes: ScopeRecord[];
  blocks: BlockRecord[];
  variables: VariableRecord[];
  gradients: GradientNodeRecord[];
  notices: NoticeRecord[];
  boxes: BoxRecord[];
  groups: GroupRecord[];
  sealed: SealedRecord[];
  bundles: BundleRecord[];
}

/** What a run was asked for. */
export interface FetchRecord {
  label: string;
  name: string;
  node: number;
  output: number | null;
}

/** Why a node runs or does not: the message `why.<code>`, and the nodes from the fetch to it. */
export interface WhyRecord {
  code: "fetched" | "data" | "control" | "fed" | "pruned" | "waiting" | "stopped";
  params: Params;
  path: number[];
}

/** A node and its reason. */
export interface NodeWhyRecord {
  node: number;
  why: WhyRecord;
}

/** How a run stands before its first step. */
export interface StartRecord {
  ready: number[];
  pending: [number, number][];
  variables: [string, string][];
}

/**
 * One output of a step; `alias` names the variable whose buffer it is.
 *
 * tensor: which of the trace's tensors shows it; null where the text says it all, and where it is to be asked for.
 * asks: whether it can be shown in more ways than this record does, which a kernel knows.
 */
export interface ValueRecord {
  text: string;
  alias: string | null;
  dead: boolean;
  tensor: number | null;
  asks: boolean;
}

/** Why a node is dead in a run: the message `dead.<code>`, and the Switch that gave nothing on that side. */
export interface DeathRecord {
  code: "branch" | "ended" | "goes_on";
  params: Params;
  switch: number;
}

/**
 * What a fork changed: the message `fork.<code>` with these params.
 *
 * "value" and "variable" (it has another value), "choose" (another ready node is next), "add", "cut" (a control edge).
 */
export interface ForkedRecord {
  code: "value" | "variable" | "choose" | "add" | "cut";
  params: Params;
}

/**
 * One node's turn in a run. `ready` is the front of the queue after it; `pending` has the counts that changed.
 *
 * One with a `change` is no turn: there a fork changed something.
 *
 * frame: the names of the loops around it, "" outside; iteration: the number of the iteration of each, outermost first.
 * reads, writes: what was seen and changed of variables and of the elements of TensorArrays. death: of a dead one.
 */
export interface StepRecord {
  node: number;
  outcome: "ran" | "dead" | "fed" | "error" | "changed";
  consumed: number[];
  produced: number[];
  reads: [string, string][];
  writes: [string, string, string][];
  outputs: ValueRecord[];
  ready: number[];
  pending: [number, number][];
  error: string | null;
  frame: string;
  iteration: number[];
  death: DeathRecord | null;
  change: ForkedRecord | null;
}

/** What a run gave for one fetch, as it prints. */
export interface FetchedRecord {
  label: string;
  text: string;
}

/** One `session.run`. */
export interface RunRecord {
  index: number;
  start: StartRecord;
  steps: StepRecord[];
  fetched: FetchedRecord[];
  error: string | null;
}

/** All elements in a few numbers. low, high, mean, std: of the finite ones, as they print; "" where there is none. */
export interface StatsRecord {
  count: number;
  nan: number;
  inf: number;
  zero: number;
  low: string;
  high: string;
  mean: string;
  std: string;
}

/**
 * Cells in rows and columns, each with its index. part: the slice that is shown of more than two dimensions, as "[0, :, :]".
 *
 * all_rows, all_columns: how many there are of those that the first are shown of. block: how many rows and columns one
 * cell stands for, with the mean of its finite elements. levels: how high each cell is, from 0 to 8; of what is no finite
 * number the least one that it holds of -1 for NaN, -2 for both infinities, -3 for minus infinity, -4 for infinity, -5 for
 * no number at all; none of a table.
 */
export interface GridRecord {
  part: string;
  rows: string[];
  columns: string[];
  all_rows: number;
  all_columns: number;
  block: [number, number];
  cells: string[][];
  levels: number[][];
  low: string;
  high: string;
}

/** How many finite elements lie from one number to another; the last bar holds its upper end, too. */
export interface BarRecord {
  low: string;
  high: string;
  count: number;
}

/** One image as a PNG file in base64. every: of so many pixels in a row or column one is shown. */
export interface PixelsRecord {
  label: string;
  width: number;
  height: number;
  every: number;
  data: string;
}

/** The first images of `total`; what is black in them, and what is white. */
export interface GalleryRecord {
  images: PixelsRecord[];
  total: number;
  black: string;
  white: string;
}

/**
 * What one value looks like. looks: how it may be shown, the most fitting first; what is null of these can be asked for.
 *
 * text: the value in one line, or a string whole. length: of a string in bytes.
 */
export interface TensorRecord {
  version: 1;
  kind: "tensor";
  name: string;
  dtype: string;
  shape: number[];
  looks: Look[];
  text: string;
  length: number | null;
  stats: StatsRecord | null;
  table: GridRecord | null;
  heat: GridRecord | null;
  bars: BarRecord[] | null;
  gallery: GalleryRecord | null;
}

/**
 * A few runs of the same fetches, step by step.
 *
 * tensors: what values look like, each once. number: which of its widget's traces this is, for who asks it for a value;
 * null where nobody can be asked.
 */
export interface TraceRecord {
  version: 1;
  kind: "trace";
  graph: GraphRecord;
  fetches: FetchRecord[];
  pruned: NodeWhyRecord[];
  needed: NodeWhyRecord[];
  runs: RunRecord[];
  tensors: TensorRecord[];
  number: number | null;
}

/** What one side has and the other has not. */
export interface MarksRecord {
  nodes: number[];
  edges: number[];
  blocks: number[];
}

/** One side of a comparison. */
export interface SideRecord {
  title: string;
  trace: TraceRecord;
  marks: MarksRecord;
}

/** Two traces side by side. */
export interface CompareRecord {
  version: 1;
  kind: "compare";
  sides: SideRecord[];
}

/** What is played: the graph, what is fetched and how often. Which nodes run, and when, is the learner's to find. */
export interface GameRecord {
  version: 1;
  kind: "game";
  prompt: string;
  graph: GraphRecord;
  fetches: FetchRecord[];
  runs: number;
}

/** What came of the last click: the message `play.<code>` with these params; whether the engine could do so, too. */
export interface MoveRecord {
  node: number;
  code: MoveCode;
  params: Params;
  legal: boolean;
}

/** What one run gave, or the error that ended it. */
export interface RunEndRecord {
  fetched: FetchedRecord[];
  error: string | null;
}

/**
 * What the learner's order led to. usual: what the default order gives; differs: whether that is something else.
 *
 * schedules: the order of each run, as a session takes it. possible: how many results legal orders can give, 0 where that
 * is not known; found: how many of them the learner has reached. trace: the runs to look at again, with nothing left out.
 */
export interface EndRecord {
  usual: RunEndRecord[];
  differs: boolean;
  schedules: string[];
  possible: number;
  found: number;
  trace: TraceRecord;
}

/**
 * How far the learner is. runs: what has run, without what is ready next; that is told only after a hint.
 *
 * right, wrong: of the values that were asked for. asked: the node whose value is asked for now. choices: the iterations in
 * which the node of the last click is ready, the oldest first, where it is asked which of them is meant.
 */
export interface PlayedRecord {
  version: 1;
  kind: "played";
  runs: RunRecord[];
  move: MoveRecord | null;
  legal: number;
  illegal: number;
  hints: number;
  right: number;
  wrong: number;
  asked: number | null;
  choices: number[][];
  end: EndRecord | null;
}

/** A piece of a program. code: its text, with a sign for each hole; gives: the names that other pieces can take. */
export interface FragmentRecord {
  id: number;
  name: string;
  code: string;
  role: Role;
  gives: string[];
  holes: string[];
}

/** What there is to build with. Which pieces are right, and what is asked of the whole, stays in Python. */
export interface PuzzleRecord {
  version: 1;
  kind: "puzzle";
  task: "parsons" | "repair";
  prompt: string;
  pieces: FragmentRecord[];
}

/** An edge from one of the names that a piece gives to a hole of another; no hole: an order only. */
export interface LinkRecord {
  source: number;
  output: number;
  target: number;
  hole: number | null;
}

/** A line of the program that the pieces make, and the piece that it is of. */
export interface CodeLineRecord {
  text: string;
  indent: number;
  piece: number | null;
}

/** What came of the last change: the message `puzzle.<code>`. */
export interface SaidRecord {
  code: "attached" | "waits" | "circle" | "detached" | "put" | "taken_out" | "undone" | "begun";
  params: Params;
}

/** What is not met: the message `exercise.<code>`. */
export interface MissedRecord {
  code: string;
  params: Params;
}

/** What a check of the program found. models: the ways of thinking in which it would be right, by code. */
export interface MarkRecord {
  grade: "pass" | "fail" | "error" | "not_attempted";
  error: string;
  missed: MissedRecord[];
  met: number;
  total: number;
  tried: number | null;
  models: string[];
}

/**
 * How far the learner is. canvas: the placed pieces and their edges, as a graph; error: why the program builds none.
 *
 * built: the graph that the program builds, once no hole is open.
 */
export interface ArrangedRecord {
  version: 1;
  kind: "arranged";
  placed: number[];
  links: LinkRecord[];
  lines: CodeLineRecord[];
  canvas: GraphRecord;
  built: GraphRecord | null;
  error: string;
  said: SaidRecord | null;
  mark: MarkRecord | null;
  undo: boolean;
}

/**
 * A gradient: the tensor that carries it, and in a run its value and how that is ("": there was no run).
 *
 * tensor: which of the record's tensors shows the value; null where the text says it all.
 */
export interface GradientRecord {
  name: string;
  node: number | null;
  text: string;
  health: Health;
  tensor: number | null;
}

/** What came to one output of a node, over as many ways as there are parts; `total` is their sum. */
export interface ArrivalRecord {
  output: number;
  parts: GradientRecord[];
  total: GradientRecord | null;
}

/**
 * What one input got, by the node and output that it comes from.
 *
 * "passed": its node has a turn; "aside": nothing that was asked for lies there; "integer", "none": no gradient, since
 * the input holds whole numbers and such, or since the rule gives none.
 */
export interface ShareRecord {
  input: number;
  node: number;
  output: number;
  code: ShareCode;
  gradient: GradientRecord | null;
}

/** One node's turn on the way back. `reason` is the engine's own word for a "constant"; `pending` the counts that changed. */
export interface TurnRecord {
  kind: "start" | "rule" | "reached" | "stopped" | "constant" | "nothing";
  node: number;
  formula: string;
  reason: string;
  arrivals: ArrivalRecord[];
  sums: number[];
  made: number[];
  shares: ShareRecord[];
  pending: [number, number][];
}

/** The gradient of one x; or why there is none, and the node where the way to it breaks off. */
export interface DerivativeRecord {
  label: string;
  node: number;
  code: "found" | "unrelated" | "integer" | "stopped" | "constant" | "none";
  gradient: GradientRecord | null;
  at: number | null;
  reason: string;
}

/** One call of `gradients`, turn by turn, and the graph as it is after it. */
export interface GradientFlowRecord {
  version: 1;
  kind: "gradient-flow";
  graph: GraphRecord;
  ys: FetchRecord[];
  turns: TurnRecord[];
  results: DerivativeRecord[];
  tensors: TensorRecord[];
}

/** A line of the program, and what should stand there. */
export interface FixRecord {
  line: number;
  text: string;
}

/**
 * One place, by the rule's code: its words are in the catalogue of messages.
 *
 * text: which of the rule's sentences says what is there. sites: the lines that it is about, the one to look at first. snippet:
 * code that helps. nodes: the nodes that it is about, as far as `around` shows them; around: what is near them, null where it
 * is asked for later.
 */
export interface FindingRecord {
  code: string;
  text: string;
  severity: Severity;
  params: Params;
  sites: SiteRecord[];
  fixes: FixRecord[];
  snippet: string;
  nodes: number[];
  around: GraphRecord | null;
}

/**
 * What was found among so many nodes by so many rules, in the order of the program.
 *
 * run: the message `lint.run.<code>`, of which run it can be asked why a node runs there or does not.
 */
export interface LintRecord {
  version: 1;
  kind: "lint";
  nodes: number;
  rules: number;
  findings: FindingRecord[];
  run: NoticeRecord | null;
}

/** One value that the learner is asked for; where there are choices, each has one text for each run, in no telling order. */
export interface TargetRecord {
  key: string;
  label: string;
  choices: string[][];
}

/** A question; it carries no answer. */
export interface PredictRecord {
  version: 1;
  kind: "predict";
  title: string;
  prompt: string;
  code: string;
  runs: number;
  targets: TargetRecord[];
}

/** The first step in which a model of thought and the engine part. */
export interface DivergesRecord {
  run: number;
  step: number;
  node: number | null;
  name: string;
  model_value: string;
  engine_value: string;
}

/** What one model of thought predicts, and whether the learner wrote just that. */
export interface ModelRecord {
  model: string;
  predicts: string[];
  matches: boolean;
  diverges: DivergesRecord | null;
}

/** The learner's numbers beside the engine's. */
export interface AnswerRecord {
  key: string;
  predicted: string[];
  actual: string[];
  correct: boolean;
  models: ModelRecord[];
}

/** What the learner sees after committing. */
export interface PredictResult {
  version: 1;
  kind: "predict-result";
  targets: AnswerRecord[];
  compare: CompareRecord | null;
  trace: TraceRecord | null;
}

/** One run of a training: its name and its first time, in seconds since 1970. */
export interface TrainedRecord {
  name: string;
  start: number;
}

/**
 * Some numbers of a curve that follow each other. Of `count` numbers the first, the last, the least and the largest are
 * in `points` (step, time, value), the first of each kind that is not finite in `odd`; `mean` is that of the finite ones.
 */
export interface PieceRecord {
  count: number;
  mean: number | null;
  points: [number, number, number][];
  odd: [number, number, Odd][];
}

/** The numbers of one tag in one run, `total` of them. In news, `pieces` replace those from number `at` on. */
export interface CurveRecord {
  run: number;
  tag: string;
  total: number;
  odd: number;
  at: number;
  pieces: PieceRecord[];
}

/** How some numbers lie at one step: how many are in each of equally wide bins, and the quantiles of QUANTILES. */
export interface DistributionRecord {
  step: number;
  time: number;
  count: number;
  mean: number;
  low: number;
  high: number;
  quantiles: number[];
  bins: number[];
}

/** The distributions of one tag in one run: `total` came, an even choice of them and the last are here. */
export interface HistogramsRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: DistributionRecord[];
}

/** One image at one step; `data` is the file in base64. */
export interface ImageRecord {
  step: number;
  time: number;
  width: number;
  height: number;
  format: "png" | "jpeg" | "gif";
  data: string;
}

/** The images of one tag in one run, chosen as in HistogramsRecord. */
export interface ImagesRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: ImageRecord[];
}

/** One text at one step. */
export interface NoteRecord {
  step: number;
  time: number;
  text: string;
}

/** The texts of one tag in one run, chosen as in HistogramsRecord. */
export interface NotesRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: NoteRecord[];
}

/** What came under a tag and is not shown, and how often. */
export interface OtherRecord {
  run: number;
  tag: string;
  reason: "audio" | "tensor" | "large" | "unreadable";
  total: number;
}

/** What some trainings told so far; as news, what has changed since the whole record was sent (see `at`). */
export interface TrainingRecord {
  version: 1;
  kind: "training";
  runs: TrainedRecord[];
  curves: CurveRecord[];
  histograms: HistogramsRecord[];
  images: ImagesRecord[];
  texts: NotesRecord[];
  others: OtherRecord[];
  notices: NoticeRecord[];
}

/** A part of an order: one node's turn before another's; in a loop, in these iterations ("": outside). */
export interface BeforeRecord {
  first: number;
  second: number;
  first_iteration: string;
  second_iteration: string;
}

/**
 * How a result comes about: for each run a schedule, as a session takes it, what comes first in it, and its steps.
 *
 * It is empty where the record would be large; then it is asked for when somebody wants to see it.
 */
export interface WayRecord {
  schedules: string[];
  before: BeforeRecord[][];
  runs: RunRecord[];
}

/** One thing that can come out: what each run gives, and the error that ends the last one, if any. */
export interface ResultRecord {
  values: string[];
  error: string | null;
  way: WayRecord;
}

/** What one of the two orders of a race gives. */
export interface WitnessRecord {
  text: string;
  way: WayRecord;
}

/**
 * Two nodes in no order that make a difference: the message `race.<kind>`.
 *
 * one: with the first node before the second; other: the other way round. advice: the message `race.<advice>`; line: the
 * line of code that ends the race, "" where no one line does.
 */
export interface RaceRecord {
  first: number;
  second: number;
  kind: RaceKind;
  variable: string;
  one: WitnessRecord;
  other: WitnessRecord;
  advice: "fix" | "fix_whole" | "fix_loop" | "fix_around";
  line: string;
}

/**
 * Why two nodes that touch one variable make no race: the message `outcomes.<code>`.
 *
 * path: the nodes from the first to the second, of which each waits for the one before; none where the order is open and
 * makes no difference ("alike").
 */
export interface OrderedRecord {
  code: "write_read" | "read_write" | "write_write" | "alike";
  first: number;
  second: number;
  variable: string;
  path: number[];
}

/**
 * All that some runs can give. trace: the program, without a run; fixes: pairs of which the second node waits here.
 *
 * exact: whether there is nothing else. outside: nodes whose effects cannot be tried again. more_…: what is not listed.
 */
export interface OutcomesRecord {
  version: 1;
  kind: "outcomes";
  trace: TraceRecord;
  exact: boolean;
  turns: number;
  outside: number[];
  results: ResultRecord[];
  more_results: number;
  races: RaceRecord[];
  more_races: number;
  ordered: OrderedRecord[];
  more_ordered: number;
  fixes: [number, number][];
}

/** What a node takes now and took before, by the names of that time; "" is nothing. A control input has no number. */
export interface InputChangeRecord {
  kind: EdgeKind;
  input: number | null;
  before: string;
  after: string;
}

/** A node that is not as it was: `before` and `after` are its names, attrs what else it is, each before and after. */
export interface NodeChangeRecord {
  node: number;
  changes: Change[];
  before: string;
  after: string;
  inputs: InputChangeRecord[];
  attrs: [string, string, string][];
}

/** An edge that is there in only one of the two. */
export interface EdgeChangeRecord {
  edge: number;
  change: "added" | "removed";
}

/** An empty block that is there in only one of the two. */
export interface BlockChangeRecord {
  block: number;
  change: "added" | "removed";
}

/**
 * Two graphs as one: its nodes and edges are those of the second graph, and those of the first that are gone.
 *
 * same: how many nodes are as before, those that the graph leaves out among them.
 */
export interface GraphDiffRecord {
  version: 1;
  kind: "graph-diff";
  graph: GraphRecord;
  nodes: NodeChangeRecord[];
  edges: EdgeChangeRecord[];
  blocks: BlockChangeRecord[];
  same: number;
}

/** Lines of a cell or file, from line `first` on. */
export interface CodeRecord {
  place: string;
  first: number;
  lines: string[];
}

/**
 * One line's turn in building: lines `line` to `end` of a code, and the nodes and edges that it added.
 *
 * code: the message `film.live.<code>`. "made": nodes; "nothing": none; "renamed": none in a control_dependencies block that
 * stays empty; "block": none, but what is made inside waits; "calls": none yet, a function's lines follow; "again": nodes that
 * the rest of the line made after that. blocks: those that the line opens. many: the line may have run several times in
 * this step. waits: control edges, as pairs of who waits and for whom.
 */
export interface BuiltRecord {
  code: "made" | "nothing" | "renamed" | "block" | "again" | "calls";
  source: number | null;
  line: number;
  end: number;
  nodes: number[];
  edges: number[];
  blocks: number[];
  many: boolean;
  waits: [number, number][];
}

/** How the lines of a program made its graph, in the order in which they ran. */
export interface BuildFilmRecord {
  version: 1;
  kind: "build-film";
  graph: GraphRecord;
  codes: CodeRecord[];
  steps: BuiltRecord[];
}

/**
 * What a pass does to one node: the message `why.<code>` in the pass "prune", `passes.fate.<code>` in others.
 *
 * leaves: whether the node takes no part from here on. lines: which lines of the plan are its own, counted from 0.
 */
export interface FateRecord {
  node: number;
  code: string;
  leaves: boolean;
  params: Params;
  lines: number[];
}

/**
 * One pass: how many nodes there are before and after it, and what becomes of each that it is about.
 *
 * note: the message `passes.note.<note>` with these params; "" for none. Among them `reason` is the message
 * `refused.plan.<reason>`, with the others.
 */
export interface PassRecord {
  code: PassCode;
  before: number;
  after: number;
  fates: FateRecord[];
  note: string;
  params: Params;
}

/** From the whole graph to what runs. order: the nodes by their turns; plan: the lines of the generated Python. */
export interface PassesRecord {
  version: 1;
  kind: "passes";
  graph: GraphRecord;
  fetches: FetchRecord[];
  passes: PassRecord[];
  order: number[];
  plan: string[];
}

/**
 * Another course of the same runs: like its parent up to `step` of `run`, then changed.
 *
 * number, parent: of timelines; 0 is the TraceRecord. runs: what follows, beginning with the rest of `run`; nothing of what
 * came before is told twice. added, cut, pruned, needed: how its graph differs from the TraceRecord's, and who then runs;
 * these are told where a control edge was changed (`rewired`).
 */
export interface BranchRecord {
  version: 1;
  kind: "branch";
  number: number;
  parent: number;
  run: number;
  step: number;
  change: ForkedRecord;
  runs: RunRecord[];
  rewired: boolean;
  added: EdgeRecord[];
  cut: number[];
  pruned: NodeWhyRecord[];
  needed: NodeWhyRecord[];
}

/** A timeline among others. parts: run and step from which on it is unlike the first; null where it is the same. */
export interface LeafRecord {
  number: number;
  steps: number;
  parts: [number, number] | null;
}

/** One thing that each timeline has at its end. groups: equal numbers, equal values, to the last bit. */
export interface LeafRowRecord {
  code: "fetched" | "variable" | "order" | "error";
  run: number;
  name: string;
  texts: string[];
  groups: number[];
}

/** How the timelines end, side by side. same: how many variables are equal in all of them and not listed. */
export interface LeavesRecord {
  version: 1;
  kind: "leaves";
  leaves: LeafRecord[];
  rows: LeafRowRecord[];
  same: number;
}

/** The steps of one run of a timeline at which a breakpoint hits. */
export interface HitsRecord {
  timeline: number;
  run: number;
  steps: number[];
}

/** A breakpoint: its words, the node that it is on, where it hits, and the message `break.note.<code>` about that. */
export interface BreakRecord {
  number: number;
  kind: "node" | "value" | "event" | "python";
  text: string;
  node: number | null;
  hits: HitsRecord[];
  note: NoticeRecord | null;
}

/** The breakpoints of a widget. */
export interface BreaksRecord {
  version: 1;
  kind: "breaks";
  breaks: BreakRecord[];
}

/**
 * One change: the messages `why.change.<code>`, all of which it takes. also: how many nodes it touches, this one among them.
 *
 * needs: the placeholders that then must be fed, so that it cannot be tried as it is.
 */
export interface ChangeRecord {
  parts: NoticeRecord[];
  also: number;
  needs: string[];
}

/**
 * Why a node runs or does not. around: the messages `why.<code>` for what is around it.
 *
 * flips: what the changes do, the message `why.changes.<flips>`.
 */
export interface ReasonRecord {
  version: 1;
  kind: "reason";
  node: number;
  why: WhyRecord;
  around: NoticeRecord[];
  flips: "run" | "compute" | "stop";
  changes: ChangeRecord[];
}

/**
 * What a run did at a node; of a node that is in no such record nothing was needed.
 *
 * turns: how often it ran, more than once in a loop. nanoseconds: what these turns took together; bytes: how large what it
 * made was, together, without what was a variable's own buffer. values: what came out last, "" where nothing did.
 */
export interface NodeFactsRecord {
  node: number;
  outcome: "ran" | "dead" | "fed" | "error";
  turns: number;
  nanoseconds: number;
  bytes: number;
  health: Health;
  values: string[];
}

/** One run, as what it did at each node; `fetches` says what was asked for. */
export interface RunFactsRecord {
  version: 1;
  kind: "run-facts";
  fetches: string[];
  nodes: NodeFactsRecord[];
}

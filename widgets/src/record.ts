/**
 * The JSON records that Python sends: the whole interface of the two sides.
 * Written by tools/record_types.py from tfedu/view/records: change the dataclasses there, then `make format`.
 */

export const VERSION = 1;

export const EDGE_KINDS: readonly EdgeKind[] = ["data", "control", "reference"];

/** Values for the places of a message. */
export type Params = Record<string, string | number>;

export type BoxKind = "cond" | "branch" | "loop" | "scope";

export type CellsPart = "input" | "step" | "output";

export type Change = "added" | "removed" | "renamed" | "rewired" | "changed";

export type EdgeKind = "data" | "control" | "reference";

export type ElementIdea =
  | ""
  | "other_element"
  | "turned"
  | "largest"
  | "smallest"
  | "mean"
  | "sum"
  | "shares"
  | "one_product";

export type GroupKind = "repeat" | "series" | "unused" | "loop_variable";

export type Health = "" | "fine" | "zero" | "tiny" | "nan" | "inf" | "dead";

export type Look = "number" | "string" | "table" | "heat" | "image" | "histogram" | "name";

export type MomentCode = "move" | "end" | "error";

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
  | "which"
  | "began"
  | "waits"
  | "locked";

export type Odd = "nan" | "inf" | "-inf";

export type PartKind =
  | "gradients"
  | "gradient"
  | "variables"
  | "variable"
  | "optimizer"
  | "init"
  | "saver"
  | "summaries"
  | "asserts"
  | "aside"
  | "rest"
  | "span";

export type PassCode = "whole" | "prune" | "place" | "order" | "known" | "needless" | "fuse" | "write";

export type QuestionForm = "value" | "reads";

export type RaceKind = "read_write" | "write_read" | "write_write" | "itself";

export type Role = "constant" | "placeholder" | "variable" | "read" | "update" | "noop" | "control" | "op";

export type SentenceCode =
  | "epochs.apart"
  | "epochs.mixed"
  | "epochs.joined"
  | "order.kept"
  | "order.changed"
  | "order.members"
  | "order.batches"
  | "order.early"
  | "pace.consumer"
  | "pace.stage"
  | "pace.lanes"
  | "pace.alone"
  | "pace.waits"
  | "help.prefetch"
  | "help.calls"
  | "help.both"
  | "help.none"
  | "both.same"
  | "both.order"
  | "both.others"
  | "both.times";

export type Severity = "mistake" | "suspicion" | "advice";

export type ShareCode = "passed" | "aside" | "integer" | "none";

export type StageKind =
  | "source"
  | "map"
  | "filter"
  | "batch"
  | "shuffle"
  | "repeat"
  | "prefetch"
  | "consumer"
  | "other";

/** A line of the user's program. */
export interface SiteRecord {
  label: string;
  source: string;
  line: number;
}

/** One output of a node. shape: null where the rank is unknown. text: dtype and shape as in a picture. */
export interface OutputRecord {
  name: string;
  dtype: string;
  shape: (number | null)[] | null;
  text: string;
}

/** One node. id: the operation's number in its graph, not its place in the record. */
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

/** One edge: "data" (a value), "reference" (a variable itself), or "control" (an order, without output and input). */
export interface EdgeRecord {
  id: number;
  kind: EdgeKind;
  source: number;
  output: number | null;
  target: number;
  input: number | null;
  text: string;
}

/**
 * A name scope, or in a large graph a part of it (PartRecord); NodeRecord.scope lists its nodes.
 *
 * The graph itself is the parent "" and has no record.
 */
export interface ScopeRecord {
  path: string;
  parent: string;
}

/** One `with control_dependencies(...)` block: its control inputs, and the nodes that were created inside. */
export interface BlockRecord {
  id: number;
  site: SiteRecord | null;
  control_inputs: number[];
  created: number[];
  empty: boolean;
}

/**
 * A node that holds state. shape: of its value, null where it is unknown.
 *
 * is_parameter: whether it is a parameter of a model: it is trained, or a layer has it, as the means of a batch normalization.
 */
export interface VariableRecord {
  node: number;
  name: string;
  kind: "reference" | "resource";
  shape: (number | null)[] | null;
  is_parameter: boolean;
}

/** A node that `gradients` created. of: the node whose gradient it computes; null for a sum or an initial gradient. */
export interface GradientNodeRecord {
  node: number;
  of: number | null;
}

/** A sentence under the picture: the message `notice.<code>` with these params. */
export interface NoticeRecord {
  code: string;
  params: Params;
}

/**
 * A cond, one of its branches, a loop, or a name scope beside or inside these. nodes: the nodes directly in it.
 *
 * label: the predicate of a cond, the side of a branch, the name of a loop or scope. The graph itself is the parent "".
 */
export interface BoxRecord {
  path: string;
  parent: string;
  kind: BoxKind;
  label: string;
  nodes: number[];
}

/**
 * A box around a part of a scope: copies of one block ("repeat": `scopes`), or a chain of nodes ("series": `nodes`).
 *
 * A picture in which there is too little room makes "unused" ones: scopes and nodes that a run does not need. The record of one
 * loop has a "loop_variable" for the nodes that carry a loop variable from iteration to iteration.
 */
export interface GroupRecord {
  path: string;
  parent: string;
  kind: GroupKind;
  scopes: string[];
  nodes: number[];
}

/**
 * A part that the record of a large graph leaves out: a "scope", or the "rest" of a scope's nodes.
 *
 * id: below 0; bundles name the part by it. nodes: how many nodes it has. data, control, reference: how many edges of each kind
 * are inside.
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

/** Edges of one kind from or to a part that is left out; source and target are ids of nodes or sealed parts. */
export interface BundleRecord {
  kind: EdgeKind;
  source: number;
  target: number;
  count: number;
}

/** A loop variable, named as the program names it. enter, merge, switch, next, exit: its nodes; null where one is missing. */
export interface LoopVariableRecord {
  name: string;
  enter: number;
  merge: number;
  switch: number | null;
  next: number | null;
  exit: number | null;
}

/** A loop. frame: its name at run time, without those of the loops around it. */
export interface LoopRecord {
  frame: string;
  variables: LoopVariableRecord[];
}

/** Lines of a cell or file, starting at line number `first`. A site of line n has the label `<place>, line <n>`. */
export interface CodeRecord {
  place: string;
  first: number;
  lines: string[];
}

/**
 * What a scope is for in a large graph; scopes without this record are the way forward, from the inputs to the loss.
 *
 * "gradients" and "variables" are the lanes, "gradient" and "variable" what stands in them. A "span" is a part of the way
 * forward that is in no scope. All others stand aside.
 * of: the scope or node of the way forward that a gradient or variable belongs to; "" if there is none.
 */
export interface PartRecord {
  path: string;
  kind: PartKind;
  of: string;
}

/**
 * A layer, or a scope of a model with variables of its own. kind: the layer's class, or the op types of the scope.
 *
 * outputs: dtypes and shapes. parameters, trainable: how many numbers its variables hold, null where a size is unknown. shared:
 * whether they are the variables of an earlier layer. calls: how often the layer was called in this scope. The scope may be a
 * group of repeated blocks: then parameters are those of all together, and calls is the number of blocks.
 */
export interface LayerRecord {
  scope: string;
  kind: string;
  outputs: string[];
  parameters: number | null;
  trainable: number | null;
  shared: boolean;
  calls: number;
}

/**
 * A tensor that travels between two devices. edge: from the node that sends to the one that receives.
 *
 * bytes: how many are copied; null where the shape leaves it open.
 */
export interface TransferRecord {
  edge: number;
  bytes: number | null;
}

/**
 * A graph, or a part of one.
 *
 * scopes, groups, boxes: two ways to nest the nodes: by name scopes, with groups for repeated blocks and series; or by conds and
 * loops, in a graph that has any. loops: the loops with their variables. sealed, bundles: count what the record of a large graph
 * leaves out. codes: the program's lines around those that created nodes. parts: what scopes are for. layers: the scopes of
 * layers. transfers: the edges between devices, in the graph of a run on several of them. names: ids of nodes, each with the
 * name to which the program assigns what the node gives.
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
  loops: LoopRecord[];
  codes: CodeRecord[];
  parts: PartRecord[];
  layers: LayerRecord[];
  transfers: TransferRecord[];
  names: [number, string][];
}

/** One fetch of a run. */
export interface FetchRecord {
  label: string;
  name: string;
  node: number;
  output: number | null;
}

/** Why a node runs or does not: the message `why.<code>`, and the nodes from the fetch to it. */
export interface WhyRecord {
  code:
    | "fetched"
    | "data"
    | "control"
    | "fed"
    | "pruned"
    | "waiting"
    | "stopped"
    | "failed"
    | "unfinished"
    | "cut_short";
  params: Params;
  path: number[];
}

/** A node, and why it runs or does not. */
export interface NodeWhyRecord {
  node: number;
  why: WhyRecord;
}

/** The state of a run before its first step; ready, held: as of a step. */
export interface StartRecord {
  ready: number[];
  pending: [number, number][];
  variables: [string, string][];
  held: number[];
}

/**
 * One output of a step. alias: the variable whose buffer it is, if any.
 *
 * tensor: the place of the value among the trace's tensors; null where `text` is the complete value, or only a kernel has it.
 * asks: whether a kernel can show the value in more looks.
 */
export interface ValueRecord {
  text: string;
  alias: string | null;
  dead: boolean;
  tensor: number | null;
  asks: boolean;
}

/** Why a node is dead in a run: the message `dead.<code>`, and the Switch whose dead output it depends on. */
export interface DeathRecord {
  code: "branch" | "ended" | "goes_on";
  params: Params;
  switch: number;
}

/**
 * What a fork changed: the message `fork.<code>` with these params.
 *
 * "value", "variable": it gets another value; "choose": another ready node runs next; "add", "cut": a control edge.
 */
export interface ForkedRecord {
  code: "value" | "variable" | "choose" | "add" | "cut";
  params: Params;
}

/**
 * One node's turn in a run, or, with a `change`, the place where a fork changed something.
 *
 * consumed, produced: edge ids. reads: (name, value) of each variable and TensorArray element that the node read; writes: (name,
 * value before, value after). ready: the first ready nodes after the step that can take their turns; held: those that a queue or
 * a mutex holds back. pending: changed pending counts, as (node, count).
 * frame: the names of the loops around the node, "" outside; iteration: the iteration of each, outermost first. death: why the
 * node is dead.
 */
export interface StepRecord {
  node: number;
  outcome: "ran" | "dead" | "fed" | "began" | "error" | "changed";
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
  held: number[];
}

/** The value of one fetch, as it prints. */
export interface FetchedRecord {
  label: string;
  text: string;
}

/** What works by itself: a device ("GPU:0"), or the link from it to another device. */
export interface ClockLaneRecord {
  device: string;
  to: string | null;
}

/** When a lane worked at a step, in nanoseconds of the simulated clock. lane: its place; bytes: what a transfer copied. */
export interface SpanRecord {
  lane: number;
  step: number;
  begin: number;
  end: number;
  bytes: number;
}

/**
 * The simulated clock of a run on several devices: the devices, then the links, and what they did, in the order of the steps.
 *
 * A step that has no span took no time on any device.
 */
export interface ClockRecord {
  lanes: ClockLaneRecord[];
  spans: SpanRecord[];
}

/**
 * One `session.run`. unfinished: why the fate of the nodes that had no turn is not known, if the recorder gave the run up.
 *
 * clock: when the devices worked, of a run on several of them.
 */
export interface RunRecord {
  index: number;
  start: StartRecord;
  steps: StepRecord[];
  fetched: FetchedRecord[];
  error: string | null;
  unfinished: WhyRecord | null;
  clock: ClockRecord | null;
}

/** Statistics of all elements. low, high, mean, std: of the finite elements, as text; "" where there are none. */
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
 * The cells of a table or heat map, [rows, columns]. rows, columns: their indices as text.
 *
 * part: the slice of a tensor of more than two dimensions, as "[0, :, :]". all_rows, all_columns: how many the slice has; a
 * table shows the first. block: how many rows and columns of elements one cell stands for, with the mean of the finite ones.
 * levels: of a heat map, the mean of each cell on a scale from 0 to 8; below 0 for a cell with other elements: -1 NaN, -2 both
 * infinities, -3 minus infinity, -4 infinity, -5 no element. low, high: the means of levels 0 and 8.
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

/** How many finite elements are in an interval; the last bar includes its upper end. */
export interface BarRecord {
  low: string;
  high: string;
  count: number;
}

/** One image as a PNG file in base64. every: only one of so many pixels in each row and column is shown. */
export interface PixelsRecord {
  label: string;
  width: number;
  height: number;
  every: number;
  data: string;
}

/** The first of `total` images. black, white: the values of black and white pixels. */
export interface GalleryRecord {
  images: PixelsRecord[];
  total: number;
  black: string;
  white: string;
}

/**
 * One value. looks: the ways to show it, the best first; the numbers of a look that is null here come on request.
 *
 * text: the value in one line, or a complete string. length: of a string, in bytes.
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
 * Runs of the same fetches, step by step.
 *
 * tensors: values in full, each once; outputs name them by place. number: the number of the trace in its widget, for requests of
 * values; null where no kernel can be asked.
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

/** The nodes and empty blocks that only this side has, and the edges of common nodes that only this side has, by id. */
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

/** The game: the graph, the fetches, and the number of runs. The learner finds out which nodes run, and when. */
export interface GameRecord {
  version: 1;
  kind: "game";
  prompt: string;
  graph: GraphRecord;
  fetches: FetchRecord[];
  runs: number;
}

/** The answer to the last click: the message `play.<code>` with these params. legal: whether the engine could do the same. */
export interface MoveRecord {
  node: number;
  code: MoveCode;
  params: Params;
  legal: boolean;
}

/** The fetched values of one run, or the error that ended it. */
export interface RunEndRecord {
  fetched: FetchedRecord[];
  error: string | null;
}

/**
 * The result of the learner's order. usual: the result of the default order. differs: whether the learner's is another.
 *
 * schedules: the order of each run, as Session's `schedule` takes it. possible: how many different results legal orders have, 0
 * where that is unknown. found: how many of them the learner has reached. trace: the runs, complete.
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
 * The state of the game. runs: the steps so far; they list the ready nodes only after a hint.
 *
 * right, wrong: how many of the requested values the learner got right and wrong. asked: the node whose value is requested
 * now. choices: the iterations in which the clicked node is ready, oldest first, where the learner has to choose one.
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

/** A piece of a program. code: its text, with a sign for each hole; gives: the names that it defines for other pieces. */
export interface FragmentRecord {
  id: number;
  name: string;
  code: string;
  role: Role;
  gives: string[];
  holes: string[];
}

/** The pieces of a puzzle. Which pieces are right, and what the program must do, stays in Python. */
export interface PuzzleRecord {
  version: 1;
  kind: "puzzle";
  task: "parsons" | "repair";
  prompt: string;
  pieces: FragmentRecord[];
}

/** An edge from a name that one piece defines to a hole of another piece; without a hole a control edge. */
export interface LinkRecord {
  source: number;
  output: number;
  target: number;
  hole: number | null;
}

/** A line of the program that the pieces make, and the piece that it comes from. */
export interface CodeLineRecord {
  text: string;
  indent: number;
  piece: number | null;
}

/** The answer to the last change: the message `puzzle.<code>`. */
export interface SaidRecord {
  code: "attached" | "waits" | "circle" | "detached" | "put" | "taken_out" | "undone" | "begun";
  params: Params;
}

/** A requirement that is not met: the message `exercise.<code>`. */
export interface MissedRecord {
  code: string;
  params: Params;
}

/**
 * The result of a check. met, total: how many requirements; tried: how many orders.
 *
 * models: the mental models in which the program would be right.
 */
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
 * The state of a puzzle. canvas: the placed pieces and their edges, as a graph.
 *
 * built: the graph that the program builds, once all holes are filled; error: why it builds none. undo: whether a change can be
 * undone.
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
 * A gradient: the tensor that holds it, its value in a run, and the health of that value ("" without a run).
 *
 * tensor: the place of the value among the record's tensors; null where `text` is the complete value.
 */
export interface GradientRecord {
  name: string;
  node: number | null;
  text: string;
  health: Health;
  tensor: number | null;
}

/** The gradients that arrived at one output of a node, one for each use of the output; `total` is their sum. */
export interface ArrivalRecord {
  output: number;
  parts: GradientRecord[];
  total: GradientRecord | null;
}

/**
 * The gradient of one input, which is an output of `node`.
 *
 * code: "passed" on, and that node has a turn; "aside": no x depends on that node; "integer": no gradient, since the input's
 * dtype has none; "none": the rule returned none.
 */
export interface ShareRecord {
  input: number;
  node: number;
  output: number;
  code: ShareCode;
  gradient: GradientRecord | null;
}

/**
 * One node's turn in the backward sweep.
 *
 * kind: what the turn is, as the message `flow.live.<kind>`. reason: why the node is a "constant", as the message
 * `flow.why.<reason>`, or the name of an overridden rule. sums, made: the nodes that added the arrivals, and the nodes that the
 * rule created. pending: changed pending counts, as (node, count).
 */
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

/**
 * The gradient of one x; or why it has none, and the node `at` which the path to it ends.
 *
 * reason: as in TurnRecord.
 */
export interface DerivativeRecord {
  label: string;
  node: number;
  code: "found" | "unrelated" | "integer" | "stopped" | "constant" | "none";
  gradient: GradientRecord | null;
  at: number | null;
  reason: string;
}

/** One call of `gradients`, turn by turn, and the graph after it. */
export interface GradientFlowRecord {
  version: 1;
  kind: "gradient-flow";
  graph: GraphRecord;
  ys: FetchRecord[];
  turns: TurnRecord[];
  results: DerivativeRecord[];
  tensors: TensorRecord[];
}

/**
 * The layers in the order of their making; variables that layers share count once in the sums.
 *
 * parameters, trainable: how many numbers the variables hold, null where a size is unknown.
 */
export interface LayersRecord {
  version: 1;
  kind: "layers";
  layers: LayerRecord[];
  parameters: number | null;
  trainable: number | null;
}

/** A line of the program, and the text that should replace it. */
export interface FixRecord {
  line: number;
  text: string;
}

/**
 * One likely mistake. code: of the rule; text: which of the rule's messages, `lint.<text>`, describes it.
 *
 * sites: the lines that it is about, the most important first. snippet: code that helps. nodes: what it is about in `around`.
 * around: the graph near them; null where the front end asks for it later.
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
 * The likely mistakes, in the order of the program. nodes, rules: how many nodes and rules were checked.
 *
 * run: the message `lint.run.<code>`, about the run that questions "why does this node run?" refer to.
 */
export interface LintRecord {
  version: 1;
  kind: "lint";
  nodes: number;
  rules: number;
  findings: FindingRecord[];
  run: NoticeRecord | null;
}

/** One value to predict. choices: the answers to choose from, each with a text for each run; their order gives no hint. */
export interface TargetRecord {
  key: string;
  label: string;
  choices: string[][];
}

/** A question, without its answer. programs: one for all targets, or one for each; a program may have several pieces. */
export interface PredictRecord {
  version: 1;
  kind: "predict";
  title: string;
  prompt: string;
  programs: CodeRecord[][];
  runs: number;
  targets: TargetRecord[];
}

/** The first step at which a mental model and the engine differ. */
export interface DivergesRecord {
  run: number;
  step: number;
  node: number | null;
  name: string;
  model_value: string;
  engine_value: string;
}

/** What one mental model predicts, and whether the learner's answer is the same. */
export interface ModelRecord {
  model: string;
  predicts: string[];
  matches: boolean;
  diverges: DivergesRecord | null;
}

/** The learner's numbers beside the engine's. right: for each run whether the learner's number is. */
export interface AnswerRecord {
  key: string;
  predicted: string[];
  actual: string[];
  right: boolean[];
  correct: boolean;
  models: ModelRecord[];
}

/** What the learner sees after answering. */
export interface PredictResult {
  version: 1;
  kind: "predict-result";
  targets: AnswerRecord[];
  compare: CompareRecord | null;
  trace: TraceRecord | null;
}

/**
 * What a learner's texts for one target are read against: a literal for each run.
 *
 * actual: the engine's values; models: those of each model of the answer. A literal is a number (with a point or an exponent
 * where a near one is right, too), `true`, `false`, `null`, a text in quotes, a list in brackets, or the values of a dict in
 * braces; "!" and the kind of an error for a run that fails; "?" for a value that is compared as text alone.
 */
export interface AnswerKeyRecord {
  key: string;
  actual: string[];
  models: string[][];
}

/** A question with its answer, for a page that checks a prediction without Python. answer: as without a prediction. */
export interface SelfCheckRecord {
  version: 1;
  kind: "self-check";
  title: string;
  question: PredictRecord;
  answer: PredictResult;
  keys: AnswerKeyRecord[];
}

/** One run of a training: its name and its first time, in seconds since 1970. */
export interface TrainedRecord {
  name: string;
  start: number;
}

/**
 * Successive numbers of a curve.
 *
 * count: how many numbers. points: the first, last, least and largest one, as (step, time, value). odd: the first number of each
 * kind that is not finite. mean: of the finite numbers.
 */
export interface PieceRecord {
  count: number;
  mean: number | null;
  points: [number, number, number][];
  odd: [number, number, Odd][];
}

/** The `total` numbers of one tag in one run, in pieces. In news, `pieces` replace the pieces from number `at` on. */
export interface CurveRecord {
  run: number;
  tag: string;
  total: number;
  odd: number;
  at: number;
  pieces: PieceRecord[];
}

/** A histogram of one step. bins: the counts of equally wide bins from low to high; quantiles: those of QUANTILES. */
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

/** The histograms of one tag in one run: of `total` histograms an even selection, and the last one. */
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

/** The images of one tag in one run, selected as in HistogramsRecord. */
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

/** The texts of one tag in one run, selected as in HistogramsRecord. */
export interface NotesRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: NoteRecord[];
}

/** Summaries of one tag that are not shown, why, and how many. */
export interface OtherRecord {
  run: number;
  tag: string;
  reason: "audio" | "tensor" | "large" | "unreadable";
  total: number;
}

/** The summaries of trainings so far; in news, those that changed since the complete record was sent (see `at`). */
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

/** One constraint of an order: one node's turn before another's; in a loop, in these iterations ("": outside). */
export interface BeforeRecord {
  first: number;
  second: number;
  first_iteration: string;
  second_iteration: string;
}

/**
 * An order that leads to a result: for each run a schedule, as Session takes it, its constraints, and its steps.
 *
 * Empty where the record would be large; the front end then asks for it when the reader opens it.
 */
export interface WayRecord {
  schedules: string[];
  before: BeforeRecord[][];
  runs: RunRecord[];
}

/** One possible result: the fetched values of each run, and the error that ended the last run, if any. */
export interface ResultRecord {
  values: string[];
  error: string | null;
  way: WayRecord;
}

/** The result of one of the two orders of a race. */
export interface WitnessRecord {
  text: string;
  way: WayRecord;
}

/**
 * Two unordered nodes whose order changes the result: the message `race.<kind>`.
 *
 * one: the result with the first node first; other: with the second node first. advice: the message `race.<advice>`. line: the
 * line of code that removes the race, "" where no single line does.
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
 * Why two nodes that access one variable are no race: the message `outcomes.<code>`.
 *
 * path: the nodes from the first to the second, each of which waits for the one before; empty where both orders are possible and
 * have the same result ("alike").
 */
export interface OrderedRecord {
  code: "write_read" | "read_write" | "write_write" | "alike";
  first: number;
  second: number;
  variable: string;
  path: number[];
}

/**
 * All possible results of some runs. trace: the graph, without a run. fixes: control edges that the reader added.
 *
 * exact: whether there are no other results. turns: how many turns were tried. outside: nodes whose effects cannot be undone
 * and tried again. more_…: how many are not listed.
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

/** An input of a node: the tensor or node that it took before and takes after, "" for none. A control input has no number. */
export interface InputChangeRecord {
  kind: EdgeKind;
  input: number | null;
  before: string;
  after: string;
}

/** A changed node: its names before and after, and each changed attribute as (name, text before, text after). */
export interface NodeChangeRecord {
  node: number;
  changes: Change[];
  before: string;
  after: string;
  inputs: InputChangeRecord[];
  attrs: [string, string, string][];
}

/** An edge that only one of the graphs has. */
export interface EdgeChangeRecord {
  edge: number;
  change: "added" | "removed";
}

/** An empty block that only one of the graphs has. */
export interface BlockChangeRecord {
  block: number;
  change: "added" | "removed";
}

/**
 * Two graphs as one: the nodes and edges of the second graph, and those of the first that were removed.
 *
 * same: how many nodes did not change, including nodes that the graph leaves out.
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

/**
 * One step of building: lines `line` to `end` of graph.codes[source], and the nodes and edges that they created.
 *
 * source: null where no line is known. code: the message `film.live.<code>`: "made" created nodes; "nothing" created none;
 * "renamed" created none inside a control_dependencies block that stays empty; "block" opened a block; "calls" calls a function
 * whose lines follow; "again" created nodes after such a call. blocks: the blocks that the line opened. many: the line may have
 * run several times in this step. waits: control edges, as pairs of the waiting node and the node it waits for.
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

/** How the lines of a program built its graph, in the order in which they ran. */
export interface BuildFilmRecord {
  version: 1;
  kind: "build-film";
  graph: GraphRecord;
  steps: BuiltRecord[];
}

/**
 * What a pass does to one node: the message `why.<code>` in the pass "prune", `passes.fate.<code>` in the others.
 *
 * leaves: whether the pass removes the node. lines: the node's lines of the plan, counted from 0.
 */
export interface FateRecord {
  node: number;
  code: string;
  leaves: boolean;
  params: Params;
  lines: number[];
}

/**
 * One pass: how many nodes there are before and after it, and what it does to each node.
 *
 * note: the message `passes.note.<note>` with these params; "" for none. The param `reason` stands for the message
 * `refused.plan.<reason>`.
 */
export interface PassRecord {
  code: PassCode;
  before: number;
  after: number;
  fates: FateRecord[];
  note: string;
  params: Params;
}

/** The passes of one run. order: the nodes in the order in which they run; plan: the lines of the generated Python. */
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
 * The cells of a tensor, or of one slice of it, in rows. cells: the numbers of the elements, -1 for padding.
 *
 * label: the slice, as "[0, :, :, 1]"; "" for a whole tensor. inside: first row, first column, rows and columns of the tensor's
 * own cells; cells outside of it are padding or, in broadcasting, repeat elements.
 */
export interface PanelRecord {
  label: string;
  cells: number[][];
  inside: [number, number, number, number];
}

/** An element that another one reads. slope: how much the other one rises per 1 of it; "" where there is no gradient. */
export interface ElementReadRecord {
  tensor: number;
  at: number;
  slope: string;
}

/** A rectangle of cells of a panel, padding included, that an element reads. */
export interface WindowRecord {
  tensor: number;
  panel: number;
  row: number;
  column: number;
  height: number;
  width: number;
}

/** A part of a formula's text; a number has the tensor and the element that it comes from. */
export interface FormulaPartRecord {
  text: string;
  tensor: number | null;
  at: number | null;
}

/**
 * One element. text: its value; "" while it is asked for. level: of a heat map, as in GridRecord.
 *
 * reads: the elements of other tensors that it is computed from. formula: how; empty if the form is not known. padding: how
 * many cells of its windows are outside of the tensor. back: the gradient of the sum of the output for it, from the gradients of
 * its readers.
 */
export interface ElementRecord {
  index: string;
  text: string;
  level: number;
  reads: ElementReadRecord[];
  windows: WindowRecord[];
  formula: FormulaPartRecord[];
  padding: number;
  back: FormulaPartRecord[];
}

/**
 * One tensor. operands: the shown tensors that it is computed from, ops: the types of the nodes that do so; inputs have none.
 *
 * turned: whether the picture has its rows as columns, since a product reads it transposed. column, lane: its place in the
 * picture: columns from left to right, lanes from top to bottom, 0 for the main one.
 */
export interface CellsRecord {
  name: string;
  dtype: string;
  shape: number[];
  part: CellsPart;
  turned: boolean;
  operands: number[];
  ops: string[];
  column: number;
  lane: number;
  panels: PanelRecord[];
  elements: ElementRecord[];
}

/** What is asked about an element: its value, or which elements it reads. number: the question's, of `total`. */
export interface ElementQuestionRecord {
  form: QuestionForm;
  tensor: number;
  at: number;
  number: number;
  total: number;
}

/**
 * An answered question. given: the learner's value; picked: the elements that the learner chose, as pairs.
 *
 * actual: the value. missed, extra: elements that are read and were not chosen, and the reverse. idea: a wrong idea that
 * has this value; other: the element of which it is the value. reason: the learner's.
 */
export interface ElementAnswerRecord {
  form: QuestionForm;
  tensor: number;
  at: number;
  given: string;
  actual: string;
  correct: boolean;
  picked: [number, number][];
  missed: [number, number][];
  extra: [number, number][];
  idea: ElementIdea;
  other: string;
  reason: string;
}

/**
 * A small graph element by element. tensors: in the order in which they are computed; the last one is the output.
 *
 * line: the line of the program that made the output. example: the element of the output that a page without a kernel shows.
 */
export interface ReadsRecord {
  version: 1;
  kind: "reads";
  line: string;
  prompt: string;
  codes: CodeRecord[];
  tensors: CellsRecord[];
  example: number;
  question: ElementQuestionRecord | null;
  answers: ElementAnswerRecord[];
}

/**
 * A stage; the last one is the consumer. label: its call; "" for the consumer. inputs: the stages that it asks.
 *
 * capacity: how many elements its buffer holds, -1 for any number, null: it has no buffer. lanes: its parallel calls.
 * inner: a function of another stage makes it. cost: of one element, in milliseconds. busy, starved, idle: milliseconds in
 * which it works, waits for its input, or is not asked; they add up to the total. made: how many elements it handed on.
 */
export interface PipelineStageRecord {
  id: number;
  kind: StageKind;
  label: string;
  inputs: number[];
  site: SiteRecord | null;
  capacity: number | null;
  lanes: number;
  inner: boolean;
  cost: number;
  busy: number;
  starved: number;
  idle: number;
  made: number;
}

/**
 * An element that a stage hands on. index: its number in that stage, from 0; epoch: the pass over the source, from 0, null
 * where passes have no order; sources: the elements that it was made of.
 *
 * to: the stage that receives it. comes, goes: the numbers of the moments at which it gets there and leaves it, as part of
 * another element or dropped; goes is null if it stays. dropped: nothing was made of it.
 */
export interface FlowingRecord {
  stage: number;
  index: number;
  epoch: number | null;
  text: string;
  sources: number[];
  to: number;
  comes: number;
  goes: number | null;
  dropped: boolean;
}

/** At `time`, in milliseconds, an element moves on, or a stage has no more elements ("end") or fails ("error"). */
export interface MomentRecord {
  time: number;
  code: MomentCode;
  stage: number;
  element: number | null;
}

/** The work of a stage's lane at an element, in milliseconds of the clock. */
export interface WorkRecord {
  stage: number;
  lane: number;
  start: number;
  end: number;
  element: number | null;
}

/** A sentence about a pipeline: a message and what is filled in. */
export interface SentenceRecord {
  code: SentenceCode;
  params: Params;
}

/**
 * One pipeline. elements, by number; ended: it has no more elements than these; error: its error's first line.
 *
 * bottleneck: the stage that sets the pace.
 */
export interface PipeRecord {
  title: string;
  stages: PipelineStageRecord[];
  elements: FlowingRecord[];
  moments: MomentRecord[];
  work: WorkRecord[];
  total: number;
  ended: boolean;
  error: string | null;
  bottleneck: number;
  findings: SentenceRecord[];
}

/** One pipeline, or two on the same clock with what differs between them. */
export interface PipelineRecord {
  version: 1;
  kind: "pipeline";
  pipes: PipeRecord[];
  differs: SentenceRecord[];
}

/**
 * A timeline: the same runs as its parent up to `step` of `run`, then with a change.
 *
 * number, parent: numbers of timelines; 0 is the TraceRecord. runs: the rest of `run`, and the runs after it. rewired: whether a
 * control edge was changed; then added and cut are the control edges that differ from the TraceRecord's, and pruned and needed
 * the reasons of its nodes.
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

/** A timeline among others. parts: the run and step from which on it differs from the first one; null for no difference. */
export interface LeafRecord {
  number: number;
  steps: number;
  parts: [number, number] | null;
}

/** One value at the end of each timeline. groups: a number for each timeline; equal numbers mean values equal in every bit. */
export interface LeafRowRecord {
  code: "fetched" | "variable" | "order" | "error";
  run: number;
  name: string;
  texts: string[];
  groups: number[];
}

/** The ends of the timelines, side by side. same: how many variables are equal in all of them, and have no row. */
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

/** A breakpoint: its text, its node if it is on one, its hits, and a message `break.note.<code>` about them. */
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
 * One change: its parts are messages `why.change.<code>`, all of which are needed. also: how many nodes it affects in all.
 *
 * needs: placeholders that then must be fed, so that the change cannot be tried without values for them.
 */
export interface ChangeRecord {
  parts: NoticeRecord[];
  also: number;
  needs: string[];
}

/**
 * Why a node runs or does not. around: messages `why.<code>` about the conds and loops around it.
 *
 * flips: what the changes do, as the message `why.changes.<flips>`.
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
 * What a run did at a node; a node without such a record was not needed.
 *
 * turns: how often it ran; in a loop more than once. nanoseconds: the time of all turns. bytes: the size of all values that it
 * computed, without buffers of variables. values: its last outputs, "" for one without a value.
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

/** One run, and what it did at each node. */
export interface RunFactsRecord {
  version: 1;
  kind: "run-facts";
  fetches: string[];
  nodes: NodeFactsRecord[];
}

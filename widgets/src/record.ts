/** The JSON records that Python sends: the whole interface of the two sides. Nothing here is computed. */

export interface Site {
  label: string;
  source: string;
  line: number;
}

export type Role = "constant" | "placeholder" | "variable" | "read" | "update" | "noop" | "control" | "op";
export type EdgeKind = "data" | "control" | "reference";
export const EDGE_KINDS: readonly EdgeKind[] = ["data", "control", "reference"];

export interface OutputRecord {
  name: string;
  dtype: string;
  shape: (number | null)[] | null;
  text: string;
}

export interface NodeRecord {
  id: number;
  name: string;
  type: string;
  scope: string;
  role: Role;
  device: string;
  stateful: boolean;
  site: Site | null;
  attrs: [string, string][];
  outputs: OutputRecord[];
}

export interface EdgeRecord {
  id: number;
  kind: EdgeKind;
  source: number;
  output: number | null;
  target: number;
  input: number | null;
  text: string;
}

export interface ScopeRecord {
  path: string;
  parent: string;
}

export type BoxKind = "cond" | "branch" | "loop" | "scope";

export interface BoxRecord {
  path: string;
  parent: string;
  kind: BoxKind;
  label: string;
  nodes: number[];
}

export interface BlockRecord {
  id: number;
  site: Site | null;
  control_inputs: number[];
  created: number[];
  empty: boolean;
}

export interface VariableRecord {
  node: number;
  name: string;
  kind: "reference" | "resource";
}

export interface GradientNode {
  node: number;
  of: number | null;
}

export type Params = Record<string, string | number>;

export interface Notice {
  code: string;
  params: Params;
}

export type GroupKind = "repeat" | "series";

export interface GroupRecord {
  path: string;
  parent: string;
  kind: GroupKind;
  scopes: string[];
  nodes: number[];
}

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

export interface BundleRecord {
  kind: EdgeKind;
  source: number;
  target: number;
  count: number;
}

export interface GraphRecord {
  version: 1;
  kind: "graph";
  nodes: NodeRecord[];
  edges: EdgeRecord[];
  scopes: ScopeRecord[];
  blocks: BlockRecord[];
  variables: VariableRecord[];
  gradients: GradientNode[];
  notices: Notice[];
  boxes: BoxRecord[];
  groups: GroupRecord[];
  sealed: SealedRecord[];
  bundles: BundleRecord[];
}

export interface Why {
  code: "fetched" | "data" | "control" | "fed" | "pruned" | "waiting" | "stopped";
  params: Params;
  path: number[];
}

export type Outcome = "ran" | "dead" | "fed" | "error" | "changed";

export interface Forked {
  code: "value" | "variable" | "choose" | "add" | "cut";
  params: Params;
}

export interface Death {
  code: "branch" | "ended" | "goes_on";
  params: Params;
  switch: number;
}

export interface ValueRecord {
  text: string;
  alias: string | null;
  dead: boolean;
  tensor: number | null;
  asks: boolean;
}

export interface StepRecord {
  node: number;
  outcome: Outcome;
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
  death: Death | null;
  change: Forked | null;
}

export interface RunRecord {
  index: number;
  start: { ready: number[]; pending: [number, number][]; variables: [string, string][] };
  steps: StepRecord[];
  fetched: { label: string; text: string }[];
  error: string | null;
}

export interface TraceRecord {
  version: 1;
  kind: "trace";
  graph: GraphRecord;
  fetches: { label: string; name: string; node: number; output: number | null }[];
  pruned: { node: number; why: Why }[];
  needed: { node: number; why: Why }[];
  runs: RunRecord[];
  tensors: TensorRecord[];
  number: number | null;
}

export interface BranchRecord {
  version: 1;
  kind: "branch";
  number: number;
  parent: number;
  run: number;
  step: number;
  change: Forked;
  runs: RunRecord[];
  rewired: boolean;
  added: EdgeRecord[];
  cut: number[];
  pruned: { node: number; why: Why }[];
  needed: { node: number; why: Why }[];
}

export interface LeafRow {
  code: "fetched" | "variable" | "order" | "error";
  run: number;
  name: string;
  texts: string[];
  groups: number[];
}

export interface LeavesRecord {
  version: 1;
  kind: "leaves";
  leaves: { number: number; steps: number; parts: [number, number] | null }[];
  rows: LeafRow[];
  same: number;
}

export interface Break {
  number: number;
  kind: "node" | "value" | "event" | "python";
  text: string;
  node: number | null;
  hits: { timeline: number; run: number; steps: number[] }[];
  note: Notice | null;
}

export interface BreaksRecord {
  version: 1;
  kind: "breaks";
  breaks: Break[];
}

export interface Marks {
  nodes: number[];
  edges: number[];
  blocks: number[];
}

export interface CompareRecord {
  version: 1;
  kind: "compare";
  sides: { title: string; trace: TraceRecord; marks: Marks }[];
}

export type Health = "" | "fine" | "zero" | "tiny" | "nan" | "inf" | "dead";

export interface Gradient {
  name: string;
  node: number | null;
  text: string;
  health: Health;
  tensor: number | null;
}

export interface Share {
  input: number;
  node: number;
  output: number;
  code: "passed" | "aside" | "integer" | "none";
  gradient: Gradient | null;
}

export interface TurnRecord {
  kind: "start" | "rule" | "reached" | "stopped" | "constant" | "nothing";
  node: number;
  formula: string;
  reason: string;
  arrivals: { output: number; parts: Gradient[]; total: Gradient | null }[];
  sums: number[];
  made: number[];
  shares: Share[];
  pending: [number, number][];
}

export interface Derivative {
  label: string;
  node: number;
  code: "found" | "unrelated" | "integer" | "stopped" | "constant" | "none";
  gradient: Gradient | null;
  at: number | null;
  reason: string;
}

export interface GradientFlowRecord {
  version: 1;
  kind: "gradient-flow";
  graph: GraphRecord;
  ys: { label: string; name: string; node: number; output: number | null }[];
  turns: TurnRecord[];
  results: Derivative[];
  tensors: TensorRecord[];
}

export type Severity = "mistake" | "suspicion" | "advice";

export interface Finding {
  code: string;
  text: string;
  severity: Severity;
  params: Params;
  sites: Site[];
  fixes: { line: number; text: string }[];
  snippet: string;
  nodes: number[];
  around: GraphRecord | null;
}

export interface LintRecord {
  version: 1;
  kind: "lint";
  nodes: number;
  rules: number;
  findings: Finding[];
  run: Notice | null;
}

export interface PredictRecord {
  version: 1;
  kind: "predict";
  title: string;
  prompt: string;
  code: string;
  runs: number;
  targets: { key: string; label: string; choices: string[][] }[];
}

export interface Divergence {
  run: number;
  step: number;
  node: number | null;
  name: string;
  model_value: string;
  engine_value: string;
}

export interface PredictResult {
  version: 1;
  kind: "predict-result";
  targets: {
    key: string;
    predicted: string[];
    actual: string[];
    correct: boolean;
    models: { model: string; predicts: string[]; matches: boolean; diverges: Divergence | null }[];
  }[];
  compare: CompareRecord | null;
  trace: TraceRecord | null;
}

export type Odd = "nan" | "inf" | "-inf";

/** Step, time in seconds since 1970, value. */
export type CurvePoint = [number, number, number];

export interface PieceRecord {
  count: number;
  mean: number | null;
  points: CurvePoint[];
  odd: [number, number, Odd][];
}

export interface CurveRecord {
  run: number;
  tag: string;
  total: number;
  odd: number;
  at: number;
  pieces: PieceRecord[];
}

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

export interface HistogramsRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: DistributionRecord[];
}

export interface ImageRecord {
  step: number;
  time: number;
  width: number;
  height: number;
  format: "png" | "jpeg" | "gif";
  data: string;
}

export interface ImagesRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: ImageRecord[];
}

export interface NoteRecord {
  step: number;
  time: number;
  text: string;
}

export interface NotesRecord {
  run: number;
  tag: string;
  total: number;
  at: number;
  items: NoteRecord[];
}

export interface OtherRecord {
  run: number;
  tag: string;
  reason: "audio" | "tensor" | "large" | "unreadable";
  total: number;
}

export interface TrainingRecord {
  version: 1;
  kind: "training";
  runs: { name: string; start: number }[];
  curves: CurveRecord[];
  histograms: HistogramsRecord[];
  images: ImagesRecord[];
  texts: NotesRecord[];
  others: OtherRecord[];
  notices: Notice[];
}

export interface Before {
  first: number;
  second: number;
  first_iteration: string;
  second_iteration: string;
}

export interface WayRecord {
  schedules: string[];
  before: Before[][];
  runs: RunRecord[];
}

export interface ResultRecord {
  values: string[];
  error: string | null;
  way: WayRecord;
}

export interface WitnessRecord {
  text: string;
  way: WayRecord;
}

export interface RaceRecord {
  first: number;
  second: number;
  kind: "read_write" | "write_read" | "write_write" | "itself";
  variable: string;
  one: WitnessRecord;
  other: WitnessRecord;
  advice: "fix" | "fix_whole" | "fix_loop" | "fix_around";
  line: string;
}

export interface OrderedRecord {
  code: "write_read" | "read_write" | "write_write" | "alike";
  first: number;
  second: number;
  variable: string;
  path: number[];
}

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

export interface ChangeRecord {
  parts: Notice[];
  also: number;
  needs: string[];
}

export interface ReasonRecord {
  version: 1;
  kind: "reason";
  node: number;
  why: Why;
  around: Notice[];
  flips: "run" | "compute" | "stop";
  changes: ChangeRecord[];
}

export interface RunEndRecord {
  fetched: { label: string; text: string }[];
  error: string | null;
}

export interface GameRecord {
  version: 1;
  kind: "game";
  prompt: string;
  graph: GraphRecord;
  fetches: { label: string; name: string; node: number; output: number | null }[];
  runs: number;
}

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

export interface PlayedRecord {
  version: 1;
  kind: "played";
  runs: RunRecord[];
  move: { node: number; code: MoveCode; params: Params; legal: boolean } | null;
  legal: number;
  illegal: number;
  hints: number;
  right: number;
  wrong: number;
  asked: number | null;
  choices: number[][];
  end: {
    usual: RunEndRecord[];
    differs: boolean;
    schedules: string[];
    possible: number;
    found: number;
    trace: TraceRecord;
  } | null;
}

export interface FragmentRecord {
  id: number;
  name: string;
  code: string;
  role: Role;
  gives: string[];
  holes: string[];
}

export interface PuzzleRecord {
  version: 1;
  kind: "puzzle";
  task: "parsons" | "repair";
  prompt: string;
  pieces: FragmentRecord[];
}

export interface LinkRecord {
  source: number;
  output: number;
  target: number;
  hole: number | null;
}

export interface MarkRecord {
  grade: "pass" | "fail" | "error" | "not_attempted";
  error: string;
  missed: { code: string; params: Params }[];
  met: number;
  total: number;
  tried: number | null;
  models: string[];
}

export interface ArrangedRecord {
  version: 1;
  kind: "arranged";
  placed: number[];
  links: LinkRecord[];
  lines: { text: string; indent: number; piece: number | null }[];
  canvas: GraphRecord;
  built: GraphRecord | null;
  error: string;
  said: {
    code: "attached" | "waits" | "circle" | "detached" | "put" | "taken_out" | "undone" | "begun";
    params: Params;
  } | null;
  mark: MarkRecord | null;
  undo: boolean;
}

export interface NodeFacts {
  node: number;
  outcome: "ran" | "dead" | "fed" | "error";
  turns: number;
  nanoseconds: number;
  bytes: number;
  health: Health;
  values: string[];
}

export interface RunFactsRecord {
  version: 1;
  kind: "run-facts";
  fetches: string[];
  nodes: NodeFacts[];
}

export type Change = "added" | "removed" | "renamed" | "rewired" | "changed";

export interface InputChange {
  kind: EdgeKind;
  input: number | null;
  before: string;
  after: string;
}

export interface NodeChange {
  node: number;
  changes: Change[];
  before: string;
  after: string;
  inputs: InputChange[];
  attrs: [string, string, string][];
}

export interface GraphDiffRecord {
  version: 1;
  kind: "graph-diff";
  graph: GraphRecord;
  nodes: NodeChange[];
  edges: { edge: number; change: "added" | "removed" }[];
  blocks: { block: number; change: "added" | "removed" }[];
  same: number;
}

export type Look = "number" | "string" | "table" | "heat" | "image" | "histogram" | "name";

export interface Stats {
  count: number;
  nan: number;
  inf: number;
  zero: number;
  low: string;
  high: string;
  mean: string;
  std: string;
}

export interface Grid {
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

export interface Bar {
  low: string;
  high: string;
  count: number;
}

export interface Gallery {
  images: { label: string; width: number; height: number; every: number; data: string }[];
  total: number;
  black: string;
  white: string;
}

export interface TensorRecord {
  version: 1;
  kind: "tensor";
  name: string;
  dtype: string;
  shape: number[];
  looks: Look[];
  text: string;
  length: number | null;
  stats: Stats | null;
  table: Grid | null;
  heat: Grid | null;
  bars: Bar[] | null;
  gallery: Gallery | null;
}

export interface CodeRecord {
  place: string;
  first: number;
  lines: string[];
}

export interface BuiltRecord {
  code: "made" | "nothing" | "renamed" | "block" | "calls" | "again";
  source: number | null;
  line: number;
  end: number;
  nodes: number[];
  edges: number[];
  blocks: number[];
  many: boolean;
  waits: [number, number][];
}

export interface BuildFilmRecord {
  version: 1;
  kind: "build-film";
  graph: GraphRecord;
  codes: CodeRecord[];
  steps: BuiltRecord[];
}

export interface Fate {
  node: number;
  code: string;
  leaves: boolean;
  params: Params;
  lines: number[];
}

export type PassCode = "whole" | "prune" | "place" | "order" | "known" | "needless" | "fuse" | "write";

export interface PassRecord {
  code: PassCode;
  before: number;
  after: number;
  fates: Fate[];
  note: string;
  params: Params;
}

export interface PassesRecord {
  version: 1;
  kind: "passes";
  graph: GraphRecord;
  fetches: { label: string; name: string; node: number; output: number | null }[];
  passes: PassRecord[];
  order: number[];
  plan: string[];
}

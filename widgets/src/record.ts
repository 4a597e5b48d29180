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
  nodes: number[];
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
}

export interface Why {
  code: "fetched" | "data" | "control" | "fed" | "pruned";
  params: Params;
  path: number[];
}

export type Outcome = "ran" | "dead" | "fed" | "error";

export interface Death {
  code: "branch" | "ended" | "goes_on";
  params: Params;
  switch: number;
}

export interface StepRecord {
  node: number;
  outcome: Outcome;
  consumed: number[];
  produced: number[];
  reads: [string, string][];
  writes: [string, string, string][];
  outputs: { text: string; alias: string | null; dead: boolean }[];
  ready: number[];
  pending: [number, number][];
  error: string | null;
  frame: string;
  iteration: number[];
  death: Death | null;
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
}

export interface PredictRecord {
  version: 1;
  kind: "predict";
  title: string;
  prompt: string;
  code: string;
  runs: number;
  targets: { key: string; label: string }[];
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

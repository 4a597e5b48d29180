/** The state of a run after some steps, told from the record alone: going back is asking for fewer steps. */
import type { EdgeKind, StepRecord, TraceRecord } from "./record";

export type State =
  | "waiting"
  | "ready"
  | "active"
  | "ran"
  | "dead"
  | "fed"
  | "error"
  | "pruned"
  // while a graph grows (growth.ts)
  | "absent"
  | "new"
  | "made"
  | "visiting"
  | "visited"
  | "aside";
export type Token = EdgeKind | "dead";

export interface Frame {
  run: number;
  step: number;
  total: number;
  /** The step that was taken last, if any. */
  last: StepRecord | null;
  state: Map<number, State>;
  pending: Map<number, number>;
  /** The front of the ready queue, and how many are ready in all. */
  queue: number[];
  ready: number;
  /** Edges on which something waits to be taken. */
  tokens: Map<number, Token>;
  /** In which iteration what waits on an edge of a loop was made. */
  iterations: Map<number, readonly number[]>;
  /** Edges whose token the last step took. */
  taken: Set<number>;
  variables: Map<string, string>;
  /** The step at which each node ran. */
  ran: Map<number, StepRecord>;
}

export interface Position {
  run: number;
  step: number;
}

/** How many steps each run of a trace has. */
export function lengths(trace: TraceRecord): number[] {
  return trace.runs.map((run) => run.steps.length);
}

/** The nearest position that exists. */
export function clamp(runs: readonly number[], run: number, step: number): Position {
  const at = Math.max(0, Math.min(runs.length - 1, Math.trunc(run) || 0));
  return { run: at, step: Math.max(0, Math.min(runs[at] ?? 0, Math.trunc(step) || 0)) };
}

/** Positions of all runs in one row: each run has one more of them than it has steps. */
export function toOffset(runs: readonly number[], { run, step }: Position): number {
  return runs.slice(0, run).reduce((sum, steps) => sum + steps + 1, 0) + step;
}

export function fromOffset(runs: readonly number[], offset: number): Position {
  let rest = offset;
  for (let run = 0; run < runs.length; run += 1) {
    const steps = runs[run] ?? 0;
    if (rest <= steps) return { run, step: rest };
    rest -= steps + 1;
  }
  return clamp(runs, runs.length - 1, Number.MAX_SAFE_INTEGER);
}

/** How many positions there are, less one: the greatest offset. */
export function lastOffset(runs: readonly number[]): number {
  return Math.max(0, runs.reduce((sum, steps) => sum + steps + 1, 0) - 1);
}

export function frameAt(trace: TraceRecord, at: Position): Frame | null {
  const { run, step } = clamp(lengths(trace), at.run, at.step);
  const record = trace.runs[run];
  if (!record) return null;
  const edges = new Map(trace.graph.edges.map((edge) => [edge.id, edge]));
  const frame: Frame = {
    run,
    step,
    total: record.steps.length,
    last: record.steps[step - 1] ?? null,
    state: new Map(),
    pending: new Map(record.start.pending),
    queue: step === 0 ? record.start.ready : (record.steps[step - 1]?.ready ?? []),
    ready: 0,
    tokens: new Map(),
    iterations: new Map(),
    taken: new Set(record.steps[step - 1]?.consumed ?? []),
    variables: new Map(record.start.variables),
    ran: new Map(),
  };
  for (const node of trace.graph.nodes) frame.state.set(node.id, "waiting");
  for (const { node } of trace.pruned) frame.state.set(node, "pruned");
  const counts = new Map(record.start.pending);
  const constant = constantEdges(trace);
  const before = new Map<string, readonly number[]>();
  for (const taken of record.steps.slice(0, step)) {
    const known = before.get(taken.frame);
    if (taken.frame !== "" && (!known || isLater(taken.iteration, known))) {
      // A new iteration begins: its nodes have not had their turns in it.
      before.set(taken.frame, taken.iteration);
      for (const [node, ran] of frame.ran) {
        if (ran.frame !== taken.frame && !ran.frame.startsWith(`${taken.frame}/`)) continue;
        frame.state.set(node, "waiting");
        if (frame.pending.get(node) === 0) frame.pending.set(node, counts.get(node) ?? 0);
      }
    }
    for (const edge of taken.consumed) if (!constant.has(edge)) frame.tokens.delete(edge);
    for (const id of taken.produced) {
      const edge = edges.get(id);
      if (!edge) continue;
      const dead =
        taken.outcome === "dead" || (edge.output !== null && taken.outputs[edge.output]?.dead === true);
      frame.tokens.set(id, dead ? "dead" : edge.kind);
      frame.iterations.set(id, taken.iteration);
    }
    for (const [node, count] of taken.pending) frame.pending.set(node, count);
    for (const [variable, , after] of taken.writes) frame.variables.set(variable, after);
    frame.state.set(taken.node, taken.outcome);
    frame.ran.set(taken.node, taken);
  }
  for (const node of frame.queue) frame.state.set(node, "ready");
  // The record tells the front of a long queue; who else is ready is who waits for nothing and has not run.
  for (const { node } of trace.needed) {
    const waits = frame.pending.get(node) ?? 0;
    if (waits === 0 && frame.state.get(node) === "waiting") frame.state.set(node, "ready");
    if (frame.state.get(node) === "ready") frame.ready += 1;
  }
  if (frame.last && frame.last.outcome === "ran") frame.state.set(frame.last.node, "active");
  return frame;
}

/** Edges that bring one value to every iteration of a loop: what lies there is taken again and again. */
function constantEdges(trace: TraceRecord): Set<number> {
  const enters = new Set(
    trace.graph.nodes
      .filter(
        ({ type, attrs }) =>
          type.endsWith("Enter") && attrs.some(([name, text]) => name === "is_constant" && text === "True"),
      )
      .map(({ id }) => id),
  );
  return new Set(trace.graph.edges.filter(({ source }) => enters.has(source)).map(({ id }) => id));
}

function isLater(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** The next position at which a node has run, searched from here to the end and then from the start. */
export function positionOf(trace: TraceRecord, node: number, from: Position): Position | null {
  const runs = trace.runs.map((run) => run.steps.findIndex((step) => step.node === node) + 1);
  const later = runs.findIndex(
    (step, run) => step > 0 && (run > from.run || (run === from.run && step > from.step)),
  );
  const run = later >= 0 ? later : runs.findIndex((step) => step > 0);
  return run >= 0 ? { run, step: runs[run] ?? 0 } : null;
}

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
    taken: new Set(record.steps[step - 1]?.consumed ?? []),
    variables: new Map(record.start.variables),
    ran: new Map(),
  };
  for (const node of trace.graph.nodes) frame.state.set(node.id, "waiting");
  for (const { node } of trace.pruned) frame.state.set(node, "pruned");
  for (const taken of record.steps.slice(0, step)) {
    for (const edge of taken.consumed) frame.tokens.delete(edge);
    for (const id of taken.produced) {
      const edge = edges.get(id);
      if (!edge) continue;
      const dead =
        taken.outcome === "dead" || (edge.output !== null && taken.outputs[edge.output]?.dead === true);
      frame.tokens.set(id, dead ? "dead" : edge.kind);
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

/** The next position at which a node has run, searched from here to the end and then from the start. */
export function positionOf(trace: TraceRecord, node: number, from: Position): Position | null {
  const runs = trace.runs.map((run) => run.steps.findIndex((step) => step.node === node) + 1);
  const later = runs.findIndex(
    (step, run) => step > 0 && (run > from.run || (run === from.run && step > from.step)),
  );
  const run = later >= 0 ? later : runs.findIndex((step) => step > 0);
  return run >= 0 ? { run, step: runs[run] ?? 0 } : null;
}

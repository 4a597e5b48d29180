/** The state of a run after some steps, computed from the record alone: going back means asking for fewer steps. */
import type { EdgeKind, EdgeRecord, StepRecord, TraceRecord } from "../../record";
import { createStepHistory, type MapAtStep, type StepHistory } from "./step-history";

export type State =
  | "waiting"
  | "ready"
  // ready, but a queue or a mutex holds it back
  | "held"
  | "active"
  | "ran"
  | "dead"
  | "fed"
  | "error"
  | "pruned"
  // in a growing gradient graph (gradient-state.ts)
  | "absent"
  | "new"
  | "made"
  | "visiting"
  | "visited"
  | "aside"
  // in the passes of the engine (pass-state.ts)
  | "kept"
  | "coded"
  | "leaves"
  | "left";
/** The outcome of a step. */
export type Outcome = StepRecord["outcome"];
export type Token = EdgeKind | "dead";

/** The parts of a frame that steps change. */
interface Moment {
  state: MapAtStep<number, State>;
  pending: MapAtStep<number, number>;
  /** The tokens on edges that no consumer has taken yet. */
  tokens: MapAtStep<number, Token>;
  /** The iteration in which the token on a loop's edge was produced. */
  iterations: MapAtStep<number, readonly number[]>;
  variables: MapAtStep<string, string>;
  /** The latest step of each node that ran. */
  ran: MapAtStep<number, StepRecord>;
}

export interface Frame extends Moment {
  run: number;
  step: number;
  total: number;
  /** The last step, if any. */
  last: StepRecord | null;
  /** The front of the ready queue, the ready nodes that a queue or a mutex holds back, and the number of all ready nodes. */
  queue: number[];
  held: ReadonlySet<number>;
  ready: number;
  /** The edges whose tokens the last step consumed. */
  consumed: Set<number>;
  /** The empty blocks to be shown; undefined: all. */
  blocks?: Set<number>;
}

export interface Position {
  run: number;
  step: number;
}

/** The number of steps of each run. */
export function runLengths(trace: TraceRecord): number[] {
  return trace.runs.map((run) => run.steps.length);
}

/** The nearest position that exists. */
export function clamp(runs: readonly number[], run: number, step: number): Position {
  const at = Math.max(0, Math.min(runs.length - 1, Math.trunc(run) || 0));
  return { run: at, step: Math.max(0, Math.min(runs[at] ?? 0, Math.trunc(step) || 0)) };
}

/** The offset of a position among the positions of all runs: a run has one more position than steps. */
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

/** The greatest offset. */
export function lastOffset(runs: readonly number[]): number {
  return Math.max(0, runs.reduce((sum, steps) => sum + steps + 1, 0) - 1);
}

/** The look-ups of a trace, made once. */
interface TraceIndex {
  edges: Map<number, EdgeRecord>;
  /** Edges that bring one value to every iteration of a loop: their tokens are not used up. */
  constant: Set<number>;
  needed: Set<number>;
  /** Nodes that took part before a fork cut a control edge, though no fetch needs them now. */
  left: Set<number>;
  first: Map<number, number>[];
  /** The replays of the runs that were asked for. */
  histories: Map<number, History>;
}

/** A run, replayed as far as was asked for. */
interface History {
  /** The last replayed step. */
  replayed: { step: number };
  state: StepHistory<number, State>;
  pending: StepHistory<number, number>;
  tokens: StepHistory<number, Token>;
  iterations: StepHistory<number, readonly number[]>;
  variables: StepHistory<string, string>;
  ran: StepHistory<number, StepRecord>;
  counts: Map<number, number>;
  /** The latest iteration of each loop. */
  latest: Map<string, readonly number[]>;
  /** The ready nodes now, and their number after each step. */
  free: Set<number>;
  ready: number[];
  /** The nodes and edges that each step touched. */
  touched: Changes[];
}

/** Nodes and edges that may look different. */
export interface Changes {
  nodes: Set<number>;
  edges: Set<number>;
}

const traces = new WeakMap<TraceRecord, TraceIndex>();
const histories = new WeakMap<Frame, History>();

function traceIndex(trace: TraceRecord): TraceIndex {
  const cached = traces.get(trace);
  if (cached) return cached;
  const index: TraceIndex = {
    edges: new Map(trace.graph.edges.map((edge) => [edge.id, edge])),
    constant: constantEdges(trace),
    needed: new Set(trace.needed.map(({ node }) => node)),
    left: new Set(trace.needed.filter(({ why }) => why.code === "pruned").map(({ node }) => node)),
    first: trace.runs.map(({ steps }) => {
      const first = new Map<number, number>();
      for (const [i, { node }] of steps.entries()) if (!first.has(node)) first.set(node, i + 1);
      return first;
    }),
    histories: new Map(),
  };
  traces.set(trace, index);
  return index;
}

function historyOf(trace: TraceRecord, run: number): History {
  const { histories, left, needed } = traceIndex(trace);
  const cached = histories.get(run);
  if (cached) return cached;
  const start = trace.runs[run]?.start;
  const first = new Map<number, State>();
  for (const node of trace.graph.nodes) first.set(node.id, "waiting");
  for (const { node } of trace.pruned) first.set(node, "pruned");
  for (const node of left) first.set(node, "pruned");
  const replayed = { step: 0 };
  const step = (): number => replayed.step;
  const counts = new Map(start?.pending);
  const history: History = {
    replayed,
    state: createStepHistory(step, first),
    pending: createStepHistory(step, counts),
    tokens: createStepHistory(step),
    iterations: createStepHistory(step),
    variables: createStepHistory(step, new Map(start?.variables)),
    ran: createStepHistory(step),
    counts,
    latest: new Map(),
    free: new Set(),
    ready: [],
    touched: [{ nodes: new Set(), edges: new Set() }],
  };
  for (const node of needed) setFree(trace, history, node);
  history.ready.push(history.free.size);
  histories.set(run, history);
  return history;
}

/** A node with a pending count of 0 that has not run is ready; the record lists only the front of a long queue. */
const isFree = (state: State | undefined, pending: number | undefined): boolean =>
  state === "waiting" && (pending ?? 0) === 0;

function setFree(trace: TraceRecord, { state, pending, free }: History, node: number): void {
  const { needed, left } = traceIndex(trace);
  if (needed.has(node) && !left.has(node) && isFree(state.get(node), pending.get(node))) free.add(node);
  else free.delete(node);
}

function take(trace: TraceRecord, history: History, turn: StepRecord): void {
  const { edges, constant } = traceIndex(trace);
  const { state, pending, tokens, iterations, variables, ran, latest, counts } = history;
  const touched: Changes = { nodes: new Set([turn.node]), edges: new Set(turn.consumed) };
  history.replayed.step += 1;
  history.touched.push(touched);
  const wait = (): void => {
    for (const [node, count] of turn.pending) {
      pending.set(node, count);
      touched.nodes.add(node);
    }
  };
  for (const [variable, , after] of turn.writes) variables.set(variable, after);
  if (turn.outcome === "began") return;
  if (turn.outcome === "changed") {
    wait();
    const before = ran.get(turn.node);
    if (before && turn.outputs.length > 0) ran.set(turn.node, { ...before, outputs: turn.outputs });
    return;
  }
  const youngest = latest.get(turn.frame);
  if (turn.frame !== "" && (!youngest || isLater(turn.iteration, youngest))) {
    // A new iteration begins: its nodes have not run in it.
    latest.set(turn.frame, turn.iteration);
    for (const node of ran.keys()) {
      const { frame } = ran.get(node) ?? turn;
      if (frame !== turn.frame && !frame.startsWith(`${turn.frame}/`)) continue;
      state.set(node, "waiting");
      touched.nodes.add(node);
      if (pending.get(node) === 0) pending.set(node, counts.get(node) ?? 0);
    }
  }
  for (const edge of turn.consumed) if (!constant.has(edge)) tokens.set(edge, undefined);
  for (const id of turn.produced) {
    const edge = edges.get(id);
    if (!edge) continue;
    const dead =
      turn.outcome === "dead" || (edge.output !== null && turn.outputs[edge.output]?.dead === true);
    tokens.set(id, dead ? "dead" : edge.kind);
    iterations.set(id, turn.iteration);
    touched.edges.add(id);
  }
  wait();
  state.set(turn.node, turn.outcome);
  ran.set(turn.node, turn);
}

export function frameAt(trace: TraceRecord, at: Position): Frame | null {
  const { run, step } = clamp(runLengths(trace), at.run, at.step);
  const record = trace.runs[run];
  if (!record) return null;
  const { needed, left } = traceIndex(trace);
  const history = historyOf(trace, run);
  while (history.replayed.step < step) {
    const turn = record.steps[history.replayed.step];
    if (!turn) break;
    take(trace, history, turn);
    for (const node of history.touched.at(-1)?.nodes ?? []) setFree(trace, history, node);
    history.ready.push(history.free.size);
  }
  const last = record.steps[step - 1] ?? null;
  const queue = last?.ready ?? record.start.ready;
  const queued = new Set(queue);
  // A notebook of an earlier version has a record without them. In a loop, a node may be ready in two iterations.
  const held = new Set(((last ?? record.start).held ?? []).filter((node) => !queued.has(node)));
  const [state, pending] = [history.state.at(step), history.pending.at(step)];
  const isReady = (node: number): boolean =>
    needed.has(node) && !left.has(node) && isFree(state.get(node), pending.get(node));
  const frame: Frame = {
    state: {
      ...state,
      get(node) {
        if ((last?.outcome === "ran" || last?.outcome === "began") && last.node === node) return "active";
        if (held.has(node)) return "held";
        return queued.has(node) || isReady(node) ? "ready" : state.get(node);
      },
    },
    pending,
    tokens: history.tokens.at(step),
    iterations: history.iterations.at(step),
    variables: history.variables.at(step),
    ran: history.ran.at(step),
    run,
    step,
    total: record.steps.length,
    last,
    queue,
    held,
    get ready() {
      const listed = [...queue, ...held];
      return (history.ready[step] ?? 0) + listed.filter((node) => needed.has(node) && !isReady(node)).length;
    },
    consumed: new Set(last?.consumed ?? []),
  };
  histories.set(frame, history);
  return frame;
}

/** The frame, with a given node as its subject. */
export function about(frame: Frame, node: number): Frame {
  const { state } = frame;
  return { ...frame, state: { ...state, get: (id) => (id === node ? "active" : state.get(id)) } };
}

/** Beyond this distance between two steps, listing what changed costs more than a full redraw. */
const NEAR = 64;

/** What may look different in `other` than in `one`; null: anything. */
export function changesBetween(one: Frame | null, other: Frame): Changes | null {
  const history = histories.get(other);
  if (!one || !history || histories.get(one) !== history || Math.abs(one.step - other.step) > NEAR)
    return null;
  const nodes = new Set<number>([...one.queue, ...one.held, ...other.queue, ...other.held]);
  const edges = new Set<number>([...one.consumed, ...other.consumed]);
  for (const { last } of [one, other]) if (last) nodes.add(last.node);
  const [from, to] = one.step < other.step ? [one.step, other.step] : [other.step, one.step];
  for (const touched of history.touched.slice(from + 1, to + 1)) {
    for (const node of touched.nodes) nodes.add(node);
    for (const edge of touched.edges) edges.add(edge);
  }
  return { nodes, edges };
}

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

/** The next position at which a node has run, searched to the end and then from the start. */
export function positionOf(trace: TraceRecord, node: number, from: Position): Position | null {
  const runs = traceIndex(trace).first.map((first) => first.get(node) ?? 0);
  const later = runs.findIndex(
    (step, run) => step > 0 && (run > from.run || (run === from.run && step > from.step)),
  );
  const run = later >= 0 ? later : runs.findIndex((step) => step > 0);
  return run >= 0 ? { run, step: runs[run] ?? 0 } : null;
}

/** The state of a run after some steps, told from the record alone: going back is asking for fewer steps. */
import type { EdgeKind, EdgeRecord, StepRecord, TraceRecord } from "./record";

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
  | "aside"
  // while passes go over a graph (passing.ts)
  | "kept"
  | "coded"
  | "leaves"
  | "left";
export type Token = EdgeKind | "dead";

/** What steps change. */
interface Moment {
  state: Map<number, State>;
  pending: Map<number, number>;
  /** Edges on which something waits to be taken. */
  tokens: Map<number, Token>;
  /** In which iteration what waits on an edge of a loop was made. */
  iterations: Map<number, readonly number[]>;
  variables: Map<string, string>;
  /** The step at which each node ran. */
  ran: Map<number, StepRecord>;
}

/** A moment that can be gone on from. latest: the youngest iteration of each loop. */
interface Going extends Moment {
  latest: Map<string, readonly number[]>;
}

export interface Frame extends Moment {
  run: number;
  step: number;
  total: number;
  /** The step that was taken last, if any. */
  last: StepRecord | null;
  /** The front of the ready queue, and how many are ready in all. */
  queue: number[];
  ready: number;
  /** Edges whose token the last step took. */
  taken: Set<number>;
  /** The empty blocks that are there; all of them where nothing is said. */
  blocks?: Set<number>;
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

/** What is known of a trace once: each step is then the one before and a little. */
interface Known {
  edges: Map<number, EdgeRecord>;
  /** Edges that bring one value to every iteration of a loop: what lies there is taken again and again. */
  constant: Set<number>;
  counts: Map<number, number>[];
  /** Who takes part though nobody asks for it: it ran before a control edge was cut. */
  left: Set<number>;
  first: Map<number, number>[];
  /** Where the last question was, and some moments to begin from when one goes back: run, step, moment. */
  at: { run: number; step: number; moment: Going } | null;
  stops: Map<number, Going>[];
  every: number;
}

const traces = new WeakMap<TraceRecord, Known>();
/** So many moments of a run are kept; of a large graph fewer, for each is as large as the graph. */
const STOPS = { few: 12, many: 48, large: 2000 };

function known(trace: TraceRecord): Known {
  const found = traces.get(trace);
  if (found) return found;
  const longest = Math.max(0, ...lengths(trace));
  const most = trace.graph.nodes.length > STOPS.large ? STOPS.few : STOPS.many;
  const made: Known = {
    edges: new Map(trace.graph.edges.map((edge) => [edge.id, edge])),
    constant: constantEdges(trace),
    counts: trace.runs.map(({ start }) => new Map(start.pending)),
    left: new Set(trace.needed.filter(({ why }) => why.code === "pruned").map(({ node }) => node)),
    first: trace.runs.map(({ steps }) => {
      const first = new Map<number, number>();
      for (const [i, { node }] of steps.entries()) if (!first.has(node)) first.set(node, i + 1);
      return first;
    }),
    at: null,
    stops: trace.runs.map(() => new Map()),
    every: Math.max(128, Math.ceil(longest / most)),
  };
  traces.set(trace, made);
  return made;
}

function beginning(trace: TraceRecord, run: number): Going {
  const start = trace.runs[run]?.start;
  const state = new Map<number, State>();
  for (const node of trace.graph.nodes) state.set(node.id, "waiting");
  for (const { node } of trace.pruned) state.set(node, "pruned");
  for (const node of known(trace).left) state.set(node, "pruned");
  return {
    state,
    pending: new Map(start?.pending),
    tokens: new Map(),
    iterations: new Map(),
    variables: new Map(start?.variables),
    ran: new Map(),
    latest: new Map(),
  };
}

const shown = (moment: Moment): Moment => ({
  state: new Map(moment.state),
  pending: new Map(moment.pending),
  tokens: new Map(moment.tokens),
  iterations: new Map(moment.iterations),
  variables: new Map(moment.variables),
  ran: new Map(moment.ran),
});
const copied = (moment: Going): Going => ({ ...shown(moment), latest: new Map(moment.latest) });

function take(trace: TraceRecord, run: number, moment: Going, taken: StepRecord): void {
  const { edges, constant, counts } = known(trace);
  for (const [node, count] of taken.outcome === "changed" ? taken.pending : [])
    moment.pending.set(node, count);
  for (const [variable, , after] of taken.writes) moment.variables.set(variable, after);
  if (taken.outcome === "changed") {
    const ran = moment.ran.get(taken.node);
    if (ran && taken.outputs.length > 0) moment.ran.set(taken.node, { ...ran, outputs: taken.outputs });
    return;
  }
  const latest = moment.latest.get(taken.frame);
  if (taken.frame !== "" && (!latest || isLater(taken.iteration, latest))) {
    // A new iteration begins: its nodes have not had their turns in it.
    moment.latest.set(taken.frame, taken.iteration);
    for (const [node, ran] of moment.ran) {
      if (ran.frame !== taken.frame && !ran.frame.startsWith(`${taken.frame}/`)) continue;
      moment.state.set(node, "waiting");
      if (moment.pending.get(node) === 0) moment.pending.set(node, counts[run]?.get(node) ?? 0);
    }
  }
  for (const edge of taken.consumed) if (!constant.has(edge)) moment.tokens.delete(edge);
  for (const id of taken.produced) {
    const edge = edges.get(id);
    if (!edge) continue;
    const dead =
      taken.outcome === "dead" || (edge.output !== null && taken.outputs[edge.output]?.dead === true);
    moment.tokens.set(id, dead ? "dead" : edge.kind);
    moment.iterations.set(id, taken.iteration);
  }
  for (const [node, count] of taken.pending) moment.pending.set(node, count);
  moment.state.set(taken.node, taken.outcome);
  moment.ran.set(taken.node, taken);
}

/** The moment after some steps: gone on to from the last one that was asked for, or from the nearest one that is kept. */
function momentAt(trace: TraceRecord, run: number, step: number): Going {
  const own = known(trace);
  const stops = own.stops[run] ?? new Map<number, Going>();
  const stop = Math.floor(step / own.every) * own.every;
  let at = own.at;
  if (!at || at.run !== run || at.step > step || at.step < stop) {
    let from = stop;
    while (from > 0 && !stops.has(from)) from -= own.every;
    const kept = stops.get(from);
    at = { run, step: from, moment: kept ? copied(kept) : beginning(trace, run) };
  }
  const steps = trace.runs[run]?.steps ?? [];
  while (at.step < step) {
    const taken = steps[at.step];
    if (taken) take(trace, run, at.moment, taken);
    at.step += 1;
    if (at.step % own.every === 0 && !stops.has(at.step)) stops.set(at.step, copied(at.moment));
  }
  own.at = at;
  return at.moment;
}

export function frameAt(trace: TraceRecord, at: Position): Frame | null {
  const { run, step } = clamp(lengths(trace), at.run, at.step);
  const record = trace.runs[run];
  if (!record) return null;
  const last = record.steps[step - 1] ?? null;
  const frame: Frame = {
    ...shown(momentAt(trace, run, step)),
    run,
    step,
    total: record.steps.length,
    last,
    queue: last?.ready ?? record.start.ready,
    ready: 0,
    taken: new Set(last?.consumed ?? []),
  };
  for (const node of frame.queue) frame.state.set(node, "ready");
  // The record tells the front of a long queue; who else is ready is who waits for nothing and has not run.
  const { left } = known(trace);
  for (const { node } of trace.needed) {
    const waits = frame.pending.get(node) ?? 0;
    if (waits === 0 && frame.state.get(node) === "waiting" && !left.has(node)) frame.state.set(node, "ready");
    if (frame.state.get(node) === "ready") frame.ready += 1;
  }
  if (last?.outcome === "ran") frame.state.set(last.node, "active");
  return frame;
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

/** The next position at which a node has run, searched from here to the end and then from the start. */
export function positionOf(trace: TraceRecord, node: number, from: Position): Position | null {
  const runs = known(trace).first.map((first) => first.get(node) ?? 0);
  const later = runs.findIndex(
    (step, run) => step > 0 && (run > from.run || (run === from.run && step > from.step)),
  );
  const run = later >= 0 ? later : runs.findIndex((step) => step > 0);
  return run >= 0 ? { run, step: runs[run] ?? 0 } : null;
}

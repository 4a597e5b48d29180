/**
 * What one iteration of a loop shows: a lane for the test and one for each loop variable, with the variable's value and the
 * nodes that compute its next one. Every other node is counted at a lane, or beside the loop: drawn + counted = total.
 */

import type { EdgeRecord, LoopVariableRecord, TraceRecord } from "../../record";
import type { Graph } from "../graph";
import { type Loop, roundsOf, turnsOf } from "./loop-iterations";

/**
 * How many nodes of a lane are drawn side by side, those that are nearest to the variable's next value: fewer where more than
 * so many iterations have columns.
 */
const RANKS = 2;
const FEW = 3;

/** A node that is drawn once an iteration. lane: 0 is the test; rank: -1 for a variable's value, 0 for the test. */
export interface Station {
  kind: "value" | "test" | "op" | "exit";
  node: number;
  lane: number;
  rank: number;
}

export interface Lane {
  name: string;
  variable: LoopVariableRecord | null;
  /** How many nodes are counted here. */
  more: number;
}

/** A value on its way: to a station of the same iteration, or to a variable's next value (`next` names its lane). */
export interface Link {
  from: Station;
  to: Station | null;
  next: number;
}

export interface LoopPlan {
  loop: Loop;
  lanes: Lane[];
  stations: Station[];
  links: Link[];
  /** The lane of each node that is drawn or counted at one. */
  laneOf: ReadonlyMap<number, number>;
  /** The number of ranks in use. */
  ranks: number;
  /** The node that decides whether the loop goes round. */
  condition: number | null;
  drawn: number;
  /** How many nodes of the graph are counted at no lane. */
  beside: number;
}

const PASS_ON = /^(Ref)?Identity$/;
/** The roles of nodes that compute nothing. */
const SILENT = new Set(["control", "constant", "noop", "placeholder"]);

/** The nodes of a loop, as its run tells them. */
interface Inside {
  loop: Loop;
  graph: Graph;
  /** The frame of each node that runs in a loop. */
  frameOf: Map<number, string>;
  /** Whether a node is in the loop or in one inside it. */
  has: (id: number) => boolean;
  type: (id: number) => string;
  /** The nodes whose values a node takes, and those that take its values. */
  sources: (id: number) => number[];
  takers: (id: number) => number[];
  condition: number | null;
}

function insideOf(graph: Graph, trace: TraceRecord, loop: Loop): Inside {
  const frameOf = new Map<number, string>();
  for (const { steps } of trace.runs)
    for (const { node, frame } of steps) if (frame !== "") frameOf.set(node, frame);
  const type = (id: number): string => graph.node.get(id)?.type ?? "";
  const carries = ({ kind }: EdgeRecord): boolean => kind !== "control";
  return {
    loop,
    graph,
    frameOf,
    has: (id) => frameOf.get(id) === loop.frame || Boolean(frameOf.get(id)?.startsWith(`${loop.frame}/`)),
    type,
    sources: (id) => (graph.inputs.get(id) ?? []).filter(carries).map(({ source }) => source),
    takers: (id) => (graph.outputs.get(id) ?? []).filter(carries).map(({ target }) => target),
    condition:
      [...frameOf].find(([id, frame]) => frame === loop.frame && type(id) === "LoopCond")?.[0] ?? null,
  };
}

const nodesOf = ({ enter, merge, switch: switched, next, exit }: LoopVariableRecord): number[] =>
  [enter, merge, switched, next, exit].filter((id) => id !== null);

/** The lane of each node: that of the value, or of the test, which it is nearest to. */
function lanesOf({ loop, graph, has, type, sources, takers, condition }: Inside): Map<number, number> {
  const lanes = new Map<number, number>();
  const put = (id: number, lane: number): boolean => {
    if (lanes.has(id)) return false;
    lanes.set(id, lane);
    return true;
  };
  const walk: number[] = [];
  loop.variables.forEach((variable, i) => {
    for (const id of nodesOf(variable)) put(id, i + 1);
    for (const id of variable.switch === null ? [] : takers(variable.switch))
      if (PASS_ON.test(type(id))) put(id, i + 1);
    if (variable.next !== null) walk.push(variable.next);
  });
  if (condition !== null && put(condition, 0)) walk.push(condition);
  const enters = (id: number): boolean => type(id).endsWith("Enter");
  for (const id of walk) {
    for (const { source } of graph.inputs.get(id) ?? []) {
      // Outside of the loop, only what enters it belongs to a lane.
      if ((has(source) || enters(source)) && put(source, lanes.get(id) ?? 0)) walk.push(source);
    }
  }
  for (const [id, lane] of [...lanes]) if (enters(id)) for (const source of sources(id)) put(source, lane);
  return lanes;
}

/** Where a node's value goes: through what is not drawn to the next stations, or round the loop. */
function reach(inside: Inside, drawn: ReadonlyMap<number, Station>, from: number): Omit<Link, "from">[] {
  const ends = new Map<string, Omit<Link, "from">>();
  const seen = new Set([from]);
  const walk = [from];
  for (const id of walk) {
    for (const target of inside.takers(id)) {
      const to = drawn.get(target) ?? null;
      const next = inside.loop.variables.findIndex((variable) => variable.next === target) + 1;
      if (to || next > 0) ends.set(`${to?.node} ${next}`, { to, next });
      else if (!seen.has(target) && inside.has(target) && inside.type(target) !== "LoopCond") {
        seen.add(target);
        walk.push(target);
      }
    }
  }
  return [...ends.values()];
}

/** Adds the nodes that compute, the last ones of each lane; of an inner loop, those that lead out of it. */
function addOps(
  inside: Inside,
  lanes: ReadonlyMap<number, number>,
  drawn: Map<number, Station>,
  most: number,
): number {
  const { loop, graph, frameOf, has, type, takers } = inside;
  const own = new Set(loop.variables.flatMap(nodesOf));
  const computes = (id: number): boolean =>
    frameOf.get(id) === loop.frame
      ? !own.has(id) && !PASS_ON.test(type(id)) && !SILENT.has(graph.node.get(id)?.role ?? "control")
      : type(id).endsWith("Exit") && takers(id).some((to) => frameOf.get(to) === loop.frame);
  const level = new Map<Station, number>();
  const free = new Map<number, number>();
  const levelOf = (station: Station | null): number => (station ? (level.get(station) ?? -1) : -1);
  /** Whether a node's value arrives at a rank that comes later. */
  const precedes = (station: Station): boolean =>
    reach(inside, drawn, station.node).every(({ to }) => levelOf(to) < levelOf(station));
  const add = (id: number, limit: number): void => {
    const lane = lanes.get(id) ?? 0;
    if (lane === 0 || drawn.has(id)) return;
    const later = reach(inside, drawn, id).map(({ to }) => levelOf(to) + 1);
    const rank = Math.max(free.get(lane) ?? 0, ...later);
    if (rank >= limit) return;
    const station: Station = { kind: "op", node: id, lane, rank };
    level.set(station, rank);
    drawn.set(id, station);
    if ([...level.keys()].every(precedes)) free.set(lane, rank + 1);
    else {
      level.delete(station);
      drawn.delete(id);
    }
  };
  const ids = [...frameOf.keys()].filter((id) => has(id) && computes(id)).sort((one, other) => other - one);
  // First the nodes that give the next values.
  const last = new Set(loop.variables.flatMap(({ next }) => (next === null ? [] : inside.sources(next))));
  for (const id of ids) if (last.has(id)) add(id, RANKS);
  for (const id of ids) add(id, most);
  const ranks = Math.max(1, ...[...level.values()].map((rank) => rank + 1));
  for (const [station, rank] of level) station.rank = ranks - 1 - rank;
  return ranks;
}

export function planOf(graph: Graph, trace: TraceRecord, loop: Loop): LoopPlan {
  const inside = insideOf(graph, trace, loop);
  const { condition } = inside;
  const laneOf = lanesOf(inside);
  const drawn = new Map<number, Station>();
  const draw = (kind: Station["kind"], node: number, lane: number, rank: number): void => {
    drawn.set(node, { kind, node, lane, rank });
  };
  for (const [i, { merge }] of loop.variables.entries()) draw("value", merge, i + 1, -1);
  const [decider] = condition === null ? [] : inside.sources(condition);
  // A loop variable may itself be the condition.
  const test = decider !== undefined && inside.has(decider) && !drawn.has(decider) ? decider : condition;
  if (test !== null) draw("test", test, 0, 0);
  const longest = Math.max(
    ...trace.runs.flatMap((_, run) => roundsOf(trace, run, loop).map(({ count }) => count)),
  );
  const ranks = addOps(inside, laneOf, drawn, longest > FEW ? 1 : RANKS);
  loop.variables.forEach(({ exit }, i) => {
    if (exit !== null && trace.runs.some((_, run) => turnsOf(trace, run, exit).length > 0))
      draw("exit", exit, i + 1, 0);
  });
  const links = [...drawn.values()].flatMap((from) =>
    reach(inside, drawn, from.node).map((end) => ({ from, ...end })),
  );

  const lanes: Lane[] = [null, ...loop.variables].map((variable) => ({
    name: variable?.name ?? "",
    variable,
    more: 0,
  }));
  let beside = graph.node.size - drawn.size;
  for (const [id, number] of laneOf) {
    const lane = lanes[number];
    if (!lane || drawn.has(id)) continue;
    lane.more += 1;
    beside -= 1;
  }
  return {
    loop,
    lanes,
    laneOf,
    stations: [...drawn.values()],
    links,
    ranks,
    condition,
    drawn: drawn.size,
    beside,
  };
}

/** The iterations that have a column: the first, two before now, now, and the last; a number is a stub of so many others. */
export function columnsOf(
  count: number,
  now: number,
  most: number,
): ({ iteration: number } | { skipped: number })[] {
  const last = count - 1;
  const at = Math.max(0, Math.min(last, now));
  const shown = new Set(most > 2 ? [0, last] : [last]);
  for (const near of [at, at - 1, at - 2, at + 1, at + 2, at + 3, at - 3])
    if (shown.size < most && near >= 0 && near <= last) shown.add(near);
  const columns: ({ iteration: number } | { skipped: number })[] = [];
  let before = -1;
  for (const iteration of [...shown].sort((a, b) => a - b)) {
    if (iteration < 0) continue;
    if (iteration > before + 1) columns.push({ skipped: iteration - before - 1 });
    columns.push({ iteration });
    before = iteration;
  }
  return columns;
}

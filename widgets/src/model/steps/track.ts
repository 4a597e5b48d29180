/** What the timeline shows of the runs: lanes of segments (runs, or the iterations of one run) of steps, as data only. */

import type { StepRecord, TraceRecord } from "../../record";
import { fromOffset, lastOffset, runLengths, toOffset } from "./replay";
import { type RunClock, runClock } from "./run-clock";

/** A run, or a part of a run; its steps end at the offsets after `from` and up to `to`. */
export interface Segment {
  kind: "run" | "start" | "iteration" | "end";
  /** The run or the iteration, counted from 0. */
  number: number;
  from: number;
  to: number;
}

/** What a reader looks for among the steps. */
export type StepSign = "write" | "dead" | "error" | "changed";

export interface Lane {
  /** The number of its timeline. */
  number: number;
  /** The lane that it forks from, and the last offset that both share. */
  parent: number | null;
  from: number;
  runs: readonly number[];
  segments: readonly Segment[];
  signs: ReadonlyMap<number, StepSign>;
  /** The offsets at which the iterations of loops end, and those at which breakpoints hit, both in order. */
  iterations: readonly number[];
  hits: readonly number[];
  /** The simulated clock of each run, of runs on several devices. */
  clocks?: readonly RunClock[];
}

/** Runs of so many steps, of which nothing else is known. */
export function plainLane(runs: readonly number[]): Lane {
  const segments = runs.map((steps, run): Segment => {
    const from = toOffset(runs, { run, step: 0 });
    return { kind: "run", number: run, from, to: from + steps };
  });
  return { number: 0, parent: null, from: 0, runs, segments, signs: new Map(), iterations: [], hits: [] };
}

const lanes = new WeakMap<TraceRecord, Lane>();

/** A trace as a lane; the iterations of a program with one run and a loop are its segments. */
export function traceLane(trace: TraceRecord): Lane {
  const known = lanes.get(trace);
  if (known) return known;
  const plain = plainLane(runLengths(trace));
  const signs = new Map<number, StepSign>();
  const parts = trace.runs.map(({ steps }, run) => {
    const from = plain.segments[run]?.from ?? 0;
    for (const [i, step] of steps.entries()) {
      const sign = signOf(step);
      if (sign) signs.set(from + i + 1, sign);
    }
    return iterationsOf(steps, from);
  });
  const [only] = parts;
  const clocks = trace.runs.flatMap(({ clock }) => (clock ? [runClock(clock)] : []));
  const hasClock = clocks.length === trace.runs.length && clocks.some(({ total }) => total > 0);
  const lane: Lane = {
    ...plain,
    // A clock's width is time, which iterations share.
    segments: parts.length === 1 && only && only.length > 1 && !hasClock ? only : plain.segments,
    ...(hasClock && { clocks }),
    signs,
    iterations: parts.flatMap((part) => (part.length > 1 ? part.map(({ to }) => to) : [])),
  };
  lanes.set(trace, lane);
  return lane;
}

/** Several traces that are stepped together: what one of them has, the lane has. */
export function jointLane(traces: readonly TraceRecord[], runs: readonly number[]): Lane {
  const joint = plainLane(runs);
  const signs = new Map<number, StepSign>();
  for (const { runs: own, signs: found } of traces.map(traceLane))
    for (const [offset, sign] of found) signs.set(toOffset(runs, fromOffset(own, offset)), sign);
  return { ...joint, signs };
}

function signOf({ outcome, writes }: StepRecord): StepSign | null {
  if (outcome === "error" || outcome === "changed" || outcome === "dead") return outcome;
  return writes.length > 0 ? "write" : null;
}

/** A segment begins with the first step of each iteration of an outer loop, and after the last step of all loops. */
function iterationsOf(steps: readonly StepRecord[], from: number): Segment[] {
  const segments: Segment[] = [];
  const begin = (at: number, kind: Segment["kind"], number: number): void => {
    const before = segments.at(-1);
    if (before) before.to = from + at;
    if (before?.from === before?.to) segments.pop();
    segments.push({ kind, number, from: from + at, to: from + steps.length });
  };
  begin(0, "start", 0);
  const seen = new Set<string>();
  /** The outer loop of each loop; the name of an inner loop begins with that of the loop around it. */
  const outer = new Map<string, string>();
  for (const [i, { frame, iteration }] of steps.entries()) {
    const [number] = iteration;
    if (number === undefined) continue;
    if (!outer.has(frame))
      outer.set(frame, [...outer.keys()].find((around) => frame.startsWith(`${around}/`)) ?? frame);
    const key = `${number} ${outer.get(frame)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    begin(i, "iteration", number);
  }
  const last = steps.findLastIndex(({ frame }) => frame !== "") + 1;
  if (last > 0 && last < steps.length) begin(last, "end", 0);
  return segments;
}

/** The segment of an offset, and how many of its steps are done there. */
export function segmentAt({ segments }: Lane, offset: number): { segment: number; cell: number } {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.to ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return { segment: low, cell: offset - (segments[low]?.from ?? 0) };
}

/** Where the run (or, backward, the beginning of the run) or a breakpoint stops whoever goes on from an offset. */
export function nextStop(lane: Lane, offset: number, by: 1 | -1): number {
  const { run, step } = fromOffset(lane.runs, offset);
  const atEdge = by > 0 ? step === lane.runs[run] : step === 0;
  const to = Math.max(0, Math.min(lane.runs.length - 1, atEdge ? run + by : run));
  const edge = toOffset(lane.runs, { run: to, step: by > 0 ? (lane.runs[to] ?? 0) : 0 });
  return hitBefore(lane, offset, edge);
}

/** One step from an offset: to another node, or to the end of another iteration unless a breakpoint hits before. */
export function nextStep(lane: Lane, offset: number, by: 1 | -1, unit: "node" | "iteration"): number {
  const last = lastOffset(lane.runs);
  if (unit === "node" || lane.iterations.length === 0) return Math.max(0, Math.min(last, offset + by));
  const { iterations } = lane;
  const to = by > 0 ? iterations.find((at) => at > offset) : iterations.findLast((at) => at < offset);
  return hitBefore(lane, offset, to ?? (by > 0 ? last : 0));
}

/** The first breakpoint's hit on the way, else the destination. */
function hitBefore({ hits }: Lane, from: number, to: number): number {
  const hit = to > from ? hits.find((at) => at > from) : hits.findLast((at) => at < from);
  if (hit === undefined) return to;
  return to > from ? Math.min(hit, to) : Math.max(hit, to);
}

/** The lane at whose step a position is: before its fork, a timeline is at the steps of the lane that it forks from. */
export function ownerOf(lanes: readonly Lane[], timeline: number, offset: number): Lane | undefined {
  const lane = lanes.find(({ number }) => number === timeline);
  return lane && lane.parent !== null && offset <= lane.from ? ownerOf(lanes, lane.parent, offset) : lane;
}

/** How far the current timeline follows each lane: to its own position, or to where it left the lane. */
export function reached(lanes: readonly Lane[], timeline: number, offset: number): Map<number, number> {
  const far = new Map<number, number>();
  let lane = ownerOf(lanes, timeline, offset);
  let until = offset;
  while (lane) {
    const { number, parent, from } = lane;
    far.set(number, until);
    until = from;
    lane = lanes.find((other) => other.number === parent);
  }
  return far;
}

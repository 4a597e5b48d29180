/** The loops of a run, read from the frame and iteration of each step. Data only. */

import type { StepRecord, TraceRecord } from "../record";
import type { Graph } from "./graph";
import type { Position } from "./replay";

/** A loop, named by its frame; `depth` counts it and the loops around it. */
export interface Loop {
  frame: string;
  depth: number;
}

/** One iteration: the step of each node, up to the current position. */
export interface IterationLane {
  iteration: number;
  turns: Map<number, { step: number; record: StepRecord }>;
}

export interface Unrolled {
  /** The iteration of each loop around. */
  outer: number[];
  lanes: IterationLane[];
}

/** A loop under way: its iteration, and the values of its variables and condition there. */
export interface OpenFrame {
  frame: string;
  iteration: number[];
  values: { node: number; text: string; dead: boolean }[];
}

/** The loops of these runs, outer loops before inner ones. */
export function loopsOf(trace: TraceRecord): Loop[] {
  const depths = new Map<string, number>();
  for (const run of trace.runs) {
    for (const { frame, iteration } of run.steps) if (frame !== "") depths.set(frame, iteration.length);
  }
  return [...depths]
    .map(([frame, depth]) => ({ frame, depth }))
    .sort((a, b) => a.depth - b.depth || (a.frame < b.frame ? -1 : 1));
}

const same = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i]);

/** The iterations of a loop up to a position; of a nested loop, those in the latest iteration around it. */
export function unroll(trace: TraceRecord, at: Position, loop: Loop): Unrolled {
  const steps = trace.runs[at.run]?.steps.slice(0, at.step) ?? [];
  const outer = (steps.findLast(({ frame }) => frame === loop.frame)?.iteration ?? []).slice(0, -1);
  const lanes = new Map<number, IterationLane>();
  for (const [i, record] of steps.entries()) {
    const iteration = record.iteration.at(-1);
    if (record.frame !== loop.frame || iteration === undefined) continue;
    if (!same(record.iteration.slice(0, -1), outer)) continue;
    const lane = lanes.get(iteration) ?? { iteration, turns: new Map() };
    lane.turns.set(record.node, { step: i + 1, record });
    lanes.set(iteration, lane);
  }
  return { outer, lanes: [...lanes.values()].sort((a, b) => a.iteration - b.iteration) };
}

/** The loops around the last step, innermost first. */
export function stack(graph: Graph, trace: TraceRecord, loops: readonly Loop[], at: Position): OpenFrame[] {
  const steps = trace.runs[at.run]?.steps.slice(0, at.step) ?? [];
  const last = steps.at(-1);
  if (!last || last.frame === "") return [];
  const around = loops.filter(
    ({ frame, depth }) =>
      frame === last.frame || (depth < last.iteration.length && last.frame.startsWith(`${frame}/`)),
  );
  return around
    .map(({ frame, depth }) => {
      const iteration = last.iteration.slice(0, depth);
      const values = new Map<number, OpenFrame["values"][number]>();
      for (const record of steps) {
        const type = graph.node.get(record.node)?.type ?? "";
        if (record.frame !== frame || !same(record.iteration, iteration)) continue;
        if (!isLoopMerge(graph, record.node) && type !== "LoopCond") continue;
        const [output] = record.outputs;
        values.set(record.node, {
          node: record.node,
          text: output?.text ?? "",
          dead: record.outcome === "dead",
        });
      }
      return { frame, iteration, values: [...values.values()] };
    })
    .reverse();
}

/** Whether the node is the Merge at the top of a loop, which holds one loop variable. */
export function isLoopMerge(graph: Graph, id: number): boolean {
  const inputs = graph.inputs.get(id) ?? [];
  return (
    Boolean(graph.node.get(id)?.type.endsWith("Merge")) &&
    inputs.some(({ source }) => graph.node.get(source)?.type.endsWith("NextIteration"))
  );
}

/** The number of an iteration in tokens and sentences: 2, or 1.0 in a nested loop. */
export function iterationText(iteration: readonly number[]): string {
  return iteration.join(".");
}

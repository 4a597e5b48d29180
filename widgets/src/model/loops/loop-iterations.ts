/** The loops of a run, read from the frame and iteration of each step. Data only. */

import type { LoopRecord, LoopVariableRecord, StepRecord, TraceRecord } from "../../record";
import type { Position } from "../steps/replay";

/** A loop that ran; `depth` counts it and the loops around it. */
export interface Loop {
  frame: string;
  /** The name that its scope gives it. */
  name: string;
  depth: number;
  variables: LoopVariableRecord[];
}

/** A node's turn, and the number of the step. */
export interface Turn {
  step: number;
  record: StepRecord;
}

/** A loop that was entered: the iterations of the loops around it, and the number of its own in the entire run. */
export interface Round {
  outer: readonly number[];
  count: number;
}

/** A loop under way: its iteration, and the values of its variables there. */
export interface OpenFrame {
  loop: Loop;
  iteration: number[];
  values: { node: number; name: string; text: string; dead: boolean }[];
}

interface RunIndex {
  turns: Map<number, Turn[]>;
  /** By frame, in the order in which they were entered, with their first steps. */
  rounds: Map<string, (Round & { from: number })[]>;
}

const indexes = new WeakMap<TraceRecord, Map<number, RunIndex>>();

function indexOf(trace: TraceRecord, run: number): RunIndex {
  const ofTrace = indexes.get(trace) ?? new Map<number, RunIndex>();
  indexes.set(trace, ofTrace);
  const known = ofTrace.get(run);
  if (known) return known;
  const index: RunIndex = { turns: new Map(), rounds: new Map() };
  for (const [i, record] of (trace.runs[run]?.steps ?? []).entries()) {
    const turns = index.turns.get(record.node) ?? [];
    if (turns.length === 0) index.turns.set(record.node, turns);
    turns.push({ step: i + 1, record });
    if (record.frame === "") continue;
    const [outer, own] = [record.iteration.slice(0, -1), record.iteration.at(-1) ?? 0];
    const rounds = index.rounds.get(record.frame) ?? [];
    if (rounds.length === 0) index.rounds.set(record.frame, rounds);
    const round = rounds.findLast((each) => same(each.outer, outer));
    if (round) round.count = Math.max(round.count, own + 1);
    else rounds.push({ outer, count: own + 1, from: i + 1 });
  }
  ofTrace.set(run, index);
  return index;
}

/** The loops of these runs, outer loops before inner ones. */
export function loopsOf(trace: TraceRecord): Loop[] {
  const depths = new Map<string, number>();
  const frames = new Map<number, string>();
  for (const run of trace.runs) {
    for (const { node, frame, iteration } of run.steps) {
      if (frame === "") continue;
      depths.set(frame, iteration.length);
      frames.set(node, frame);
    }
  }
  const records = new Map<string, LoopRecord>();
  for (const loop of trace.graph.loops) {
    const frame = loop.variables.map(({ merge }) => frames.get(merge)).find((each) => each !== undefined);
    if (frame !== undefined) records.set(frame, loop);
  }
  return [...depths]
    .map(([frame, depth]) => {
      const record = records.get(frame);
      const name = (record?.frame ?? frame).replace(/\/[^/]*$/, "");
      return { frame, name, depth, variables: record?.variables ?? [] };
    })
    .sort((a, b) => a.depth - b.depth || (a.frame < b.frame ? -1 : 1));
}

const same = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i]);

/** The times that a loop was entered in a run. */
export function roundsOf(trace: TraceRecord, run: number, loop: Loop): readonly Round[] {
  return indexOf(trace, run).rounds.get(loop.frame) ?? [];
}

/** A loop in the latest iteration of the loops around it; before its first step, in the first. */
export function roundAt(trace: TraceRecord, at: Position, loop: Loop): Round | null {
  const rounds = indexOf(trace, at.run).rounds.get(loop.frame) ?? [];
  return rounds.findLast(({ from }) => from <= at.step) ?? rounds[0] ?? null;
}

/** The latest turn of a node in an iteration or around it, or, of a node in an inner loop, inside it. */
export function turnIn(
  trace: TraceRecord,
  at: Position,
  node: number,
  iteration: readonly number[],
): Turn | null {
  const turns = turnsOf(trace, at.run, node);
  const matches = ({ step, record }: Turn): boolean =>
    step <= at.step && record.iteration.every((value, i) => i >= iteration.length || value === iteration[i]);
  return (
    turns.findLast((turn) => matches(turn) && turn.record.outcome !== "dead") ??
    turns.findLast(matches) ??
    null
  );
}

/** The turns of a node in a run. */
export function turnsOf(trace: TraceRecord, run: number, node: number): readonly Turn[] {
  return indexOf(trace, run).turns.get(node) ?? [];
}

/** The text of a node's value in a turn; "" where it has none. */
export function textOf(turn: Turn | null, output = 0): string {
  return turn?.record.outputs[output]?.text ?? "";
}

/** The loops around the last step, innermost first. */
export function stack(trace: TraceRecord, loops: readonly Loop[], at: Position): OpenFrame[] {
  const last = trace.runs[at.run]?.steps[at.step - 1];
  if (!last || last.frame === "") return [];
  const isAround = ({ frame, depth }: Loop): boolean =>
    frame === last.frame || (depth < last.iteration.length && last.frame.startsWith(`${frame}/`));
  return loops
    .filter(isAround)
    .map((loop) => {
      const iteration = last.iteration.slice(0, loop.depth);
      const values = loop.variables.flatMap(({ name, merge }) => {
        const turn = turnIn(trace, at, merge, iteration);
        return turn ? [{ node: merge, name, text: textOf(turn), dead: turn.record.outcome === "dead" }] : [];
      });
      return { loop, iteration, values };
    })
    .reverse();
}

/** The number of an iteration in tokens and sentences: 2, or 1.0 in a nested loop. */
export function iterationText(iteration: readonly number[]): string {
  return iteration.join(".");
}

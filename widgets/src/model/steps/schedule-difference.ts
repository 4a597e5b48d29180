/** Where two schedules of one program differ: the first step of another node, and the first other value. */
import type { RunRecord, StepRecord } from "../../record";

export interface TurnDifference {
  run: number;
  /** The number of the step, counted from 1. */
  step: number;
  one: StepRecord | null;
  other: StepRecord | null;
}

export interface ValueDifference {
  node: number;
  one: string;
  other: string;
}

/** The first step at which the two schedules run different nodes; null if there is none. */
export function firstTurnDifference(one: RunRecord[], other: RunRecord[]): TurnDifference | null {
  for (let run = 0; run < Math.max(one.length, other.length); run += 1) {
    const [a, b] = [one[run]?.steps ?? [], other[run]?.steps ?? []];
    for (let step = 0; step < Math.max(a.length, b.length); step += 1) {
      const [first, second] = [a[step] ?? null, b[step] ?? null];
      if (turn(first) !== turn(second)) return { run, step: step + 1, one: first, other: second };
    }
  }
  return null;
}

/** The first step of `one` whose values differ from those of the same step in `other`. */
export function firstValueDifference(one: RunRecord[], other: RunRecord[]): ValueDifference | null {
  for (const [run, { steps }] of one.entries()) {
    const turns = new Map((other[run]?.steps ?? []).map((step) => [turn(step), step]));
    for (const step of steps) {
      const match = turns.get(turn(step));
      // A node that passes a variable on has no value of its own; the node that computes with it has.
      if (!match || step.outputs.some(({ alias }) => alias !== null)) continue;
      const [first, theirs] = [step, match].map(({ outputs, error }) => error ?? outputs[0]?.text ?? "");
      if (first !== theirs) return { node: step.node, one: first ?? "", other: theirs ?? "" };
    }
  }
  return null;
}

const turn = (step: StepRecord | null): string => (step ? `${step.node} ${step.iteration.join(" ")}` : "");

/** Where two orders of one program part: the first turn that another node has, and the first value that differs. */
import type { RunRecord, StepRecord } from "../record";

export interface Parting {
  run: number;
  /** The number of the step, from 1. */
  step: number;
  one: StepRecord | null;
  other: StepRecord | null;
}

export interface Differing {
  node: number;
  one: string;
  other: string;
}

/** The first step in which another node has its turn; null where all are the same. */
export function partingOf(one: RunRecord[], other: RunRecord[]): Parting | null {
  for (let run = 0; run < Math.max(one.length, other.length); run += 1) {
    const [a, b] = [one[run]?.steps ?? [], other[run]?.steps ?? []];
    for (let step = 0; step < Math.max(a.length, b.length); step += 1) {
      const [mine, its] = [a[step] ?? null, b[step] ?? null];
      if (turn(mine) !== turn(its)) return { run, step: step + 1, one: mine, other: its };
    }
  }
  return null;
}

/** The first turn, in the order of the one, whose values are not what the same turn gives in the other. */
export function differingOf(one: RunRecord[], other: RunRecord[]): Differing | null {
  for (const [run, { steps }] of one.entries()) {
    const turns = new Map((other[run]?.steps ?? []).map((step) => [turn(step), step]));
    for (const step of steps) {
      const its = turns.get(turn(step));
      // What passes a variable on has no value of its own: who computes with it has.
      if (!its || step.outputs.some(({ alias }) => alias !== null)) continue;
      const [mine, theirs] = [step, its].map(({ outputs, error }) => error ?? outputs[0]?.text ?? "");
      if (mine !== theirs) return { node: step.node, one: mine ?? "", other: theirs ?? "" };
    }
  }
  return null;
}

const turn = (step: StepRecord | null): string => (step ? `${step.node} ${step.iteration.join(" ")}` : "");

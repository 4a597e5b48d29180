/** The timelines of StepThrough: the recorded one, its forks and breakpoints, and the position in the current one. */

import type { Store } from "../base/store";
import type { Place } from "../controls/timeline";
import { clamp, type Position, runLengths } from "../model/steps/replay";
import { type Timeline, timelinesOf } from "../model/steps/timelines";
import type { Lane } from "../model/steps/track";
import type { BranchRecord, BreakRecord, BreaksRecord, LeavesRecord, TraceRecord } from "../record";
import { lanesOf } from "../run/timeline-lanes";

export interface StepTraits {
  record: TraceRecord;
  run: number;
  step: number;
  /** The current timeline, and the number of forks; each fork is a trait of its own, `branch_1` and so on. */
  branch: number;
  branches: number;
  leaves: Partial<LeavesRecord> | undefined;
  breaks: Partial<BreaksRecord> | undefined;
}

const NONE: BreakRecord[] = [];

export interface Timelines {
  all: () => Timeline[];
  current: () => Timeline;
  /** The lanes of the transport's timeline. */
  lanes: () => Lane[];
  place: () => Place;
  move: (to: Position) => void;
  go: (to: Place) => void;
  breakpoints: () => BreakRecord[];
  /** The nodes that have a breakpoint. */
  stopped: () => Set<number>;
  /** Reads the forks that Python made, and the hits of the breakpoints; whether any of them changed. */
  gather: () => boolean;
}

export function createTimelines(store: Store<StepTraits>): Timelines {
  const first = store.get("record");
  let all = timelinesOf(first, []);
  let lanes = lanesOf(all, NONE);
  let known: BreakRecord[] | null = null;
  const current = (): Timeline => all[Math.trunc(store.get("branch")) || 0] ?? (all[0] as Timeline);
  const breakpoints = (): BreakRecord[] => store.get("breaks")?.breaks ?? NONE;
  return {
    all: () => all,
    current,
    lanes: () => lanes,
    place() {
      const { number, trace } = current();
      return { timeline: number, ...clamp(runLengths(trace), store.get("run"), store.get("step")) };
    },
    move: ({ run, step }) => store.set({ run, step }),
    go: ({ timeline, run, step }) => store.set({ branch: timeline, run, step }),
    breakpoints,
    stopped: () =>
      new Set(breakpoints().flatMap(({ kind, node }) => (kind === "node" && node !== null ? [node] : []))),
    gather() {
      const count = Math.max(0, Math.trunc(store.get("branches")) || 0);
      const breaks = breakpoints();
      if (count === all.length - 1 && breaks === known) return false;
      if (count !== all.length - 1) {
        const names = Array.from({ length: count }, (_, i) => `branch_${i + 1}` as "branch");
        const branches = names.map((name) => store.get(name) as unknown).filter((branch) => branch);
        all = timelinesOf(first, branches as BranchRecord[]);
      }
      known = breaks;
      lanes = lanesOf(all, breaks);
      return true;
    },
  };
}

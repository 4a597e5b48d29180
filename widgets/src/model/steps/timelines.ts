/** Timelines: number 0 is the trace; each fork equals its parent up to a step and then goes its own way. */
import type { BranchRecord, TraceRecord } from "../../record";
import type { Position } from "./replay";

export interface Timeline {
  number: number;
  trace: TraceRecord;
  /** The fork that made the timeline; null for number 0. */
  branch: BranchRecord | null;
}

/** The timelines as complete traces, which share the steps before a fork. */
export function timelinesOf(trace: TraceRecord, branches: readonly BranchRecord[]): Timeline[] {
  const timelines: Timeline[] = [{ number: 0, trace, branch: null }];
  for (const branch of branches) {
    const parent = timelines[branch.parent]?.trace;
    if (parent) timelines.push({ number: branch.number, trace: joined(trace, parent, branch), branch });
  }
  return timelines;
}

function joined(first: TraceRecord, parent: TraceRecord, branch: BranchRecord): TraceRecord {
  const [rest, ...later] = branch.runs;
  const shared = parent.runs[branch.run];
  if (!rest || !shared) return parent;
  const cut = new Set(branch.cut);
  const graph = branch.rewired
    ? { ...first.graph, edges: [...first.graph.edges.filter(({ id }) => !cut.has(id)), ...branch.added] }
    : parent.graph;
  const run = { ...rest, start: shared.start, steps: [...shared.steps.slice(0, branch.step), ...rest.steps] };
  return {
    ...parent,
    number: branch.number,
    graph,
    pruned: branch.rewired ? branch.pruned : parent.pruned,
    needed: branch.rewired ? branch.needed : parent.needed,
    runs: [...parent.runs.slice(0, branch.run), run, ...later],
  };
}

/** The timelines in tree order: each fork below its parent, the earliest fork first. */
export function asTree(lines: readonly Timeline[]): { line: Timeline; depth: number }[] {
  const children = (number: number): Timeline[] =>
    lines.filter(({ branch }) => branch?.parent === number).sort((a, b) => before(a.branch, b.branch));
  const below = (line: Timeline, depth: number): { line: Timeline; depth: number }[] => [
    { line, depth },
    ...children(line.number).flatMap((child) => below(child, depth + 1)),
  ];
  return lines[0] ? below(lines[0], 0) : [];
}

function before(one: BranchRecord | null, other: BranchRecord | null): number {
  if (!one || !other) return 0;
  return one.run - other.run || one.step - other.step || one.number - other.number;
}

/** Whether a position belongs to the timeline itself, not to the part shared with its parent. */
export function isOwn({ branch }: Timeline, at: Position): boolean {
  return !branch || at.run > branch.run || (at.run === branch.run && at.step > branch.step);
}

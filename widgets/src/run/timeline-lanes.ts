/** The timelines as lanes of the transport's timeline, and what is said of them. */

import { inline } from "../base/text";
import type { Context } from "../context";
import type { Place } from "../controls/timeline";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { runLengths, toOffset } from "../model/replay";
import { asTree, type Timeline } from "../model/timelines";
import { type Lane, traceLane } from "../model/track";
import type { BreakRecord } from "../record";

/** A lane for each timeline, below that from which it forks. */
export function lanesOf(lines: readonly Timeline[], breaks: readonly BreakRecord[]): Lane[] {
  return asTree(lines).map(({ line: { number, trace, branch } }) => {
    const lane = traceLane(trace);
    const hits = new Set<number>();
    for (const hit of breaks.flatMap((each) => each.hits))
      if (hit.timeline === number)
        for (const step of hit.steps) hits.add(toOffset(lane.runs, { run: hit.run, step }));
    return {
      ...lane,
      number,
      parent: branch?.parent ?? null,
      from: branch ? toOffset(runLengths(trace), branch) : 0,
      hits: [...hits].sort((a, b) => a - b),
    };
  });
}

/** The number of a timeline, and its change in short. */
export function laneName(ctx: Context, lines: readonly Timeline[], number: number): string {
  const branch = lines.find((line) => line.number === number)?.branch;
  if (!branch) return ctx.t("line.first");
  return `${number} · ${ctx.t(`fork.short.${branch.change.code}`, branch.change.params)}`;
}

/** A step of a timeline in words, with the breakpoints that hit there. */
export function stepTitle(
  ctx: Context,
  graph: Graph,
  lines: readonly Timeline[],
  at: Place,
  stops: readonly BreakRecord[],
): string {
  const step = lines.find(({ number }) => number === at.timeline)?.trace.runs[at.run]?.steps[at.step - 1];
  if (!step) return ctx.t("line.begin", { run: at.run + 1 });
  const outcome = ctx.t(`outcome.${step.outcome}`);
  const words = ctx.t("line.step", {
    run: at.run + 1,
    step: at.step,
    node: nodeName(graph, step.node),
    outcome,
  });
  if (stops.length === 0) return words;
  return ctx.t("line.hit", { step: words, texts: stops.map(({ text }) => inline(text)).join(", ") });
}

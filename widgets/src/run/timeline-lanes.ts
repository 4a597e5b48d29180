/** The timelines as lanes of the transport's timeline, and what is said of them. */

import { inline } from "../base/text";
import type { Context } from "../context";
import type { Place } from "../controls/timeline";
import { amountText, unitOf } from "../explore/amounts";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { runLengths, toOffset } from "../model/steps/replay";
import { type RunClock, runClock } from "../model/steps/run-clock";
import { asTree, type Timeline } from "../model/steps/timelines";
import { type Lane, traceLane } from "../model/steps/track";
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

/** A step with the device that takes it, and when. */
function atTime(ctx: Context, step: string, clock: RunClock, number: number): string {
  const span = clock.byStep.get(number);
  if (!span) return step;
  const unit = unitOf("time", clock.total);
  const [begin, end] = [span.begin, span.end].map((time) => amountText(ctx.t, "time", time, unit));
  const device = clock.devices[span.row] ?? "";
  const params = { step, device, begin: begin ?? "", end: end ?? "" };
  if (span.to === null) return ctx.t("line.works", params);
  return ctx.t("line.sends", { ...params, to: span.to, bytes: amountText(ctx.t, "memory", span.bytes) });
}

/** A step of a timeline in words, with the breakpoints that hit there. */
export function stepTitle(
  ctx: Context,
  graph: Graph,
  lines: readonly Timeline[],
  at: Place,
  stops: readonly BreakRecord[],
): string {
  const run = lines.find(({ number }) => number === at.timeline)?.trace.runs[at.run];
  const step = run?.steps[at.step - 1];
  if (!step) return ctx.t("line.begin", { run: at.run + 1 });
  const outcome = ctx.t(`outcome.${step.outcome}`);
  const node = nodeName(graph, step.node);
  const plain = ctx.t("line.step", { run: at.run + 1, step: at.step, node, outcome });
  const words = run?.clock ? atTime(ctx, plain, runClock(run.clock), at.step) : plain;
  if (stops.length === 0) return words;
  return ctx.t("line.hit", { step: words, texts: stops.map(({ text }) => inline(text)).join(", ") });
}

/** What one move of a pipeline is, in words; tfedu/view/words/pipeline_text.py has the same sentences. */

import { breakable } from "../base/dom";
import { inline } from "../base/text";
import type { Context } from "../context";
import type { Key } from "../i18n";
import { hasEpochs, heldIn } from "../model/pipeline-state";
import type { FlowingRecord, PipeRecord, SentenceRecord } from "../record";

export const stageName = (ctx: Context, pipe: PipeRecord, id: number): string =>
  inline(pipe.stages[id]?.label ?? "", 56) || ctx.t("pipeline.consumer");

/** The name of a stage, which may break before and after its arguments' names. */
export const breakableName = (words: string): (string | Node)[] => breakable(words, /(?<=[(,=._])(?!\))/);

/** Its name in the sentence of a move: the call without its arguments, or all of it where two stages would share a name. */
export function briefName(ctx: Context, pipe: PipeRecord, id: number): string {
  const brief = (label: string): string => label.replace(/\([^()]*\)/g, "");
  const label = pipe.stages[id]?.label ?? "";
  const isShared = pipe.stages.some((other) => other.id !== id && brief(other.label) === brief(label));
  return isShared ? stageName(ctx, pipe, id) : inline(brief(label), 56) || ctx.t("pipeline.consumer");
}

export const findingText = (ctx: Context, { code, params }: SentenceRecord): string =>
  ctx.t(`pipeline.${code}` as Key, params);

/** An element as screen readers read it. */
export function elementText(ctx: Context, pipe: PipeRecord, element: FlowingRecord): string {
  const epoch = hasEpochs(pipe) ? element.epoch : null;
  const params = { n: element.index, value: element.text, epoch: (epoch ?? 0) + 1 };
  return ctx.t(epoch === null ? "pipeline.chip" : "pipeline.chip_epoch", params);
}

/** `moments`: how many moments of the pipeline are over; the last of them is told. */
export function moveSentences(ctx: Context, pipe: PipeRecord, moments: number): string[] {
  const moment = pipe.moments[moments - 1];
  if (!moment) return [];
  const stage = briefName(ctx, pipe, moment.stage);
  const dropped = pipe.elements.filter((each) => each.dropped && each.goes === moments - 1);
  const [first] = dropped;
  const drops = first
    ? [
        ctx.t("pipeline.live.dropped", {
          stage: briefName(ctx, pipe, first.to),
          elements: dropped.map(({ index }) => `#${index}`).join(", "),
        }),
      ]
    : [];
  if (moment.code === "error") {
    const { error } = pipe;
    const told =
      error === null
        ? ctx.t("pipeline.live.skipped", { stage })
        : ctx.t("pipeline.live.error", { stage, error });
    return [told, ...drops];
  }
  if (moment.code === "end") {
    if ((pipe.stages[moment.stage]?.inputs.length ?? 0) > 0) return [ctx.t("pipeline.live.over"), ...drops];
    const earlier = pipe.moments.slice(0, moments);
    const n = earlier.filter((each) => each.code === "end" && each.stage === moment.stage).length;
    return [ctx.t("pipeline.live.pass_ends", { stage, n }), ...drops];
  }
  const element = pipe.elements[moment.element ?? -1];
  if (!element) return drops;
  const { index, text, epoch, sources, to } = element;
  const params = { stage, n: index, value: text, epoch: (epoch ?? 0) + 1, to: briefName(ctx, pipe, to) };
  const made = sources.length > 1 ? [ctx.t("pipeline.live.made_of", { n: sources.length })] : [];
  return [
    ctx.t(hasEpochs(pipe) && epoch !== null ? "pipeline.live.move_epoch" : "pipeline.live.move", params),
    ...made,
    ...holds(ctx, pipe, to, moments),
    ...drops,
  ];
}

/** How many elements the buffer of a stage has. */
function holds(ctx: Context, pipe: PipeRecord, id: number, moments: number): string[] {
  const capacity = pipe.stages[id]?.capacity ?? null;
  if (capacity === null) return [];
  const params = { stage: briefName(ctx, pipe, id), n: heldIn(pipe, id, moments).length, capacity };
  return [ctx.t(capacity < 0 ? "pipeline.live.holds_any" : "pipeline.live.holds", params)];
}

/** One stage of a pipeline: its call, the elements in its buffer or lanes, and how many it has handed on. */

import { arrange, h, section, setAttribute, setText } from "../base/dom";
import { inline } from "../base/text";
import type { Context } from "../context";
import { drawIcon } from "../draw/icon";
import { heldIn, madeBy } from "../model/pipeline-state";
import type { PipelineStageRecord, PipeRecord } from "../record";
import { breakableName, elementText, stageName } from "./pipeline-sentences";

/** So many chips, and as many free slots, are drawn in a box; the rest is counted. */
const MOST = 12;

/** The chip of an element, which is in one place at a time. */
export type ChipOf = (element: number) => HTMLElement;

export interface PipelineBox {
  element: HTMLElement;
  slots: HTMLElement;
  /** Shows the stage after so many moments; `acts`: the last move of all is one of this pipeline. */
  show: (moments: number, acts: boolean) => void;
}

/** The elements as screen readers read them. */
export const elementTexts = (ctx: Context, pipe: PipeRecord, ids: readonly number[]): string =>
  ids
    .flatMap((id) => pipe.elements[id] ?? [])
    .map((element) => elementText(ctx, pipe, element))
    .join("; ") || ctx.t("pipeline.empty");

export function createPipelineBox(
  ctx: Context,
  pipe: PipeRecord,
  stage: PipelineStageRecord,
  chip: ChipOf,
  chose: () => void,
): PipelineBox {
  const { id, label, capacity, inputs, lanes } = stage;
  const isSlowest = id === pipe.bottleneck;
  const isConsumer = id === pipe.stages.length - 1;
  const words = inline(label, 90) || ctx.t("pipeline.consumer");
  const about = isSlowest ? ctx.t("pipeline.time.pace", { stage: words }) : words;
  const name = h(
    "button",
    {
      type: "button",
      class: "pipe-name",
      "aria-label": ctx.t("pipeline.about", { stage: about }),
      click: chose,
    },
    h(isConsumer ? "span" : "code", {}, ...breakableName(words)),
    isSlowest && drawIcon("clock"),
  );
  const slots = h("div", { class: "pipe-slots", role: "img", tabindex: "-1" });
  const foot = h("div", { class: "pipe-foot" });
  const element = section({ class: "pipe-stage", "data-stage": id }, name, slots, foot);
  element.toggleAttribute("data-slowest", isSlowest);
  element.toggleAttribute("data-inner", stage.inner);
  const places = Math.min(MOST, Math.max(0, capacity ?? 0, lanes > 1 && inputs.length > 0 ? lanes : 0));
  element.toggleAttribute("data-roomy", places > 3);

  return {
    element,
    slots,
    show(moments, acts) {
      const all = heldIn(pipe, id, moments);
      // All that the consumer received is in the strip below; it works at the last.
      const held = isConsumer ? all.slice(-1) : all;
      const shown = held.slice(-MOST);
      const chips = shown.map((each) =>
        isConsumer ? (chip(each).cloneNode(true) as HTMLElement) : chip(each),
      );
      const count = Math.max(0, places - shown.length);
      const free = Array.from({ length: count }, () => h("span", { class: "free-slot" }));
      const rest = held.length - shown.length;
      const more = rest > 0 ? [h("span", { class: "more" }, `+${rest}`)] : [];
      arrange(slots, [...more, ...chips, ...free]);
      const texts = elementTexts(ctx, pipe, shown);
      setAttribute(
        slots,
        "aria-label",
        ctx.t("pipeline.stage", { stage: stageName(ctx, pipe, id), chips: texts }),
      );
      const filled =
        capacity !== null && capacity >= 0 ? ctx.t("pipeline.held", { n: held.length, capacity }) : "";
      const made = isConsumer ? "" : `→\u00a0${madeBy(pipe, id, moments)}`;
      setText(foot, [filled, made].filter(Boolean).join("  "));
      element.toggleAttribute("data-active", acts && pipe.moments[moments - 1]?.stage === id);
    },
  };
}

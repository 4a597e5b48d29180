/** Images and texts of a training: one at a time, the last first, with a slider over the steps. */

import { h, setText } from "../base/dom";
import { passage } from "../base/text";
import type { Context } from "../context";
import { clockText, countText } from "../model/chart-scale";
import type { ImageRecord, NoteRecord } from "../record";
import { createChartSlider } from "./chart-slider";
import { type Card, runName, seriesTitle, tagCard } from "./tag-card";

interface Frames<T> {
  run: number;
  tag: string;
  total: number;
  items: T[];
}

function createFrames<T extends { step: number; time: number }>(
  ctx: Context,
  tag: string,
  stage: HTMLElement,
  draw: (item: T, label: string) => void,
): Card<Frames<T>> {
  let items: T[] = [];
  let run = "";
  const tell = (index: number): string => {
    const item = items[index];
    if (!item) return "";
    draw(item, ctx.t("training.frame_of", { tag, run, step: item.step }));
    return ctx.t("training.at_step_time", {
      step: countText(item.step, ctx.lang),
      time: clockText(item.time, ctx.lang, true),
    });
  };
  const reading = createChartSlider(ctx.t("training.read", { tag }), tell);
  const heading = h("h5", { dir: "auto" });
  const counts = h("p", { class: "hint" });
  const element = tagCard(tag, heading, stage, reading.element, counts);
  return {
    element,
    show(series, view) {
      ({ items } = series);
      run = runName(ctx, view, series.run);
      setText(heading, seriesTitle(ctx, view, tag, series.run));
      setText(
        counts,
        ctx.t("training.kept", { shown: items.length, total: countText(series.total, ctx.lang) }),
      );
      reading.resize(items.map(({ step }) => step));
    },
  };
}

export function createImages(ctx: Context, tag: string): Card<Frames<ImageRecord>> {
  const image = h("img", { "data-testid": "image" });
  return createFrames<ImageRecord>(ctx, tag, h("div", { class: "stage" }, image), (item, label) => {
    const source = `data:image/${item.format};base64,${item.data}`;
    if (image.src !== source) image.src = source;
    image.alt = label;
    image.width = Math.min(320, Math.max(96, item.width));
    image.toggleAttribute("data-small", item.width < 96);
  });
}

export function createTexts(ctx: Context, tag: string): Card<Frames<NoteRecord>> {
  const text = h("pre", { tabindex: "0", role: "group", "data-testid": "text" });
  return createFrames<NoteRecord>(ctx, tag, h("div", { class: "stage" }, text), (item, label) => {
    setText(text, passage(item.text, 10_000));
    text.setAttribute("aria-label", label);
  });
}

/** TrainingView: curves, histograms, images and texts of trainings, while they run. */

import { h, setText } from "../base/dom";
import { batched, type Store } from "../base/store";
import { createChartSection, type Entry } from "../charts/chart-section";
import { createCurveChart } from "../charts/curve-chart";
import { createHistogramChart } from "../charts/histogram-chart";
import { createImages, createTexts } from "../charts/images-and-texts";
import { runName, type View } from "../charts/tag-card";
import type { Context } from "../context";
import { runSample } from "../draw/run-style";
import { notices } from "../graph/notices";
import { type Axis, overlay } from "../model/curve-series";
import { push } from "../model/graph";
import type { CurveRecord, TrainingRecord } from "../record";
import type { Widget, WidgetParts } from "../widget";

export interface TrainingTraits {
  record: TrainingRecord;
  news: TrainingRecord;
  smoothing: number;
  axis: Axis;
  log: boolean;
  bands: boolean;
  hidden: string[];
}

const AXES: readonly Axis[] = ["step", "relative", "wall"];

export const trainingView: Widget<TrainingTraits> = (ctx, store) => {
  const controls = createControls(ctx, store);
  const empty = h("p", { class: "hint", "data-testid": "empty" }, ctx.t("training.empty"));
  const faults = h("div");
  const others = h("ul", { class: "others hint" });
  const find = (): string => controls.filter.value.trim().toLowerCase();
  const curves = createChartSection<CurveRecord[]>(ctx, "training.curves", (tag) =>
    createCurveChart(ctx, tag),
  );
  const histograms = createChartSection(ctx, "training.histograms", (tag) => createHistogramChart(ctx, tag));
  const images = createChartSection(ctx, "training.images", (tag) => createImages(ctx, tag));
  const texts = createChartSection(ctx, "training.texts", (tag) => createTexts(ctx, tag));
  let record = store.get("record");

  const show = (): void => {
    const hidden = new Set(store.get("hidden"));
    const runs = new Set([...record.runs.keys()].filter((run) => !hidden.has(record.runs[run]?.name ?? "")));
    const view: View = {
      record,
      axis: AXES.includes(store.get("axis")) ? store.get("axis") : "step",
      smoothing: Math.min(0.99, Math.max(0, store.get("smoothing") || 0)),
      log: Boolean(store.get("log")),
      bands: Boolean(store.get("bands")),
      runs,
    };
    controls.show(view);
    const named = <T extends { tag: string; run: number }>(all: T[]): T[] =>
      all.filter(({ tag, run }) => runs.has(run) && tag.toLowerCase().includes(find()));
    const byTag = new Map<string, CurveRecord[]>();
    for (const curve of named(record.curves)) push(byTag, curve.tag, curve);
    const settings = JSON.stringify([{ ...view, record: record.runs.length }, [...runs]]);
    const state = (parts: { run: number; total: number }[]): string =>
      settings + parts.map(({ run, total }) => `${run}:${total}`).join();
    const single = <T extends { tag: string; run: number; total: number }>(all: T[]): Entry<T>[] =>
      named(all).map((series) => ({
        key: `${series.run} ${series.tag}`,
        tag: series.tag,
        series,
        state: state([series]),
      }));
    curves.show(
      [...byTag].map(([tag, series]) => ({ key: tag, tag, series, state: state(series) })),
      view,
    );
    histograms.show(single(record.histograms), view);
    images.show(single(record.images), view);
    texts.show(single(record.texts), view);
    empty.hidden = record.runs.length > 0;
    faults.replaceChildren(...notices(ctx, record.notices));
    others.replaceChildren(
      ...record.others
        .slice(0, 100)
        .map(({ tag, run, reason, total }) =>
          h(
            "li",
            { dir: "auto" },
            ctx.t(`training.other_${reason}`, { tag, run: runName(ctx, view, run), n: total }),
          ),
        ),
    );
  };
  const take = (): void => {
    const news = store.get("news");
    record = news?.version === 1 ? overlay(store.get("record"), news) : store.get("record");
    show();
  };
  store.watch(["record", "news"], batched(take, ctx.life), ctx.life);
  store.watch(["smoothing", "axis", "log", "bands", "hidden"], batched(show, ctx.life), ctx.life);
  controls.filter.addEventListener("input", show);
  take();
  return {
    body: [
      faults,
      controls.element,
      empty,
      curves.element,
      histograms.element,
      images.element,
      texts.element,
      others,
    ],
    keys: {},
    steps: false,
    help: help(ctx),
  };
};

interface Controls {
  element: HTMLElement;
  filter: HTMLInputElement;
  show: (view: View) => void;
}

function createControls(ctx: Context, store: Store<TrainingTraits>): Controls {
  const { t } = ctx;
  const id = (name: string): string => `${ctx.prefix}-${name}`;
  const smoothing = h("input", {
    type: "range",
    id: id("smoothing"),
    min: 0,
    max: 0.99,
    step: 0.01,
    "data-testid": "smoothing",
    input: () => store.set({ smoothing: Number(smoothing.value) }),
  });
  const degree = h("output", { for: id("smoothing") });
  const axis = h(
    "select",
    { id: id("axis"), "data-testid": "axis", change: () => store.set({ axis: axis.value as Axis }) },
    ...AXES.map((name) => h("option", { value: name }, t(`training.axis_${name}`))),
  );
  const check = (name: "log" | "bands", words: string): [HTMLElement, HTMLInputElement] => {
    const box = h("input", {
      type: "checkbox",
      "data-testid": name,
      change: () => store.set({ [name]: box.checked }),
    });
    return [h("label", { class: "check" }, box, h("span", {}, words)), box];
  };
  const [logLabel, log] = check("log", t("training.log"));
  const [bandsLabel, bands] = check("bands", t("training.bands"));
  const filter = h("input", { type: "text", id: id("filter"), spellcheck: "false", "data-testid": "filter" });
  const field = (control: HTMLElement, words: string, ...more: HTMLElement[]): HTMLElement =>
    h("div", { class: "field" }, h("label", { for: control.id }, words), control, ...more);
  const runs = h("div", { class: "runs" });
  const legend = h("fieldset", { "data-testid": "runs" }, h("legend", {}, t("training.runs")), runs);
  const boxes = new Map<string, HTMLInputElement>();
  const element = h(
    "div",
    { class: "training-controls" },
    field(smoothing, t("training.smoothing"), degree),
    field(axis, t("training.axis")),
    logLabel,
    bandsLabel,
    field(filter, t("training.filter")),
    legend,
  );
  return {
    element,
    filter,
    show(view) {
      if (Number(smoothing.value) !== view.smoothing) smoothing.value = String(view.smoothing);
      setText(degree, view.smoothing.toFixed(2));
      axis.value = view.axis;
      log.checked = view.log;
      bands.checked = view.bands;
      bandsLabel.hidden = view.record.histograms.length === 0;
      legend.hidden = view.record.runs.length < 2;
      for (const [run, { name }] of view.record.runs.entries()) {
        let box = boxes.get(name);
        if (!box) {
          const radio = h("input", {
            type: "checkbox",
            change: () => {
              const others = store.get("hidden").filter((other) => other !== name);
              store.set({ hidden: radio.checked ? others : [...others, name] });
            },
          });
          box = radio;
          boxes.set(name, box);
          runs.append(
            h(
              "label",
              { class: "check" },
              box,
              runSample(run),
              h("span", { dir: "auto" }, runName(ctx, view, run)),
            ),
          );
        }
        box.checked = view.runs.has(run);
      }
    },
  };
}

function help(ctx: Context): NonNullable<WidgetParts["help"]> {
  const keys = h("dl", { class: "keys" });
  const rows = [
    [["Tab"], "training.key_tab"],
    [["←", "→"], "training.key_arrows"],
    [["Home", "End"], "training.key_ends"],
    [["?"], "help.question"],
    [["Esc"], "help.escape"],
  ] as const;
  for (const [signs, key] of rows) {
    keys.append(h("dt", {}, ...signs.map((sign) => h("kbd", {}, sign))), h("dd", {}, ctx.t(key)));
  }
  const paragraphs = (["help_smoothing", "help_shown", "help_odd", "help_ridges", "help_bands"] as const).map(
    (key) => h("p", {}, ctx.t(`training.${key}`)),
  );
  return [h("h5", {}, ctx.t("help.keys")), keys, h("h5", {}, ctx.t("training.help_signs")), ...paragraphs];
}

/** The viewer of a value: as a number, string, table, heat map, image or histogram, as the user prefers. */

import { h, renew, s, setText } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import type { BarRecord, GalleryRecord, GridRecord, Look, TensorRecord } from "../record";
import { createHeatMap } from "./heat-map";

const LONG = 4000;

/** Asks Python for a look of the value, or for another slice of it. */
export interface Asking {
  question: string;
  args: Record<string, unknown>;
}

export interface Viewer {
  element: HTMLElement;
  /** Shows another value in this viewer; unchanged parts are not touched. */
  show: (record: TensorRecord, asking: Asking | null) => void;
}

/** The look that the user last chose in this widget. */
export interface LookPreference {
  look: Look | null;
}

const has = (record: TensorRecord, look: Look): boolean => {
  if (look === "table") return record.table !== null;
  if (look === "heat") return record.heat !== null;
  if (look === "image") return record.gallery !== null;
  return look !== "histogram" || record.bars !== null;
};

const parts = (record: TensorRecord): number =>
  record.shape.length > 2 ? record.shape.slice(0, -2).reduce((all, size) => all * size, 1) : 1;

/** `record`: what is known of the value; Python sends the rest. */
export function createViewer(
  ctx: Context,
  record: TensorRecord,
  asking: Asking | null,
  taste: LookPreference,
): Viewer {
  let part = 0;
  let look: Look = "name";
  const answer = createQuestionStatus(ctx);
  const body = h("div", { class: "value-body", "data-testid": "value" });
  const words = (each: Look): string => ctx.t(`value.look.${each}`);
  const choice = h("select", {
    "aria-label": ctx.t("value.looks"),
    "data-testid": "look",
    change: () => {
      taste.look = choice.value as Look;
      want(choice.value as Look, part);
    },
  });
  const type = h("span", { class: "value-type" });
  const slices = h("div", { class: "slices" });
  const element = h(
    "div",
    { class: "value" },
    h("div", { class: "value-head" }, type, choice),
    body,
    slices,
    answer.element,
  );

  function begin(): void {
    answer.drop();
    part = 0;
    const liked = taste.look !== null && record.looks.includes(taste.look) ? taste.look : null;
    const known = record.looks.find((each) => has(record, each)) ?? record.looks[0] ?? "name";
    look = liked && has(record, liked) ? liked : known;
    setText(type, typeWords(ctx, record));
    const looks = asking ? record.looks : record.looks.filter((each) => has(record, each));
    renew(
      choice,
      looks.map((each) => h("option", { value: each }, words(each))),
    );
    choice.value = look;
    choice.hidden = looks.length < 2;
    show();
    if (liked && liked !== look) want(liked, 0);
  }

  function want(next: Look, to: number): void {
    if (has(record, next) && to === part) {
      look = next;
      show();
      return;
    }
    if (!asking) return;
    choice.value = look; // until the answer is here
    answer.ask<TensorRecord>(asking.question, { ...asking.args, look: next, part: to }, (answered) => {
      // One slice at a time: a table of one slice and a heat map of another would not go together.
      record = to === part ? merged(record, answered) : answered;
      part = to;
      look = next;
      choice.value = next;
      show();
    });
  }

  function show(): void {
    const captioned = h(
      "ul",
      { class: "captions" },
      ...captions(ctx, record, look).map((text) => h("li", {}, text)),
    );
    // A heat map has listeners, so it cannot be updated in place.
    if (look === "heat") body.replaceChildren(content(ctx, record, look), captioned);
    else renew(body, [content(ctx, record, look), captioned]);
    const all = parts(record);
    const isPart = look === "table" || look === "heat";
    slices.hidden = all < 2 || !isPart || !asking;
    if (!slices.hidden) turnSlices(ctx, slices, part, all, (to) => want(look, to));
  }

  begin();
  return {
    element,
    show(next, from) {
      record = next;
      asking = from;
      begin();
    },
  };
}

function typeWords(ctx: Context, record: TensorRecord): string {
  if (!record.dtype) return "";
  const sizes = record.shape.join(", ");
  const shape = `(${sizes}${record.shape.length === 1 ? "," : ""})`;
  const type = ctx.t("value.dtype", { dtype: record.dtype, shape });
  return record.length === null ? type : `${type} · ${ctx.t("value.length", { n: record.length })}`;
}

function captions(ctx: Context, record: TensorRecord, look: Look): string[] {
  const { stats } = record;
  const grid = look === "table" ? record.table : look === "heat" ? record.heat : null;
  return [
    ...(stats === null ? [] : statsWords(ctx, record)),
    ...(grid === null ? [] : gridWords(ctx, grid)),
    ...(look === "image" && record.gallery ? galleryWords(ctx, record.gallery) : []),
  ];
}

function content(ctx: Context, record: TensorRecord, look: Look): HTMLElement {
  if (look === "table" && record.table) return table(ctx, record.table);
  if (look === "heat" && record.heat) return createHeatMap(ctx, record.heat);
  if (look === "histogram" && record.bars) return histogram(ctx, record.bars);
  if (look === "image" && record.gallery) return gallery(ctx, record.gallery);
  return h("p", { class: "alone" }, h("code", { dir: "auto" }, passage(record.text, LONG)));
}

/** The place of a slice among all, and the buttons to the ones before and after it. */
function turnSlices(
  ctx: Context,
  slices: HTMLElement,
  part: number,
  all: number,
  act: (to: number) => void,
): void {
  const turn = (by: number) => (): void => {
    if (part + by >= 0 && part + by < all) act(part + by);
  };
  const back = button({
    testid: "slice-back",
    icon: "back",
    words: ctx.t("value.previous"),
    act: turn(-1),
  });
  const on = button({ testid: "slice-on", icon: "step", words: ctx.t("value.next"), act: turn(1) });
  const focused = slices.contains(document.activeElement)
    ? document.activeElement?.getAttribute("data-testid")
    : null;
  back.setAttribute("aria-disabled", String(part === 0));
  on.setAttribute("aria-disabled", String(part === all - 1));
  slices.replaceChildren(back, h("span", {}, `${part + 1} / ${all}`), on);
  if (focused) slices.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
}

function merged(one: TensorRecord, other: TensorRecord): TensorRecord {
  return {
    ...other,
    table: other.table ?? one.table,
    heat: other.heat ?? one.heat,
    bars: other.bars ?? one.bars,
    gallery: other.gallery ?? one.gallery,
  };
}

function statsWords(ctx: Context, { stats }: TensorRecord): string[] {
  if (!stats) return [];
  const { count, low, high, mean, std } = stats;
  const all =
    low !== ""
      ? ctx.t("value.stats", { n: count, low, high, mean, std })
      : ctx.t(count > 0 ? "value.none_finite" : "value.empty", { n: count });
  const odd = (["nan", "inf", "zero"] as const).filter((what) => stats[what] > 0);
  return [all, ...odd.map((what) => ctx.t(`value.${what}`, { n: stats[what] }))];
}

function gridWords(ctx: Context, grid: GridRecord): string[] {
  const [rows, columns] = grid.block;
  const of = grid.part ? [ctx.t("value.part", { part: grid.part })] : [];
  if (rows !== 1 || columns !== 1) return [...of, ctx.t("value.block", { rows, columns })];
  const counts = { rows: grid.rows.length, columns: grid.columns.length };
  const isWhole = counts.rows === grid.all_rows && counts.columns === grid.all_columns;
  if (isWhole || counts.rows === 0) return of;
  const all = { all_rows: grid.all_rows, all_columns: grid.all_columns };
  return [...of, ctx.t("value.first", { ...counts, ...all })];
}

function galleryWords(ctx: Context, { images, total, black, white }: GalleryRecord): string[] {
  const every = Math.max(...images.map((image) => image.every));
  return [
    ctx.t("value.black_white", { black, white }),
    ...(images.length < total ? [ctx.t("value.images", { n: images.length, total })] : []),
    ...(every > 1 ? [ctx.t("value.every", { n: every })] : []),
  ];
}

function table(ctx: Context, grid: GridRecord): HTMLElement {
  const head = grid.columns.some((name) => name !== "");
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": ctx.t("value.look.table") },
    h(
      "table",
      { class: "cells" },
      head &&
        h(
          "thead",
          {},
          h("tr", {}, h("td"), ...grid.columns.map((name) => h("th", { scope: "col" }, shorten(name, 40)))),
        ),
      h(
        "tbody",
        {},
        ...grid.rows.map((name, row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, shorten(name, 40)),
            ...(grid.cells[row] ?? []).map((cell) => h("td", { dir: "auto" }, shorten(cell, 80))),
          ),
        ),
      ),
    ),
  );
}

function histogram(ctx: Context, bars: BarRecord[]): HTMLElement {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return h(
    "ul",
    { class: "bars", "aria-label": ctx.t("value.look.histogram") },
    ...bars.map(({ low, high, count }) => {
      const bar = s("svg", { width: "100%", height: 12, viewBox: "0 0 100 12", preserveAspectRatio: "none" });
      bar.setAttribute("aria-hidden", "true");
      bar.append(s("rect", { class: "bar-fill", x: 0, y: 0, width: (100 * count) / most, height: 12 }));
      return h(
        "li",
        {},
        h("span", { class: "bar-label" }, shorten(low === high ? low : `${low} … ${high}`, 80)),
        bar as unknown as HTMLElement,
        h("span", {}, String(count)),
      );
    }),
  );
}

function gallery(ctx: Context, { images }: GalleryRecord): HTMLElement {
  return h(
    "div",
    { class: "gallery" },
    ...images.map(({ label, width, height, data }) => {
      const grow = Math.max(1, Math.floor(132 / Math.max(width, height)));
      return h(
        "figure",
        {},
        h("img", {
          src: `data:image/png;base64,${data}`,
          width: width * grow,
          height: height * grow,
          alt: ctx.t("value.image", { label, width, height }),
        }),
        label !== "" && h("figcaption", {}, shorten(label, 40)),
      );
    }),
  );
}

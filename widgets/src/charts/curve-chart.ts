/** One chart of curves: the lines of all runs under one tag, a slider that reads them, and the same data as a table. */

import { h, s, setText } from "../base/dom";
import { inline, shorten } from "../base/text";
import type { Context } from "../context";
import { CHART, drawAxes } from "../draw/chart-axes";
import { drawChartLine } from "../draw/chart-line";
import { runClass, runMark } from "../draw/run-style";
import { clockText, countText, numberText, type Scale, scale, spanText } from "../model/chart-scale";
import {
  type Axis,
  allX,
  type CurveLine,
  evenly,
  lineOf,
  nearest,
  nearestIndex,
  type Sample,
} from "../model/curve-series";
import type { CurveRecord } from "../record";
import { createChartSlider } from "./chart-slider";
import { createChartTable, type TableRows } from "./chart-table";
import { type Card, runName, tagCard, type View } from "./tag-card";

const ROWS = 60;

/** The text of an x value. */
export function placeText(ctx: Context, axis: Axis, x: number, long = false): string {
  if (axis === "step") return countText(x, ctx.lang);
  return axis === "relative" ? spanText(x) : clockText(x, ctx.lang, long);
}

/** The x scale of the chart: texts of times are long. */
export const acrossOptions = (axis: Axis): { clock: boolean; count: number } => ({
  clock: axis !== "step",
  count: axis === "wall" ? 3 : 4,
});

export function createCurveChart(ctx: Context, tag: string): Card<CurveRecord[]> {
  const svg = s("svg", {
    class: "chart",
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    role: "img",
    "data-testid": "chart",
  });
  let lines: CurveLine[] = [];
  let across: number[] = [];
  let view: View | null = null;
  let x: Scale = scale(0, 1, CHART.left, CHART.right);
  let y: Scale = scale(0, 1, CHART.bottom, CHART.top);
  const cursor = s("g", { class: "cursor" });

  const tell = (index: number): string => {
    const at = across[index];
    cursor.replaceChildren();
    if (at === undefined || !view) return "";
    const current = view;
    const place = x.at(at) ?? CHART.left;
    cursor.append(s("path", { d: `M${place} ${CHART.top}V${CHART.bottom}` }));
    const readings = lines.flatMap((line) => {
      const sample = nearest(line, at);
      if (!sample) return [];
      const height = sample.odd === null ? y.at(sample.value) : null;
      if (height !== null)
        cursor.append(
          s("g", { class: runClass(line.run) }, runMark(line.run, x.at(sample.x) ?? 0, height, 4.6)),
        );
      return [readingText(ctx, current, line, sample, at)];
    });
    const where = ctx.t(`training.at_${current.axis}`, { at: placeText(ctx, current.axis, at, true) });
    return [where, ...readings].join(" · ");
  };
  const reading = createChartSlider(ctx.t("training.read", { tag }), tell, true);
  const under = (event: MouseEvent): number => {
    const box = svg.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / (box.width || 1)) * CHART.width;
    const drawn = across.map((at) => x.at(at) ?? 0);
    return nearestIndex(drawn, inside);
  };
  svg.addEventListener("pointermove", (event) => reading.peek(under(event)));
  svg.addEventListener("pointerleave", () => reading.peek(null));
  svg.addEventListener("pointerdown", (event) => reading.go(under(event)));
  const counts = h("p", { class: "hint", "data-testid": "counts" });
  const odd = h("p", { class: "odd-numbers", "data-testid": "odd" });
  const table = createChartTable(ctx, () => (view ? tables(ctx, tag, lines, view) : []));
  const element = tagCard(
    tag,
    h("h5", { dir: "auto" }, shorten(tag, 80)),
    svg,
    reading.element,
    odd,
    counts,
    table.element,
  );

  return {
    element,
    show(curves, now) {
      view = now;
      const { axis, smoothing, log } = now;
      lines = curves
        .filter(({ run }) => now.runs.has(run))
        .map((curve) => lineOf(curve, axis, now.record.runs[curve.run]?.start ?? 0, smoothing));
      across = allX(lines);
      const drawn = lines.flatMap(({ samples }) => samples.filter((each) => each.odd === null));
      const finite = drawn.map(({ value }) => value).filter((value) => !log || value > 0);
      x = scale(across[0] ?? 0, across.at(-1) ?? 1, CHART.left + 6, CHART.right - 6, acrossOptions(axis));
      const [low, high] = extent(finite);
      y = scale(low, high, CHART.bottom - 8, CHART.top + 6, { log });
      const title = s("title");
      title.textContent = ctx.t("training.chart_of", { tag, n: lines.length });
      svg.replaceChildren(
        title,
        drawAxes(
          x,
          (at) => placeText(ctx, axis, at),
          y,
          (value) => numberText(value, 4),
        ),
        ...lines.map((line) => drawChartLine(line, x, y, smoothing > 0)),
        cursor,
      );
      setText(counts, shownText(ctx, lines));
      const warnings = lines.filter((line) => line.odd > 0).map((line) => oddText(ctx, now, line));
      const below = log ? drawn.length - finite.length : 0;
      if (below > 0) warnings.push(ctx.t("training.below_log", { n: below }));
      setText(odd, warnings.join(" "));
      odd.hidden = warnings.length === 0;
      reading.resize(across, axis);
      table.refresh();
    },
  };
}

const valueText = (sample: Sample): string =>
  sample.odd === null ? numberText(sample.value) : numberText(Number(sample.odd.replace("inf", "Infinity")));

function shownText(ctx: Context, lines: readonly CurveLine[]): string {
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const shown = lines.reduce((sum, line) => sum + line.samples.length, 0);
  return ctx.t("training.shown", { shown: countText(shown, ctx.lang), total: countText(total, ctx.lang) });
}

/** What a line has at a place, or at the sample nearest to it. */
function readingText(ctx: Context, view: View, line: CurveLine, sample: Sample, at: number): string {
  const params = { run: runName(ctx, view, line.run), step: sample.step, value: valueText(sample) };
  const text = sample.x === at ? params.value : ctx.t("training.value_at", params);
  const smooth = view.smoothing > 0 && sample.smooth !== null;
  const value = smooth
    ? ctx.t("training.smoothed", { value: text, smooth: numberText(sample.smooth ?? 0) })
    : text;
  return view.record.runs.length > 1 ? ctx.t("training.value", { ...params, value }) : value;
}

/** The data of a chart: a summary of all lines, and samples of each. */
function tables(ctx: Context, tag: string, lines: readonly CurveLine[], now: View): TableRows[] {
  const t = ctx.t;
  const summary = lines.map((line) => {
    const finite = line.samples.filter((sample) => sample.odd === null);
    const by = (better: (a: number, b: number) => boolean): Sample | undefined =>
      finite.reduce<Sample | undefined>(
        (best, each) => (!best || better(each.value, best.value) ? each : best),
        undefined,
      );
    const cell = (sample: Sample | undefined): string =>
      sample ? t("training.value_at", { value: numberText(sample.value), step: sample.step }) : "–";
    return [
      runName(ctx, now, line.run),
      countText(line.total, ctx.lang),
      cell(finite.at(-1)),
      cell(by((a, b) => a < b)),
      cell(by((a, b) => a > b)),
      countText(line.odd, ctx.lang),
    ];
  });
  const heads = (["run", "total", "last", "least", "largest", "odd"] as const).map((key) =>
    t(`training.th_${key}`),
  );
  const values = lines.map((line) => {
    const rows = evenly(line.samples, ROWS);
    const run = runName(ctx, now, line.run);
    return {
      caption: t("training.rows", { run, shown: rows.length, total: line.total }),
      heads: [t("training.th_step"), t("training.th_time"), t("training.th_value")],
      rows: rows.map((each) => [
        countText(each.step, ctx.lang),
        clockText(each.time, ctx.lang, true),
        valueText(each),
      ]),
    };
  });
  return [{ caption: t("training.summary", { tag }), heads, rows: summary }, ...values];
}

function oddText(ctx: Context, view: View, line: CurveLine): string {
  const first = line.samples.find((sample) => sample.odd !== null);
  return ctx.t("training.odd", {
    run: runName(ctx, view, line.run),
    n: line.odd,
    kind: inline(first?.odd === "nan" ? "NaN" : first?.odd === "inf" ? "∞" : "-∞"),
    step: first?.step ?? 0,
  });
}

/** The least and the largest; 0 and 1 if there is none. */
export function extent(values: number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** One chart of distributions: one behind the other, or as bands over time; a slider, and all of them as a table. */

import { h, s, setText } from "../base/dom";
import type { Context } from "../context";
import { CHART, drawAxes } from "../draw/chart-axes";
import { runClass } from "../draw/run-style";
import { clockText, countText, numberText, type Scale, scale } from "../model/chart-scale";
import { xOf } from "../model/curve-series";
import type { DistributionRecord, HistogramsRecord } from "../record";
import { createChartSlider } from "./chart-slider";
import { createChartTable } from "./chart-table";
import { acrossOptions, extent, placeText } from "./curve-chart";
import { type Card, runName, seriesTitle, tagCard, type View } from "./tag-card";

const MOST_RIDGES = 24;

export function createHistogramChart(ctx: Context, tag: string): Card<HistogramsRecord> {
  const svg = s("svg", {
    class: "chart",
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    role: "img",
    "data-testid": "histogram",
  });
  let series: HistogramsRecord | null = null;
  let view: View | null = null;
  /** Highlights the distribution that the slider reads. */
  let set: (index: number) => void = () => {};
  const tell = (index: number): string => {
    const item = series?.items[index];
    if (!item || !view) return "";
    set(index);
    return ctx.t("training.distribution", {
      step: item.step,
      count: countText(item.count, ctx.lang),
      low: numberText(item.low),
      high: numberText(item.high),
      mean: numberText(item.mean),
      median: numberText(item.quantiles[4] ?? 0),
    });
  };
  const reading = createChartSlider(ctx.t("training.read", { tag }), tell);
  const heading = h("h5", { dir: "auto" });
  const counts = h("p", { class: "hint" });
  const table = createChartTable(ctx, () => {
    if (!series) return [];
    const heads = ["step", "time", "count", "least", "lower", "median", "upper", "largest", "mean"] as const;
    return [
      {
        caption: ctx.t("training.summary", { tag }),
        heads: heads.map((key) => ctx.t(`training.th_${key}`)),
        rows: series.items.map(({ step, time, count, mean, quantiles: q }) => [
          countText(step, ctx.lang),
          clockText(time, ctx.lang, true),
          countText(count, ctx.lang),
          ...[q[0], q[2], q[4], q[6], q[8], mean].map((value) => numberText(value ?? 0)),
        ]),
      },
    ];
  });
  const element = tagCard(tag, heading, svg, reading.element, counts, table.element);
  return {
    element,
    show(now, current) {
      [series, view] = [now, current];
      const run = runName(ctx, current, now.run);
      setText(heading, seriesTitle(ctx, current, tag, now.run));
      const title = s("title");
      title.textContent = ctx.t("training.histogram_of", { tag, run });
      const group = s("g", { class: runClass(now.run) });
      svg.replaceChildren(title, group);
      const start = current.record.runs[now.run]?.start ?? 0;
      set = current.bands
        ? drawBands(ctx, group, now.items, current, start)
        : drawRidges(ctx, group, now.items);
      setText(
        counts,
        ctx.t("training.kept", { shown: now.items.length, total: countText(now.total, ctx.lang) }),
      );
      reading.resize(now.items.map(({ step }) => step));
      table.refresh();
    },
  };
}

/** One behind the other, the newest in front; the height is the density of the values. */
function drawRidges(ctx: Context, group: SVGGElement, items: DistributionRecord[]): (index: number) => void {
  const [low, high] = extent(items.flatMap((item) => [item.low, item.high]));
  const x = scale(low, high, CHART.left + 4, CHART.right - 4);
  const density = (item: DistributionRecord, bin: number): number => {
    const wide = (item.high - item.low) / item.bins.length || (high - low) / 32 || 1;
    return (item.bins[bin] ?? 0) / wide / (item.count || 1);
  };
  const peaks = items.map((item) => Math.max(...item.bins.map((_, bin) => density(item, bin)), 0));
  const room = 60;
  const step = (CHART.bottom - CHART.top - room) / Math.max(1, items.length - 1);
  const base = (index: number): number =>
    items.length === 1 ? CHART.bottom : CHART.top + room + index * step;
  const tallest = Math.max(...peaks, 1e-300);
  const shape = (item: DistributionRecord, index: number): string => {
    const n = item.bins.length;
    const floor = base(index);
    // The square root, so that a single sharp peak does not flatten the others.
    const up = (bin: number): string =>
      (floor - Math.sqrt(density(item, bin) / tallest) * (room - 4)).toFixed(1);
    const at = (value: number): string => (x.at(value) ?? 0).toFixed(1);
    const wide = (item.high - item.low) / n;
    if (wide === 0) return `M${at(item.low)} ${floor.toFixed(1)}V${up(0)}`;
    const tops = item.bins.map((_, bin) => `L${at(item.low + (bin + 0.5) * wide)} ${up(bin)}`);
    return `M${at(item.low)} ${floor.toFixed(1)}${tops.join("")}L${at(item.high)} ${floor.toFixed(1)}`;
  };
  const every = Math.ceil(items.length / MOST_RIDGES);
  const ridges = items.flatMap((item, index) =>
    (items.length - 1 - index) % every === 0 ? [s("path", { class: "ridge", d: shape(item, index) })] : [],
  );
  const chosen = s("path", { class: "ridge chosen" });
  const marks = { at: (index: number) => base(index), ticks: items.length > 1 ? [0, items.length - 1] : [0] };
  group.append(
    drawAxes(
      x,
      (value) => numberText(value, 4),
      marks,
      (index) => countText(items[index]?.step ?? 0, ctx.lang),
    ),
    ...ridges,
    chosen,
  );
  return (index) => {
    const item = items[index];
    if (item) chosen.setAttribute("d", shape(item, index));
  };
}

/** Bands that hold 38, 68, 87 and 100 % of the values, with the median as a line. */
function drawBands(
  ctx: Context,
  group: SVGGElement,
  items: DistributionRecord[],
  view: View,
  start: number,
): (index: number) => void {
  const at = items.map((item) => xOf(view.axis, item.step, item.time, start));
  const [first, last] = extent(at);
  const x = scale(first, last, CHART.left + 6, CHART.right - 6, acrossOptions(view.axis));
  const [low, high] = extent(items.flatMap((item) => [item.low, item.high]));
  const y = scale(low, high, CHART.bottom - 6, CHART.top + 4);
  const points = (quantile: number): string[] =>
    items.map((item, i) => `${spot(x, at[i])} ${spot(y, item.quantiles[quantile])}`);
  group.append(
    drawAxes(
      x,
      (value) => placeText(ctx, view.axis, value),
      y,
      (value) => numberText(value, 4),
    ),
  );
  for (const [lower, upper] of [
    [0, 8],
    [1, 7],
    [2, 6],
    [3, 5],
  ] as const) {
    const d = `M${points(upper).join("L")}L${points(lower).toReversed().join("L")}Z`;
    group.append(s("path", { class: "band", d }));
  }
  group.append(s("path", { class: "run-line", "stroke-width": 1.8, d: `M${points(4).join("L")}h0` }));
  const cursor = s("path", { class: "cursor-line" });
  group.append(cursor);
  return (index) => {
    const place = spot(x, at[index]);
    cursor.setAttribute("d", `M${place} ${CHART.top}V${CHART.bottom}`);
  };
}

const spot = (on: Scale, value: number | undefined): string => (on.at(value ?? 0) ?? 0).toFixed(1);

/** The line of a run in a chart: values, in front of them smoothed values, markers, and signs for values that are not finite. */
import { s } from "../base/dom";
import type { Scale } from "../model/chart-scale";
import type { CurveLine } from "../model/curve-series";
import { CHART } from "./chart-axes";
import { runClass, runLine, runMark } from "./run-style";

const MARKS = 9; // markers on a line

/** One decimal is what a screen can show; faster than toFixed for thousands of points. */
const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Path data through the points that have a place. */
function path(points: { x: number; y: number | null; breaks: boolean }[]): string {
  let data = "";
  let pen = false;
  for (const point of points) {
    if (point.y === null) {
      pen = false;
      continue;
    }
    data += `${pen && !point.breaks ? "L" : "M"}${tenth(point.x)} ${tenth(point.y)}`;
    // A single point between two that are not finite is drawn too.
    if (!pen || point.breaks) data += "h0";
    pen = true;
  }
  return data;
}

export function drawChartLine(line: CurveLine, x: Scale, y: Scale, smoothed: boolean): SVGGElement {
  const group = s("g", { class: runClass(line.run), "data-run": line.run });
  const raw = line.samples.map((each) => ({
    x: x.at(each.x) ?? 0,
    y: each.odd === null ? y.at(each.value) : null,
    breaks: each.breaks,
  }));
  let main = raw;
  if (smoothed) {
    group.append(s("path", { class: "raw", d: path(raw) }));
    let breaks = false;
    main = line.samples.flatMap((each) => {
      breaks ||= each.breaks;
      if (each.smooth === null) return [];
      const point = { x: x.at(each.x) ?? 0, y: y.at(each.smooth), breaks };
      breaks = false;
      return [point];
    });
  }
  group.append(runLine(line.run, path(main)));
  const visible = main.filter((point) => point.y !== null);
  // Each run has its markers at other places.
  const apart = Math.max(1, Math.ceil(visible.length / MARKS));
  const marked = visible.filter((_, i) => i % apart === Math.floor(((line.run % 6) * apart) / 6));
  group.append(...marked.map((point) => runMark(line.run, point.x, point.y ?? 0)));
  const signs = new Map<string, number>();
  for (const each of line.samples) {
    if (each.odd === null) continue;
    const at = x.at(each.x) ?? 0;
    if (Math.abs(at - (signs.get(each.odd) ?? -99)) < 9) continue; // Signs keep a distance, so that they form a row and no wall.
    signs.set(each.odd, at);
    const up = CHART.top + 1;
    const down = CHART.bottom - 1;
    const shape = {
      nan: `M${at - 4} ${down - 9}l8 8m0 -8l-8 8`,
      inf: `M${at} ${up}l5 9h-10z`,
      "-inf": `M${at} ${down}l5 -9h-10z`,
    }[each.odd];
    group.append(s("path", { class: `odd ${each.odd === "nan" ? "open" : ""}`, d: shape }));
  }
  return group;
}

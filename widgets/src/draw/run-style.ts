/** The look of a run in a chart: its own dash and marker, so that colour is never the only difference. */
import { s } from "../base/dom";

const DASHES = ["", "7 4", "2 3", "9 3 2 3", "14 4", "5 2 1 2 1 2"];
const MARKS = 6;

/** The class that gives a run its colour in the style sheet; there are as many colours as dashes. */
export const runClass = (run: number): string => `run run-${run % DASHES.length}`;

/** Runs beyond the sixth repeat a dash and differ by their markers. */
const markOf = (run: number): number => (run + Math.floor(run / DASHES.length)) % MARKS;

export function runLine(run: number, d: string, width = 1.8): SVGPathElement {
  return s("path", {
    class: "run-line",
    "stroke-dasharray": DASHES[run % DASHES.length] || null,
    "stroke-width": width,
    d,
  });
}

/** A disc, square, triangle, diamond, cross or plus. */
export function runMark(run: number, x: number, y: number, r = 3.4): SVGElement {
  const kind = markOf(run);
  if (kind === 0) return s("circle", { class: "run-mark", cx: x, cy: y, r });
  const paths = [
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - r * 1.2}L${x + r * 1.15} ${y + r * 0.9}H${x - r * 1.15}z`,
    `M${x} ${y - r * 1.35}L${x + r * 1.35} ${y}L${x} ${y + r * 1.35}L${x - r * 1.35} ${y}z`,
    `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
    `M${x - r * 1.2} ${y}h${2.4 * r}M${x} ${y - r * 1.2}v${2.4 * r}`,
  ];
  return s("path", { class: kind > 3 ? "run-mark open" : "run-mark", d: paths[kind - 1] ?? "" });
}

/** A short sample of a run's line, for lists. */
export function runSample(run: number): SVGElement {
  return s(
    "svg",
    { class: `sample ${runClass(run)}`, width: 34, height: 14, viewBox: "0 0 34 14", "aria-hidden": "true" },
    runLine(run, "M1 7H33"),
    runMark(run, 17, 7),
  );
}

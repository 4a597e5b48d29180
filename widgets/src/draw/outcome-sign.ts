/** The outcome of a step as a small shape, so that no reader depends on colour. */
import { s } from "../base/dom";
import type { Outcome } from "../model/replay";

export type Sign = Outcome | "begin";

/** The start of each shape in a square of 16, and the path from there. */
const SHAPES: Record<Sign, [x: number, y: number, path: string]> = {
  ran: [8, 3.5, "a4.5 4.5 0 1 0 .01 0z"],
  dead: [4, 4, "l8 8m0-8l-8 8"],
  fed: [8, 2.5, "l5.5 5.5-5.5 5.5-5.5-5.5z"],
  error: [8, 2.5, "l6 11h-12zm0 4v3.5m0 1.6v.4"],
  changed: [3.5, 3.5, "h9v9h-9z"],
  begin: [8, 2, "v12"],
};

export function drawOutcomeSign(sign: Sign, left = 0, top = 0): SVGPathElement {
  const [x, y, path] = SHAPES[sign];
  return s("path", { class: "outcome", "data-outcome": sign, d: `M${left + x} ${top + y}${path}` });
}

/** A sign by itself, for a legend. */
export function outcomeSample(sign: Sign): SVGSVGElement {
  return s(
    "svg",
    { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
    drawOutcomeSign(sign),
  );
}

/** What happened in a step, as a small shape: it is told apart without a colour. */
import { s } from "../dom";
import type { Outcome } from "../record";

const SHAPES: Record<Outcome | "begin", string> = {
  ran: "M8 3.5a4.5 4.5 0 1 0 .01 0z",
  dead: "M4 4l8 8M12 4l-8 8",
  fed: "M8 2.5l5.5 5.5-5.5 5.5L2.5 8z",
  error: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.6v.4",
  changed: "M3.5 3.5h9v9h-9z",
  begin: "M8 2v12",
};

export function drawMark(outcome: Outcome | "begin"): SVGSVGElement {
  return s(
    "svg",
    { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
    s("path", { d: SHAPES[outcome] }),
  );
}

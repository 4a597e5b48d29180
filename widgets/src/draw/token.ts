/** Draws a token without a value: a tick says that a node has run, a cross that a branch was not taken. */
import { s } from "../base/dom";
import type { Point } from "../layout/geometry";

const PATHS = { control: "M-4 .4L-1 3.4L4.5-3.4", dead: "M-3-3L3 3M-3 3L3-3" };

export function drawToken(kind: "control" | "dead", { x, y }: Point): SVGGElement {
  return s(
    "g",
    { class: "token", "data-token": kind, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    s("circle", { r: kind === "dead" ? 6.5 : 9.5 }),
    s("path", { d: PATHS[kind] }),
  );
}

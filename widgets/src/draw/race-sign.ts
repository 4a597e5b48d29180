/** The sign of a race: a zigzag between two nodes that no path orders. */
import { s } from "../base/dom";
import type { Point } from "../layout/geometry";
import type { RaceRoute } from "../layout/race-route";

const TOOTH = 9;
const DEEP = 4;

/** The path data of a zigzag along a parabola from one place to another, pulled towards `middle`. */
export function zigzagPath(from: Point, to: Point, middle: Point): string {
  const teeth = Math.max(4, Math.round(Math.hypot(to.x - from.x, to.y - from.y) / TOOTH));
  const parts = Array.from({ length: teeth + 1 }, (_, i) => {
    const u = i / teeth;
    const at = (axis: "x" | "y"): number =>
      (1 - u) ** 2 * from[axis] + 2 * u * (1 - u) * middle[axis] + u ** 2 * to[axis];
    const slope = (axis: "x" | "y"): number =>
      (1 - u) * (middle[axis] - from[axis]) + u * (to[axis] - middle[axis]);
    const length = Math.hypot(slope("x"), slope("y")) || 1;
    const side = i === 0 || i === teeth ? 0 : i % 2 === 0 ? DEEP : -DEEP;
    const [x, y] = [at("x") - (side * slope("y")) / length, at("y") + (side * slope("x")) / length];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${parts.join("L")}`;
}

export function drawRace({ from, to, pull }: Omit<RaceRoute, "text">): SVGGElement {
  const d = zigzagPath(from, to, pull);
  return s("g", { class: "race" }, s("path", { class: "under", d }), s("path", { d }));
}

/** The sign of a race: a zigzag between two nodes that no path orders. */
import { s } from "../base/dom";
import type { Box, Point } from "../layout/geometry";

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

/**
 * The sign, and the place of its text; null if both ends are the same box. The curve bows below boxes in a row, and beside
 * boxes above each other, so that it avoids what lies between; `room` is the area that it may use.
 */
export function drawRace(
  one: Box,
  other: Box,
  room: { w: number; h: number },
): { group: SVGGElement; middle: Point } | null {
  if (one === other) return null;
  const inRow = one.x + one.w <= other.x || other.x + other.w <= one.x;
  const end = ({ x, y, w, h }: Box): Point =>
    inRow ? { x: x + w / 2, y: y + h } : { x: x + w, y: y + h / 2 };
  const [from, to] = [end(one), end(other)];
  const deep = 30 + 0.16 * Math.hypot(to.x - from.x, to.y - from.y);
  const mean = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const pulled = inRow
    ? { x: mean.x, y: Math.min(Math.max(from.y, to.y) + deep, 2 * room.h - mean.y) }
    : { x: Math.min(Math.max(from.x, to.x) + deep, 2 * room.w - mean.x), y: mean.y };
  const d = zigzagPath(from, to, pulled);
  const group = s("g", { class: "race" }, s("path", { class: "under", d }), s("path", { d }));
  return { group, middle: { x: (mean.x + pulled.x) / 2, y: (mean.y + pulled.y) / 2 } };
}

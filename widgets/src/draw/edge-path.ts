/** The line through some points, vertical at each of them, so that arrows arrive from above. */
import { between } from "../layout/curve-points";
import type { Point } from "../layout/geometry";

const round = (value: number): number => Math.round(value * 10) / 10;

/** A line of a picture that flows to the right is drawn as one that flows down, with x and y exchanged. */
const turn = ({ x, y }: Point): Point => ({ x: y, y: x });

/** The radius of a corner between a part that runs down and one that runs sideways. */
const CORNER = 8;

/** The SVG path data of the line: parts along an axis are straight, with round corners, and others bend smoothly. */
export function curve(points: Point[], turned = false): string {
  const [first, ...rest] = turned ? points.map(turn) : points;
  if (!first) return "";
  const pair = (x: number, y: number): string =>
    turned ? `${round(y)} ${round(x)}` : `${round(x)} ${round(y)}`;
  let path = `M${pair(first.x, first.y)}`;
  let from = first;
  for (const [i, to] of rest.entries()) {
    const after = rest[i + 1];
    const [isUpright, isLevel] = [Math.abs(from.x - to.x) < 0.5, Math.abs(from.y - to.y) < 0.5];
    const isCorner =
      after !== undefined &&
      ((isUpright && Math.abs(to.y - after.y) < 0.5) || (isLevel && Math.abs(to.x - after.x) < 0.5));
    const middle = (from.y + to.y) / 2;
    if (isCorner) {
      const [before, beyond] = [toward(to, from), toward(to, after)];
      path += `L${pair(before.x, before.y)}Q${pair(to.x, to.y)} ${pair(beyond.x, beyond.y)}`;
    } else if (isUpright || isLevel) path += `L${pair(to.x, to.y)}`;
    else path += `C${pair(from.x, middle)} ${pair(to.x, middle)} ${pair(to.x, to.y)}`;
    from = to;
  }
  return path;
}

/** The point at which a corner begins, on the way to the next point. */
function toward(corner: Point, next: Point): Point {
  const [dx, dy] = [next.x - corner.x, next.y - corner.y];
  const share = Math.min(CORNER / (Math.hypot(dx, dy) || 1), 0.5);
  return { x: corner.x + dx * share, y: corner.y + dy * share };
}

/** The point at a fraction of the line's height from its start, for a token or a text. */
export function pointAlong(points: Point[], fraction: number, turned = false): Point {
  if (turned) return turn(pointAlong(points.map(turn), fraction));
  const [first] = points;
  if (!first) return { x: 0, y: 0 };
  const lengths = points.slice(1).map((to, i) => {
    const from = points[i] ?? to;
    return Math.hypot(to.x - from.x, to.y - from.y);
  });
  let rest = lengths.reduce((sum, length) => sum + length, 0) * fraction;
  for (const [i, length] of lengths.entries()) {
    const from = points[i] ?? first;
    const to = points[i + 1] ?? from;
    if (rest <= length) {
      const u = length === 0 ? 0 : rest / length;
      return between(from, to, u);
    }
    rest -= length;
  }
  return points.at(-1) ?? first;
}

const PARTS = 12;

/** The distance from a point to the line; Infinity if the point is outside `reach` of each part's bounding box. */
export function distance(points: Point[], to: Point, reach: number, turned = false): number {
  if (turned) return distance(points.map(turn), turn(to), reach);
  let least = Number.POSITIVE_INFINITY;
  for (const [i, next] of points.entries()) {
    const from = points[i - 1] ?? next;
    const isOutside = (axis: "x" | "y"): boolean =>
      to[axis] < Math.min(from[axis], next[axis]) - reach ||
      to[axis] > Math.max(from[axis], next[axis]) + reach;
    if (isOutside("x") || isOutside("y")) continue;
    let before = from;
    for (let part = 1; part <= PARTS; part += 1) {
      const here = between(from, next, part / PARTS);
      const [dx, dy] = [here.x - before.x, here.y - before.y];
      const pointAlong = ((to.x - before.x) * dx + (to.y - before.y) * dy) / (dx * dx + dy * dy || 1);
      const u = Math.max(0, Math.min(1, pointAlong));
      least = Math.min(least, Math.hypot(to.x - before.x - u * dx, to.y - before.y - u * dy));
      before = here;
    }
  }
  return least;
}

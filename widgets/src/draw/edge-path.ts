/** The line through some points, vertical at each of them, so that arrows arrive from above. */
import type { Point } from "../layout/geometry";

const round = (value: number): number => Math.round(value * 10) / 10;

/** A line of a picture that flows to the right is drawn as one that flows down, with x and y exchanged. */
const turn = ({ x, y }: Point): Point => ({ x: y, y: x });

/** A point of the cubic between two points, whose control points lie half way down, below the start and above the end. */
function between(from: Point, to: Point, u: number): Point {
  const ease = u * u * (3 - 2 * u);
  const down = 1.5 * u * (1 - u) + u * u * u;
  return { x: from.x + (to.x - from.x) * ease, y: from.y + (to.y - from.y) * down };
}

/** The SVG path data of the line. */
export function curve(points: Point[], turned = false): string {
  const [first, ...rest] = turned ? points.map(turn) : points;
  if (!first) return "";
  const pair = (x: number, y: number): string => (turned ? `${y} ${x}` : `${x} ${y}`);
  let path = `M${pair(round(first.x), round(first.y))}`;
  let from = first;
  for (const to of rest) {
    const middle = round((from.y + to.y) / 2);
    const end = pair(round(to.x), round(to.y));
    path +=
      Math.abs(from.x - to.x) < 0.5
        ? `L${end}`
        : `C${pair(round(from.x), middle)} ${pair(round(to.x), middle)} ${end}`;
    from = to;
  }
  return path;
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

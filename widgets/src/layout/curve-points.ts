/** The shape of a line between two of its points. */
import type { Point } from "./geometry";

/** A point of the cubic between two points, whose control points lie half way down, below the start and above the end. */
export function between(from: Point, to: Point, u: number): Point {
  const ease = u * u * (3 - 2 * u);
  const down = 1.5 * u * (1 - u) + u * u * u;
  return { x: from.x + (to.x - from.x) * ease, y: from.y + (to.y - from.y) * down };
}

/** The drawing of the timeline's lanes: lines for the steps to come and those done, and signs on single steps. */

import { s } from "../base/dom";
import { push } from "../model/graph";
import type { Lane, StepSign } from "../model/steps/track";
import { type Column, cellEnd, middles, type RowSize } from "./track-geometry";

/** One lane in one column. */
export interface Stretch {
  parts: SVGElement[];
  /** Shows that the steps up to this cell are done. */
  done: (cell: number) => void;
}

/** The cells of a lane in a column that are its own, not those shared with the lane from which it forks. */
function ownCells({ segments, from }: Lane, column: number): [first: number, last: number] {
  const segment = segments[column];
  if (!segment || segment.to <= from) return [0, 0];
  return [Math.max(0, from - segment.from), segment.to - segment.from];
}

export function drawStretch(
  lane: Lane,
  at: number,
  column: Column,
  y: number,
  size: RowSize,
): Stretch | null {
  const [first, last] = ownCells(lane, at);
  if (last === first) return null;
  const start = column.left + first * column.pitch;
  const line = (kind: string, end: number): SVGLineElement =>
    s("line", {
      class: kind,
      x1: start,
      x2: end,
      y1: y,
      y2: y,
      "stroke-dasharray": column.gap > 0 ? `${column.pitch - column.gap} ${column.gap}` : null,
    });
  const done = line("done", start);
  let shown = first;
  return {
    parts: [
      line("to-come", cellEnd(column, last)),
      done,
      ...drawSigns(lane, at, [first, last], column, y, size),
    ],
    done(cell) {
      const to = Math.max(first, Math.min(last, cell));
      if (to === shown) return;
      shown = to;
      done.setAttribute("x2", String(to === first ? start : cellEnd(column, to)));
    },
  };
}

/** One path for each kind of sign: squares above the line for writes, rings on it for dead steps, dots on it for breakpoints. */
function drawSigns(
  lane: Lane,
  at: number,
  [first, last]: [number, number],
  column: Column,
  y: number,
  size: RowSize,
): SVGElement[] {
  const from = lane.segments[at]?.from ?? 0;
  const cells = new Map<StepSign | "stop", number[]>();
  for (let cell = first + 1; cell <= last; cell += 1) {
    const sign = lane.signs.get(from + cell);
    if (sign) push(cells, sign, cell);
  }
  for (const hit of lane.hits)
    if (hit > from + first && hit <= from + last) push(cells, "stop" as const, hit - from);
  return [...cells].map(([sign, own]) =>
    s("path", {
      class: `sign-${sign}`,
      d: middles(column, own, 7)
        .map((x) => signPath(sign, x, y, size))
        .join(""),
    }),
  );
}

type Sign = StepSign | "stop";
/** Half the height of a row's current cell, and the size of a sign. */
type SignSize = Record<"half" | "sign", number>;

/** One sign alone. */
export const drawSignAt = (sign: Sign, x: number, y: number, size: SignSize): SVGElement =>
  s("path", { class: `sign-${sign}`, d: signPath(sign, x, y, size) });

function signPath(sign: Sign, x: number, y: number, { half, sign: size }: SignSize): string {
  const above = y - half - size;
  const ring = (r: number): string =>
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  switch (sign) {
    case "dead":
      return ring(3.5);
    case "write":
      return `M${x - size / 2} ${above}h${size}v${size}h${-size}z`;
    case "changed":
      return `M${x} ${above - 1}l4 4l-4 4l-4 -4z`;
    case "error":
      return `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
    default:
      return ring(Math.min(4, half - 1));
  }
}

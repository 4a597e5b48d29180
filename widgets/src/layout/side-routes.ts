/** Routes an edge from the side of one box to the side of another, around every box between them. */
import type { Box, Point } from "./geometry";

/** The least distance of a line from a box, and from the border of an open scope. */
const CLEAR = 8;
const BESIDE_BORDER = 6;

/** What a line must not cross, and the borders of open scopes, which it crosses but does not follow. */
export interface Walls {
  solid: Box[];
  open: Box[];
  /** The upright parts of lines that are there already, as boxes without a width. */
  lines: Box[];
}

/** Whether a straight part between two points is free of boxes. */
function isFree(from: Point, to: Point, { solid, open, lines }: Walls, ends: Box[]): boolean {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  for (const box of solid) {
    const by = ends.includes(box) ? -1 : CLEAR;
    if (right > box.x - by && left < box.x + box.w + by && bottom > box.y - by && top < box.y + box.h + by)
      return false;
  }
  const meets = ({ x, y, h }: Box): boolean => Math.abs(x - left) < CLEAR && top < y + h && bottom > y;
  if (left === right && lines.some(meets)) return false;
  return open.every(({ x, y, w, h }) => {
    const along = (at: number, border: number): boolean => Math.abs(at - border) < BESIDE_BORDER;
    if (left === right && top < y + h && bottom > y && (along(left, x) || along(left, x + w))) return false;
    return !(top === bottom && left < x + w && right > x && (along(top, y) || along(top, y + h)));
  });
}

/**
 * The height at which a line leaves or enters the side of a box; `place`: how many do already.
 * On the left a line leaves below the middle, where the label of a fetched node is.
 */
export function sideAt({ y, h }: Box, place: number, isLeftExit: boolean): number {
  const aside = (place % 2 === 0 ? place : -place - 1) * 5;
  return y + Math.min(h - 8, h * (isLeftExit ? 0.75 : 0.45) + aside);
}

const STEP = 2;

/** A line that leaves at the side, runs down a gutter and enters at the side; null if no gutter is free. */
export function sideRoute(from: Box, to: Box, fromY: number, toY: number, walls: Walls): Point[] | null {
  const isRight = from.x + from.w < to.x;
  const [start, end] = isRight ? [from.x + from.w, to.x] : [from.x, to.x + to.w];
  const room = Math.abs(end - start);
  if ((!isRight && to.x + to.w >= from.x) || room < 2 * CLEAR) return null;
  const ends = walls.solid.filter((box) => box === from || box === to);
  const sign = isRight ? 1 : -1;
  for (let aside = 0; aside <= room / 2 - CLEAR; aside += STEP) {
    for (const x of [start + sign * (room / 2 - aside), start + sign * (room / 2 + aside)]) {
      const points = [
        { x: start, y: fromY },
        { x, y: fromY },
        { x, y: toY },
        { x: end, y: toY },
      ];
      if (points.slice(1).every((point, i) => isFree(points[i] as Point, point, walls, ends))) return points;
    }
  }
  return null;
}

/** The price of a turn, in pixels of way; and of an end where other lines begin and end, above and below a box. */
const BEND = 60;
const CROWDED = 200;

interface Reached {
  at: number;
  /** Whether the line came to this point sideways. */
  across: boolean;
  cost: number;
  before: Reached | null;
  /** Whether the price of an end above the box is paid. */
  isDear?: boolean;
}

/** The shortest way with the fewest turns, from a side or the bottom of one box to a side or the top of another. */
export function wayAround(from: Box, to: Box, fromY: number, toY: number, walls: Walls): Point[] | null {
  const boxes = [...walls.solid, ...walls.open];
  const sorted = (values: number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const middle = ({ x, w }: Box): number => x + w / 2;
  const gap = CLEAR + 4;
  const xs = sorted([middle(from), middle(to), ...boxes.flatMap(({ x, w }) => [x - gap, x + w + gap])]);
  const ys = sorted([fromY, toY, ...boxes.flatMap(({ y, h }) => [y - gap, y + h + gap])]);
  const ends = walls.solid.filter((box) => box === from || box === to);
  const point = (at: number): Point => ({
    x: xs[Math.floor(at / ys.length)] ?? 0,
    y: ys[at % ys.length] ?? 0,
  });
  const place = (x: number, y: number): number => xs.indexOf(x) * ys.length + ys.indexOf(y);
  const outside = { ...walls, solid: walls.solid.filter((box) => !ends.includes(box)) };
  const goals = new Map<string, Point>([
    [`${place(to.x - gap, toY)} true`, { x: to.x, y: toY }],
    [`${place(to.x + to.w + gap, toY)} true`, { x: to.x + to.w, y: toY }],
    [`${place(middle(to), to.y - gap)} false`, { x: middle(to), y: to.y }],
  ]);
  const begins: [Point, number, boolean][] = [
    [{ x: from.x + from.w, y: fromY }, place(from.x + from.w + gap, fromY), true],
    [{ x: from.x, y: fromY }, place(from.x - gap, fromY), true],
    [{ x: middle(from), y: from.y + from.h }, place(middle(from), from.y + from.h + gap), false],
  ];
  const open: (Reached & { start: Point })[] = [];
  for (const [start, at, across] of begins)
    if (isFree(start, point(at), outside, []))
      open.push({ at, across, cost: across ? 0 : CROWDED, before: null, start });
  const closed = new Set<string>();
  for (let next = takeLeast(open); next; next = takeLeast(open)) {
    const key = `${next.at} ${next.across}`;
    if (closed.has(key)) continue;
    closed.add(key);
    const goal = goals.get(key);
    if (goal && isFree(point(next.at), goal, outside, [])) {
      if (next.across || next.isDear) return corners(next, next.start, goal, point);
      // Above the box: taken if no side is reached for the same price.
      closed.delete(key);
      open.push({ ...next, cost: next.cost + CROWDED, isDear: true });
    }
    const here = point(next.at);
    const [column, row] = [Math.floor(next.at / ys.length), next.at % ys.length];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      if (column + dx < 0 || column + dx >= xs.length || row + dy < 0 || row + dy >= ys.length) continue;
      const at = (column + dx) * ys.length + row + dy;
      const across = dx !== 0;
      if (closed.has(`${at} ${across}`) || !isFree(here, point(at), walls, ends)) continue;
      const length = Math.abs(point(at).x - here.x) + Math.abs(point(at).y - here.y);
      const cost = next.cost + length + (across === next.across ? 0 : BEND);
      open.push({ at, across, cost, before: next, start: next.start });
    }
  }
  return null;
}

function takeLeast<T extends Reached>(open: T[]): T | undefined {
  let least = 0;
  for (const [i, { cost }] of open.entries()) if (cost < (open[least]?.cost ?? 0)) least = i;
  return open.splice(least, 1)[0];
}

/** The points at which a way turns, with both its ends. */
function corners(last: Reached, start: Point, end: Point, point: (at: number) => Point): Point[] {
  const way: Point[] = [end];
  for (let reached: Reached | null = last; reached; reached = reached.before) way.push(point(reached.at));
  way.push(start);
  way.reverse();
  return way.filter((here, i) => {
    const [before, after] = [way[i - 1], way[i + 1]];
    if (!before || !after) return true;
    return !((before.x === here.x && here.x === after.x) || (before.y === here.y && here.y === after.y));
  });
}

/** The way of a race's sign between two boxes: a parabola off the texts and signs of a picture, and the place of its text. */
import type { Box, Point, Size } from "./geometry";

/** The sign begins at `from`, ends at `to`, and is pulled towards `pull`; `text` is the middle of its text. */
export interface RaceRoute {
  from: Point;
  to: Point;
  pull: Point;
  text: Point;
}

/** Half the breadth of the zigzag, and the room beside it. */
const BREADTH = 7;
/** How far an end is from a corner, and how far a picture may be left. */
const CORNER = 10;
const MARGIN = 10;
/** The distance between samples. */
const PART = 8;
/** What a sample on a covered place costs, and one so near that the zigzag touches it, in pixels of a longer way. */
const COVERS = 2000;
const TOUCHES = 100;
/** What a box that the text covers costs. */
const COVERED_BY_TEXT = 300;
/** A text that is cut off is as bad as one that covers two others. */
const CUT = 2;
const BOWS = [0.16, 0.4, 0.8];
const LEAST = 24;
const TEXT_AT = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

export const pointOfRace = ({ from, to, pull }: Omit<RaceRoute, "text">, u: number): Point => ({
  x: (1 - u) ** 2 * from.x + 2 * u * (1 - u) * pull.x + u ** 2 * to.x,
  y: (1 - u) ** 2 * from.y + 2 * u * (1 - u) * pull.y + u ** 2 * to.y,
});

export const grown = ({ x, y, w, h }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  w: w + 2 * by,
  h: h + 2 * by,
});
const holds = (box: Box, { x, y }: Point): boolean =>
  box.x < x && x < box.x + box.w && box.y < y && y < box.y + box.h;
export const boxesMeet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const isInside = (box: Box, around: Box): boolean =>
  around.x <= box.x &&
  around.y <= box.y &&
  box.x + box.w <= around.x + around.w &&
  box.y + box.h <= around.y + around.h;
const pictureOf = (room: Size): Box => grown({ x: 0, y: 0, ...room }, MARGIN);
export const boxAround = ({ x, y }: Point, { w, h }: Size): Box => ({ x: x - w / 2, y: y - h / 2, w, h });

/** Places on a box where the sign can begin: the corners, the sides, the middle below. */
const endsOf = ({ x, y, w, h }: Box): Point[] => [
  { x: x + CORNER, y: y + h },
  { x: x + w - CORNER, y: y + h },
  { x: x + w, y: y + h / 2 },
  { x, y: y + h / 2 },
  { x: x + w / 2, y: y + h },
  { x: x + CORNER, y },
  { x: x + w - CORNER, y },
];

/** Every parabola between the ends of two boxes that bows to one of the four sides. */
function* ways(one: Box, other: Box): Generator<Omit<RaceRoute, "text">> {
  for (const from of endsOf(one)) {
    for (const to of endsOf(other)) {
      const mean = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const far = Math.hypot(to.x - from.x, to.y - from.y);
      const [low, right] = [Math.max(from.y, to.y), Math.max(from.x, to.x)];
      const [high, left] = [Math.min(from.y, to.y), Math.min(from.x, to.x)];
      yield { from, to, pull: mean };
      for (const bow of BOWS.map((share) => LEAST + share * far)) {
        yield { from, to, pull: { x: mean.x, y: low + bow } };
        yield { from, to, pull: { x: right + bow, y: mean.y } };
        yield { from, to, pull: { x: left - bow, y: mean.y } };
        yield { from, to, pull: { x: mean.x, y: high - bow } };
      }
    }
  }
}

/** The length of a way, and what it covers: `solid` boxes, and what is outside the picture; more than `most` is not counted. */
function costOf(way: Omit<RaceRoute, "text">, solid: readonly Box[], room: Size, most: number): number {
  const { from, to, pull } = way;
  const [x, y] = [Math.min(from.x, to.x, pull.x), Math.min(from.y, to.y, pull.y)];
  const hull = {
    x,
    y,
    w: Math.max(from.x, to.x, pull.x) - x,
    h: Math.max(from.y, to.y, pull.y) - y,
  };
  const near = solid.filter((box) => boxesMeet(box, grown(hull, BREADTH)));
  const picture = pictureOf(room);
  let cost = 0;
  let last = from;
  const parts =
    8 +
    Math.ceil(
      (Math.hypot(pull.x - from.x, pull.y - from.y) + Math.hypot(to.x - pull.x, to.y - pull.y)) / PART,
    );
  for (let i = 1; i < parts && cost < most; i += 1) {
    const point = pointOfRace(way, i / parts);
    cost += Math.hypot(point.x - last.x, point.y - last.y);
    last = point;
    if (!holds(picture, point) || near.some((box) => holds(box, point))) cost += COVERS;
    else if (near.some((box) => holds(grown(box, BREADTH), point))) cost += TOUCHES;
  }
  return cost;
}

/** A place beside a way for its text, and how much the text covers there. */
interface TextPlace {
  at: Point;
  faults: number;
}

/** The first place that covers least. */
function textOn(way: Omit<RaceRoute, "text">, taken: readonly Box[], room: Size, text: Size): TextPlace {
  const picture = pictureOf(room);
  let best: TextPlace | null = null;
  for (const { x, y } of TEXT_AT.map((u) => pointOfRace(way, u))) {
    for (const aside of [0, text.w / 2 + BREADTH, -text.w / 2 - BREADTH]) {
      const at = { x: x + aside, y };
      const box = boxAround(at, text);
      const covers = taken.filter((one) => boxesMeet(one, grown(box, 2))).length;
      const faults = covers + (isInside(box, picture) ? 0 : CUT);
      if (!best || faults < best.faults) best = { at, faults };
      if (faults === 0) return best;
    }
  }
  return best as TextPlace;
}

/**
 * The shortest way that covers least, with its text. `covered`: texts, values and signs, those on the two boxes too; `text`: the
 * size of the text on the way; null if both ends are the same box.
 */
export function routeRace(
  one: Box,
  other: Box,
  room: Size,
  covered: readonly Box[],
  text: Size,
): RaceRoute | null {
  if (one === other) return null;
  const solid = [...covered, grown(one, -1), grown(other, -1)];
  const taken = [...covered, one, other];
  let best: RaceRoute | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const way of ways(one, other)) {
    const cost = costOf(way, solid, room, least);
    if (cost >= least) continue;
    const { at, faults } = textOn(way, taken, room, text);
    if (cost + faults * COVERED_BY_TEXT < least) {
      best = { ...way, text: at };
      least = cost + faults * COVERED_BY_TEXT;
    }
  }
  return best;
}

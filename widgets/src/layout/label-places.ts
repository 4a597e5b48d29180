/** Where the text of each line stands: on its own line, and off boxes, titles, other texts and other lines. */
import { between } from "./curve-points";
import type { Box, Point, Size } from "./geometry";
import type { Line, Scene } from "./scene-types";

/** The room of the number of a cable, such as ×120. */
const CABLE = { w: 44, h: 20 };

/** In a picture of more lines, only the room that the layout kept holds lines off a text. */
const MANY = 150;
/** The least room between a text and what it must not cover. */
const APART = 3;
const PARTS = 24;

const COVERS_BOX = 100;
const COVERS_LINE = 20;
const AWAY = 0.2;

/** Points along a line, as it is drawn. */
function samples({ points, turned }: Pick<Line, "points" | "turned">): Point[] {
  if (turned) return samples({ points: points.map(turn), turned: false }).map(turn);
  return points.slice(1).flatMap((to, i) => {
    const from = points[i] ?? to;
    const count = Math.max(2, Math.min(PARTS, Math.round(Math.hypot(to.x - from.x, to.y - from.y) / 8)));
    return Array.from({ length: count }, (_, part) => between(from, to, (part + 0.5) / count));
  });
}

const turn = ({ x, y }: Point): Point => ({ x: y, y: x });
const around = ({ x, y }: Point, { w, h }: Size): Box => ({
  x: x - w / 2 - APART,
  y: y - h / 2 - APART,
  w: w + 2 * APART,
  h: h + 2 * APART,
});
const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** Whether a place is on a line: an overview changes lines after the layout kept room for their texts. */
const isNear = (place: Point, own: Point[]): boolean =>
  own.some(({ x, y }) => Math.hypot(place.x - x, place.y - y) < 12);

/** Gives each line with a text the best place for it; the lines of a cable share one. */
export function placeLabels(
  scene: Scene,
  sizes: { label: (bundle: Line["bundle"]) => Size | null },
  titles: Box[],
): void {
  const { lines, nodes, closed, blocks, overview } = scene;
  const cables = new Set<string>();
  const sizeOf = ({ bundle, cable }: Line): Size | null => {
    if (cable === null) return sizes.label(bundle);
    const isFirst = !cables.has(cable);
    cables.add(cable);
    return isFirst ? CABLE : null;
  };
  const labelled = lines.flatMap((line) => {
    const size = sizeOf(line);
    if (!size) line.label = null;
    return size ? [{ line, size }] : [];
  });
  if (labelled.length === 0) return;
  const ways = lines.length > MANY ? [] : lines.map((line) => ({ line, points: samples(line) }));
  const taken = [...nodes.values(), ...closed.values(), ...blocks.values(), ...titles];
  for (const { label } of overview?.ties ?? []) taken.push(around(label, CABLE));
  for (const { line, size } of labelled) {
    const own = samples(line);
    const wished = line.label && isNear(line.label, own) ? line.label : own[Math.floor(own.length / 2)];
    if (!wished) continue;
    const others = ways.flatMap((way) => (way.line === line ? [] : way.points));
    let best = { place: wished, cost: Infinity };
    for (const place of [wished, ...own]) {
      const box = around(place, size);
      const away = Math.hypot(place.x - wished.x, place.y - wished.y) * AWAY;
      if (away >= best.cost) continue;
      const covers = taken.filter((other) => meets(box, other)).length;
      const crossed = others.filter(
        ({ x, y }) => box.x < x && x < box.x + box.w && box.y < y && y < box.y + box.h,
      ).length;
      const cost = away + covers * COVERS_BOX + crossed * COVERS_LINE;
      if (cost < best.cost) best = { place, cost };
      if (cost === 0) break;
    }
    line.label = best.place;
    taken.push(around(best.place, size));
  }
}

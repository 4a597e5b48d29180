/** The picture of a run on several devices as a scene: their lanes, and the lines that cross from one to another. */
import type { End, Visible } from "../model/collapse";
import { ancestors, type Graph, homeOf } from "../model/graph";
import type { Box, Point, Size } from "./geometry";
import type { DeviceColumns } from "./level-types";
import type { Placement } from "./place-levels";
import type { Line, Scene } from "./scene-types";
import { sideAt, sideRoute, type Walls, wayAround } from "./side-routes";

/** In a larger picture no way around boxes is looked for. */
const FEW = 80;

/** The lane of an end; none of an end in no lane, like an empty block. */
export function laneOf(graph: Graph, end: End): string | undefined {
  const [, outermost] = ancestors(graph, typeof end === "number" ? homeOf(graph, end) : end);
  return outermost;
}

/** The items by lane; what is in none stands in the last. */
export function deviceColumns(
  graph: Graph,
  visible: Visible,
  items: Iterable<string>,
  key: (end: End) => string,
  title: (path: string) => Size,
): DeviceColumns {
  const drawn: End[] = [...visible.nodes, ...visible.closed.keys(), ...visible.open];
  const lanes = new Map(drawn.map((end) => [key(end), laneOf(graph, end)]));
  const last = graph.lanes.at(-1);
  const all = [...items];
  const columns = graph.lanes.map((path) => ({
    path,
    title: visible.closed.has(path) ? { w: 0, h: title(path).h } : title(path),
    items: all.filter((item) => (lanes.get(item) ?? last) === path),
  }));
  return { lanes: columns.filter((column) => column.items.length > 0) };
}

const swapped = ({ x, y, w, h }: Box): Box => ({ x: y, y: x, w: h, h: w });

/** Adds the lanes to a scene that was laid out without them, and leads the lines between lanes from side to side. */
export function finishDevices(
  scene: Scene,
  graph: Graph,
  visible: Visible,
  root: Placement | undefined,
  titles: Box[],
): Scene {
  const { turned } = scene;
  const frame = root?.frame ?? { x: 0, y: 0 };
  const grounds = new Map(
    (root?.placed.bands ?? []).map(({ lane, box }) => {
      const own = { ...box, x: box.x - frame.x, y: box.y - frame.y };
      return [lane, turned ? swapped(own) : own];
    }),
  );
  const isOpen = ([lane]: [string, Box]): boolean => !visible.closed.has(lane);
  const open = new Map([...[...grounds].filter(isOpen), ...scene.open]);
  // Lanes stand side by side here: those of a turned picture, which are below each other, are turned back.
  const here = (box: Box): Box => (turned ? swapped(box) : box);
  const boxes = new Map<End, Box>([...scene.nodes, ...scene.closed].map(([end, box]) => [end, here(box)]));
  const walls: Walls = {
    solid: [...boxes.values(), ...titles.map(here)],
    open: [...open.values()].map(here),
    lines: [],
  };
  const used = new Map<string, number>();
  const lines = scene.lines.map((line): Line => {
    const { source, target } = line.bundle;
    const [from, to] = [boxes.get(source), boxes.get(target)];
    const [start, end] = [laneOf(graph, source), laneOf(graph, target)];
    if (!from || !to || start === end) return line;
    const points = across(from, to, [`${source}`, `${target}`], walls, used);
    for (const [i, point] of points.slice(1).entries()) {
      const { x, y } = points[i] ?? point;
      if (x === point.x) walls.lines.push({ x, y: Math.min(y, point.y), w: 0, h: Math.abs(point.y - y) });
    }
    const ground = grounds.get(start ?? "");
    const label = ground ? beside(here(ground), points, from.x < to.x, gapOf(grounds, here)) : null;
    const back = ({ x, y }: Point): Point => (turned ? { x: y, y: x } : { x, y });
    return { ...line, points: points.map(back), label: label && back(label), turned: !turned, cable: null };
  });
  return { ...scene, open, lines };
}

/** The room between two lanes. */
function gapOf(grounds: ReadonlyMap<string, Box>, here: (box: Box) => Box): number {
  const all = [...grounds.values()].map(here).sort((a, b) => a.x - b.x);
  const [first, second] = all;
  return first && second ? second.x - first.x - first.w : 0;
}

/** The way from the side of one box to the side of another. */
function across(
  from: Box,
  to: Box,
  ends: readonly [string, string],
  walls: Walls,
  used: Map<string, number>,
): Point[] {
  const isRight = from.x < to.x;
  const sides = [`${ends[0]} ${isRight}`, `${ends[1]} ${!isRight}`] as const;
  const counts = sides.map((side) => used.get(side) ?? 0);
  for (const [i, side] of sides.entries()) used.set(side, (counts[i] ?? 0) + 1);
  let [fromY, toY] = [sideAt(from, counts[0] ?? 0, !isRight), sideAt(to, counts[1] ?? 0, false)];
  const [top, bottom] = [Math.max(from.y, to.y) + 6, Math.min(from.y + from.h, to.y + to.h) - 6];
  if (counts.every((count) => count === 0) && top < bottom) fromY = toY = (top + bottom) / 2;
  const found =
    sideRoute(from, to, fromY, toY, walls) ??
    (walls.solid.length <= FEW ? wayAround(from, to, fromY, toY, walls) : null);
  const [start, end] = isRight ? [from.x + from.w, to.x] : [from.x, to.x + to.w];
  const turn = end + (isRight ? -20 : 20);
  const points = found ?? [
    { x: start, y: fromY },
    { x: turn, y: fromY },
    { x: turn, y: toY },
    { x: end, y: toY },
  ];
  return fromY === toY && found?.length === 4 ? [points[0] as Point, points[3] as Point] : points;
}

/** Where a line crosses the gap beside the lane that it leaves. */
function beside(ground: Box, points: Point[], isRight: boolean, gap: number): Point | null {
  const x = isRight ? ground.x + ground.w + gap / 2 : ground.x - gap / 2;
  for (const [i, to] of points.slice(1).entries()) {
    const from = points[i] ?? to;
    if (from.y === to.y && Math.min(from.x, to.x) <= x && x <= Math.max(from.x, to.x))
      return { x, y: from.y };
  }
  return null;
}

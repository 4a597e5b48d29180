/** The overview of a large graph as a scene: its lanes, the ties between a scope and its gradient, and the counts of edges. */
import type { Bundle, End, Visible } from "../model/collapse";
import { type Graph, homeOf, ROOT } from "../model/graph";
import { arrivingEdges, isLane } from "../model/overview";
import type { Lanes } from "../model/visible";
import type { Box, Point, Size } from "./geometry";
import { BAND } from "./lanes";
import type { Band as Ground, LaneKeys } from "./level-types";
import type { Placement } from "./place-levels";
import type { Line, OverviewLane, Scene } from "./scene-types";

type Band = Ground<OverviewLane>;

/** The open scopes whose content stands in a lane. */
export const openLanes = (graph: Graph, visible: Visible): string[] =>
  [...graph.parts.keys()].filter((path) => isLane(graph, path) && !visible.closed.has(path));

/** The graph and picture in which what is in these lanes is directly in the graph. */
export function withoutLanes(
  graph: Graph,
  visible: Visible,
  paths: Iterable<string>,
): { graph: Graph; visible: Visible } {
  const lanes = new Set(paths);
  const scope = new Map(
    [...graph.scope].map(([path, own]) => [path, lanes.has(own.parent) ? { ...own, parent: ROOT } : own]),
  );
  const home = new Map(graph.home);
  for (const id of visible.nodes) if (lanes.has(homeOf(graph, id))) home.set(id, ROOT);
  return {
    graph: { ...graph, scope, home },
    visible: { ...visible, open: visible.open.filter((path) => !lanes.has(path)) },
  };
}

/** The keys of the items by lane; what no lane names, like an empty block, stands aside. */
export function laneKeys(
  lanes: Lanes,
  items: ReadonlyMap<string, Size>,
  key: (end: End) => string,
  room: Size,
): LaneKeys {
  const keys = (ends: End[]): string[] => ends.map(key).filter((own) => items.has(own));
  const columns = lanes.columns.map((column) => ({
    forward: keys(column.forward),
    below: keys(column.below),
    beside: keys(column.beside),
    gradients: keys(column.gradients),
  }));
  const optimizer = keys(lanes.optimizer);
  const named = new Set([...columns.flatMap((column) => Object.values(column).flat()), ...optimizer]);
  const aside = [...new Set([...keys(lanes.aside), ...items.keys()])].filter((own) => !named.has(own));
  return { columns, optimizer, aside, room };
}

/** The place of an item on the way from left to right. */
export function placeIn(lanes: LaneKeys | undefined, item: string): number {
  for (const [i, { forward, beside, below, gradients }] of lanes?.columns.entries() ?? []) {
    if (beside.includes(item)) return i;
    if (forward.includes(item) || below.includes(item)) return i + 0.5;
    if (gradients.includes(item)) return i + gradients.indexOf(item) / gradients.length;
  }
  return Infinity;
}

export function finishLanes(
  scene: Scene,
  visible: Visible,
  lanes: Lanes,
  root: Placement | undefined,
): Scene {
  const frame = root?.frame ?? { x: 0, y: 0 };
  const bands = (root?.placed.bands ?? []).map(({ lane, box }) => ({
    lane: lane as OverviewLane,
    box: { x: box.y - frame.y, y: box.x - frame.x, w: box.h, h: box.w },
  }));
  const boxOf = (end: End): Box | undefined =>
    typeof end === "number" ? scene.nodes.get(end) : (scene.closed.get(end) ?? scene.open.get(end));
  const { tied } = arrivingEdges(lanes, visible.counted);
  const ties = lanes.columns.flatMap((column) => {
    const all = Object.values(column)
      .flat()
      .flatMap((end) => boxOf(end) ?? []);
    const left = Math.min(...all.map(({ x }) => x));
    return column.gradients.flatMap((gradient, i) => {
      const [a, b] = [boxOf(lanes.of.get(gradient) ?? ""), boxOf(gradient)];
      const ground = bands.find(({ box }) => b && box.y < b.y && box.y + box.h > b.y);
      if (!a || !b || !ground) return [];
      const gap = ground.box.y - BAND.gap / 2;
      return [{ ...tie(a, b, left - 16 - 12 * i, gap), count: tied.get(gradient) ?? 0 }];
    });
  });
  const lines = scene.lines.map((line) => direct(line, lanes, boxOf, bands));
  return { ...scene, lines, overview: { bands, ties } };
}

/** From the left side of a scope down to the gap between the lanes, where its count is, and on to its gradient. */
function tie(a: Box, b: Box, x: number, gap: number): { points: Point[]; label: Point } {
  const isBeside = b.x - x < 40;
  const end = isBeside ? point(b.x, b.y + b.h / 2) : point(b.x + 20, b.y);
  const turn = isBeside ? [point(x, end.y)] : [point(x, gap), point(end.x, gap)];
  const points = [point(a.x, a.y + a.h - 14), point(x, a.y + a.h - 14), ...turn, end];
  return { points, label: point(isBeside ? x : (x + end.x) / 2, gap) };
}

/** A line between lanes runs straight up or down; one to the next row goes around. */
function direct(line: Line, lanes: Lanes, boxOf: (end: End) => Box | undefined, bands: Band[]): Line {
  const { source, target } = line.bundle;
  const [a, b] = [boxOf(source), boxOf(target)];
  if (!a || !b || lanes.item(source) !== source || lanes.item(target) !== target) return line;
  const [below, above] = [b.y - a.y - a.h, a.y - b.y - b.h];
  const shift = kindShift(line.bundle);
  if (below < 8 && above < 8) {
    // Side by side: straight, unless it goes around others.
    const [top, bottom] = [Math.max(a.y, b.y), Math.min(a.y + a.h, b.y + b.h)];
    const isAround = ({ y }: Point): boolean => y < Math.min(a.y, b.y) || y > Math.max(a.y + a.h, b.y + b.h);
    if (line.points.some(isAround) || bottom - top < 16) return line;
    const y = (top + bottom) / 2 + shift;
    const [from, to] = a.x < b.x ? [a.x + a.w, b.x] : [a.x, b.x + b.w];
    return { ...line, points: [point(from, y), point(to, y)], turned: true };
  }
  const isOneWay = a.x + a.w > b.x && b.x + b.w > a.x;
  const isFromBelow = lanes.columns.some((column) => column.below.includes(source));
  const cards = (): Box[] =>
    lanes.columns
      .flatMap((own) => [...own.forward, ...own.beside, ...own.gradients])
      .flatMap((end) => boxOf(end) ?? []);
  const isSameLane = lanes.lane(source) === lanes.lane(target);
  if (isSameLane && bandOf(a, bands) !== bandOf(b, bands)) return around(line, a, b, bands, cards());
  if (isFromBelow || isOneWay || !isSameLane) {
    const from = a.x + a.w / 2 + (shift * BESIDE) / KIND;
    // From an upper row a stub tells of the optimizer: a line would cross the rows below.
    const isUpper = bands.some(({ lane, box }) => lane === "gradients" && box.y > a.y);
    if (lanes.lane(target) === "optimizer" && isUpper)
      return { ...line, points: [point(from, a.y + a.h), point(from, a.y + a.h + STUB)], turned: false };
    const x = Math.max(b.x + 12, Math.min(b.x + b.w - 12, from));
    const points =
      above > 0 ? [point(from, a.y), point(x, b.y + b.h)] : [point(from, a.y + a.h), point(x, b.y)];
    return { ...line, points, turned: false, label: null };
  }
  return (lanes.lane(source) === "forward") === b.x < a.x ? around(line, a, b, bands, cards()) : line;
}

const bandOf = (at: Box, bands: Band[]): Band | undefined =>
  bands.find(({ box }) => box.y <= at.y && at.y < box.y + box.h);

const point = (x: number, y: number): Point => ({ x, y });
const STUB = 34;

/** How far the lines of another kind than data are from these: from left to right, and up or down, beside the counts on them. */
const KIND = 10;
const BESIDE = 44;
const kindShift = ({ kind }: Bundle): number => ({ data: 0, reference: KIND, control: -KIND })[kind];

/**
 * From one row to another: along the sides of the lanes, and through the gap above the lower row. Where cards of its row stand in
 * between, a line runs above them.
 */
function around(line: Line, a: Box, b: Box, bands: Band[], others: Box[]): Line {
  const [upper, lower] = a.y < b.y ? [a, b] : [b, a];
  const isForward = lower === b;
  const tops = bands.filter(({ lane, box }) => lane === "forward" && box.y < lower.y).map(({ box }) => box);
  const row = tops.reduce((best, box) => (box.y > best.y ? box : best), tops[0] ?? upper);
  const gap = row.y - (isForward ? 24 : 16);
  const [left, right] = [row.x + (isForward ? 4 : 8), row.x + row.w - (isForward ? 4 : 8)];
  const leave = upper.x + upper.w;
  const [high, low] = [upper.y + upper.h / 2, lower.y + lower.h / 2];
  const isPassed = (y: number, from: number, to: number): boolean =>
    others.some((box) => box.x >= from && box.x + box.w <= to && box.y < y && y < box.y + box.h);
  const topOf = (box: Box): number => bandOf(box, bands)?.box.y ?? box.y;
  const out = leave + AWAY;
  const leaves = isPassed(high, leave, right)
    ? [point(out, high), point(out, topOf(upper) + STRIP), point(right, topOf(upper) + STRIP)]
    : [point(right, high)];
  const into = isPassed(low, left, lower.x) ? lower.x - AWAY : left;
  const above = isForward ? gap : topOf(lower) - 4;
  const way = [
    point(leave, high),
    ...leaves,
    point(right, gap),
    ...(into > left && above !== gap ? [point(left, gap), point(left, above)] : []),
    point(into, above === gap || into === left ? gap : above),
    point(into, low),
    point(lower.x, low),
  ];
  return { ...line, points: isForward ? way : way.reverse(), turned: true };
}

/** How far from its card a line turns to run above others, and how far below the top of its lane. */
const AWAY = 16;
const STRIP = 12;

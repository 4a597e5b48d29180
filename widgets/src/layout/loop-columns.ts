/**
 * The places of a loop's iterations: a column for each, a lane for each loop variable, the test on top. Lines run along the
 * lanes, and from lane to lane in the gutters between the boxes, so that they cross no box.
 */

import type { Link, LoopPlan, Station } from "../model/loops/loop-plan";
import type { Box, Point } from "./geometry";

/** The widths of the texts. */
export interface LoopWidths {
  names: number;
  value: number;
  /** The nodes of each rank. */
  ops: number[];
  test: number;
  /** What the test decides, beside it. */
  words: number;
  title: number;
}

export interface Column {
  x: number;
  w: number;
  /** Its iteration, or else how many iterations it stands for. */
  iteration: number | null;
  skipped: number;
  /** The last iteration of a loop that ended: its test is false, and values leave from here. */
  leaves: boolean;
}

export interface Route {
  link: Link;
  points: Point[];
  turned: boolean;
}

export interface LoopScene {
  width: number;
  height: number;
  names: number;
  /** The middle of each lane. */
  lanes: number[];
  columns: Column[];
  /** Where a column's title stands. */
  title: number;
}

const PAD = 12;
const GUTTER = 32;
const GAP = 6;
const STUB = 44;
const TOP = 8;
const TEST = 74;
const FIRST = 164;
const PITCH = 88;
const BELOW = 52;
/** A value at the start of an iteration, and a node with two lines of text. */
const VALUE = 36;
const NODE = 44;
/** The distance of two lines that reach the same side of a box. */
const APART = 12;

export function loopScene(
  plan: LoopPlan,
  columns: readonly ({ iteration: number } | { skipped: number })[],
  last: number | null,
  widths: LoopWidths,
): LoopScene {
  const body = widths.value + widths.ops.reduce((sum, w) => sum + GUTTER + w, 0);
  const w = Math.max(body, widths.test + 8 + widths.words, widths.title) + 2 * PAD;
  const names = widths.names + 16;
  let x = names;
  const placed = columns.map((column): Column => {
    const isStub = "skipped" in column;
    const own: Column = {
      x,
      w: isStub ? STUB : w,
      iteration: isStub ? null : column.iteration,
      skipped: isStub ? column.skipped : 0,
      leaves: !isStub && column.iteration === last,
    };
    x += own.w + GAP;
    return own;
  });
  const lanes = plan.lanes.map((_, i) => (i === 0 ? TEST : FIRST + PITCH * (i - 1)));
  const height = (lanes.at(-1) ?? TEST) + BELOW;
  return { width: x - GAP + 8, height, names, lanes, columns: placed, title: TOP + 20 };
}

/** The ground of a column. */
export function columnBox({ x, w }: Column, { height }: LoopScene): Box {
  return { x, y: TOP, w, h: height - 2 * TOP };
}

/** The left end of a rank's nodes. */
function rankStart({ x }: Column, rank: number, { value, ops }: LoopWidths): number {
  return x + PAD + value + ops.slice(0, rank).reduce((sum, w) => sum + GUTTER + w, GUTTER);
}

export function stationBox(station: Station, column: Column, scene: LoopScene, widths: LoopWidths): Box {
  const middle = scene.lanes[station.lane] ?? 0;
  const left = column.x + PAD;
  const box = (x: number, w: number, h: number): Box => ({ x, y: middle - h / 2, w, h });
  if (station.kind === "value") return box(left, widths.value, VALUE);
  if (station.kind === "test") return box(left, widths.test, NODE);
  return box(rankStart(column, station.rank, widths), widths.ops[station.rank] ?? 0, NODE);
}

/** The lines of an iteration, and those to the next column. */
export function routesOf(plan: LoopPlan, at: number, scene: LoopScene, widths: LoopWidths): Route[] {
  const column = scene.columns[at];
  const following = scene.columns[at + 1];
  if (!column || column.iteration === null) return [];
  const routes: Route[] = [];
  const tests = plan.links.filter(({ to }) => to?.kind === "test");
  for (const link of plan.links) {
    const { from, to } = link;
    if (to?.kind === "test") {
      if (from.kind === "value") routes.push(upToTest(link, tests.indexOf(link), column, scene, widths));
      continue;
    }
    const isLeaving = to?.kind === "exit";
    if (isLeaving !== column.leaves || (to === null && !following)) continue;
    const lane = to?.lane ?? link.next;
    const points = across(plan, link, lane, column, following, scene, widths);
    if (points) routes.push({ link, points, turned: true });
  }
  return routes;
}

/** From a value up to the test: beside the values above it. */
function upToTest(link: Link, place: number, column: Column, scene: LoopScene, widths: LoopWidths): Route {
  const value = stationBox(link.from, column, scene, widths);
  const test = (scene.lanes[0] ?? 0) + NODE / 2;
  const middle = value.x + value.w / 2;
  const aside = value.x + value.w + 7 + 6 * place;
  const points =
    link.from.lane === 1
      ? [{ x: middle, y: value.y }]
      : [
          { x: value.x + value.w - 6, y: value.y },
          { x: aside, y: value.y - 22 },
        ];
  const end = { x: link.from.lane === 1 ? middle : aside, y: test };
  return { link, points: [...points, end], turned: false };
}

function across(
  plan: LoopPlan,
  link: Link,
  lane: number,
  column: Column,
  following: Column | undefined,
  scene: LoopScene,
  widths: LoopWidths,
): Point[] | null {
  const { from, to } = link;
  const start = stationBox(from, column, scene, widths);
  const sx = start.x + start.w;
  const sy = scene.lanes[from.lane] ?? 0;
  const target = to ? to.rank : plan.ranks;
  if (target <= from.rank) return null;
  // A line that reaches a node beside others has its own place on the border.
  const beside = plan.links
    .filter((other) => to !== null && other.to === to)
    .sort((a, b) => a.from.lane - b.from.lane);
  const offset = beside.length > 1 ? (beside.indexOf(link) - (beside.length - 1) / 2) * APART : 0;
  const ty = (scene.lanes[lane] ?? 0) + offset;
  const tx = to
    ? stationBox(to, column, scene, widths).x
    : (following?.x ?? 0) + (following?.iteration === null ? 0 : PAD);
  const busy = (where: number, first: number, end: number): boolean =>
    !column.leaves &&
    plan.stations.some(
      ({ kind, lane: own, rank }) => kind === "op" && own === where && rank >= first && rank < end,
    );
  // Before which rank the line may change the lane.
  const gutter = (rank: number): [number, number] =>
    rank >= plan.ranks
      ? [rankStart(column, rank, widths) - GUTTER, tx]
      : [rankStart(column, rank, widths) - GUTTER, rankStart(column, rank, widths)];
  const first = from.rank + 1;
  if (lane === from.lane && offset === 0 && !busy(lane, first, target))
    return [
      { x: sx, y: sy },
      { x: tx, y: ty },
    ];
  for (let rank = first; rank <= target; rank += 1) {
    if (busy(from.lane, first, rank) || busy(lane, rank, target)) continue;
    const [left, right] = gutter(rank);
    return [
      { x: sx, y: sy },
      ...(left > sx ? [{ x: left, y: sy }] : []),
      { x: right - 12, y: ty },
      { x: tx, y: ty },
    ];
  }
  // Above what stands in the lane.
  const above = (scene.lanes[lane] ?? 0) - NODE / 2 - 12;
  const [, right] = gutter(first);
  const [left] = gutter(target);
  return [
    { x: sx, y: sy },
    { x: right - 4, y: above },
    { x: left, y: above },
    { x: tx - 12, y: ty },
    { x: tx, y: ty },
  ];
}

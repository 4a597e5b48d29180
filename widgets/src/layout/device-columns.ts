/**
 * Places the lanes of devices side by side: each is laid out by itself, on rows that all of them share, so that what may happen at
 * the same time stands at the same height, and a transfer runs straight from one lane to the next. Plain data, as the worker needs
 * it; in a picture that flows to the right sizes and places are those of a turned level.
 */
import { gapsOf, PAD } from "./gaps";
import type { Box, Point, Size } from "./geometry";
import { layoutLevel } from "./level";
import type { DeviceColumns, Level, LevelEdge, Placed } from "./level-types";
import { ranksOf } from "./ranks";
import type { RowPlace } from "./stable-ranks";

/** The least room between two lanes, and beside the text of a transfer. */
const BETWEEN = 40;
const BESIDE = 10;
/** With more lanes their best order is not looked for. */
const FEW = 5;

interface Column {
  path: string;
  title: Size;
  level: Level;
}

interface Row {
  top: number;
  bottom: number;
}

export function placeColumns(
  level: Level,
  known: Map<string, RowPlace>,
  { lanes }: DeviceColumns,
  turned: boolean,
): Placed {
  const { edges, items, tight } = level;
  const laneOf = new Map(lanes.flatMap(({ items }, lane) => items.map((item) => [item, lane] as const)));
  const isInside = ({ from, to }: LevelEdge): boolean => laneOf.get(from) === laneOf.get(to);
  const rank = sharedRanks(level);
  const order = orderOf(lanes.length, edges, laneOf);
  const place = (item: string): number => order.indexOf(laneOf.get(item) ?? 0);
  const columns = order.map((lane): Column => {
    const { path = "", title = { w: 0, h: 0 }, items: own = [] } = lanes[lane] ?? {};
    return {
      path,
      title,
      level: {
        ...level,
        items: new Map(own.flatMap((item) => (items.has(item) ? [[item, items.get(item) as Size]] : []))),
        edges: edges.filter((edge) => isInside(edge) && laneOf.get(edge.from) === lane),
        ports: [],
        beside: [],
        order: [...level.order, ...towardOthers(own, edges, place)].filter(
          ([left, right]) => own.includes(left) && own.includes(right),
        ),
        rows: new Map(own.map((item) => [item, rank.get(item) ?? 0])),
      },
    };
  });
  const drawn = columns.map((column) => ({ ...column, placed: layoutLevel(column.level, known) }));
  const own = drawn.map(({ placed }) => rowsOf(placed, rank));
  const shared = sharedRows(own, tight);
  const labels = edges.filter((edge) => !isInside(edge)).map(({ label }) => label?.w ?? 0);
  const gap = Math.max(BETWEEN, Math.max(0, ...labels) + 2 * BESIDE);
  const all: Placed = { boxes: new Map(), alone: new Set(), routes: new Map(), ports: new Map(), bands: [] };
  const bottom = Math.max(0, ...[...shared.values()].map((row) => row.bottom));
  let x = 0;
  for (const [i, { path, title, placed }] of drawn.entries()) {
    const down = mapping(own[i] ?? new Map(), shared);
    const { left, right } = sides(placed);
    // The title is at the beginning of the lane: above it, or at its left if the picture is turned.
    const [head, least] = turned ? [title.h + PAD, title.h + PAD] : [title.h, title.w + PAD];
    const width = Math.max(right - left, (turned ? 0 : least) - 2 * PAD);
    const strip = turned ? title.h : 0;
    const shift = x + PAD + strip + (width - (right - left)) / 2 - left;
    for (const [key, box] of placed.boxes) all.boxes.set(key, moved(box, shift, down));
    for (const [key, { via, label, leave, arrive }] of placed.routes)
      all.routes.set(key, {
        via: via.map((point) => ({ x: point.x + shift, y: down(point.y) })),
        label: label && { x: label.x + shift, y: down(label.y) },
        leave: down(leave),
        arrive: down(arrive),
      });
    const w = width + 2 * PAD + strip;
    const top = turned ? PAD : head;
    all.bands?.push({ lane: path, box: { x, y: -top, w, h: bottom + top + PAD } });
    x += w + gap;
  }
  return all;
}

const moved = (box: Box, shift: number, down: (y: number) => number): Box => ({
  ...box,
  x: box.x + shift,
  y: down(box.y + box.h / 2) - box.h / 2,
});

/** The rows of all items: a transfer keeps its row, and what waits for nothing stands just above what uses it. */
function sharedRanks({ items, edges }: Level): Map<string, number> {
  const keys = [...items.keys()];
  const steps = edges.map(({ from, to, flat = false }) => ({ above: from, below: to, by: flat ? 0 : 1 }));
  const rank = ranksOf(keys, steps);
  const entered = new Set(edges.map(({ to }) => to));
  for (const key of keys) {
    const below = steps.filter(({ above, below }) => above === key && below !== key);
    if (entered.has(key) || below.length === 0) continue;
    rank.set(key, Math.min(...below.map(({ below, by }) => (rank.get(below) ?? 0) - by)));
  }
  return rank;
}

/** Of a row, what sends to a lane on the right, or receives from there, stands on the right. */
function towardOthers(
  own: string[],
  edges: LevelEdge[],
  place: (item: string) => number,
): [string, string][] {
  const side = new Map<string, number>();
  for (const { from, to } of edges) {
    const by = place(to) - place(from);
    if (own.includes(from)) side.set(from, (side.get(from) ?? 0) + by);
    if (own.includes(to)) side.set(to, (side.get(to) ?? 0) - by);
  }
  const sign = (item: string): number => Math.sign(side.get(item) ?? 0);
  const aside = own.filter((item) => sign(item) !== 0);
  return aside.flatMap((item): [string, string][] =>
    own.flatMap((other): [string, string][] =>
      other === item || sign(other) === sign(item) ? [] : sign(item) > 0 ? [[other, item]] : [[item, other]],
    ),
  );
}

/** The lanes in the order in which the lines between them are shortest. */
function orderOf(count: number, edges: LevelEdge[], laneOf: ReadonlyMap<string, number>): number[] {
  const first = Array.from({ length: count }, (_, i) => i);
  if (count > FEW) return first;
  const pairs = edges.map(({ from, to }) => [laneOf.get(from) ?? 0, laneOf.get(to) ?? 0] as const);
  const length = (order: number[]): number =>
    pairs.reduce((sum, [from, to]) => sum + Math.abs(order.indexOf(from) - order.indexOf(to)), 0);
  const orders = (left: number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  return orders(first).reduce((best, order) => (length(order) < length(best) ? order : best), first);
}

/** Where a lane's own layout has the rows. */
function rowsOf({ boxes }: Placed, rank: ReadonlyMap<string, number>): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const [key, { y, h }] of boxes) {
    const known = rows.get(rank.get(key) ?? 0) ?? { top: y, bottom: y + h };
    rows.set(rank.get(key) ?? 0, { top: Math.min(known.top, y), bottom: Math.max(known.bottom, y + h) });
  }
  return rows;
}

/** The rows of the whole picture: as high as the highest in a lane, and as far apart as in any. */
function sharedRows(lanes: Map<number, Row>[], tight: boolean): Map<number, Row> {
  const ranks = [...new Set(lanes.flatMap((rows) => [...rows.keys()]))].sort((a, b) => a - b);
  const shared = new Map<number, Row>();
  let y = 0;
  for (const [i, rank] of ranks.entries()) {
    const h = Math.max(...lanes.map((rows) => height(rows.get(rank))));
    shared.set(rank, { top: y, bottom: y + h });
    const next = ranks[i + 1];
    const gaps = lanes.map((rows) => {
      const [here, there] = [rows.get(rank), next === undefined ? undefined : rows.get(next)];
      return here && there ? there.top - here.bottom : 0;
    });
    y += h + Math.max(gapsOf(tight).rank, ...gaps);
  }
  return shared;
}

const height = (row: Row | undefined): number => (row ? row.bottom - row.top : 0);

/** From the heights of a lane's own layout to those of the picture: rows keep their middles, and lines their way between rows. */
function mapping(own: Map<number, Row>, shared: Map<number, Row>): (y: number) => number {
  const points: Point[] = [...own]
    .sort(([a], [b]) => a - b)
    .flatMap(([rank, { top, bottom }]) => {
      const row = shared.get(rank) ?? { top, bottom };
      const middle = (row.top + row.bottom) / 2;
      const half = (bottom - top) / 2;
      return [
        { x: top, y: middle - half },
        { x: bottom, y: middle + half },
      ];
    });
  return (at) => {
    const next = points.findIndex(({ x }) => x >= at);
    const [before, after] = [points[next - 1], points[next]];
    if (!before || !after) {
      const end = after ?? points.at(-1) ?? { x: 0, y: 0 };
      return end.y + at - end.x;
    }
    const part = after.x > before.x ? (at - before.x) / (after.x - before.x) : 0;
    return before.y + part * (after.y - before.y);
  };
}

/** How far the boxes, lines and texts of a lane reach to the left and to the right. */
function sides({ boxes, routes }: Placed): { left: number; right: number } {
  const xs = [
    ...[...boxes.values()].flatMap(({ x, w }) => [x, x + w]),
    ...[...routes.values()].flatMap(({ via }) => via.map(({ x }) => x)),
  ];
  return xs.length > 0 ? { left: Math.min(...xs), right: Math.max(...xs) } : { left: 0, right: 0 };
}

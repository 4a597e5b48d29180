/**
 * Places the lanes of an overview: columns from left to right, in as many rows as suit the room. Plain data in and out, as the
 * worker needs it; sizes and places are those of a turned level, with x and y exchanged.
 */
import type { Box, Size } from "./geometry";
import type { Band, LaneKeys, LevelEdge, Placed, Route } from "./level-types";
import type { OverviewLane } from "./scene-types";

const COLUMN_GAP = 46;
const STACK_GAP = 14;
const LANE_GAP = 44;
const ROW_GAP = 40;
/** The room of a lane's title, around its items, and between it and the next lane. */
export const BAND = { title: 22, pad: 12, gap: 24 };
/** The most items on top of each other in one column. */
const HIGH = 4;
/** The least room of the variables of a column. */
const LEAST = 232;

interface Block extends Size {
  at: Map<string, Box>;
}

interface Cell {
  forward: Block;
  below: Block;
  beside: Block;
  gradients: Block;
  w: number;
}

export function placeLanes(items: Map<string, Size>, edges: LevelEdge[], lanes: LaneKeys): Placed {
  const size = (key: string): Size => {
    const { w, h } = items.get(key) ?? { w: 0, h: 0 };
    return { w: h, h: w };
  };
  const cells = lanes.columns.map((column): Cell => {
    const forward = stack(column.forward, size);
    const beside = stack(column.beside, size);
    const inner = beside.w > 0 ? beside.w + COLUMN_GAP + forward.w : forward.w;
    const below = inRows(column.below, size, Math.max(inner, LEAST));
    // Two boxes of gradients stand side by side: if one stood below the other, the edges of the upper box would run behind it.
    const two = column.gradients.slice(0, 2).reduce((sum, key) => sum + size(key).w + COLUMN_GAP, 0);
    const gradients = inRows(column.gradients, size, Math.max(inner, below.w, two), COLUMN_GAP);
    return { forward, beside, below, gradients, w: Math.max(inner, below.w, gradients.w) };
  });
  const foot = (w: number): Block[] => [
    inRows(lanes.optimizer, size, w),
    inRows(lanes.aside, size, Math.max(w, 480)),
  ];
  const wished = [1, 2, 3, 4].map((count) => shape(cells, inRowsOf(cells, count), foot, lanes.room));
  const best = wished.reduce((a, b) => (b.scale > a.scale * 1.05 ? b : a));
  return draw(cells, best.rows, foot(best.w), edges);
}

/** Items on top of each other, in several columns if they are many. */
function stack(keys: string[], size: (key: string) => Size): Block {
  const at = new Map<string, Box>();
  let [x, w, h] = [0, 0, 0];
  for (let start = 0; start < keys.length; start += HIGH) {
    const part = keys.slice(start, start + HIGH);
    const widest = Math.max(...part.map((key) => size(key).w));
    let y = 0;
    for (const key of part) {
      const own = size(key);
      at.set(key, { x: x + (widest - own.w) / 2, y, ...own });
      y += own.h + STACK_GAP;
    }
    h = Math.max(h, y - STACK_GAP);
    w = x + widest;
    x = w + STACK_GAP;
  }
  return { w, h, at };
}

/** Items side by side, in several rows if they are wider than `most`. */
function inRows(keys: string[], size: (key: string) => Size, most: number, gap = STACK_GAP): Block {
  const at = new Map<string, Box>();
  const rows: string[][] = [];
  let left = 0;
  for (const key of keys) {
    const { w } = size(key);
    const row = rows.at(-1);
    if (row && w <= left) {
      row.push(key);
      left -= w + gap;
    } else {
      rows.push([key]);
      left = most - w - gap;
    }
  }
  const widths = rows.map((row) => row.reduce((sum, key) => sum + size(key).w + gap, -gap));
  const w = Math.max(0, ...widths);
  let y = 0;
  for (const [i, row] of rows.entries()) {
    let x = (w - (widths[i] ?? 0)) / 2;
    for (const key of row) {
      at.set(key, { x, y, ...size(key) });
      x += size(key).w + gap;
    }
    y += Math.max(...row.map((key) => size(key).h)) + STACK_GAP;
  }
  return { w, h: Math.max(0, y - STACK_GAP), at };
}

/** The columns in `count` rows of about equal widths. */
function inRowsOf(cells: Cell[], count: number): number[][] {
  const total = cells.reduce((sum, { w }) => sum + w + COLUMN_GAP, 0);
  const rows: number[][] = [];
  let before = 0;
  for (const [i, { w }] of cells.entries()) {
    const row = Math.min(count - 1, Math.floor(((before + w / 2) / total) * count));
    while (rows.length <= row) rows.push([]);
    rows[row]?.push(i);
    before += w + COLUMN_GAP;
  }
  return rows.filter((row) => row.length > 0);
}

const most = (of: number[]): number => Math.max(0, ...of);
const widthOf = (cells: Cell[], row: number[]): number =>
  row.reduce((sum, i) => sum + (cells[i]?.w ?? 0) + COLUMN_GAP, -COLUMN_GAP);

/** The heights of a row's three lanes. */
function heights(cells: Cell[], row: number[]): { forward: number; below: number; gradients: number } {
  const tallest = (of: (cell: Cell) => number): number =>
    most(row.flatMap((i) => (cells[i] ? [of(cells[i])] : [])));
  return {
    forward: tallest(({ forward, beside }) => Math.max(forward.h, beside.h)),
    below: tallest(({ below }) => below.h),
    gradients: tallest(({ gradients }) => gradients.h),
  };
}

const spaced = (h: number, gap: number): number => (h > 0 ? h + gap : 0);

/** How high the lanes of one row are, with their titles. */
function rowHeight(cells: Cell[], row: number[]): number {
  const { forward, below, gradients } = heights(cells, row);
  const bands = BAND.title + 2 * BAND.pad;
  return bands + forward + spaced(below, LANE_GAP) + spaced(gradients, bands + BAND.gap);
}

function shape(cells: Cell[], rows: number[][], foot: (w: number) => Block[], room: Size) {
  const w = most(rows.map((row) => widthOf(cells, row)));
  const blocks = foot(w);
  const h =
    rows.reduce((sum, row) => sum + rowHeight(cells, row) + ROW_GAP, -ROW_GAP) +
    blocks.reduce((sum, block) => sum + spaced(block.h, ROW_GAP), 0);
  const full = { w: Math.max(w, ...blocks.map((block) => block.w)) + 4 * BAND.pad, h: h + 2 * BAND.pad };
  return { rows, w, scale: Math.min(1, room.w / full.w, room.h / full.h) };
}

function draw(cells: Cell[], rows: number[][], foot: Block[], edges: LevelEdge[]): Placed {
  const boxes = new Map<string, Box>();
  const rowOf = new Map<string, { row: number; top: number; bottom: number }>();
  const bands: Band[] = [];
  const put = (block: Block, x: number, y: number): void => {
    for (const [key, box] of block.at) boxes.set(key, { ...box, x: x + box.x, y: y + box.y });
  };
  const w = Math.max(most(rows.map((row) => widthOf(cells, row))), ...foot.map((block) => block.w));
  const band = (lane: OverviewLane, y: number, h: number): number => {
    const full = h + BAND.title + BAND.pad;
    bands.push({ lane, box: { x: -BAND.pad, y, w: w + 2 * BAND.pad, h: full } });
    return y + full;
  };
  let y = 0;
  for (const [index, row] of rows.entries()) {
    const { forward, below, gradients } = heights(cells, row);
    const top = y + BAND.title;
    const under = top + forward + LANE_GAP;
    const end = band("forward", y, forward + spaced(below, LANE_GAP));
    const last = gradients > 0 ? band("gradients", end + BAND.gap, gradients) : end;
    const middle = (block: Block, cell: Cell): number => (cell.w - block.w) / 2;
    const spare = rows.length === 1 ? (w - widthOf(cells, row)) / 2 : 0;
    let x = spare;
    for (const i of row) {
      const cell = cells[i];
      if (!cell) continue;
      const inner = cell.beside.w > 0 ? cell.beside.w + COLUMN_GAP : 0;
      const left = x + (cell.w - inner - cell.forward.w) / 2;
      put(cell.beside, left, top + (forward - cell.beside.h) / 2);
      put(cell.forward, left + inner, top + (forward - cell.forward.h) / 2);
      put(cell.below, x + middle(cell.below, cell), under);
      put(cell.gradients, x + middle(cell.gradients, cell), end + BAND.gap + BAND.title);
      for (const key of [...cell.beside.at.keys(), ...cell.forward.at.keys()])
        rowOf.set(key, { row: index, top: y + 4, bottom: y + 4 });
      for (const key of cell.gradients.at.keys())
        rowOf.set(key, { row: index, top: last - 2, bottom: last - 2 });
      x += cell.w + COLUMN_GAP;
    }
    y = last + ROW_GAP;
  }
  const [optimizer, aside] = foot;
  if (optimizer && optimizer.h > 0) {
    put(optimizer, (w - optimizer.w) / 2, y);
    // One optimizer is as wide as the lane whose values it takes.
    const [only] = optimizer.at.size === 1 ? optimizer.at : [];
    if (only) boxes.set(only[0], { ...only[1], x: 0, y, w: Math.max(w, only[1].w) });
    y += optimizer.h + ROW_GAP - BAND.title;
  }
  if (aside && aside.h > 0) {
    put(aside, 0, y + BAND.title);
    band("aside", y, aside.h);
  }
  const turned = ({ x, y, w, h }: Box): Box => ({ x: y, y: x, w: h, h: w });
  const routes = new Map(edges.map((edge) => [edge.key, route(edge, boxes, rowOf)]));
  return {
    boxes: new Map([...boxes].map(([key, box]) => [key, turned(box)])),
    alone: new Set(),
    routes,
    ports: new Map(),
    bands: bands.map((own) => ({ ...own, box: turned(own.box) })),
  };
}

/** The way of a line along a lane: straight to the next column, else above the lane (below, in the lane of gradients). */
function route(
  { from, to, label }: LevelEdge,
  boxes: Map<string, Box>,
  rowOf: Map<string, { row: number; top: number }>,
): Route {
  const none = { x: 0, y: 0, w: 0, h: 0 };
  const [a, b] = [boxes.get(from) ?? none, boxes.get(to) ?? none];
  const [leave, arrive] = [a.x + a.w, b.x];
  const [row, other] = [rowOf.get(from), rowOf.get(to)];
  const between = [...boxes].some(
    ([key, box]) =>
      rowOf.get(key)?.row === row?.row &&
      rowOf.get(key)?.top === row?.top &&
      box.x > leave &&
      box.x + box.w < arrive,
  );
  const middle = { x: (a.y + a.h / 2 + b.y + b.h / 2) / 2, y: (leave + arrive) / 2 };
  if (!row || other?.row !== row.row || !between) return { via: [], label: label && middle, leave, arrive };
  // A line turns beside the widest card on its way to the edge of the lane.
  const passed = (own: Box): Box[] =>
    [...boxes.values()].filter(
      (box) => box.y < own.y === row.top < own.y && box.x < own.x + own.w && box.x + box.w > own.x,
    );
  const out = Math.max(leave, ...passed(a).map((box) => box.x + box.w));
  const into = Math.min(arrive, ...passed(b).map((box) => box.x));
  const via = [out + COLUMN_GAP / 2, into - COLUMN_GAP / 2].map((y) => ({ x: row.top, y }));
  return { via, label: label && middle, leave: out, arrive: into };
}

/** Lays out one level: boxes in ranks, by dagre. Keys are ours, never names, since dagre keeps them in plain objects. */
import { Graph, layout } from "@dagrejs/dagre";
import { push } from "../model/graph";
import { busPorts, layBuses } from "./bus";
import { gapsOf } from "./gaps";
import type { Box, Point, Size } from "./geometry";
import type { Level, Placed, Port } from "./level-types";
import { keepOrder, MANY, neighbours, putBeside, type RowPlace, ranker } from "./stable-ranks";

const TOP = "top";
const BOTTOM = "bottom";

/** A wider row is split. */
const WIDEST = 2400;

/** `known`: where items were when the level was drawn before. */
export function layoutLevel(level: Level, known: Map<string, RowPlace> = new Map()): Placed {
  const placed = layoutWithRanks(
    level,
    known,
    level.rows !== undefined || known.size > 0 || level.items.size > MANY,
  );
  const rows = new Map<number, number>();
  const { node } = gapsOf(level.tight);
  for (const [key, { y, w, h }] of placed.boxes) {
    const middle = Math.round(y + h / 2);
    if (!placed.alone.has(key)) rows.set(middle, (rows.get(middle) ?? 0) + w + node);
  }
  const isWide = Math.max(0, ...rows.values()) > WIDEST;
  return isWide && known.size === 0 && !level.rows ? layoutWithRanks(level, known, true) : placed;
}

/** `own`: uses our own ranks instead of the best, and splits wide rows. */
function layoutWithRanks(complete: Level, known: Map<string, RowPlace>, own: boolean): Placed {
  const bus = busPorts(complete);
  const gaps = gapsOf(complete.tight);
  const level = { ...complete, ports: complete.ports.filter(({ port }) => !bus.has(port)) };
  const dagre = new Graph({ multigraph: true, directed: true });
  dagre.setGraph({
    rankdir: "TB",
    ranksep: gaps.rank,
    nodesep: Math.max(gaps.node, complete.between),
    edgesep: 16,
    // dagre takes a function, too; its types do not say so.
    ranker: (own ? ranker(level.rows ? given(level.rows) : known, WIDEST) : "network-simplex") as string,
  });
  const touched = new Set([
    ...level.edges.flatMap(({ from, to }) => [from, to]),
    ...complete.ports.map(({ item }) => item),
    ...level.beside.flat(),
    ...(level.rows?.keys() ?? []),
  ]);
  for (const [key, { w, h }] of level.items) {
    if (touched.has(key)) dagre.setNode(key, { width: w, height: h });
  }
  for (const edge of level.edges) {
    const label = edge.label ? { width: edge.label.w, height: edge.label.h, labelpos: "c" } : {};
    dagre.setEdge(edge.from, edge.to, { weight: 2, minlen: 1, ...label }, edge.key);
  }
  fixPorts(dagre, level);
  const constraints = pairsInOrder(level, known, dagre).map(([left, right]) => ({ left, right }));
  layout(dagre, {
    customOrder: (rows, order) => {
      order(rows, { constraints });
      putBeside(rows, level.beside);
      keepOrder(rows, known);
    },
  });

  const placed: Placed = { boxes: new Map(), alone: new Set(), routes: new Map(), ports: new Map() };
  const alone: [string, Size][] = [];
  for (const [key, { w, h }] of level.items) {
    if (touched.has(key)) {
      const { x = 0, y = 0 } = dagre.node(key) as Partial<Point>;
      placed.boxes.set(key, { x: x - w / 2, y: y - h / 2, w, h });
    } else alone.push([key, { w, h }]);
  }
  const rows = rowsOf(placed.boxes);
  for (const { port } of level.ports) {
    const { x = 0, y = 0 } = dagre.node(portKey(port)) as Partial<Point>;
    placed.ports.set(port, { x, y });
  }
  const texts = Math.max(0, ...level.edges.map(({ label }) => label?.h ?? 0));
  const route = (from: string, to: string, key: string, labelled: boolean): void => {
    const dagreEdge = dagre.edge({ v: from, w: to, name: key }) as {
      points?: Point[];
      x?: number;
      y?: number;
    };
    const label = labelled ? { x: dagreEdge.x ?? 0, y: dagreEdge.y ?? 0 } : null;
    // dagre adds a point in the middle of each gap and one at each rank: these keep lines off boxes, those off texts.
    const inner = (dagreEdge.points ?? []).slice(1, -1);
    const via = inner.filter((_, i) => i % 2 === 1 || texts > 0);
    placed.routes.set(key, {
      via: via.flatMap(({ x, y }) => {
        const half = halfRow(y, rows) || (label && Math.abs(y - label.y) < 1 ? 0 : texts / 2);
        return half === 0
          ? [{ x, y }]
          : [
              { x, y: y - half },
              { x, y: y + half },
            ];
      }),
      label,
      leave: row(from).y + row(from).half,
      arrive: row(to).y - row(to).half,
    });
  };
  const row = (key: string): { y: number; half: number } => {
    const { y = 0 } = dagre.node(key) as Partial<Point>;
    return { y, half: halfRow(y, rows) };
  };
  for (const edge of level.edges) route(edge.from, edge.to, edge.key, edge.label !== null);
  for (const { key, port, item, side } of level.ports) {
    if (side === "top") route(portKey(port), item, key, false);
    else route(item, portKey(port), key, false);
  }
  setAside(alone, placed, gaps.node);
  // Ports will be on the border around the boxes, so a line has to be at its port by the last box.
  const boxes = [...placed.boxes.values()];
  for (const { key, side } of level.ports) {
    const own = placed.routes.get(key);
    if (own && side === "top") own.leave = Math.min(...boxes.map(({ y }) => y));
    if (own && side === "bottom") own.arrive = Math.max(...boxes.map(({ y, h }) => y + h));
  }
  for (const port of level.ports) straighten(port, level.ports, placed, gaps.rank);
  const buses = complete.ports.filter(({ port }) => bus.has(port));
  layBuses(buses, placed, (y) => halfRow(y, rows));
  return placed;
}

/** Pairs of items and ports, the left one first: as they stood before, or, in a new picture, in the order of outputs. */
function pairsInOrder(
  level: Level,
  known: Map<string, RowPlace>,
  dagre: Graph,
): (readonly [string, string])[] {
  if (known.size === 0 && level.order.length === 0) return inOrderOfOutputs(level);
  return [...level.order, ...neighbours(known, (key) => dagre.hasNode(key))];
}

/** Pairs of items and ports to which lines lead from one node: the line from its first output leads to the left one. */
function inOrderOfOutputs({ edges, ports }: Level): [string, string][] {
  const ends = new Map<string, { to: string; at: number }[]>();
  const taken = new Set<string>();
  const all = [
    ...edges.map(({ to, output }) => ({ to, output })),
    ...ports.map(({ port, output }) => ({ to: portKey(port), output })),
  ];
  // Each end has a place in one order at most, so that no two orders contradict each other.
  for (const { to, output } of all) {
    if (!output || taken.has(to)) continue;
    taken.add(to);
    push(ends, output.node, { to, at: output.at });
  }
  return [...ends.values()].flatMap((list) => {
    const sorted = list.toSorted((a, b) => a.at - b.at);
    return sorted.slice(1).map(({ to }, i): [string, string] => [sorted[i]?.to ?? to, to]);
  });
}

const given = (rows: ReadonlyMap<string, number>): Map<string, RowPlace> =>
  new Map([...rows].map(([item, row]) => [item, { row, place: 0 }]));

/** Half the height of the tallest box of each row, by the row's middle. */
function rowsOf(boxes: Map<string, Box>): Map<number, number> {
  const rows = new Map<number, number>();
  for (const { y, h } of boxes.values()) {
    const middle = Math.round(y + h / 2);
    rows.set(middle, Math.max(rows.get(middle) ?? 0, h / 2));
  }
  return rows;
}

/** Half the height of the tallest box in the row with this middle. */
function halfRow(y: number, rows: Map<number, number>): number {
  const middle = Math.round(y);
  // A middle of .5 may be rounded up here and down there.
  return Math.max(rows.get(middle) ?? 0, rows.get(middle - 1) ?? 0, rows.get(middle + 1) ?? 0);
}

const CLEAR = 14;

/** Moves a port so that its line runs straight up or down from its item, if nothing is in the way. */
function straighten(
  { key, port: own, item, side, output }: Port,
  all: Port[],
  placed: Placed,
  gap: number,
): void {
  const port = placed.ports.get(own);
  const box = placed.boxes.get(item);
  const route = placed.routes.get(key);
  if (!port || !box || !route) return;
  const middle = box.x + (output?.node === item ? output.at : box.w / 2);
  const others = all.filter((other) => other.side === side && other.key !== key);
  if (others.some((other) => other.port === own)) return;
  const free = (x: number): boolean =>
    box.x + CLEAR / 2 < x &&
    x < box.x + box.w - CLEAR / 2 &&
    others.every((other) => Math.abs((placed.ports.get(other.port)?.x ?? Infinity) - x) >= CLEAR) &&
    [...placed.boxes.values()].every(
      (other) =>
        other === box ||
        x < other.x - CLEAR ||
        other.x + other.w + CLEAR < x ||
        (side === "bottom" ? other.y < box.y + box.h : box.y < other.y + other.h),
    );
  const wished = [0, 1, -1, 2, -2, 3, -3].map((i) => middle + i * CLEAR);
  const x = wished.find(free);
  if (x === undefined) return;
  placed.ports.set(own, { ...port, x });
  // The line turns towards its own point on the item's border in the gap beside the item, where no box is.
  const last = side === "bottom" ? route.leave >= route.arrive : route.arrive <= route.leave;
  const turn = side === "bottom" ? route.leave + gap / 2 : route.arrive - gap / 2;
  route.via = last ? [] : [{ x, y: turn }];
}

/** Puts items without lines in columns on the right, where no line runs. */
function setAside(items: [string, Size][], { boxes, routes, alone }: Placed, gap: number): void {
  const points = [...routes.values()].flatMap(({ via, label }) => (label ? [...via, label] : via));
  const left = Math.max(
    0,
    ...[...boxes.values()].map(({ x, w }) => x + w + gap),
    ...points.map(({ x }) => x + 70),
  );
  const below = Math.max(0, ...[...boxes.values()].map(({ y, h }) => y + h));
  const area = items.reduce((sum, [, { w, h }]) => sum + (w + gap) * (h + gap), 0);
  // As high as the rest, or, if that is low, somewhat wider than high.
  const most = Math.max(below, Math.sqrt(area * 0.6));
  let column: [string, Size][] = [];
  let [x, y] = [boxes.size === 0 ? 0 : left, 0];
  const close = (): void => {
    x += Math.max(0, ...column.map(([, { w }]) => w)) + gap;
    y = 0;
    column = [];
  };
  for (const [key, { w, h }] of items) {
    alone.add(key);
    if (y > 0 && y + h > most) close();
    boxes.set(key, { x, y, w, h });
    column.push([key, { w, h }]);
    y += h + gap;
  }
}

const portKey = (key: string): string => `port ${key}`;

/** Keeps ports on the outermost ranks by two helper nodes above and below everything. */
function fixPorts(dagre: Graph, level: Level): void {
  const hold = { width: 0, height: 0 };
  const tops = level.ports.filter(({ side }) => side === "top");
  const bottoms = level.ports.filter(({ side }) => side === "bottom");
  for (const { key, port, item, side } of level.ports) {
    dagre.setNode(portKey(port), { width: 8, height: 0 });
    if (side === "top") dagre.setEdge(portKey(port), item, { weight: 1, minlen: 1 }, key);
    else dagre.setEdge(item, portKey(port), { weight: 1, minlen: 1 }, key);
  }
  const entered = new Set(level.edges.map(({ to }) => to));
  const left = new Set(level.edges.map(({ from }) => from));
  if (tops.length > 0) {
    dagre.setNode(TOP, hold);
    for (const { port } of tops) dagre.setEdge(TOP, portKey(port), { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (dagre.hasNode(item) && !entered.has(item))
        dagre.setEdge(TOP, item, { weight: 0, minlen: 2 }, "hold");
    }
  }
  if (bottoms.length > 0) {
    dagre.setNode(BOTTOM, hold);
    for (const { port } of bottoms) dagre.setEdge(portKey(port), BOTTOM, { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (dagre.hasNode(item) && !left.has(item))
        dagre.setEdge(item, BOTTOM, { weight: 0, minlen: 2 }, "hold");
    }
  }
}

/** One level of the picture: boxes in ranks, by dagre. Keys are ours, never names, since dagre keeps them in plain objects. */
import { Graph, layout } from "@dagrejs/dagre";
import type { Box, Point, Size } from "./scene";

export interface LevelEdge {
  key: string;
  from: string;
  to: string;
  label: Size | null;
}

/** Where an edge of this level leaves it, through the top or the bottom border. */
export interface Port {
  key: string;
  item: string;
  side: "top" | "bottom";
}

export interface Level {
  items: Map<string, Size>;
  edges: LevelEdge[];
  ports: Port[];
  /** Pairs of items of which the first is to stand left of the second, if they come into one rank. */
  order: [string, string][];
}

/** An edge's way through one level. */
export interface Route {
  /** The points between its two ends; the label stands on `label`. */
  via: Point[];
  label: Point | null;
  /** Down to `leave` and from `arrive` on it runs straight, so that it cuts no taller box beside its ends. */
  leave: number;
  arrive: number;
}

export interface Placed {
  boxes: Map<string, Box>;
  routes: Map<string, Route>;
  ports: Map<string, Point>;
}

const RANK_GAP = 46;
const NODE_GAP = 24;
const TOP = "top";
const BOTTOM = "bottom";

export function rank(level: Level): Placed {
  const dagre = new Graph({ multigraph: true, directed: true });
  dagre.setGraph({
    rankdir: "TB",
    ranksep: RANK_GAP,
    nodesep: NODE_GAP,
    edgesep: 16,
    ranker: "network-simplex",
  });
  const touched = new Set([
    ...level.edges.flatMap(({ from, to }) => [from, to]),
    ...level.ports.map(({ item }) => item),
  ]);
  for (const [key, { w, h }] of level.items) {
    if (touched.has(key)) dagre.setNode(key, { width: w, height: h });
  }
  for (const edge of level.edges) {
    const label = edge.label ? { width: edge.label.w, height: edge.label.h, labelpos: "c" } : {};
    dagre.setEdge(edge.from, edge.to, { weight: 2, minlen: 1, ...label }, edge.key);
  }
  fixPorts(dagre, level);
  layout(dagre, { constraints: level.order.map(([left, right]) => ({ left, right })) });

  const placed: Placed = { boxes: new Map(), routes: new Map(), ports: new Map() };
  const alone: [string, Size][] = [];
  for (const [key, { w, h }] of level.items) {
    if (touched.has(key)) {
      const { x = 0, y = 0 } = dagre.node(key) as Partial<Point>;
      placed.boxes.set(key, { x: x - w / 2, y: y - h / 2, w, h });
    } else alone.push([key, { w, h }]);
  }
  for (const { key } of level.ports) {
    const { x = 0, y = 0 } = dagre.node(portKey(key)) as Partial<Point>;
    placed.ports.set(key, { x, y });
  }
  const route = (from: string, to: string, key: string, labelled: boolean): void => {
    const found = dagre.edge({ v: from, w: to, name: key }) as { points?: Point[]; x?: number; y?: number };
    const label = labelled ? { x: found.x ?? 0, y: found.y ?? 0 } : null;
    // dagre puts a point in the middle of each gap and one at each rank; only those at ranks keep lines off boxes.
    const inner = (found.points ?? []).slice(1, -1);
    const via = inner.filter(
      (point, i) => i % 2 === 1 || (label !== null && Math.abs(point.y - label.y) < 1),
    );
    placed.routes.set(key, {
      via: via.flatMap(({ x, y }) => {
        const half = halfRow(y, placed.boxes);
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
    return { y, half: halfRow(y, placed.boxes) };
  };
  for (const edge of level.edges) route(edge.from, edge.to, edge.key, edge.label !== null);
  for (const { key, item, side } of level.ports) {
    if (side === "top") route(portKey(key), item, key, false);
    else route(item, portKey(key), key, false);
  }
  setAside(alone, placed);
  // Ports will lie on the border round the boxes, so a line has to be at its port by the last of them.
  const boxes = [...placed.boxes.values()];
  for (const { key, side } of level.ports) {
    const own = placed.routes.get(key);
    if (own && side === "top") own.leave = Math.min(...boxes.map(({ y }) => y));
    if (own && side === "bottom") own.arrive = Math.max(...boxes.map(({ y, h }) => y + h));
  }
  for (const port of level.ports) straighten(port, level.ports, placed);
  return placed;
}

/** Half the height of the tallest box in the row with this middle. */
function halfRow(y: number, boxes: Map<string, Box>): number {
  let half = 0;
  for (const box of boxes.values()) {
    if (box.y < y && y < box.y + box.h) half = Math.max(half, y - box.y, box.y + box.h - y);
  }
  return half;
}

const CLEAR = 14;

/** Moves a port to where its line can run straight up or down from its item, if nothing else is in that way. */
function straighten({ key, item, side }: Port, all: Port[], placed: Placed): void {
  const port = placed.ports.get(key);
  const box = placed.boxes.get(item);
  const route = placed.routes.get(key);
  if (!port || !box || !route) return;
  const middle = box.x + box.w / 2;
  const others = all.filter((other) => other.side === side && other.key !== key);
  const free = (x: number): boolean =>
    box.x + CLEAR / 2 < x &&
    x < box.x + box.w - CLEAR / 2 &&
    others.every((other) => Math.abs((placed.ports.get(other.key)?.x ?? Infinity) - x) >= CLEAR) &&
    [...placed.boxes.values()].every(
      (other) =>
        other === box ||
        x < other.x - CLEAR ||
        other.x + other.w + CLEAR < x ||
        (side === "bottom" ? other.y < box.y + box.h : box.y < other.y + other.h),
    );
  const wished = [0, 1, -1, 2, -2, 3, -3].map((i) => middle + i * CLEAR);
  wished.sort((a, b) => Math.abs(a - port.x) - Math.abs(b - port.x));
  const x = wished.find(free);
  if (x === undefined) return;
  placed.ports.set(key, { ...port, x });
  // It turns to its own place on the item's border in the gap beside the item, where no box is.
  const last = side === "bottom" ? route.leave >= route.arrive : route.arrive <= route.leave;
  const turn = side === "bottom" ? route.leave + RANK_GAP / 2 : route.arrive - RANK_GAP / 2;
  route.via = last ? [] : [{ x, y: turn }];
}

/** Puts items that no line touches in columns on the right, where no line runs. */
function setAside(alone: [string, Size][], { boxes, routes }: Placed): void {
  const points = [...routes.values()].flatMap(({ via, label }) => (label ? [...via, label] : via));
  const left = Math.max(
    0,
    ...[...boxes.values()].map(({ x, w }) => x + w + NODE_GAP),
    ...points.map(({ x }) => x + 70),
  );
  const below = Math.max(0, ...[...boxes.values()].map(({ y, h }) => y + h));
  const area = alone.reduce((sum, [, { w, h }]) => sum + (w + NODE_GAP) * (h + NODE_GAP), 0);
  // As high as what is there already, or, where that is little, somewhat broader than high.
  const most = Math.max(below, Math.sqrt(area * 0.6));
  let column: [string, Size][] = [];
  let [x, y] = [boxes.size === 0 ? 0 : left, 0];
  const close = (): void => {
    x += Math.max(0, ...column.map(([, { w }]) => w)) + NODE_GAP;
    y = 0;
    column = [];
  };
  for (const [key, { w, h }] of alone) {
    if (y > 0 && y + h > most) close();
    boxes.set(key, { x, y, w, h });
    column.push([key, { w, h }]);
    y += h + NODE_GAP;
  }
}

const portKey = (key: string): string => `port ${key}`;

/** Keeps ports on the outermost ranks by two helper nodes above and below everything. */
function fixPorts(dagre: Graph, level: Level): void {
  const hold = { width: 0, height: 0 };
  const tops = level.ports.filter(({ side }) => side === "top");
  const bottoms = level.ports.filter(({ side }) => side === "bottom");
  for (const { key, item, side } of level.ports) {
    dagre.setNode(portKey(key), { width: 8, height: 0 });
    if (side === "top") dagre.setEdge(portKey(key), item, { weight: 1, minlen: 1 }, key);
    else dagre.setEdge(item, portKey(key), { weight: 1, minlen: 1 }, key);
  }
  const entered = new Set(level.edges.map(({ to }) => to));
  const left = new Set(level.edges.map(({ from }) => from));
  if (tops.length > 0) {
    dagre.setNode(TOP, hold);
    for (const { key } of tops) dagre.setEdge(TOP, portKey(key), { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (dagre.hasNode(item) && !entered.has(item))
        dagre.setEdge(TOP, item, { weight: 0, minlen: 2 }, "hold");
    }
  }
  if (bottoms.length > 0) {
    dagre.setNode(BOTTOM, hold);
    for (const { key } of bottoms) dagre.setEdge(portKey(key), BOTTOM, { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (dagre.hasNode(item) && !left.has(item))
        dagre.setEdge(item, BOTTOM, { weight: 0, minlen: 2 }, "hold");
    }
  }
}

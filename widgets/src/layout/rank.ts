/** One level of the picture: boxes in ranks, by dagre. Keys are ours, never names, since dagre keeps them in plain objects. */
import { Graph, layout } from "@dagrejs/dagre";
import type { Box, Point } from "./scene";

export interface LevelEdge {
  key: string;
  from: string;
  to: string;
  label: { w: number; h: number } | null;
}

/** Where an edge of this level leaves it, through the top or the bottom border. */
export interface Port {
  key: string;
  item: string;
  side: "top" | "bottom";
}

export interface Level {
  items: Map<string, { w: number; h: number }>;
  edges: LevelEdge[];
  /** Pairs that belong one below the other though no edge joins them. */
  ties: [string, string][];
  ports: Port[];
}

export interface Placed {
  boxes: Map<string, Box>;
  /** The points that an edge passes between its two ends; the label stands on `label`. */
  routes: Map<string, { via: Point[]; label: Point | null }>;
  ports: Map<string, Point>;
}

const RANK_GAP = 40;
const TOP = "top";
const BOTTOM = "bottom";

export function rank(level: Level): Placed {
  const dagre = new Graph({ multigraph: true, directed: true });
  dagre.setGraph({ rankdir: "TB", ranksep: RANK_GAP, nodesep: 24, edgesep: 16, ranker: "network-simplex" });
  for (const [key, { w, h }] of level.items) dagre.setNode(key, { width: w, height: h });
  for (const edge of level.edges) {
    const label = edge.label ? { width: edge.label.w, height: edge.label.h, labelpos: "c" } : {};
    dagre.setEdge(edge.from, edge.to, { weight: 2, minlen: 1, ...label }, edge.key);
  }
  for (const [from, to] of level.ties) dagre.setEdge(from, to, { weight: 2, minlen: 1 }, `tie ${from} ${to}`);
  fixPorts(dagre, level);
  layout(dagre);

  const placed: Placed = { boxes: new Map(), routes: new Map(), ports: new Map() };
  for (const [key, { w, h }] of level.items) {
    const { x = 0, y = 0 } = dagre.node(key) as Partial<Point>;
    placed.boxes.set(key, { x: x - w / 2, y: y - h / 2, w, h });
  }
  for (const { key } of level.ports) {
    const { x = 0, y = 0 } = dagre.node(portKey(key)) as Partial<Point>;
    placed.ports.set(key, { x, y });
  }
  const route = (from: string, to: string, key: string, labelled: boolean): void => {
    const found = dagre.edge({ v: from, w: to, name: key }) as { points?: Point[]; x?: number; y?: number };
    const points = found.points ?? [];
    const label = labelled ? { x: found.x ?? 0, y: found.y ?? 0 } : null;
    // dagre puts a point in the middle of each gap and one at each rank; only those at ranks keep lines off boxes.
    const inner = points.slice(1, -1);
    const via = inner.filter(
      (point, i) => i % 2 === 1 || (label !== null && Math.abs(point.y - label.y) < 1),
    );
    placed.routes.set(key, { via: via.flatMap((point) => throughRank(point, placed.boxes)), label });
  };
  for (const edge of level.edges) route(edge.from, edge.to, edge.key, edge.label !== null);
  for (const { key, item, side } of level.ports) {
    if (side === "top") route(portKey(key), item, key, false);
    else route(item, portKey(key), key, false);
  }
  return placed;
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
  const entered = new Set([...level.edges.map(({ to }) => to), ...level.ties.map(([, to]) => to)]);
  const left = new Set([...level.edges.map(({ from }) => from), ...level.ties.map(([from]) => from)]);
  if (tops.length > 0) {
    dagre.setNode(TOP, hold);
    for (const { key } of tops) dagre.setEdge(TOP, portKey(key), { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (!entered.has(item)) dagre.setEdge(TOP, item, { weight: 0, minlen: 2 }, "hold");
    }
  }
  if (bottoms.length > 0) {
    dagre.setNode(BOTTOM, hold);
    for (const { key } of bottoms) dagre.setEdge(portKey(key), BOTTOM, { weight: 64, minlen: 1 }, "hold");
    for (const item of level.items.keys()) {
      if (!left.has(item)) dagre.setEdge(item, BOTTOM, { weight: 0, minlen: 2 }, "hold");
    }
  }
}

/** A line that passes a rank goes straight down past its tallest box, so that it cuts no corner. */
function throughRank(point: Point, boxes: Map<string, Box>): Point[] {
  let half = 0;
  for (const { y, h } of boxes.values()) {
    if (y < point.y && point.y < y + h) half = Math.max(half, h / 2);
  }
  if (half === 0) return [point];
  return [
    { x: point.x, y: point.y - half },
    { x: point.x, y: point.y + half },
  ];
}

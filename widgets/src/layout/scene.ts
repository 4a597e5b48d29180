/** Lays out what is visible: each open scope alone, an edge that crosses its border going through a port on it. */
import type { Bundle, End, Visible } from "../collapse";
import { ancestors, type Graph, homeOf, push, ROOT } from "../graph";
import { type Level, type Placed, type Port, rank } from "./rank";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

export interface Size {
  w: number;
  h: number;
}

export interface Sizes {
  node(id: number): Size;
  closed(path: string): Size;
  block(id: number): Size;
  /** Room that an open scope's title needs. */
  title(path: string): Size;
  /** Room for the text on an edge, or null where none is shown. */
  label(bundle: Bundle): Size | null;
}

export interface Line {
  bundle: Bundle;
  points: Point[];
  label: Point | null;
}

export interface Scene {
  w: number;
  h: number;
  nodes: Map<number, Box>;
  closed: Map<string, Box>;
  open: Map<string, Box>;
  blocks: Map<number, Box>;
  lines: Line[];
}

const PAD = 14;

const nodeKey = (id: number): string => `n${id}`;
const scopeKey = (path: string): string => `s${path}`;
const blockKey = (id: number): string => `b${id}`;
const endKey = (end: End): string => (typeof end === "number" ? nodeKey(end) : scopeKey(end));

/** A bundle's way: down from the source's scopes to the one that holds both ends, and up to the target. */
interface Way {
  bundle: Bundle;
  source: string[];
  target: string[];
  meet: number;
  flip: boolean;
}

export function layoutScene(graph: Graph, seen: Visible, sizes: Sizes): Scene {
  const chain = (end: End): string[] =>
    ancestors(graph, typeof end === "number" ? homeOf(graph, end) : (graph.scope.get(end)?.parent ?? ROOT));
  const ways: Way[] = seen.bundles.map((bundle) => {
    const source = chain(bundle.source);
    const target = chain(bundle.target);
    let meet = 0;
    while (meet + 1 < source.length && source[meet + 1] === target[meet + 1]) meet += 1;
    return { bundle, source, target, meet, flip: false };
  });
  const levels = new Map<string, Level>();
  for (const path of [ROOT, ...seen.open]) {
    levels.set(path, { items: new Map(), edges: [], ties: [], ports: [] });
  }
  addItems(graph, seen, sizes, levels);
  addEdges(ways, sizes, levels);
  addTies(graph, seen, levels);

  const placed = new Map<string, Placed>();
  const frame = new Map<string, Box>();
  // Inner scopes first: an outer level needs their sizes.
  for (const path of [...seen.open].reverse().concat(ROOT)) {
    const level = levels.get(path);
    if (!level) continue;
    const own = rank(level);
    placed.set(path, own);
    const box = bounds(own, path === ROOT ? { w: 0, h: 0 } : sizes.title(path));
    frame.set(path, box);
    if (path !== ROOT) {
      const parent = levels.get(graph.scope.get(path)?.parent ?? ROOT) ?? levels.get(ROOT);
      parent?.items.set(scopeKey(path), { w: box.w, h: box.h });
    }
  }
  return assemble(graph, seen, ways, placed, frame);
}

function addItems(graph: Graph, seen: Visible, sizes: Sizes, levels: Map<string, Level>): void {
  const parentOf = (path: string): string => {
    const parent = graph.scope.get(path)?.parent ?? ROOT;
    return levels.has(parent) ? parent : ROOT;
  };
  for (const id of seen.nodes) levels.get(homeOf(graph, id))?.items.set(nodeKey(id), sizes.node(id));
  for (const path of seen.closed.keys())
    levels.get(parentOf(path))?.items.set(scopeKey(path), sizes.closed(path));
  // Open scopes take their place now and their size when they are laid out.
  for (const path of seen.open) levels.get(parentOf(path))?.items.set(scopeKey(path), { w: 0, h: 0 });
  for (const id of seen.blocks) {
    levels.get(graph.blockScope.get(id) ?? ROOT)?.items.set(blockKey(id), sizes.block(id));
  }
}

/** What stands for an end of the way in the i-th scope of its chain. */
function itemAt(chain: string[], i: number, end: End): string {
  const inner = chain[i + 1];
  return inner === undefined ? endKey(end) : scopeKey(inner);
}

function addEdges(ways: Way[], sizes: Sizes, levels: Map<string, Level>): void {
  const meeting = new Map<string, { way: Way; from: string; to: string }[]>();
  for (const way of ways) {
    const path = way.source[way.meet] ?? ROOT;
    const from = itemAt(way.source, way.meet, way.bundle.source);
    const to = itemAt(way.target, way.meet, way.bundle.target);
    push(meeting, path, { way, from, to });
  }
  for (const [path, all] of meeting) {
    const level = levels.get(path);
    if (!level) continue;
    const back = backEdges([...level.items.keys()], all);
    for (const { way, from, to } of all) {
      way.flip = from !== to && back.has(way.bundle.key);
      const [first, second] = way.flip ? [to, from] : [from, to];
      level.edges.push({ key: way.bundle.key, from: first, to: second, label: sizes.label(way.bundle) });
      const port = (scope: string | undefined, item: string, side: Port["side"]): void => {
        levels.get(scope ?? ROOT)?.ports.push({ key: way.bundle.key, item, side });
      };
      for (let i = way.meet + 1; i < way.source.length; i += 1) {
        port(way.source[i], itemAt(way.source, i, way.bundle.source), way.flip ? "top" : "bottom");
      }
      for (let i = way.meet + 1; i < way.target.length; i += 1) {
        port(way.target[i], itemAt(way.target, i, way.bundle.target), way.flip ? "bottom" : "top");
      }
    }
  }
}

/** Edges to turn round so that ranks exist: those that close a cycle, searched in the order of the items. */
function backEdges(items: string[], edges: { way: Way; from: string; to: string }[]): Set<string> {
  const out = new Map<string, { way: Way; to: string }[]>();
  const entered = new Set<string>();
  for (const { way, from, to } of edges) {
    push(out, from, { way, to });
    if (from !== to) entered.add(to);
  }
  const back = new Set<string>();
  const done = new Map<string, boolean>();
  // Sources first, so that a cycle is cut where it closes and not where it happens to begin.
  for (const start of [...items.filter((item) => !entered.has(item)), ...items]) {
    if (done.has(start)) continue;
    const stack = [{ item: start, next: 0 }];
    done.set(start, false);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = out.get(top.item)?.[top.next];
      top.next += 1;
      if (!edge) {
        done.set(top.item, true);
        stack.pop();
      } else if (done.get(edge.to) === false) {
        back.add(edge.way.bundle.key);
      } else if (!done.has(edge.to)) {
        done.set(edge.to, false);
        stack.push({ item: edge.to, next: 0 });
      }
    }
  }
  return back;
}

/** An empty block has no edge; it belongs below what it was to wait for. */
function addTies(graph: Graph, seen: Visible, levels: Map<string, Level>): void {
  for (const id of seen.blocks) {
    const home = graph.blockScope.get(id) ?? ROOT;
    const level = levels.get(home);
    for (const input of graph.block.get(id)?.control_inputs ?? []) {
      const end = seen.stand.get(input);
      if (end === undefined || !level) continue;
      const around =
        typeof end === "number" ? ancestors(graph, homeOf(graph, end)) : ancestors(graph, end).slice(0, -1);
      const from = itemAt(around, around.indexOf(home), end);
      if (!level.ties.some(([a, b]) => a === from && b === blockKey(id)))
        level.ties.push([from, blockKey(id)]);
    }
  }
}

/** The box round all that one level holds; ports lie on its top and bottom border. */
function bounds(placed: Placed, title: Size): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  for (const { x, y, w, h } of placed.boxes.values()) {
    take(x, y);
    take(x + w, y + h);
  }
  for (const { via, label } of placed.routes.values())
    for (const { x, y } of label ? [...via, label] : via) take(x, y);
  if (left > right) return { x: 0, y: 0, w: title.w + 2 * PAD, h: title.h + 2 * PAD };
  top -= PAD + title.h;
  bottom += PAD;
  for (const { x, y } of placed.ports.values()) take(x, y);
  const w = Math.max(right - left + 2 * PAD, title.w + 2 * PAD);
  const middle = (left + right) / 2;
  return { x: middle - w / 2, y: top, w, h: bottom - top };
}

function assemble(
  graph: Graph,
  seen: Visible,
  ways: Way[],
  placed: Map<string, Placed>,
  frame: Map<string, Box>,
): Scene {
  const root = frame.get(ROOT) ?? { x: 0, y: 0, w: 0, h: 0 };
  const scene: Scene = {
    w: root.w,
    h: root.h,
    nodes: new Map(),
    closed: new Map(),
    open: new Map(),
    blocks: new Map(),
    lines: [],
  };
  const shift = new Map<string, Point>([[ROOT, { x: -root.x, y: -root.y }]]);
  const moved = <P extends Point>(path: string, point: P): P => {
    const by = shift.get(path) ?? { x: 0, y: 0 };
    return { ...point, x: point.x + by.x, y: point.y + by.y };
  };
  const boxAt = (path: string, key: string): Box => {
    const box = placed.get(path)?.boxes.get(key);
    return moved(path, box ?? { x: 0, y: 0, w: 0, h: 0 });
  };
  const home = (path: string): string => {
    const parent = graph.scope.get(path)?.parent ?? ROOT;
    return placed.has(parent) ? parent : ROOT;
  };
  for (const path of seen.open) {
    const box = boxAt(home(path), scopeKey(path));
    scene.open.set(path, box);
    const inner = frame.get(path) ?? box;
    shift.set(path, { x: box.x - inner.x, y: box.y - inner.y });
  }
  for (const id of seen.nodes) scene.nodes.set(id, boxAt(homeOf(graph, id), nodeKey(id)));
  for (const path of seen.closed.keys()) scene.closed.set(path, boxAt(home(path), scopeKey(path)));
  for (const id of seen.blocks) scene.blocks.set(id, boxAt(graph.blockScope.get(id) ?? ROOT, blockKey(id)));

  const drafts = ways.map((way) => {
    const key = way.bundle.key;
    const middle = placed.get(way.source[way.meet] ?? ROOT)?.routes.get(key);
    // Everything is collected from the upper end down; a turned edge is turned back at the end.
    const [upper, lower] = way.flip ? [way.target, way.source] : [way.source, way.target];
    const points: Point[] = [];
    for (let i = upper.length - 1; i > way.meet; i -= 1)
      points.push(...border(upper[i] ?? ROOT, key, "down"));
    points.push(...(middle?.via ?? []).map((point) => moved(way.source[way.meet] ?? ROOT, point)));
    for (let i = way.meet + 1; i < lower.length; i += 1) points.push(...border(lower[i] ?? ROOT, key, "up"));
    const label = middle?.label ? moved(way.source[way.meet] ?? ROOT, middle.label) : null;
    return { way, points, label };
  });
  function border(path: string, key: string, direction: "down" | "up"): Point[] {
    const own = placed.get(path);
    const via = (own?.routes.get(key)?.via ?? []).map((point) => moved(path, point));
    const port = own?.ports.get(key);
    const box = scene.open.get(path);
    if (!port || !box) return via;
    const at = { x: moved(path, port).x, y: direction === "down" ? box.y + box.h : box.y };
    return direction === "down" ? [...via, at] : [at, ...via];
  }
  const boxOf = (end: End): Box =>
    (typeof end === "number" ? scene.nodes.get(end) : scene.closed.get(end)) ?? { x: 0, y: 0, w: 0, h: 0 };
  const upper = ({ bundle, flip }: Way): End => (flip ? bundle.target : bundle.source);
  const lower = ({ bundle, flip }: Way): End => (flip ? bundle.source : bundle.target);
  const center = (end: End): number => boxOf(end).x + boxOf(end).w / 2;
  const attached = (end: End, key: string, toward: number): Attached => ({
    key,
    end: endKey(end),
    box: boxOf(end),
    toward,
  });
  const starts = spreadEnds(
    drafts.map(({ way, points }) => attached(upper(way), way.bundle.key, points[0]?.x ?? center(lower(way)))),
    "bottom",
  );
  const ends = spreadEnds(
    drafts.map(({ way, points }) => {
      const before = points.at(-1) ?? starts.get(way.bundle.key);
      return attached(lower(way), way.bundle.key, before?.x ?? center(upper(way)));
    }),
    "top",
  );
  for (const { way, points, label } of drafts) {
    const key = way.bundle.key;
    const all = [starts.get(key), ...points, ends.get(key)].filter((point) => point !== undefined);
    scene.lines.push({ bundle: way.bundle, points: way.flip ? all.reverse() : all, label });
  }
  return scene;
}

interface Attached {
  key: string;
  end: string;
  box: Box;
  toward: number;
}

/** Gives each line its own point on a box's border, in the order in which the lines come. */
function spreadEnds(ends: Attached[], side: "top" | "bottom"): Map<string, Point> {
  const groups = new Map<string, Attached[]>();
  for (const attached of ends) {
    push(groups, attached.end, attached);
  }
  const points = new Map<string, Point>();
  for (const group of groups.values()) {
    group.sort((a, b) => a.toward - b.toward);
    group.forEach(({ key, box, toward }, i) => {
      const y = side === "top" ? box.y : box.y + box.h;
      const room = Math.max(0, box.w - 24);
      const gap = Math.min(28, room / Math.max(1, group.length - 1));
      const middle = box.x + box.w / 2 + (i - (group.length - 1) / 2) * gap;
      // A line alone comes straight down where it can.
      const straight = Math.max(box.x + 12, Math.min(box.x + box.w - 12, toward));
      points.set(key, { x: group.length === 1 ? straight : middle, y });
    });
  }
  return points;
}

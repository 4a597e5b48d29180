/** Lays out what is drawn, scope by scope: an edge that crosses a scope's border goes through a port on it. */
import type { Bundle, End, Visible } from "../model/collapse";
import { ancestors, type Graph, homeOf, push, ROOT } from "../model/graph";
import { deviceColumns, finishDevices } from "./devices";
import type { Box, Point, Size } from "./geometry";
import { placeLabels } from "./label-places";
import type { Level, OutputPlace, Placed, Port } from "./level-types";
import { finishLanes, laneKeys, openLanes, placeIn, withoutLanes } from "./overview";
import type { LevelPlan, Memory, Plan } from "./place-levels";
import { portAt, portCount } from "./ports";
import { ranksOf } from "./ranks";
import type { Scene } from "./scene-types";
import { sideAt, sideRoute, type Walls, wayAround } from "./side-routes";
import { type RowPlace, rowPlaces } from "./stable-ranks";
import { layTracks } from "./tracks";
import { layoutCode } from "./worker-code";

export type { Line, Scene } from "./scene-types";

export interface Sizes {
  node(id: number): Size;
  closed(path: string): Size;
  block(id: number): Size;
  /** The room of an open scope's title. */
  title(path: string): Size;
  /** The room of the text on an edge; null if it has none. */
  label(bundle: Bundle): Size | null;
}

const nodeKey = (id: number): string => `n${id}`;
const scopeKey = (path: string): string => `s${path}`;
const blockKey = (id: number): string => `b${id}`;
const endKey = (end: End): string => (typeof end === "number" ? nodeKey(end) : scopeKey(end));

/** An end of a line: the key of what is drawn there, and the scopes around it from the root inwards. */
interface LineEnd {
  key: string;
  chain: string[];
}

/** The way of a line: out of the source's scopes up to the innermost scope around both ends, and into the target's scopes. */
interface LinePath {
  key: string;
  /** Null for the line from a control input to an empty block. */
  bundle: Bundle | null;
  /** The empty block at its end, and the control input. */
  tie?: { block: number; source: End };
  source: LineEnd;
  target: LineEnd;
  meet: number;
  flip: boolean;
  /** Whether it runs from side to side: the layout of ranks does not know it. */
  beside: boolean;
  /** The cable in which it is drawn with others, if too many lines run from one scope to another. */
  cable: string | null;
}

/** The boxes of another picture by name, whose order this picture adopts. */
export type Hint = Map<string, Box>;

/** The hint that a picture gives: its nodes by name, its scopes by path. */
export function hintFrom(graph: Graph, scene: Scene): Hint {
  const nodes = [...scene.nodes].map(([id, box]): [string, Box] => [
    `n${graph.node.get(id)?.name ?? ""}`,
    box,
  ]);
  const scopes = [...scene.open, ...scene.closed].map(([path, box]): [string, Box] => [scopeKey(path), box]);
  return new Map([...nodes, ...scopes]);
}

/** A plan to be laid out, and the step from its placements to the scene. */
export interface Draft {
  plan: Plan;
  finish: (placements: Memory) => Scene;
}

/** The room of a picture that nobody has measured. */
export const ROOM: Size = { w: 944, h: 520 };

/** Prepares a layout; `before`: the last placements. Placing the plan, here or in a worker, is the long part. */
export function draftScene(
  whole: Graph,
  all: Visible,
  sizes: Sizes,
  {
    hint = new Map() as Hint,
    turned: right = false,
    tight = false,
    before = new Map() as Memory,
    room = ROOM,
  } = {},
): Draft {
  const { lanes } = all;
  // An overview flows to the right, and its lanes are no boxes.
  const turned = right || lanes !== null;
  const isOnDevices = whole.lanes.length > 0;
  const flat = lanes ? openLanes(whole, all) : whole.lanes.filter((path) => !all.closed.has(path));
  const { graph, visible } =
    lanes || isOnDevices ? withoutLanes(whole, all, flat) : { graph: whole, visible: all };
  const linePaths = findLinePaths(graph, visible);
  const levels = new Map<string, LevelPlan>();
  for (const path of [ROOT, ...visible.open]) {
    const around = path === ROOT ? null : { path: parentOf(graph, path), item: scopeKey(path) };
    const title = path === ROOT ? { w: 0, h: 0 } : sizes.title(path);
    levels.set(path, {
      path,
      around,
      title,
      items: new Map(),
      edges: [],
      ports: [],
      order: [],
      beside: [],
      between: 0,
      tight,
    });
  }
  const own = turned ? turnedSizes(sizes) : sizes;
  addItems(graph, visible, own, levels);
  const root = levels.get(ROOT);
  if (lanes && root) root.lanes = laneKeys(lanes, root.items, endKey, room);
  if (isOnDevices && root) root.columns = deviceColumns(whole, all, root.items.keys(), endKey, sizes.title);
  if (hint.size > 0) addOrder(graph, visible, levels, hint);
  addEdges(graph, linePaths, own, levels, before);
  // Inner scopes first: an outer level needs their sizes.
  const inner = [...visible.open].reverse().concat(ROOT);
  const plan = { levels: inner.flatMap((path) => levels.get(path) ?? []), turned };
  const finish = (placements: Memory): Scene => {
    const flat = assemble(graph, visible, linePaths, placements, (path) => {
      const { w, h } = levels.get(path)?.title ?? { w: 0, h: 0 };
      return turned ? { w: h, h: w } : { w, h };
    });
    const turnedBack = turned ? turnedScene(flat) : flat;
    const titlesOf = ({ open }: Scene): Box[] =>
      [...open].map(([path, { x, y }]) => ({ x, y, ...sizes.title(path) }));
    const root = placements.get(ROOT);
    const scene = lanes
      ? finishLanes(turnedBack, visible, lanes, root)
      : isOnDevices
        ? finishDevices(turnedBack, whole, all, root, titlesOf(turnedBack))
        : turnedBack;
    const titles = titlesOf(scene);
    placeLabels(scene, sizes, titles);
    return scene;
  };
  return { plan, finish };
}

/** Lays out a scene at once. */
export function layoutScene(graph: Graph, visible: Visible, sizes: Sizes, hint: Hint = new Map()): Scene {
  const { plan, finish } = draftScene(graph, visible, sizes, { hint });
  return finish(layoutCode().placeLevels(plan, new Map()));
}

/** A picture that flows to the right is laid out as one that flows down, with widths and heights exchanged. */
function turnedSizes(sizes: Sizes): Sizes {
  const turn = ({ w, h }: Size): Size => ({ w: h, h: w });
  return {
    node: (id) => turn(sizes.node(id)),
    closed: (path) => turn(sizes.closed(path)),
    block: (id) => turn(sizes.block(id)),
    title: sizes.title,
    label: (bundle) => {
      const size = sizes.label(bundle);
      return size && turn(size);
    },
  };
}

function turnedScene(scene: Scene): Scene {
  const point = ({ x, y }: Point): Point => ({ x: y, y: x });
  const boxes = <K>(all: Map<K, Box>): Map<K, Box> =>
    new Map([...all].map(([key, { x, y, w, h }]) => [key, { x: y, y: x, w: h, h: w }]));
  return {
    ...scene,
    w: scene.h,
    h: scene.w,
    turned: true,
    nodes: boxes(scene.nodes),
    closed: boxes(scene.closed),
    open: boxes(scene.open),
    blocks: boxes(scene.blocks),
    lines: scene.lines.map((line) => ({
      ...line,
      points: line.points.map(point),
      label: line.label && point(line.label),
      turned: true,
    })),
    ties: scene.ties.map((tie) => ({ ...tie, points: tie.points.map(point) })),
  };
}

const parentOf = (graph: Graph, path: string): string => ancestors(graph, path).at(-2) ?? ROOT;

function findLinePaths(graph: Graph, visible: Visible): LinePath[] {
  const place = (end: End): LineEnd => ({
    key: endKey(end),
    chain: ancestors(graph, typeof end === "number" ? homeOf(graph, end) : parentOf(graph, end)),
  });
  const linePath = (key: string, bundle: Bundle | null, source: LineEnd, target: LineEnd): LinePath => {
    let meet = 0;
    while (meet + 1 < source.chain.length && source.chain[meet + 1] === target.chain[meet + 1]) meet += 1;
    return { key, bundle, source, target, meet, flip: false, beside: false, cable: null };
  };
  const ties = visible.blocks.flatMap((id) => {
    const inputs = graph.block.get(id)?.control_inputs ?? [];
    // A node set beside the graph is not laid out with it; the text of the block names it.
    const inside = inputs.filter((input) => !visible.beside.nodes.includes(input));
    const ends = new Set(
      inside.map((input) => visible.shownAs.get(input)).filter((end) => end !== undefined),
    );
    return [...ends].map((end, i) => ({
      ...linePath(`t${id} ${i}`, null, place(end), { key: blockKey(id), chain: [ROOT] }),
      tie: { block: id, source: end },
    }));
  });
  return [
    ...visible.bundles.map((bundle) =>
      linePath(bundle.key, bundle, place(bundle.source), place(bundle.target)),
    ),
    ...ties,
  ];
}

function addItems(graph: Graph, visible: Visible, sizes: Sizes, levels: Map<string, Level>): void {
  for (const id of visible.nodes) levels.get(homeOf(graph, id))?.items.set(nodeKey(id), sizes.node(id));
  for (const path of visible.closed.keys()) {
    levels.get(parentOf(graph, path))?.items.set(scopeKey(path), sizes.closed(path));
  }
  // Open scopes are added now and get their size when they are laid out.
  for (const path of visible.open)
    levels.get(parentOf(graph, path))?.items.set(scopeKey(path), { w: 0, h: 0 });
  for (const id of visible.blocks) levels.get(ROOT)?.items.set(blockKey(id), sizes.block(id));
}

/** With more items there are too many pairs, and nobody compares the pictures by eye. */
const HINTED = 60;

function addOrder(graph: Graph, visible: Visible, levels: Map<string, Level>, hint: Hint): void {
  const names = new Map(visible.nodes.map((id) => [nodeKey(id), `n${graph.node.get(id)?.name ?? ""}`]));
  for (const level of levels.values()) {
    const known = [...level.items.keys()].flatMap((key): [string, Box][] => {
      const box = hint.get(names.get(key) ?? key);
      return box ? [[key, box]] : [];
    });
    if (known.length > HINTED) continue;
    for (const [left, a] of known) {
      for (const [right, b] of known) {
        const sameRank = a.y < b.y + b.h && b.y < a.y + a.h;
        if (sameRank && a.x + a.w <= b.x) level.order.push([left, right]);
      }
    }
  }
}

/** The item of an end in the i-th scope of its chain. */
function itemAt({ key, chain }: LineEnd, i: number): string {
  const inner = chain[i + 1];
  return inner === undefined ? key : scopeKey(inner);
}

function addEdges(
  graph: Graph,
  linePaths: LinePath[],
  sizes: Sizes,
  levels: Map<string, Level>,
  before: Memory,
): void {
  const meeting = new Map<string, { linePath: LinePath; from: string; to: string }[]>();
  for (const linePath of linePaths) {
    const path = linePath.source.chain[linePath.meet] ?? ROOT;
    push(meeting, path, {
      linePath,
      from: itemAt(linePath.source, linePath.meet),
      to: itemAt(linePath.target, linePath.meet),
    });
  }
  for (const [path, all] of meeting) {
    const level = levels.get(path);
    if (!level) continue;
    const back = backEdges(graph, [...level.items.keys()], all);
    const known = rowPlaces(before.get(path)?.placed);
    for (const { linePath, from, to } of all) {
      // An item that was above another stays above it, whatever the direction of the lines.
      const [above, below] = [known.get(from)?.row, known.get(to)?.row];
      const isKnown = above !== undefined && below !== undefined && above !== below;
      const places = level.lanes && [from, to].map((item) => placeIn(level.lanes, item));
      if (places) linePath.flip = (places[0] ?? 0) > (places[1] ?? 0);
      else linePath.flip = from !== to && (isKnown ? above > below : back.has(linePath.key));
    }
    for (const linePaths of cables(all)) for (const { linePath, cable } of linePaths) linePath.cable = cable;
    putBeside(graph, all, levels, path, known, sizes);
    const added = new Set<string>();
    for (const { linePath, from, to } of all) {
      if (linePath.beside) continue;
      const [first, second] = linePath.flip ? [to, from] : [from, to];
      const label = linePath.bundle && linePath.cable === null ? sizes.label(linePath.bundle) : null;
      const key = linePath.cable ?? linePath.key;
      // In a loop, the lines that lead back decide what stands on the left.
      const output = back.size > 0 ? null : outputPlace(graph, linePath, sizes);
      if (!added.has(key))
        level.edges.push({
          key,
          from: first,
          to: second,
          label,
          pulls: !isOfVariable(graph, linePath),
          ...(isTransfer(graph, linePath) && { flat: true }),
          ...(output && { output }),
        });
      added.add(key);
      const port = (scope: string | undefined, item: string, side: Port["side"]): void => {
        const own = linkKey(linePath, item);
        const place = `${scope} ${side} ${own}`;
        if (!added.has(place))
          levels
            .get(scope ?? ROOT)
            ?.ports.push({ key: own, port: key, item, side, ...(output && side === "bottom" && { output }) });
        added.add(place);
      };
      for (let i = linePath.meet + 1; i < linePath.source.chain.length; i += 1) {
        port(linePath.source.chain[i], itemAt(linePath.source, i), linePath.flip ? "top" : "bottom");
      }
      for (let i = linePath.meet + 1; i < linePath.target.chain.length; i += 1) {
        port(linePath.target.chain[i], itemAt(linePath.target, i), linePath.flip ? "bottom" : "top");
      }
    }
  }
}

/** A level of more items than this has no lines from side to side: their ways would be long. */
const CALM = 60;

/**
 * A variable and a box that writes it may stand side by side, if no other line puts the one below the other; then the line
 * between them runs from side to side. One writer stands on the right, two on either side, more of them stand below.
 */
function putBeside(
  graph: Graph,
  all: { linePath: LinePath; from: string; to: string }[],
  levels: Map<string, Level>,
  path: string,
  known: ReadonlyMap<string, RowPlace>,
  sizes: Sizes,
): void {
  const level = levels.get(path);
  if (!level || level.lanes || level.columns || level.items.size > CALM) return;
  const bySource = new Map<string, typeof all>();
  for (const one of all) {
    const { linePath, from, to } = one;
    const isInside = linePath.target.chain.length > linePath.meet + 1;
    if (
      isOfVariable(graph, linePath) &&
      from !== to &&
      !linePath.flip &&
      isInside &&
      (known.get(from)?.row ?? known.get(to)?.row) === (known.get(to)?.row ?? known.get(from)?.row)
    )
      push(bySource, from, one);
  }
  const others = all.filter((one) => ![...bySource.values()].some((same) => same.includes(one)));
  const steps = others.map(({ linePath, from, to }) =>
    linePath.flip ? { above: to, below: from } : { above: from, below: to },
  );
  const rank = ranksOf([...level.items.keys()], steps);
  for (const same of bySource.values()) {
    if (same.length > 2 || same.some(({ from, to }) => (rank.get(to) ?? 0) > (rank.get(from) ?? 0))) continue;
    for (const [i, { linePath, from, to }] of same.entries()) {
      linePath.beside = true;
      const label = linePath.bundle && sizes.label(linePath.bundle);
      level.between = Math.max(level.between, label?.w ?? 0);
      // A picture beside this one may have the writer on the left.
      const isLeft =
        (same.length === 2 && i === 0) || level.order.some(([left, right]) => left === to && right === from);
      const pair: [string, string] = isLeft ? [to, from] : [from, to];
      level.beside.push(pair);
      level.order.push(pair);
      outermost(levels, linePath.source, linePath.meet, isLeft ? "left" : "right", same.length === 1);
      outermost(levels, linePath.target, linePath.meet, isLeft ? "right" : "left", true);
    }
  }
}

/** Puts the items around one end of a line on the side of their scopes to which the line runs. */
function outermost(
  levels: Map<string, Level>,
  end: LineEnd,
  meet: number,
  side: "left" | "right",
  only: boolean,
): void {
  if (!only) return;
  for (let i = meet + 1; i < end.chain.length; i += 1) {
    const level = levels.get(end.chain[i] ?? ROOT);
    const item = itemAt(end, i);
    for (const other of level?.items.keys() ?? [])
      if (other !== item) level?.order.push(side === "left" ? [item, other] : [other, item]);
  }
}

/** Whether a line is a single reference from a variable. */
function isOfVariable(graph: Graph, { bundle, cable }: LinePath): boolean {
  if (bundle?.kind !== "reference" || cable !== null || typeof bundle.source !== "number") return false;
  return graph.node.get(bundle.source)?.role === "variable";
}

const isTransfer = ({ transfers }: Graph, { bundle }: LinePath): boolean =>
  bundle?.edges.length === 1 && transfers.has(bundle.edges[0]?.id ?? -1);

/** The key of a line inside a scope: the lines of a cable that come from one item share it. */
const linkKey = (linePath: LinePath, item: string): string =>
  linePath.cable === null ? linePath.key : `${linePath.cable} ${item}`;

/** More lines of one kind than this from one open scope to another become a cable, which parts inside. */
const SEPARATE = 8;

function* cables(
  all: { linePath: LinePath; from: string; to: string }[],
): Generator<{ linePath: LinePath; cable: string }[]> {
  const groups = new Map<string, LinePath[]>();
  for (const { linePath, from, to } of all) {
    const isDirect =
      linePath.source.chain.length === linePath.meet + 1 &&
      linePath.target.chain.length === linePath.meet + 1;
    if (linePath.bundle && !isDirect)
      push(groups, `c${linePath.bundle.kind} ${linePath.flip} ${from}\u0000${to}`, linePath);
  }
  for (const [cable, linePaths] of groups)
    if (linePaths.length > SEPARATE) yield linePaths.map((linePath) => ({ linePath, cable }));
}

/**
 * Whether a line closes a loop: from a NextIteration to its Merge, or from an iteration to the closed group of a loop variable, whose
 * next value and test it brings.
 */
function closesLoop(graph: Graph, { bundle }: LinePath): boolean {
  const type = (end: End | undefined): string => graph.node.get(Number(end))?.type ?? "";
  if (graph.groups.get(String(bundle?.target))?.kind === "loop_variable")
    return bundle?.edges.every(({ target }) => /(NextIteration|Switch)$/.test(type(target))) ?? false;
  return type(bundle?.source).endsWith("NextIteration") && type(bundle?.target).endsWith("Merge");
}

/** The edges to reverse so that ranks exist: those that close loops, then any that close a cycle, in the order of items. */
function backEdges(
  graph: Graph,
  items: string[],
  edges: { linePath: LinePath; from: string; to: string }[],
): Set<string> {
  const out = new Map<string, { linePath: LinePath; to: string }[]>();
  const entered = new Set<string>();
  const back = new Set<string>();
  for (const { linePath, from, to } of edges) {
    if (closesLoop(graph, linePath)) {
      back.add(linePath.key);
      continue;
    }
    push(out, from, { linePath, to });
    if (from !== to) entered.add(to);
  }
  const done = new Map<string, boolean>();
  // Sources first, so that a cycle is cut where it closes and not at a random edge.
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
        back.add(edge.linePath.key);
      } else if (!done.has(edge.to)) {
        done.set(edge.to, false);
        stack.push({ item: edge.to, next: 0 });
      }
    }
  }
  return back;
}

/** The boxes of a scene; where an open scope is, its level is moved to. */
function placeBoxes(graph: Graph, visible: Visible, placements: Memory) {
  const placed = new Map([...placements].map(([path, own]) => [path, own.placed]));
  const frame = new Map([...placements].map(([path, own]) => [path, own.frame]));
  const root = frame.get(ROOT) ?? { x: 0, y: 0, w: 0, h: 0 };
  const scene: Scene = {
    w: root.w,
    h: root.h,
    turned: false,
    overview: null,
    nodes: new Map(),
    closed: new Map(),
    open: new Map(),
    blocks: new Map(),
    lines: [],
    ties: [],
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
  const home = (path: string): string => parentOf(graph, path);
  for (const path of visible.open) {
    const middle = boxAt(home(path), scopeKey(path));
    const over = rowOver(placed.get(home(path)), scopeKey(path));
    // Open scopes of one row begin at the same height, and end there if they are almost as high.
    const isAlmost = 4 * over < middle.h;
    const box = { ...middle, y: middle.y - over, h: middle.h + (isAlmost ? 2 * over : 0) };
    scene.open.set(path, box);
    const inner = frame.get(path) ?? box;
    shift.set(path, { x: box.x - inner.x, y: box.y - inner.y });
  }
  for (const id of visible.nodes) scene.nodes.set(id, boxAt(homeOf(graph, id), nodeKey(id)));
  for (const path of visible.closed.keys()) scene.closed.set(path, boxAt(home(path), scopeKey(path)));
  for (const id of visible.blocks) scene.blocks.set(id, boxAt(ROOT, blockKey(id)));
  const boxes = new Map<string, Box>([
    ...[...scene.nodes].map(([id, box]): [string, Box] => [nodeKey(id), box]),
    ...[...scene.closed].map(([path, box]): [string, Box] => [scopeKey(path), box]),
    ...[...scene.blocks].map(([id, box]): [string, Box] => [blockKey(id), box]),
  ]);
  return { scene, placed, moved, boxes };
}
type Places = ReturnType<typeof placeBoxes>;

/** The steps of a line within one scope. */
function through({ placed, moved }: Places, path: string, key: string): Step[] {
  const route = placed.get(path)?.routes.get(key);
  if (!route) return [];
  const at = (y: number): number => moved(path, { x: 0, y }).y;
  const via = route.via.map((point): Step => ({ ...moved(path, point), x: { at: moved(path, point).x } }));
  return [{ x: "before", y: at(route.leave) }, ...via, { x: "after", y: at(route.arrive) }];
}

/** The step of a line across the border of an open scope. */
function across({ scene, placed, moved }: Places, path: string, port: string, side: Port["side"]): Step[] {
  const place = placed.get(path)?.ports.get(port);
  const box = scene.open.get(path);
  if (!place || !box) return [];
  return [{ x: { at: moved(path, place).x }, y: side === "bottom" ? box.y + box.h : box.y }];
}

/** A line before its ends are spread, from the upper end down. */
function stepsOf(places: Places, linePath: LinePath) {
  const meet = linePath.source.chain[linePath.meet] ?? ROOT;
  const [upper, lower] = linePath.flip
    ? [linePath.target, linePath.source]
    : [linePath.source, linePath.target];
  const steps: Step[] = [];
  const key = linePath.cable ?? linePath.key;
  for (let i = upper.chain.length - 1; i > linePath.meet; i -= 1) {
    const path = upper.chain[i] ?? ROOT;
    const inner = linkKey(linePath, itemAt(upper, i));
    steps.push(...through(places, path, inner), ...across(places, path, key, "bottom"));
  }
  steps.push(...through(places, meet, key));
  for (let i = linePath.meet + 1; i < lower.chain.length; i += 1) {
    const path = lower.chain[i] ?? ROOT;
    const inner = linkKey(linePath, itemAt(lower, i));
    steps.push(...across(places, path, key, "top"), ...through(places, path, inner));
  }
  const label = places.placed.get(meet)?.routes.get(linePath.key)?.label;
  return {
    linePath,
    upper: upper.key,
    lower: lower.key,
    steps,
    label: label ? places.moved(meet, label) : null,
  };
}

/** The point at which a line leaves a node that has several outputs. `boxOf`: the box of the node. */
function portOf(
  graph: Graph,
  { bundle, flip }: LinePath,
  boxOf: (id: number) => Box | undefined,
): number | null {
  if (!bundle || typeof bundle.source !== "number" || flip || bundle.kind === "control") return null;
  const count = portCount(graph.node.get(bundle.source));
  if (count === 0) return null;
  const box = boxOf(bundle.source);
  const outputs = new Set(bundle.edges.map(({ output }) => output));
  const [output] = outputs;
  if (!box || outputs.size !== 1 || typeof output !== "number" || bundle.more > 0) return null;
  return portAt(box, output, count, false).x;
}

/** The output of a line by itself, before boxes have places. */
function outputPlace(graph: Graph, linePath: LinePath, sizes: Sizes): OutputPlace | null {
  if (linePath.cable !== null) return null;
  const at = portOf(graph, linePath, (id) => ({ x: 0, y: 0, ...sizes.node(id) }));
  return at === null ? null : { node: linePath.source.key, at };
}

function assemble(
  graph: Graph,
  visible: Visible,
  linePaths: LinePath[],
  placements: Memory,
  title: (path: string) => Size,
): Scene {
  const places = placeBoxes(graph, visible, placements);
  const { scene, placed, boxes } = places;
  const titles = [...scene.open].map(([path, { x, y }]) => ({ x, y, ...title(path) }));
  const labels = new Set(
    [...placed.values()].flatMap(({ routes }) =>
      [...routes].flatMap(([key, { label }]) => (label ? [key] : [])),
    ),
  );
  const aside = sideLines(graph, linePaths, boxes, { titles, open: [...scene.open.values()], labels });
  const drafts = linePaths.filter(({ key }) => !aside.has(key)).map((each) => stepsOf(places, each));
  const attached = (key: string, end: string, toward: number | undefined, other: string): Attached => {
    const box = boxes.get(end) ?? { x: 0, y: 0, w: 0, h: 0 };
    const far = boxes.get(other) ?? box;
    return { key, end, box, toward: toward ?? far.x + far.w / 2, port: null };
  };
  const starts = spreadEnds(
    drafts.map(({ linePath, upper, lower, steps }) => ({
      ...attached(linePath.key, upper, steps.find(isFixed)?.x.at, lower),
      port: portOf(graph, linePath, (id) => scene.nodes.get(id)),
    })),
    "bottom",
  );
  const ends = spreadEnds(
    drafts.map(({ linePath, upper, lower, steps }) => {
      const before = steps.findLast(isFixed)?.x.at ?? starts.get(linePath.key)?.x;
      return attached(linePath.key, lower, before, upper);
    }),
    "top",
  );
  const resolved = drafts.map(({ linePath, steps }) =>
    resolve(starts.get(linePath.key), steps, ends.get(linePath.key)),
  );
  layTracks(resolved);
  const found = new Map(
    drafts.map(({ linePath, label }, i) => [linePath.key, { points: resolved[i] ?? [], label }]),
  );
  for (const { key, bundle, tie, flip, cable } of linePaths) {
    const { points, label } = found.get(key) ?? { points: aside.get(key) ?? [], label: null };
    if (tie) scene.ties.push({ ...tie, points });
    if (bundle) {
      const forth = flip && found.has(key) ? points.toReversed() : points;
      scene.lines.push({ bundle, points: forth, label, turned: false, cable });
    }
  }
  return scene;
}

/** How far the row of an item reaches above it. */
function rowOver(placed: Placed | undefined, key: string): number {
  const own = placed?.boxes.get(key);
  if (!own || placed?.bands || placed?.alone.has(key)) return 0;
  const half = [...(placed?.boxes ?? [])].map(([other, { y, h }]) => {
    const isSame = !placed?.alone.has(other) && Math.abs(y + h / 2 - own.y - own.h / 2) <= 1;
    return isSame ? h / 2 : 0;
  });
  return Math.max(...half) - own.h / 2;
}

/** The lines of references that leave a variable at its side. */
function sideLines(
  graph: Graph,
  linePaths: LinePath[],
  boxes: Map<string, Box>,
  { titles, open, labels }: { titles: Box[]; open: Box[]; labels: ReadonlySet<string> },
): Map<string, Point[]> {
  const ways = new Map<string, Point[]>();
  if (boxes.size > CALM) return ways;
  const walls: Walls = { solid: [...boxes.values(), ...titles], open, lines: [] };
  const used = new Map<string, number>();
  for (const linePath of linePaths) {
    const [from, to] = [boxes.get(linePath.source.key), boxes.get(linePath.target.key)];
    if (!isOfVariable(graph, linePath) || !from || !to || from === to) continue;
    // The layout kept room for the text of a line that it knows, on the line's way down.
    if (!linePath.beside && labels.has(linePath.key)) continue;
    const isRight = from.x < to.x;
    const sides = [`${linePath.source.key} ${isRight}`, `${linePath.target.key} ${!isRight}`] as const;
    const [fromY, toY] = [
      sideAt(from, used.get(sides[0]) ?? 0, !isRight),
      sideAt(to, used.get(sides[1]) ?? 0, false),
    ];
    const way =
      (linePath.beside || from.y + from.h < to.y ? sideRoute(from, to, fromY, toY, walls) : null) ??
      (linePath.beside ? wayAround(from, to, fromY, toY, walls) : null) ??
      (linePath.beside
        ? [
            { x: from.x + from.w / 2, y: from.y + from.h },
            { x: to.x + to.w / 2, y: to.y },
          ]
        : null);
    if (!way) continue;
    for (const side of sides) used.set(side, (used.get(side) ?? 0) + 1);
    ways.set(linePath.key, way);
    for (const [i, point] of way.slice(1).entries()) {
      const { x, y } = way[i] ?? point;
      if (x === point.x) walls.lines.push({ x, y: Math.min(y, point.y), w: 0, h: Math.abs(point.y - y) });
    }
  }
  return ways;
}

/** A point of a line with its own x, or the x of the point before or after it. */
interface Step {
  x: { at: number } | "before" | "after";
  y: number;
}

const isFixed = (step: Step): step is Step & { x: { at: number } } => typeof step.x === "object";

function resolve(start: Point | undefined, steps: Step[], end: Point | undefined): Point[] {
  const fixed = (point: Point): Step => ({ x: { at: point.x }, y: point.y });
  const all = [...(start ? [fixed(start)] : []), ...steps, ...(end ? [fixed(end)] : [])];
  const points: Point[] = [];
  for (const [i, step] of all.entries()) {
    const near = step.x === "before" ? all.slice(0, i).findLast(isFixed) : all.slice(i).find(isFixed);
    const isEnd = i === 0 || i === all.length - 1;
    const low = points.at(-1)?.y ?? -Infinity;
    const high = isEnd ? Infinity : (end?.y ?? Infinity);
    // A row without a taller box adds no point; a line never goes up on its way down.
    if (isEnd || (step.y > low + 0.5 && step.y < high - 0.5)) points.push({ x: near?.x.at ?? 0, y: step.y });
    else if (isFixed(step) && i > 1 && Math.abs(step.y - low) <= 0.5)
      points.splice(-1, 1, { x: step.x.at, y: step.y });
  }
  return points;
}

interface Attached {
  key: string;
  end: string;
  box: Box;
  toward: number;
  /** The x of the output's port; null if any place will do. */
  port: number | null;
}

/** Gives each line its own point on a box's border, in the order of the lines and as straight as there is room. */
function spreadEnds(ends: Attached[], side: "top" | "bottom"): Map<string, Point> {
  const groups = new Map<string, Attached[]>();
  const points = new Map<string, Point>();
  for (const attached of ends) {
    const { key, box, port } = attached;
    if (port === null) push(groups, attached.end, attached);
    else points.set(key, { x: port, y: side === "top" ? box.y : box.y + box.h });
  }
  for (const group of groups.values()) {
    group.sort((a, b) => a.toward - b.toward);
    for (const [i, x] of apart(group, side).entries()) {
      const { key, box } = group[i] as Attached;
      points.set(key, { x, y: side === "top" ? box.y : box.y + box.h });
    }
  }
  return points;
}

/** Moves the wished places apart to a least distance: the mean of pushing them right and pushing them left. */
function apart(group: Attached[], side: "top" | "bottom"): number[] {
  const { box } = group[0] as Attached;
  // The badges of a node's state are at its upper corners.
  const room = side === "top" ? 20 : 12;
  const [left, right] = [box.x + room, box.x + box.w - room];
  const gap = Math.min(20, (right - left) / Math.max(1, group.length - 1));
  const wished = group.map(({ toward }) => Math.max(left, Math.min(right, toward)));
  const rightwards: number[] = [];
  for (const x of wished) rightwards.push(Math.max(x, (rightwards.at(-1) ?? -Infinity) + gap));
  const leftwards: number[] = [];
  for (const x of wished.toReversed()) leftwards.push(Math.min(x, (leftwards.at(-1) ?? Infinity) - gap));
  const last = group.length - 1;
  return rightwards.map((x, i) => {
    const mean = (x + (leftwards.at(-1 - i) ?? x)) / 2;
    return Math.min(Math.max(mean, left + i * gap), right - (last - i) * gap);
  });
}

/** Draws a scene: areas, lines, nodes, and empty layers for what comes on top. State: the drawn elements by key. */

import { h, s } from "../base/dom";
import type { Context } from "../context";
import { circle, FLAG, FLAG_OUT, fetchFlag, flagBox, flagWidth, tag } from "../draw/badge";
import { drawBlock } from "../draw/block";
import { chipMiddle } from "../draw/chip";
import { drawEdge } from "../draw/edge";
import { curve, pointAlong } from "../draw/edge-path";
import { drawArriving, drawBands, drawTies } from "../draw/lanes";
import { drawNode, drawPort, outlineInset } from "../draw/node";
import { drawClosed, drawOpen, TITLE } from "../draw/scope";
import type { Key } from "../i18n";
import type { Box, Point } from "../layout/geometry";
import { portAt, portCount } from "../layout/ports";
import type { Line, Scene } from "../layout/scene";
import { bundled, type End, REST, type Visible } from "../model/collapse";
import { type Graph, isOutside } from "../model/graph";
import { describe, type GraphItem, itemKey } from "../model/graph-item";
import type { NodeValues } from "../model/node-values";
import type { MarksRecord } from "../record";
import { flagWords, outlineOf, placedCounts, type Words } from "./labels";

export const MARGIN = 14;

export interface Outline extends Box {
  /** The height of the value's middle, and the value's room in the outline. */
  chip: number;
  below: number;
}

/** A picture as it is drawn. */
export interface Drawing {
  visible: Visible;
  scene: Scene;
  words: Words;
  /** The layer that steps do not change, and over it the layer that they change; each is painted on its own. */
  svg: SVGSVGElement;
  over: SVGSVGElement;
  /** The element that holds both. */
  sheet: HTMLElement;
  /** The items that can have the focus. */
  marks: Map<string, { item: GraphItem; group: SVGGElement }>;
  /** What the nodes show of a run; null without a run. */
  shown: NodeValues | null;
  /** Each node's outline, which is its place in the scene without the room of its value. */
  outlines: Map<number, Outline>;
  /** The boxes of the flags of fetched nodes. */
  flags: Map<number, Box>;
  /** The values that hang on nodes now. */
  chips: Map<number, SVGGElement>;
  /** The text elements of variables' values. */
  values: Map<number, SVGTextElement>;
  /** Open scopes. */
  areas: Map<string, SVGGElement>;
  lines: Map<string, { line: Line; group: SVGGElement }>;
  /** The items that the pointer can hit, by element. */
  items: Map<Element, GraphItem>;
  /** Layers on top: signs and values at nodes, tokens on lines, what moves, connections of a node and its gradient, texts. */
  badges: SVGGElement;
  tokens: SVGGElement;
  motion: SVGGElement;
  pairs: SVGGElement;
  overlay: SVGGElement;
  /** Letters of colour classes; search hits, traces and pins. */
  colours: SVGGElement;
  finds: SVGGElement;
}

export const endKey = (end: End): string => (typeof end === "number" ? `node ${end}` : `scope ${end}`);
export const endOf = (item: GraphItem): End | null =>
  item.kind === "node" ? item.id : item.kind === "scope" ? item.path : null;

/** The box of a drawn end. */
export const boxOf = ({ scene }: Pick<Drawing, "scene">, end: End | undefined) =>
  typeof end === "number" ? scene.nodes.get(end) : scene.closed.get(end ?? "");

/** A line's points, which meet the outlines of its nodes: the layout knows only their places, with the room of their values. */
function meeting(
  points: readonly Point[],
  source: End,
  target: End | null,
  graph: Graph,
  scene: Scene,
  outlines: Drawing["outlines"],
): Point[] {
  const meet = (point: Point, end: End | null): Point => {
    const [place, outline] = typeof end === "number" ? [scene.nodes.get(end), outlines.get(end)] : [];
    if (!place || !outline) return point;
    const inset = outlineInset(graph.node.get(Number(end))?.role ?? "op", outline, point.x);
    if (Math.abs(point.y - place.y) < 1) return { x: point.x, y: outline.y + inset };
    // A line leaves at the bottom; between lanes it may come from below, too.
    const isBelow = point === points[0] || Math.abs(point.y - place.y - place.h) < 1;
    return isBelow ? { x: point.x, y: Math.min(point.y, outline.y + outline.h - inset) } : point;
  };
  return points.map((point, i) =>
    i === 0 ? meet(point, source) : i === points.length - 1 ? meet(point, target) : point,
  );
}

/** The box of a whole picture, with the room for what stands out of its boxes. */
export const contentOf = ({ scene }: Drawing): Box => ({
  x: -MARGIN,
  y: -MARGIN,
  w: Math.ceil(scene.w + 2 * MARGIN),
  h: Math.ceil(scene.h + 2 * MARGIN),
});

/** The boxes of the nodes and closed scopes. */
export const itemBoxes = ({ scene }: Drawing): Box[] => [...scene.nodes.values(), ...scene.closed.values()];

/** What a drawing shows. */
interface Subject {
  visible: Visible;
  scene: Scene;
  words: Words;
  title: string;
  values: NodeValues | null;
  mark?: Key;
}

/** A drawing while it is made: its layers, what it holds so far, and what the marks name. */
function begin(ctx: Context, graph: Graph, subject: Subject, marked: MarksRecord | null) {
  return {
    ctx,
    graph,
    ...subject,
    areas: s("g"),
    edges: s("g", { class: "edges", "aria-hidden": "true" }),
    nodes: s("g"),
    // Outside the node's element, whose label leaves out the numbers of its outputs.
    ports: s("g", { class: "ports", "aria-hidden": "true" }),
    layers: {
      badges: s("g", { class: "badges" }),
      tokens: s("g", { class: "tokens" }),
      motion: s("g", { class: "motion" }),
      pairs: s("g", { class: "overlay" }),
      colours: s("g", { class: "colours" }),
      finds: s("g", { class: "finds" }),
      overlay: s("g", { class: "overlay" }),
    },
    marks: new Map() as Drawing["marks"],
    lines: new Map() as Drawing["lines"],
    shownValues: new Map() as Drawing["values"],
    outlines: new Map() as Drawing["outlines"],
    flags: new Map() as Drawing["flags"],
    open: new Map() as Drawing["areas"],
    items: new Map() as Drawing["items"],
    are: {
      nodes: new Set(marked?.nodes),
      edges: new Set(marked?.edges),
      blocks: new Set(marked?.blocks),
    },
  };
}
type Draft = ReturnType<typeof begin>;

/** An item that the reader can point at and choose. */
function register({ ctx, graph, marks, items }: Draft, item: GraphItem, group: SVGGElement): void {
  marks.set(itemKey(item), { item, group });
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", describe(ctx.t, graph, item));
  items.set(group, item);
}

/** What is outside the scope that is looked at by itself has no outline, and its label says so. */
function markOutside({ ctx, graph }: Draft, end: End, group: SVGGElement): void {
  if (!isOutside(graph, end)) return;
  group.setAttribute("data-outside", "");
  group.setAttribute("aria-label", `${group.getAttribute("aria-label")}, ${ctx.t("legend.outside")}`);
}

/** Of marked nodes that hang together only the lowest has the word: the others have the dots alone. */
function worded({ graph, scene, are }: Draft): Set<number> {
  const own = new Map([...are.nodes].map((id) => [id, id]));
  const root = (id: number): number => {
    const next = own.get(id) ?? id;
    return next === id ? id : root(next);
  };
  for (const { source, target } of graph.record.edges)
    if (own.has(source) && own.has(target)) own.set(root(source), root(target));
  const foot = (id: number): number => {
    const box = scene.nodes.get(id);
    return box ? box.y + box.h : Number.NEGATIVE_INFINITY;
  };
  const lowest = new Map<number, number>();
  for (const id of own.keys()) {
    const known = lowest.get(root(id));
    if (known === undefined || foot(id) > foot(known)) lowest.set(root(id), id);
  }
  return new Set(lowest.values());
}

function markBelow({ ctx, mark = "compare.mark", words, layers }: Draft, box: Box): void {
  const name = ctx.t(mark);
  layers.badges.append(tag("mark-tag", box.x + box.w / 2, box.y + box.h + 10, words.text(name), name));
}

function paintOverview({ ctx, scene, words, areas, edges, layers }: Draft): void {
  if (!scene.overview) return;
  areas.append(...drawBands(scene.overview.bands, (lane) => ctx.t(`lane.${lane}`)));
  edges.append(...drawTies(scene.overview.ties, words.text));
  // A closed scope has its count on its card.
  const ends = [...scene.nodes, ...scene.open] as [End, Box][];
  for (const [end, box] of ends) {
    const arriving = words.arriving(end);
    if (arriving) layers.badges.append(drawArriving(box, arriving, words.text));
  }
}

function paintScopes(draft: Draft): void {
  const { ctx, graph, scene, words, visible, areas, nodes, open } = draft;
  for (const [path, box] of scene.open) {
    const title = words.title(path);
    const group = drawOpen(path, title, words.kind(path), box, words.text(title, TITLE));
    open.set(path, group);
    const handle = group.querySelector<SVGGElement>(".handle");
    if (handle) {
      register(draft, { kind: "scope", path }, handle);
      handle.setAttribute("aria-expanded", "true");
    }
    areas.append(group);
  }
  for (const [path, box] of scene.closed) {
    const counts = placedCounts(words, path);
    const group = drawClosed(path, words.title(path), words.kind(path), box, counts);
    register(draft, { kind: "scope", path }, group);
    if (visible.lanes?.lane(path) === "aside") group.setAttribute("data-aside", "");
    // Its label contains all its text, too.
    const label = path === REST ? words.title(path) : describe(ctx.t, graph, { kind: "scope", path });
    group.setAttribute("aria-label", [label, ...words.counts(path)].join(", "));
    markOutside(draft, path, group);
    if (path !== REST) group.setAttribute("aria-expanded", "false");
    nodes.append(group);
  }
}

/** Draws ties and lines; returns the nodes that a line enters from the left. */
function paintLines({ graph, scene, words, edges, lines, outlines, are }: Draft): Set<End> {
  const cables = new Map<string, { line: Line; count: number }>();
  const atLeft = new Set<End>();
  const met = (points: Point[], source: End, target: End | null) =>
    meeting(points, source, target, graph, scene, outlines);
  for (const { block, source, points } of scene.ties) {
    const d = curve(scene.turned ? points : met(points, source, null), scene.turned);
    edges.append(s("path", { class: "tie", d, "data-tie": block }));
  }
  for (const laid of scene.lines) {
    const { bundle } = laid;
    const [end, place] = [laid.points.at(-1), scene.nodes.get(Number(bundle.target))];
    if (end && place && !laid.turned && Math.abs(end.x - place.x) < 1) atLeft.add(bundle.target);
    const line = laid.turned ? laid : { ...laid, points: met(laid.points, bundle.source, bundle.target) };
    const isMarked = bundle.edges.some((edge) => are.edges.has(edge.id));
    const group = drawEdge(line, bundle, isMarked);
    lines.set(bundle.key, { line, group });
    edges.append(group);
    if (line.cable !== null) {
      const known = cables.get(line.cable);
      if (known) known.count += bundled(bundle);
      else cables.set(line.cable, { line, count: bundled(bundle) });
    } else if (line.label !== null) {
      const at = line.label;
      group.append(tag("edge-text", at.x, at.y, words.text(words.label(bundle)), words.label(bundle)));
    }
  }
  // The lines of a cable share one number.
  for (const { line, count } of cables.values()) {
    const at = line.label ?? pointAlong(line.points, 0.5, line.turned);
    edges.append(tag("edge-text cable", at.x, at.y, words.text(`×${count}`), `×${count}`));
  }
  return atLeft;
}

/** Nodes that a line enters from the left have their flags at the right, where it hides no port. */
function paintNodes(draft: Draft, atLeft: ReadonlySet<End>): void {
  const { graph, scene, words, values, nodes, ports, outlines, flags, are } = draft;
  const said = worded(draft);
  for (const [id, box] of scene.nodes) {
    const node = graph.node.get(id);
    const outline = outlines.get(id);
    if (!node || !outline) continue;
    const isMarked = are.nodes.has(id);
    const hasValue = node.role === "variable" && values?.widest.has(id) === true;
    const { group, value } = drawNode(node, outline, isMarked ? box : null, hasValue, outline.below);
    register(draft, { kind: "node", id }, group);
    markOutside(draft, id, group);
    if (value) draft.shownValues.set(id, value);
    const flag = flagWords(values, id);
    const isEntered = atLeft.has(id);
    if (graph.gradientOf.has(id)) {
      group.setAttribute("data-part", "gradient");
      // Above the value, and neither where the flag is nor where lines of a turned picture end.
      const x = flag === "" || isEntered ? outline.x - 6 : outline.x + outline.w + 6;
      group.append(circle("part", x, scene.turned ? outline.y : outline.y + outline.h - 12, "∂"));
    }
    // The lines of a variable leave in the middle of its side.
    const high = node.role === "variable" ? 14 : outline.h / 2;
    if (flag !== "") {
      const wide = words.text(flag, FLAG);
      const x = isEntered ? outline.x + outline.w + 2 * FLAG_OUT - flagWidth(wide) : outline.x;
      const place = flagBox(x, outline.y + high, wide);
      flags.set(id, place);
      ports.append(fetchFlag(place, flag));
    }
    if (said.has(id)) markBelow(draft, box);
    const count = portCount(node);
    for (let output = 0; output < count; output += 1)
      ports.append(drawPort(portAt(box, output, count, scene.turned), output));
    nodes.append(group);
  }
}

function paintBlocks(draft: Draft): void {
  for (const [id, box] of draft.scene.blocks) {
    const isMarked = draft.are.blocks.has(id);
    const group = drawBlock(id, box, draft.words.block(id), draft.ctx.t("block.empty"), isMarked);
    register(draft, { kind: "block", id }, group);
    if (isMarked) markBelow(draft, box);
    draft.nodes.append(group);
  }
}

export function paint(ctx: Context, graph: Graph, subject: Subject, marked: MarksRecord | null): Drawing {
  const draft = begin(ctx, graph, subject, marked);
  const { visible, scene, words, values, layers, marks, lines, outlines, open, items } = draft;
  for (const [id, place] of scene.nodes) {
    const { outline, below } = outlineOf(graph, values, id, place, scene.turned);
    outlines.set(id, { ...outline, chip: chipMiddle(outline.y + outline.h, below > 0), below });
  }
  paintOverview(draft);
  paintScopes(draft);
  paintNodes(draft, paintLines(draft));
  paintBlocks(draft);
  const width = Math.ceil(scene.w + 2 * MARGIN);
  const height = Math.ceil(scene.h + 2 * MARGIN);
  const room = { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, width, height };
  const svg = s(
    "svg",
    {
      ...room,
      role: "application",
      "aria-label": ctx.t("graph.picture", { title: subject.title }),
      "data-testid": "picture",
    },
    draft.areas,
    draft.edges,
    draft.nodes,
    draft.ports,
  );
  const over = s("svg", { ...room, class: "over", "aria-hidden": "true" }, ...Object.values(layers));
  const sheet = h("div", { class: "sheet" }, svg, over);
  return {
    visible,
    scene,
    words,
    shown: values,
    outlines,
    flags: draft.flags,
    chips: new Map(),
    svg,
    over,
    sheet,
    marks,
    values: draft.shownValues,
    areas: open,
    lines,
    items,
    ...layers,
  };
}

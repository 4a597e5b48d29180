/** Draws a scene: areas, lines, nodes, and empty layers for what comes on top. State: the drawn elements by key. */

import { h, s } from "../base/dom";
import type { Context } from "../context";
import { circle, tag } from "../draw/badge";
import { drawBlock } from "../draw/block";
import { drawEdge } from "../draw/edge";
import { curve, pointAlong } from "../draw/edge-path";
import { drawNode, drawPort } from "../draw/node";
import { drawClosed, drawOpen, TITLE } from "../draw/scope";
import type { Key } from "../i18n";
import { portAt, portCount } from "../layout/ports";
import type { Line, Scene } from "../layout/scene";
import { bundled, type End, REST, type Visible } from "../model/collapse";
import type { Graph } from "../model/graph";
import { describe, type GraphItem, itemKey } from "../model/graph-item";
import type { MarksRecord } from "../record";
import { isMany, type Words } from "./labels";

export const MARGIN = 14;

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
  /** The text elements of variables' values. */
  values: Map<number, SVGTextElement>;
  /** Open scopes. */
  areas: Map<string, SVGGElement>;
  lines: Map<string, { line: Line; group: SVGGElement }>;
  /** The items that the pointer can hit, by element. */
  items: Map<Element, GraphItem>;
  /** Layers on top: signs at nodes, tokens on lines, connections of a node and its gradient, texts on lines. */
  badges: SVGGElement;
  tokens: SVGGElement;
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
export const boxOf = ({ scene }: Drawing, end: End | undefined) =>
  typeof end === "number" ? scene.nodes.get(end) : scene.closed.get(end ?? "");

export function paint(
  ctx: Context,
  graph: Graph,
  picture: {
    visible: Visible;
    scene: Scene;
    words: Words;
    title: string;
    values: Map<number, string>;
    mark?: Key;
  },
  marked: MarksRecord | null,
): Drawing {
  const { visible, scene, words } = picture;
  const { text } = words;
  const areas = s("g");
  const edges = s("g", { class: "edges", "aria-hidden": "true" });
  const nodes = s("g");
  // Outside the node's element, whose label leaves out the numbers of its outputs.
  const ports = s("g", { class: "ports", "aria-hidden": "true" });
  const layers = {
    badges: s("g", { class: "badges" }),
    tokens: s("g", { class: "tokens" }),
    pairs: s("g", { class: "overlay" }),
    colours: s("g", { class: "colours" }),
    finds: s("g", { class: "finds" }),
    overlay: s("g", { class: "overlay" }),
  };
  const marks: Drawing["marks"] = new Map();
  const lines: Drawing["lines"] = new Map();
  const values: Drawing["values"] = new Map();
  const open: Drawing["areas"] = new Map();
  const items: Drawing["items"] = new Map();
  const are = {
    nodes: new Set(marked?.nodes),
    edges: new Set(marked?.edges),
    blocks: new Set(marked?.blocks),
  };

  const register = (item: GraphItem, group: SVGGElement): void => {
    marks.set(itemKey(item), { item, group });
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", describe(ctx.t, graph, item));
    items.set(group, item);
  };
  const markTag = (x: number, y: number): SVGGElement => {
    const mark = ctx.t(picture.mark ?? "compare.mark");
    return tag("mark-tag", x, y, text(mark), mark);
  };

  for (const [path, box] of scene.open) {
    const title = words.title(path);
    const group = drawOpen(path, title, words.kind(path), box, text(title, TITLE));
    open.set(path, group);
    const handle = group.querySelector<SVGGElement>(".handle");
    if (handle) {
      register({ kind: "scope", path }, handle);
      handle.setAttribute("aria-expanded", "true");
    }
    areas.append(group);
  }
  for (const [path, box] of scene.closed) {
    const group = drawClosed(path, words.title(path), words.kind(path), box, words.counts(path));
    register({ kind: "scope", path }, group);
    // Its label contains all its text, too.
    const label = path === REST ? words.title(path) : describe(ctx.t, graph, { kind: "scope", path });
    group.setAttribute("aria-label", [label, ...words.counts(path)].join(", "));
    if (path !== REST) group.setAttribute("aria-expanded", "false");
    nodes.append(group);
  }
  for (const { block, points } of scene.ties)
    edges.append(s("path", { class: "tie", d: curve(points, scene.turned), "data-tie": block }));
  const cables = new Map<string, { line: Line; count: number }>();
  for (const line of scene.lines) {
    const { bundle } = line;
    const isMarked = bundle.edges.some((edge) => are.edges.has(edge.id));
    const group = drawEdge(line, bundle, isMarked);
    lines.set(bundle.key, { line, group });
    edges.append(group);
    if (line.cable !== null) {
      const known = cables.get(line.cable);
      if (known) known.count += bundled(bundle);
      else cables.set(line.cable, { line, count: bundled(bundle) });
    } else if (line.label !== null || isMany(bundle)) {
      const at = line.label ?? pointAlong(line.points, 0.4, line.turned);
      group.append(tag("edge-text", at.x, at.y, text(words.label(bundle)), words.label(bundle)));
    }
  }
  // The lines of a cable share one number.
  for (const { line, count } of cables.values()) {
    const at = pointAlong(line.points, 0.5, line.turned);
    edges.append(tag("edge-text cable", at.x, at.y, text(`×${count}`), `×${count}`));
  }
  for (const [id, box] of scene.nodes) {
    const node = graph.node.get(id);
    if (!node) continue;
    const isMarked = are.nodes.has(id);
    const { group, value } = drawNode(node, box, isMarked, picture.values.has(id));
    register({ kind: "node", id }, group);
    if (value) values.set(id, value);
    if (graph.gradientOf.has(id)) {
      group.setAttribute("data-part", "gradient");
      group.append(circle("part", box.x + 3, box.y + box.h - 2, "∂"));
    }
    if (isMarked) layers.badges.append(markTag(box.x + box.w / 2, box.y + box.h + 8));
    const count = portCount(node);
    for (let output = 0; output < count; output += 1)
      ports.append(drawPort(portAt(box, output, count, scene.turned), output));
    nodes.append(group);
  }
  for (const [id, box] of scene.blocks) {
    const isMarked = are.blocks.has(id);
    const group = drawBlock(id, box, words.block(id), ctx.t("block.empty"), isMarked);
    register({ kind: "block", id }, group);
    if (isMarked) layers.badges.append(markTag(box.x + box.w / 2, box.y + box.h + 8));
    nodes.append(group);
  }
  const width = Math.ceil(scene.w + 2 * MARGIN);
  const height = Math.ceil(scene.h + 2 * MARGIN);
  const room = { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, width, height };
  const svg = s(
    "svg",
    {
      ...room,
      role: "application",
      "aria-label": ctx.t("graph.picture", { title: picture.title }),
      "data-testid": "picture",
    },
    areas,
    edges,
    nodes,
    ports,
  );
  const over = s("svg", { ...room, class: "over", "aria-hidden": "true" }, ...Object.values(layers));
  const sheet = h("div", { class: "sheet" }, svg, over);
  return { visible, scene, words, svg, over, sheet, marks, values, areas: open, lines, items, ...layers };
}

/** What a user can point at in a graph, and its name in a sentence. */

import { inline, leaf, shorten } from "../base/text";
import type { Translate } from "../i18n";
import type { EdgeRecord, GroupRecord } from "../record";
import { afterOpening, type Bundle, bundled, pathTo } from "./collapse";
import { UNPLACED } from "./device-lanes";
import type { Graph } from "./graph";
import { partOf } from "./overview";
import type { State } from "./steps/replay";

export type GraphItem =
  | { kind: "node"; id: number }
  | { kind: "scope"; path: string }
  | { kind: "edge"; bundle: Bundle }
  | { kind: "block"; id: number };

/** The closed scopes after the user chose an item: a scope opens or closes; around a node all scopes open. */
export function collapsedAfterChoice(graph: Graph, collapsed: string[], item: GraphItem): string[] {
  if (item.kind === "scope" && !collapsed.includes(item.path) && !graph.sealed.has(item.path))
    return [...collapsed, item.path];
  const opened = item.kind === "scope" ? [item.path] : item.kind === "node" ? pathTo(graph, item.id) : [];
  // From the outermost one inwards: a scope that opens may close those in it.
  return opened.reduce(
    (left, path) => (left.includes(path) ? afterOpening(graph, left, path) : left),
    collapsed,
  );
}

export function itemKey(item: GraphItem): string {
  if (item.kind === "node") return `node ${item.id}`;
  if (item.kind === "scope") return `scope ${item.path}`;
  return item.kind === "edge" ? `edge ${item.bundle.key}` : `block ${item.id}`;
}

/** A node's name inside a sentence. */
export function nodeName(graph: Graph, id: number): string {
  // Ids below 0 are sealed scopes.
  const sealed = id < 0 ? graph.record.sealed.find((part) => part.id === id)?.path : undefined;
  return inline(graph.node.get(id)?.name ?? sealed ?? `#${id}`, 48);
}

const LISTED = 12;

export function names(graph: Graph, ids: readonly number[], between = ", "): string {
  const listed = ids.slice(0, LISTED).map((id) => nodeName(graph, id));
  return (ids.length > LISTED ? [...listed, "…"] : listed).join(between);
}

export function describeEdge(t: Translate, graph: Graph, edge: EdgeRecord): string {
  const { output, input, text } = edge;
  const ends = { source: nodeName(graph, edge.source), target: nodeName(graph, edge.target), text };
  const isOne = (graph.node.get(edge.source)?.outputs.length ?? 0) < 2;
  if (edge.kind !== "data" || output === null || input === null || isOne) return t(`edge.${edge.kind}`, ends);
  return t("edge.between", { ...ends, output, input });
}

/** The params of a group's title: the names of its first and last part, and their number. */
function groupParams({ path, scopes, nodes }: GroupRecord): { first: string; last: string; n: number } {
  const [first = "", last = ""] = leaf(path).replace(/'+$/, "").split("…");
  return { first: shorten(first, 15), last: shorten(last, 15), n: scopes.length || nodes.length };
}

/** The title of a scope or box: "If p", "True", "Loop while", or the last part of its name. */
export function scopeTitle(t: Translate, graph: Graph, path: string): string {
  if (path === UNPLACED) return t("lane.unplaced");
  const group = graph.groups.get(path);
  const part = partOf(graph, path);
  const isOf = part?.kind === "variable" || part?.kind === "gradient";
  // The path of a part begins with a colon; only the path of a span contains node names.
  const name = leaf(isOf ? part.of : path);
  const isNamed = isOf || part?.kind === "span" || !name.startsWith(":");
  // The box of the layers, drawn next to it, names the layers.
  if (group && part?.kind === "variable") return t("part.variable_copies", groupParams(group));
  const own = group
    ? t(`group.${group.kind}`, groupParams(group))
    : isNamed
      ? shorten(name.replace(/^:/, ""), 24)
      : "";
  if (part && !(group && part.kind === "aside")) return t(`part.${part.kind}`, { name: own }).trim();
  if (group) return own;
  const sealed = graph.sealed.get(path);
  if (sealed?.kind === "rest") return t("graph.sealed_rest", { n: sealed.nodes });
  const box = graph.boxes.get(path);
  const label = shorten(leaf(box?.label ?? path), 30);
  if (box?.kind === "cond") return t("box.cond", { label });
  return box?.kind === "loop" ? t("box.loop", { label }) : label;
}

/** The text of an empty block: its source line, and where that line is. */
export function blockLines(t: Translate, graph: Graph, id: number): string[] {
  const site = graph.block.get(id)?.site;
  return site ? [shorten(site.source, 44), shorten(site.label, 44)] : [t("block.unknown_site")];
}

/** One sentence about an item for screen readers; `value`: the value that a variable's node shows. */
export function describe(t: Translate, graph: Graph, item: GraphItem, state?: State, value?: string): string {
  if (item.kind === "node") {
    const node = graph.node.get(item.id);
    if (!node) return nodeName(graph, item.id);
    const params = { name: node.name, type: node.type, role: t(`role.${node.role}`) };
    if (!state) return t("node.label", params);
    const now = { ...params, state: t(`state.${state}`) };
    return value === undefined ? t("node.label_state", now) : t("node.label_value", { ...now, value });
  }
  if (item.kind === "scope") {
    if (item.path === UNPLACED) return t("lane.unplaced");
    if (graph.lanes.includes(item.path)) return t("graph.device", { device: item.path });
    const group = graph.groups.get(item.path);
    if (group) return t(`graph.${group.kind}`, groupParams(group));
    const box = graph.boxes.get(item.path);
    if (!box || box.kind === "scope") return t("graph.scope", { path: item.path });
    return t(`graph.${box.kind}`, { label: box.label });
  }
  if (item.kind === "block") {
    const block = graph.block.get(item.id);
    const [source = "", where = source] = blockLines(t, graph, item.id);
    return t("block.shown", {
      source,
      where,
      inputs: names(graph, block?.control_inputs ?? []),
    });
  }
  const [first] = item.bundle.edges;
  if (first && bundled(item.bundle) === 1) return describeEdge(t, graph, first);
  const end = (which: "source" | "target"): string => {
    const value = item.bundle[which];
    return typeof value === "number" ? nodeName(graph, value) : value;
  };
  return t("edge.bundle", { n: bundled(item.bundle), source: end("source"), target: end("target") });
}

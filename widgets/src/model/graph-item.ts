/** What a reader can point at in a graph, and how it is called in a sentence. */

import { inline, leaf, shorten } from "../base/text";
import type { Translate } from "../i18n";
import type { EdgeRecord, GroupRecord } from "../record";
import { afterOpening, type Bundle, bundled, pathTo } from "./collapse";
import type { Graph } from "./graph";
import type { State } from "./replay";

export type Thing =
  | { kind: "node"; id: number }
  | { kind: "scope"; path: string }
  | { kind: "edge"; bundle: Bundle }
  | { kind: "block"; id: number };

/** The closed scopes after a thing was chosen: a scope opens or closes, and a node can be seen. */
export function foldedAfter(graph: Graph, collapsed: string[], thing: Thing): string[] {
  if (thing.kind === "scope" && !collapsed.includes(thing.path) && !graph.sealed.has(thing.path))
    return [...collapsed, thing.path];
  const opened = thing.kind === "scope" ? [thing.path] : thing.kind === "node" ? pathTo(graph, thing.id) : [];
  const closed = opened.filter((path) => collapsed.includes(path));
  return closed.reduce((left, path) => afterOpening(graph, left, path), collapsed);
}

export function thingKey(thing: Thing): string {
  if (thing.kind === "node") return `node ${thing.id}`;
  if (thing.kind === "scope") return `scope ${thing.path}`;
  return thing.kind === "edge" ? `edge ${thing.bundle.key}` : `block ${thing.id}`;
}

/** A name inside a sentence. */
export function nodeName(graph: Graph, id: number): string {
  // Below 0 are scopes that the record only counts.
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

/** What the names of a group's first and last part are, and how many it has. */
function groupParams({ path, scopes, nodes }: GroupRecord): { first: string; last: string; n: number } {
  const [first = "", last = ""] = leaf(path).replace(/'+$/, "").split("…");
  return { first: shorten(first, 15), last: shorten(last, 15), n: scopes.length || nodes.length };
}

/** What a scope or box is called on the picture: "If p", "True", "Loop while", or the last part of its name. */
export function scopeTitle(t: Translate, graph: Graph, path: string): string {
  const group = graph.groups.get(path);
  if (group) return t(`group.${group.kind}`, groupParams(group));
  const sealed = graph.sealed.get(path);
  if (sealed?.kind === "rest") return t("graph.sealed_rest", { n: sealed.nodes });
  const box = graph.boxes.get(path);
  const label = shorten(leaf(box?.label ?? path), 30);
  if (box?.kind === "cond") return t("box.cond", { label });
  return box?.kind === "loop" ? t("box.loop", { label }) : label;
}

/** What an empty block shows of the program: its line, and where that is. */
export function blockLines(t: Translate, graph: Graph, id: number): string[] {
  const site = graph.block.get(id)?.site;
  return site ? [shorten(site.source, 44), shorten(site.label, 44)] : [t("block.unknown_site")];
}

/** One sentence for the screen reader, with all that the thing shows; `value`: what a variable's node shows of its value. */
export function describe(t: Translate, graph: Graph, thing: Thing, state?: State, value?: string): string {
  if (thing.kind === "node") {
    const node = graph.node.get(thing.id);
    if (!node) return nodeName(graph, thing.id);
    const params = { name: node.name, type: node.type, role: t(`role.${node.role}`) };
    if (!state) return t("node.label", params);
    const now = { ...params, state: t(`state.${state}`) };
    return value === undefined ? t("node.label_state", now) : t("node.label_value", { ...now, value });
  }
  if (thing.kind === "scope") {
    const group = graph.groups.get(thing.path);
    if (group) return t(`graph.${group.kind}`, groupParams(group));
    const box = graph.boxes.get(thing.path);
    if (!box || box.kind === "scope") return t("graph.scope", { path: thing.path });
    return t(`graph.${box.kind}`, { label: box.label });
  }
  if (thing.kind === "block") {
    const block = graph.block.get(thing.id);
    const [source = "", where = source] = blockLines(t, graph, thing.id);
    return t("block.shown", {
      source,
      where,
      inputs: names(graph, block?.control_inputs ?? []),
    });
  }
  const [first] = thing.bundle.edges;
  if (first && bundled(thing.bundle) === 1) return describeEdge(t, graph, first);
  const end = (which: "source" | "target"): string => {
    const value = thing.bundle[which];
    return typeof value === "number" ? nodeName(graph, value) : value;
  };
  return t("edge.bundle", { n: bundled(thing.bundle), source: end("source"), target: end("target") });
}

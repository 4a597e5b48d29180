/** What a reader can point at in a graph, and how it is called in a sentence. */
import { type Bundle, pathTo } from "../collapse";
import type { Graph } from "../graph";
import type { Translate } from "../i18n";
import type { EdgeRecord } from "../record";
import type { State } from "../replay";
import { inline, leaf, shorten } from "../text";

export type Thing =
  | { kind: "node"; id: number }
  | { kind: "scope"; path: string }
  | { kind: "edge"; bundle: Bundle }
  | { kind: "block"; id: number };

/** The closed scopes after a thing was chosen: a scope opens or closes, and a node can be seen. */
export function foldedAfter(graph: Graph, collapsed: string[], thing: Thing): string[] {
  if (thing.kind === "scope" && !collapsed.includes(thing.path)) return [...collapsed, thing.path];
  const opened = thing.kind === "scope" ? [thing.path] : thing.kind === "node" ? pathTo(graph, thing.id) : [];
  const kept = collapsed.filter((path) => !opened.includes(path));
  return kept.length < collapsed.length ? kept : collapsed;
}

export function thingKey(thing: Thing): string {
  if (thing.kind === "node") return `node ${thing.id}`;
  if (thing.kind === "scope") return `scope ${thing.path}`;
  return thing.kind === "edge" ? `edge ${thing.bundle.key}` : `block ${thing.id}`;
}

/** A name inside a sentence. */
export function nodeName(graph: Graph, id: number): string {
  return inline(graph.node.get(id)?.name ?? `#${id}`, 48);
}

const LISTED = 12;

export function names(graph: Graph, ids: readonly number[], between = ", "): string {
  const listed = ids.slice(0, LISTED).map((id) => nodeName(graph, id));
  return (ids.length > LISTED ? [...listed, "…"] : listed).join(between);
}

export function describeEdge(t: Translate, graph: Graph, edge: EdgeRecord): string {
  const source = edge.output
    ? `${nodeName(graph, edge.source)}:${edge.output}`
    : nodeName(graph, edge.source);
  return t(`edge.${edge.kind}`, { source, target: nodeName(graph, edge.target), text: edge.text });
}

/** What a scope or box is called on the picture: "If p", "True", "Loop while", or the last part of its name. */
export function scopeTitle(t: Translate, graph: Graph, path: string): string {
  const box = graph.boxes.get(path);
  const label = shorten(leaf(box?.label ?? path), 30);
  if (box?.kind === "cond") return t("box.cond", { label });
  return box?.kind === "loop" ? t("box.loop", { label }) : label;
}

/** One sentence for the screen reader. */
export function describe(t: Translate, graph: Graph, thing: Thing, state?: State): string {
  if (thing.kind === "node") {
    const node = graph.node.get(thing.id);
    if (!node) return nodeName(graph, thing.id);
    const params = { name: node.name, type: node.type, role: t(`role.${node.role}`) };
    return state ? t("node.label_state", { ...params, state: t(`state.${state}`) }) : t("node.label", params);
  }
  if (thing.kind === "scope") {
    const box = graph.boxes.get(thing.path);
    if (!box || box.kind === "scope") return t("graph.scope", { path: thing.path });
    return t(`graph.${box.kind}`, { label: box.label });
  }
  if (thing.kind === "block") {
    const block = graph.block.get(thing.id);
    return t("block.label", {
      where: block?.site?.label ?? t("block.unknown_site"),
      inputs: names(graph, block?.control_inputs ?? []),
    });
  }
  const [first] = thing.bundle.edges;
  if (first && thing.bundle.edges.length === 1) return describeEdge(t, graph, first);
  const end = (which: "source" | "target"): string => {
    const value = thing.bundle[which];
    return typeof value === "number" ? nodeName(graph, value) : value;
  };
  return t("edge.bundle", { n: thing.bundle.edges.length, source: end("source"), target: end("target") });
}

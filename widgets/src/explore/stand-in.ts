/** What is drawn for a node, be it in the part of a large graph that the record has, or left out of it. */
import type { End, Visible } from "../model/collapse";
import { ancestors, type Graph, homeOf } from "../model/graph";
import type { SealedRecord } from "../record";

/** What tells of a node in its stead, where the record leaves it out. */
export function sealedOf(graph: Graph, whole: Graph, id: number): SealedRecord | undefined {
  if (graph.node.has(id) || graph.sealed.size === 0) return undefined;
  const home = homeOf(whole, id);
  const path = [...ancestors(whole, home), `${home}/…`].find((each) => graph.sealed.has(each));
  return path === undefined ? undefined : graph.sealed.get(path);
}

export function standIn(graph: Graph, whole: Graph, seen: Visible, id: number): End | undefined {
  return seen.shownAs.get(id) ?? seen.shownAs.get(sealedOf(graph, whole, id)?.id ?? id);
}

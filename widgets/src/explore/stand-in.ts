/** What is drawn for a node, even if the record of a large graph leaves it out. */
import type { End, Visible } from "../model/collapse";
import { ancestors, type Graph, homeOf } from "../model/graph";
import type { SealedRecord } from "../record";

/** The sealed scope of a node that the record leaves out. */
export function sealedOf(graph: Graph, all: Graph, id: number): SealedRecord | undefined {
  if (graph.node.has(id) || graph.sealed.size === 0) return undefined;
  const home = homeOf(all, id);
  const path = [...ancestors(all, home), `${home}/…`].find((each) => graph.sealed.has(each));
  return path === undefined ? undefined : graph.sealed.get(path);
}

export function standIn(graph: Graph, all: Graph, visible: Visible, id: number): End | undefined {
  return visible.shownAs.get(id) ?? visible.shownAs.get(sealedOf(graph, all, id)?.id ?? id);
}

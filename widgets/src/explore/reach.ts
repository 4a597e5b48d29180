/** The nodes within so many edges before or after a node: where its values come from or go to. */
import type { Graph } from "../model/graph";
import { EDGE_KINDS, type EdgeKind } from "../record";

export type Direction = "inputs" | "outputs";
export const DIRECTIONS: readonly Direction[] = ["inputs", "outputs"];

export interface Reach {
  /** The distance of each node in edges; the start is among them only if it lies on a cycle. */
  nodes: Map<number, number>;
  edges: Set<number>;
  counts: Record<EdgeKind, number>;
}

export function reach(graph: Graph, from: number, direction: Direction, steps: number): Reach {
  const reached: Reach = {
    nodes: new Map(),
    edges: new Set(),
    counts: { data: 0, control: 0, reference: 0 },
  };
  const [pointAlong, end] =
    direction === "inputs" ? ([graph.inputs, "source"] as const) : ([graph.outputs, "target"] as const);
  let border = [from];
  for (let step = 1; step <= steps && border.length > 0; step += 1) {
    const next: number[] = [];
    for (const id of border) {
      for (const edge of pointAlong.get(id) ?? []) {
        reached.edges.add(edge.id);
        reached.counts[edge.kind] += 1;
        const other = edge[end];
        if (reached.nodes.has(other)) continue;
        reached.nodes.set(other, step);
        if (other !== from) next.push(other);
      }
    }
    border = next;
  }
  return reached;
}

/** The kinds of the followed edges, with their counts. */
export function countedKinds({ counts }: Reach): [EdgeKind, number][] {
  return EDGE_KINDS.filter((kind) => counts[kind] > 0).map((kind) => [kind, counts[kind]]);
}

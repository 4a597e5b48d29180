/** A graph record with the look-ups that every picture of it needs. Data only, nothing about drawing. */
import type { BlockRecord, EdgeRecord, GraphRecord, NodeRecord, ScopeRecord } from "./record";

export const ROOT = "";

export interface Graph {
  record: GraphRecord;
  node: Map<number, NodeRecord>;
  edge: Map<number, EdgeRecord>;
  block: Map<number, BlockRecord>;
  inputs: Map<number, EdgeRecord[]>;
  outputs: Map<number, EdgeRecord[]>;
  scope: Map<string, ScopeRecord>;
  /** Scopes directly inside a scope, the root being "". */
  children: Map<string, string[]>;
  /** Nodes that belong to gradients: of which node each, if of one; and the other way round. */
  gradientOf: Map<number, number | null>;
  gradients: Map<number, number[]>;
}

/** Adds to the list under a key. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function indexGraph(record: GraphRecord): Graph {
  const graph: Graph = {
    record,
    node: new Map(record.nodes.map((node) => [node.id, node])),
    edge: new Map(record.edges.map((edge) => [edge.id, edge])),
    block: new Map(record.blocks.map((block) => [block.id, block])),
    inputs: new Map(),
    outputs: new Map(),
    scope: new Map([[ROOT, { path: ROOT, parent: ROOT, nodes: [] }]]),
    children: new Map(),
    gradientOf: new Map(record.gradients.map(({ node, of }) => [node, of])),
    gradients: new Map(),
  };
  for (const { node, of } of record.gradients) if (of !== null) push(graph.gradients, of, node);
  for (const scope of record.scopes) {
    if (scope.path !== ROOT) graph.scope.set(scope.path, { ...scope, nodes: [] });
  }
  for (const scope of record.scopes) {
    if (scope.path !== ROOT) push(graph.children, scopeOf(graph, scope.parent), scope.path);
  }
  for (const node of record.nodes) graph.scope.get(scopeOf(graph, node.scope))?.nodes.push(node.id);
  for (const edge of record.edges) {
    push(graph.outputs, edge.source, edge);
    push(graph.inputs, edge.target, edge);
  }
  return graph;
}

/** A scope that the record names, or the root: a part of a graph may leave scopes out. */
function scopeOf(graph: Graph, path: string): string {
  return graph.scope.has(path) ? path : ROOT;
}

/** The scopes around a place, from the root inwards, that place included. */
export function ancestors(graph: Graph, path: string): string[] {
  const chain: string[] = [];
  for (let at = scopeOf(graph, path); at !== ROOT && !chain.includes(at); ) {
    chain.unshift(at);
    at = scopeOf(graph, graph.scope.get(at)?.parent ?? ROOT);
  }
  return [ROOT, ...chain];
}

/** The scope that a node is drawn in. */
export function homeOf(graph: Graph, id: number): string {
  return scopeOf(graph, graph.node.get(id)?.scope ?? ROOT);
}

/** A node's gradient nodes, or the node whose gradient it belongs to. */
export function partners(graph: Graph, id: number): number[] {
  const of = graph.gradientOf.get(id);
  return [...(typeof of === "number" ? [of] : []), ...(graph.gradients.get(id) ?? [])];
}

/** The outermost scopes that hold nothing but gradients. */
export function gradientScopes(graph: Graph): string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (nodesUnder(graph, child).every((id) => graph.gradientOf.has(id))) found.push(child);
      else walk(child);
    }
  };
  if (graph.gradientOf.size > 0) walk(ROOT);
  return found;
}

/** The scopes that hold the gradient of one node each. */
export function pairScopes(graph: Graph): string[] {
  return [...graph.scope.keys()].filter((path) => {
    const of = new Set(nodesUnder(graph, path).map((id) => graph.gradientOf.get(id) ?? null));
    return path !== ROOT && of.size === 1 && !of.has(null);
  });
}

/** Blocks in which nothing was made. */
export function emptyBlocks(graph: Graph): BlockRecord[] {
  return graph.record.blocks.filter((block) => block.empty);
}

/** All nodes in a scope and in the scopes inside it. */
export function nodesUnder(graph: Graph, path: string): number[] {
  const found: number[] = [];
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    found.push(...(graph.scope.get(at)?.nodes ?? []));
    open.push(...(graph.children.get(at) ?? []));
  }
  return found;
}

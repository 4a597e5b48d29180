/** A graph record with the look-ups that every picture of it needs. Data only, nothing about drawing. */
import type { BlockRecord, BoxRecord, EdgeRecord, GraphRecord, NodeRecord, ScopeRecord } from "./record";

export const ROOT = "";

export interface Graph {
  record: GraphRecord;
  node: Map<number, NodeRecord>;
  edge: Map<number, EdgeRecord>;
  block: Map<number, BlockRecord>;
  inputs: Map<number, EdgeRecord[]>;
  outputs: Map<number, EdgeRecord[]>;
  /** What nodes are in: name scopes, or the boxes of conds and loops (see regroup). */
  scope: Map<string, ScopeRecord>;
  home: Map<number, string>;
  /** The scopes that are boxes. */
  boxes: Map<string, BoxRecord>;
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
    scope: new Map(),
    home: new Map(),
    boxes: new Map(),
    children: new Map(),
    gradientOf: new Map(record.gradients.map(({ node, of }) => [node, of])),
    gradients: new Map(),
  };
  for (const { node, of } of record.gradients) if (of !== null) push(graph.gradients, of, node);
  regroup(graph, false);
  for (const edge of record.edges) {
    push(graph.outputs, edge.source, edge);
    push(graph.inputs, edge.target, edge);
  }
  return graph;
}

/** Puts the nodes together by their name scopes, or by boxes: each cond and each loop in one. */
export function regroup(graph: Graph, boxes: boolean): void {
  const { record } = graph;
  const places = boxes ? record.boxes : record.scopes;
  graph.boxes = new Map(boxes ? record.boxes.map((box) => [box.path, box]) : []);
  graph.scope = new Map([[ROOT, { path: ROOT, parent: ROOT, nodes: [] }]]);
  graph.children = new Map();
  for (const place of places) {
    if (place.path !== ROOT) graph.scope.set(place.path, { ...place, nodes: [] });
  }
  for (const place of places) {
    if (place.path !== ROOT) push(graph.children, scopeOf(graph, place.parent), place.path);
  }
  graph.home = new Map(
    boxes
      ? record.boxes.flatMap(({ path, nodes }) => nodes.map((id): [number, string] => [id, path]))
      : record.nodes.map(({ id, scope }) => [id, scope]),
  );
  for (const { id } of record.nodes) graph.scope.get(homeOf(graph, id))?.nodes.push(id);
}

/** The boxes of conds and loops that lie in no other. */
export function outerBoxes(graph: Graph): string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (graph.boxes.get(child)?.kind === "scope") walk(child);
      else found.push(child);
    }
  };
  if (graph.boxes.size > 0) walk(ROOT);
  return found;
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
  return scopeOf(graph, graph.home.get(id) ?? ROOT);
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

/** The nodes of a box and of the name scopes in it, those of other boxes in it not among them. */
export function ownNodes(graph: Graph, path: string): number[] {
  const scopes = (graph.children.get(path) ?? []).filter((child) => graph.boxes.get(child)?.kind === "scope");
  return [...(graph.scope.get(path)?.nodes ?? []), ...scopes.flatMap((child) => ownNodes(graph, child))];
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

/** What is drawn when some scopes are closed. What is not drawn is counted: drawn + folded = total, always. */
import { ancestors, emptyBlocks, type Graph, homeOf, nodesUnder, ROOT } from "./graph";
import { EDGE_KINDS, type EdgeKind, type EdgeRecord } from "./record";

/** A drawn thing: a node by its id, a closed scope by its path. */
export type End = number | string;

/** More drawn things than this make a browser stutter: scopes close by themselves, and the rest is set aside. */
export const LIMIT = 500;

/** What stands for nodes that are set aside. No scope has this path: a name cannot hold its sign and a scope no colon. */
export const REST = "\u0000:rest";

export interface Bundle {
  key: string;
  kind: EdgeKind;
  source: End;
  target: End;
  /** One edge, or those that a closed scope makes run along one line. */
  edges: EdgeRecord[];
}

export type Counts = Record<"nodes" | EdgeKind, number>;

export interface Visible {
  /** Open scopes, outer ones first, the root excluded. */
  open: string[];
  /** Closed scopes that are drawn, with what they hold. */
  closed: Map<string, Counts>;
  nodes: number[];
  blocks: number[];
  bundles: Bundle[];
  /** The drawn thing that stands for each node. */
  stand: Map<number, End>;
}

const none = (): Counts => ({ nodes: 0, data: 0, control: 0, reference: 0 });

export function visibleGraph(graph: Graph, collapsed: ReadonlySet<string>, limit = LIMIT): Visible {
  const seen: Visible = {
    open: [],
    closed: new Map(),
    nodes: [],
    blocks: [],
    bundles: [],
    stand: new Map(),
  };
  const rest: number[] = [];
  const walk = (path: string): void => {
    const isFull = (): boolean => seen.nodes.length + seen.closed.size >= limit;
    for (const id of graph.scope.get(path)?.nodes ?? []) {
      if (isFull()) rest.push(id);
      else {
        seen.nodes.push(id);
        seen.stand.set(id, id);
      }
    }
    for (const child of graph.children.get(path) ?? []) {
      if (isFull()) rest.push(...nodesUnder(graph, child));
      else if (collapsed.has(child)) close(child, nodesUnder(graph, child));
      else {
        seen.open.push(child);
        walk(child);
      }
    }
  };
  const close = (path: string, inside: number[]): void => {
    seen.closed.set(path, { ...none(), nodes: inside.length });
    for (const id of inside) seen.stand.set(id, path);
  };
  walk(ROOT);
  if (rest.length > 0) close(REST, rest);
  const bundles = new Map<string, Bundle>();
  for (const edge of graph.record.edges) {
    const source = seen.stand.get(edge.source);
    const target = seen.stand.get(edge.target);
    if (source === undefined || target === undefined) continue;
    if (source === target && typeof source === "string") {
      const counts = seen.closed.get(source);
      if (counts) counts[edge.kind] += 1;
      continue;
    }
    const alone = typeof source === "number" && typeof target === "number";
    const key = alone ? `e${edge.id}` : JSON.stringify([edge.kind, source, target]);
    const bundle = bundles.get(key);
    if (bundle) bundle.edges.push(edge);
    else bundles.set(key, { key: `b${bundles.size}`, kind: edge.kind, source, target, edges: [edge] });
  }
  seen.bundles = [...bundles.values()];
  // An empty block is the trap itself: no scope hides it.
  seen.blocks = emptyBlocks(graph).map(({ id }) => id);
  return seen;
}

export interface Tally {
  drawn: number;
  folded: number;
  total: number;
}

/** Drawn and folded things against all there are, for nodes and for each kind of edge. */
export function tally(graph: Graph, seen: Visible): Record<"nodes" | EdgeKind, Tally> {
  const closed = [...seen.closed.values()];
  const inside = (what: keyof Counts): number => closed.reduce((sum, counts) => sum + counts[what], 0);
  const result = {
    nodes: { drawn: seen.nodes.length, folded: inside("nodes"), total: graph.record.nodes.length },
  } as Record<"nodes" | EdgeKind, Tally>;
  for (const kind of EDGE_KINDS) {
    const own = seen.bundles.filter((bundle) => bundle.kind === kind);
    const single = own.filter((bundle) => bundle.edges.length === 1);
    const bundled = own.reduce((sum, { edges }) => sum + (edges.length > 1 ? edges.length : 0), 0);
    result[kind] = {
      drawn: single.length,
      folded: inside(kind) + bundled,
      total: graph.record.edges.filter((edge) => edge.kind === kind).length,
    };
  }
  return result;
}

/** A graph of no more nodes than this is drawn in full: what does not run is part of the lesson. */
export const SMALL = 24;

/** The outermost scopes of a larger graph in which nothing runs and nothing is marked. */
export function idleScopes(graph: Graph, idle: ReadonlySet<number>, marked: ReadonlySet<number>): string[] {
  if (graph.record.nodes.length <= SMALL) return [];
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (nodesUnder(graph, child).every((id) => idle.has(id) && !marked.has(id))) found.push(child);
      else walk(child);
    }
  };
  walk(ROOT);
  return found;
}

/** Scopes to close, inner and large ones first, so that at most `limit` things are drawn; some may be closed already. */
export function autoCollapse(graph: Graph, limit = LIMIT, already: Iterable<string> = []): string[] {
  const collapsed = new Set(already);
  const depth = (path: string): number => ancestors(graph, path).length;
  const paths = [...graph.scope.keys()].filter((path) => path !== ROOT && !collapsed.has(path));
  const size = new Map(paths.map((path) => [path, graph.scope.get(path)?.nodes.length ?? 0]));
  paths.sort((a, b) => depth(b) - depth(a) || (size.get(b) ?? 0) - (size.get(a) ?? 0));
  const count = (): number => {
    const seen = visibleGraph(graph, collapsed, Infinity);
    return seen.nodes.length + seen.closed.size;
  };
  // One look per batch: a graph of thousands of scopes would else be walked thousands of times.
  for (let excess = count() - limit; excess > 0 && paths.length > 0; excess = count() - limit) {
    const share = Math.max(1, Math.floor(paths.length / 8));
    for (const path of paths.splice(0, share)) collapsed.add(path);
  }
  return [...collapsed];
}

/** The scopes to open so that a node can be seen. */
export function pathTo(graph: Graph, id: number): string[] {
  return ancestors(graph, homeOf(graph, id));
}

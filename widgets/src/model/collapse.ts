/** What is drawn when some scopes are closed. What is not drawn is counted: drawn + folded = total, always. */

import { EDGE_KINDS, type EdgeKind, type EdgeRecord, type SealedRecord } from "../record";
import { ancestors, emptyBlocks, type Graph, homeOf, nodesUnder, ROOT, sealedUnder } from "./graph";

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
  /** Those among them that the record only counts. */
  more: number;
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
  /** Nodes that the reader set beside the graph, wherever they belong, and all their edges. */
  beside: { nodes: number[]; stubs: Bundle[] };
}

const none = (): Counts => ({ nodes: 0, data: 0, control: 0, reference: 0 });

/** How many edges a bundle stands for. */
export const bundled = ({ edges, more }: Bundle): number => edges.length + more;

export function visibleGraph(
  graph: Graph,
  collapsed: ReadonlySet<string>,
  limit = LIMIT,
  beside: readonly number[] = [],
): Visible {
  const out = new Set(beside.filter((id) => graph.node.has(id)));
  const left = (ids: number[]): number[] => (out.size > 0 ? ids.filter((id) => !out.has(id)) : ids);
  const seen: Visible = {
    open: [],
    closed: new Map(),
    nodes: [],
    blocks: [],
    bundles: [],
    stand: new Map([...out].map((id) => [id, id])),
    beside: { nodes: [...out], stubs: [] },
  };
  const rest: { nodes: number[]; sealed: SealedRecord[] } = { nodes: [], sealed: [] };
  const walk = (path: string): void => {
    const isFull = (): boolean => seen.nodes.length + seen.closed.size >= limit;
    for (const id of left(graph.scope.get(path)?.nodes ?? [])) {
      if (isFull()) rest.nodes.push(id);
      else {
        seen.nodes.push(id);
        seen.stand.set(id, id);
      }
    }
    for (const child of graph.children.get(path) ?? []) {
      if (isFull()) {
        rest.nodes.push(...left(nodesUnder(graph, child)));
        rest.sealed.push(...sealedUnder(graph, child));
      } else if (collapsed.has(child) || graph.sealed.has(child)) {
        close(child, left(nodesUnder(graph, child)), sealedUnder(graph, child));
      } else {
        seen.open.push(child);
        walk(child);
      }
    }
  };
  const close = (path: string, inside: number[], sealed: SealedRecord[]): void => {
    const counts = { ...none(), nodes: inside.length };
    for (const id of inside) seen.stand.set(id, path);
    for (const part of sealed) {
      seen.stand.set(part.id, path);
      for (const what of ["nodes", ...EDGE_KINDS] as const) counts[what] += part[what];
    }
    seen.closed.set(path, counts);
  };
  walk(ROOT);
  if (rest.nodes.length + rest.sealed.length > 0) close(REST, rest.nodes, rest.sealed);
  const isStub = ({ source, target }: Bundle): boolean =>
    [source, target].some((end) => out.has(end as number));
  const lines = bundle(graph, seen);
  seen.bundles = lines.filter((line) => !isStub(line));
  seen.beside.stubs = lines.filter(isStub);
  // An empty block is the trap itself: no scope hides it.
  seen.blocks = emptyBlocks(graph).map(({ id }) => id);
  return seen;
}

/** The lines between what is drawn; edges inside a closed scope are added to its counts. */
function bundle(graph: Graph, seen: Visible): Bundle[] {
  const lines: Bundle[] = [];
  const begin = (key: string, kind: EdgeKind, source: End, target: End): Bundle => {
    const line: Bundle = { key, kind, source, target, edges: [], more: 0 };
    lines.push(line);
    return line;
  };
  // By their ends: to write a key for each of ten thousand edges would cost more than all else here.
  const known: Record<EdgeKind, Map<End, Map<End, Bundle>>> = {
    data: new Map(),
    control: new Map(),
    reference: new Map(),
  };
  const add = (kind: EdgeKind, from: number, to: number, edge: EdgeRecord | null, count: number): void => {
    const source = seen.stand.get(from);
    const target = seen.stand.get(to);
    if (source === undefined || target === undefined) return;
    if (source === target && typeof source === "string") {
      const counts = seen.closed.get(source);
      if (counts) counts[kind] += count;
      return;
    }
    // The same lines have the same keys in the next picture. A path cannot hold the sign between the two.
    if (edge && typeof source === "number" && typeof target === "number") {
      begin(`e${edge.id}`, kind, source, target).edges.push(edge);
      return;
    }
    const begun = known[kind].get(source) ?? new Map<End, Bundle>();
    known[kind].set(source, begun);
    const line = begun.get(target) ?? begin(`b${kind} ${source}\u0000${target}`, kind, source, target);
    begun.set(target, line);
    if (edge) line.edges.push(edge);
    else line.more += count;
  };
  for (const edge of graph.record.edges) add(edge.kind, edge.source, edge.target, edge, 1);
  for (const { kind, source, target, count } of graph.record.bundles) add(kind, source, target, null, count);
  return lines;
}

export interface Tally {
  drawn: number;
  folded: number;
  total: number;
}

/** Drawn and folded things against all there are, for nodes and for each kind of edge. */
export function tally(graph: Graph, seen: Visible): Record<"nodes" | EdgeKind, Tally> {
  const { nodes, edges, sealed, bundles } = graph.record;
  const closed = [...seen.closed.values()];
  const inside = (what: keyof Counts): number => closed.reduce((sum, counts) => sum + counts[what], 0);
  const counted = (what: keyof Counts): number => sealed.reduce((sum, part) => sum + part[what], 0);
  const result = {
    nodes: {
      drawn: seen.nodes.length + seen.beside.nodes.length,
      folded: inside("nodes"),
      total: nodes.length + counted("nodes"),
    },
  } as Record<"nodes" | EdgeKind, Tally>;
  for (const kind of EDGE_KINDS) {
    const lines = [...seen.bundles, ...seen.beside.stubs];
    const own = lines.filter((bundle) => bundle.kind === kind).map(bundled);
    const between = bundles.filter((bundle) => bundle.kind === kind);
    result[kind] = {
      drawn: own.filter((count) => count === 1).length,
      folded: inside(kind) + own.reduce((sum, count) => sum + (count > 1 ? count : 0), 0),
      total:
        edges.filter((edge) => edge.kind === kind).length +
        counted(kind) +
        between.reduce((sum, { count }) => sum + count, 0),
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

/** A picture that must fold something folds until it can be read at a glance, as the static picture does: to so many things. */
export const READABLE = 40;

/**
 * Scopes to close so that what is in `from` can be drawn; some may be closed already, and what repeats is, unless `unfold`.
 * If it is too much for `limit`, outer and small ones stay open, as the static picture has it: those alike all or none.
 */
export function autoCollapse(
  graph: Graph,
  limit = LIMIT,
  already: Iterable<string> = [],
  { from = ROOT, unfold = false } = {},
): string[] {
  const closed = new Set(already);
  const held = (path: string): number => graph.held.get(path)?.nodes ?? 0;
  const first = (path: string): number => graph.held.get(path)?.first ?? Infinity;
  const depth = (path: string): number => path.split("/").length;
  const own = (path: string): number =>
    (graph.scope.get(path)?.nodes.length ?? 0) + (graph.children.get(path)?.length ?? 0);
  let room = (held(from) <= limit ? Infinity : Math.min(limit, READABLE)) - own(from);
  const waiting: string[] = [];
  const offer = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (closed.has(child) || graph.sealed.has(child)) continue;
      if (graph.groups.has(child) && !unfold) closed.add(child);
      else waiting.push(child);
    }
  };
  offer(from);
  while (waiting.length > 0) {
    waiting.sort(
      (a, b) => depth(b) - depth(a) || held(b) - held(a) || first(b) - first(a) || (a < b ? 1 : -1),
    );
    const [next = ROOT] = waiting.slice(-1);
    const isAlike = (path: string): boolean => depth(path) === depth(next) && held(path) === held(next);
    const start = waiting.findLastIndex((path) => !isAlike(path)) + 1;
    const alike = waiting.splice(start).reverse();
    const more = alike.reduce((sum, path) => sum + own(path) - 1, 0);
    if (more <= Math.max(room, 0)) {
      room -= more;
      for (const path of alike) offer(path);
    } else for (const path of alike) closed.add(path);
  }
  return [...closed];
}

/** The closed scopes after one was opened: what is in it folds as the whole does, and others close if it is too much. */
export function afterOpening(graph: Graph, collapsed: readonly string[], path: string): string[] {
  const kept = collapsed.filter((other) => other !== path);
  const isLarge = (graph.held.get(ROOT)?.nodes ?? 0) > LIMIT;
  const inside = autoCollapse(graph, isLarge ? READABLE : LIMIT, kept, {
    from: path,
    unfold: graph.groups.has(path),
  });
  const closed = new Set(inside);
  const drawn = (at: string): number => {
    const parts = (graph.children.get(at) ?? []).map((child) =>
      closed.has(child) || graph.sealed.has(child) ? 1 : drawn(child),
    );
    return parts.reduce((sum, part) => sum + part, graph.scope.get(at)?.nodes.length ?? 0);
  };
  const around = new Set(ancestors(graph, path));
  const open = (at: string): string[] =>
    (graph.children.get(at) ?? []).filter((child) => !closed.has(child) && !graph.sealed.has(child));
  while (drawn(ROOT) > LIMIT) {
    // The largest that is not around what was opened, nor in it.
    const others = [...around].flatMap((at) => (at === path ? [] : open(at))).filter((at) => !around.has(at));
    const largest = others.reduce((best, at) => (drawn(at) > drawn(best) ? at : best), others[0] ?? "");
    if (others.length === 0) break;
    closed.add(largest);
  }
  return [...closed];
}

/** The scopes to open so that a node can be seen. */
export function pathTo(graph: Graph, id: number): string[] {
  return ancestors(graph, homeOf(graph, id));
}

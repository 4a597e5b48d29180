/** What is drawn when some scopes are closed. All else is counted: drawn + folded = total, always. */

import type { Translate } from "../i18n";
import { EDGE_KINDS, type EdgeKind, type EdgeRecord, type SealedRecord } from "../record";
import { SENDS, UNPLACED } from "./device-lanes";
import { ancestors, emptyBlocks, type Graph, homeOf, nodesUnder, ROOT, sealedUnder } from "./graph";
import { arrangeLanes, isDrawnLine, itemOf, overviewCollapse } from "./overview";
import type { Bundle, Counts, End, Visible } from "./visible";

export type { Bundle, Counts, End, Visible } from "./visible";

/** More drawn ends than this make a browser stutter: scopes close by themselves, and the rest is set aside. */
export const LIMIT = 500;

/** The path of the box for nodes that are set aside. No scope has it: names have no NUL and scopes no colon. */
export const REST = "\u0000:rest";

const none = (): Counts => ({ nodes: 0, data: 0, control: 0, reference: 0 });

/** How many edges a bundle stands for. */
export const bundled = ({ edges, more }: Bundle): number => edges.length + more;

/** beside: nodes set beside the graph; later: nodes that are not there yet, which nothing is drawn or counted for. */
export function visibleGraph(
  graph: Graph,
  collapsed: ReadonlySet<string>,
  limit = LIMIT,
  beside: readonly number[] = [],
  later: ReadonlySet<number> = new Set(),
): Visible {
  const out = new Set(beside.filter((id) => graph.node.has(id)));
  const left = (ids: number[]): number[] =>
    out.size + later.size > 0 ? ids.filter((id) => !out.has(id) && !later.has(id)) : ids;
  const isLater = (ids: number[]): boolean => ids.length > 0 && ids.every((id) => later.has(id));
  const visible: Visible = {
    open: [],
    closed: new Map(),
    nodes: [],
    blocks: [],
    bundles: [],
    shownAs: new Map([...out].map((id) => [id, id])),
    beside: { nodes: [...out], stubs: [] },
    carried: none(),
    lanes: null,
    counted: [],
  };
  const isCarried = (id: number): boolean => collapsed.has(SENDS) && graph.senders.has(id) && !out.has(id);
  const rest: { nodes: number[]; sealed: SealedRecord[] } = { nodes: [], sealed: [] };
  const walk = (path: string): void => {
    const isFull = (): boolean => visible.nodes.length + visible.closed.size >= limit;
    for (const id of left(graph.scope.get(path)?.nodes ?? [])) {
      if (isCarried(id)) continue;
      if (isFull()) rest.nodes.push(id);
      else {
        visible.nodes.push(id);
        visible.shownAs.set(id, id);
      }
    }
    for (const child of graph.children.get(path) ?? []) {
      if (later.size > 0 && isLater(nodesUnder(graph, child))) continue;
      if (isFull()) {
        rest.nodes.push(...left(nodesUnder(graph, child)));
        rest.sealed.push(...sealedUnder(graph, child));
      } else if (collapsed.has(child) || graph.sealed.has(child)) {
        close(child, left(nodesUnder(graph, child)), sealedUnder(graph, child));
      } else {
        visible.open.push(child);
        walk(child);
      }
    }
  };
  const close = (path: string, inside: number[], sealed: SealedRecord[]): void => {
    const own = inside.filter((id) => !isCarried(id));
    const counts = { ...none(), nodes: own.length };
    for (const id of own) visible.shownAs.set(id, path);
    for (const part of sealed) {
      visible.shownAs.set(part.id, path);
      for (const what of ["nodes", ...EDGE_KINDS] as const) counts[what] += part[what];
    }
    visible.closed.set(path, counts);
  };
  walk(ROOT);
  if (rest.nodes.length + rest.sealed.length > 0) close(REST, rest.nodes, rest.sealed);
  for (const [id, of] of graph.senders) {
    const end = visible.shownAs.get(of);
    if (!isCarried(id) || later.has(id) || end === undefined) continue;
    visible.shownAs.set(id, end);
    (visible.closed.get(String(end)) ?? visible.carried).nodes += 1;
  }
  const isStub = ({ source, target }: Bundle): boolean =>
    [source, target].some((end) => out.has(end as number));
  const lines = bundle(graph, visible);
  visible.bundles = lines.filter((line) => !isStub(line));
  visible.beside.stubs = lines.filter(isStub);
  // A loop's test goes to each of its variables: these lines tell nothing more, and cross all others.
  const isTest = ({ source, target }: Bundle): boolean =>
    graph.groups.get(String(target))?.kind === "loop_variable" &&
    graph.node.get(Number(source))?.type === "LoopCond";
  visible.counted = visible.bundles.filter(isTest);
  visible.bundles = visible.bundles.filter((line) => !isTest(line));
  const lanes = arrangeLanes(graph, visible);
  if (lanes) {
    visible.lanes = lanes;
    visible.counted = visible.bundles.filter((line) => !isDrawnLine(lanes, line));
    visible.bundles = visible.bundles.filter((line) => isDrawnLine(lanes, line));
  }
  // An empty block is the mistake to be seen: no scope hides it.
  visible.blocks = emptyBlocks(graph).map(({ id }) => id);
  return visible;
}

/** Joins the edges between drawn ends into lines; edges inside a closed scope are added to its counts. */
function bundle(graph: Graph, visible: Visible): Bundle[] {
  const lines: Bundle[] = [];
  const begin = (key: string, kind: EdgeKind, source: End, target: End): Bundle => {
    const line: Bundle = { key, kind, source, target, edges: [], more: 0 };
    lines.push(line);
    return line;
  };
  // Keyed by their ends: a string key for each of ten thousand edges would cost more than all else here.
  const known: Record<EdgeKind, Map<End, Map<End, Bundle>>> = {
    data: new Map(),
    control: new Map(),
    reference: new Map(),
  };
  const add = (kind: EdgeKind, from: number, to: number, edge: EdgeRecord | null, count: number): void => {
    const source = visible.shownAs.get(from);
    const target = visible.shownAs.get(to);
    if (source === undefined || target === undefined) return;
    if (graph.senders.has(to) && target !== to && (source !== target || typeof source === "number")) {
      visible.carried[kind] += count;
      return;
    }
    if (source === target && typeof source === "string") {
      const counts = visible.closed.get(source);
      if (counts) counts[kind] += count;
      return;
    }
    // Lines between the same ends have the same keys in the next picture. No path contains the separator.
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

/** Drawn, folded and total counts of nodes and of each kind of edge. */
export function tally(graph: Graph, visible: Visible): Record<"nodes" | EdgeKind, Tally> {
  const { nodes, edges, sealed, bundles } = graph.record;
  const closed = [...visible.closed.values()];
  const inside = (what: keyof Counts): number => closed.reduce((sum, counts) => sum + counts[what], 0);
  const counted = (what: keyof Counts): number => sealed.reduce((sum, part) => sum + part[what], 0);
  const result = {
    nodes: {
      drawn: visible.nodes.length + visible.beside.nodes.length,
      folded: inside("nodes") + visible.carried.nodes,
      total: nodes.length + counted("nodes"),
    },
  } as Record<"nodes" | EdgeKind, Tally>;
  for (const kind of EDGE_KINDS) {
    const lines = [...visible.bundles, ...visible.beside.stubs];
    const own = lines.filter((bundle) => bundle.kind === kind).map(bundled);
    const arriving = visible.counted.filter((bundle) => bundle.kind === kind);
    const between = bundles.filter((bundle) => bundle.kind === kind);
    result[kind] = {
      drawn: own.filter((count) => count === 1).length,
      folded:
        inside(kind) +
        visible.carried[kind] +
        arriving.reduce((sum, bundle) => sum + bundled(bundle), 0) +
        own.reduce((sum, count) => sum + (count > 1 ? count : 0), 0),
      total:
        edges.filter((edge) => edge.kind === kind).length +
        counted(kind) +
        between.reduce((sum, { count }) => sum + count, 0),
    };
  }
  return result;
}

/** What is drawn and what is counted, in one sentence. */
export function countsSentence(t: Translate, sums: ReturnType<typeof tally>): string {
  const edges = EDGE_KINDS.map((kind) => sums[kind]);
  const sum = (what: keyof Tally): number => edges.reduce((all, own) => all + own[what], 0);
  const { drawn, folded, total } = sums.nodes;
  return t("overview.counts", {
    nodes: total,
    drawn,
    folded,
    edges: sum("total"),
    lines: sum("drawn"),
    counted: sum("folded"),
  });
}

/** A graph of no more nodes than this is drawn in full: pruned nodes are part of the lesson. */
export const SMALL = 24;

/** In a larger graph, the outermost scopes in which no node runs and none is marked. */
export function idleScopes(graph: Graph, idle: ReadonlySet<number>, marked: ReadonlySet<number>): string[] {
  if (graph.record.nodes.length <= SMALL) return [];
  const idleOnes: string[] = [];
  const walk = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (nodesUnder(graph, child).every((id) => idle.has(id) && !marked.has(id))) idleOnes.push(child);
      else walk(child);
    }
  };
  walk(ROOT);
  return idleOnes;
}

/** A picture that must close scopes goes on until it has at most so many ends, as the static picture does. */
export const READABLE = 40;

/**
 * Scopes to close so that the content of `from` can be drawn: those of `already`, all groups unless `unfold`, and others.
 * Above `limit`, outer and small scopes stay open, as in the static picture; scopes alike are all open or all closed.
 */
export function autoCollapse(
  graph: Graph,
  limit = LIMIT,
  already: Iterable<string> = [],
  { from = ROOT, unfold = false } = {},
): string[] {
  if (graph.parts.size > 0 && from === ROOT && !unfold)
    return [...new Set([...already, ...overviewCollapse(graph)])];
  const closed = new Set(already);
  const contents = (path: string): number => graph.contents.get(path)?.nodes ?? 0;
  const isInLanes = graph.lanes.length > 0;
  if (isInLanes && from === ROOT) {
    closed.add(SENDS);
    if (graph.scope.has(UNPLACED)) closed.add(UNPLACED);
  }
  // Lanes side by side have little room each.
  const most = isInLanes ? Math.min(limit, 2 * READABLE) : limit;
  const first = (path: string): number => graph.contents.get(path)?.first ?? Infinity;
  const depth = (path: string): number => path.split("/").length;
  const own = (path: string): number =>
    (graph.scope.get(path)?.nodes.length ?? 0) + (graph.children.get(path)?.length ?? 0);
  let room = (contents(from) <= most ? Infinity : Math.min(most, READABLE)) - own(from);
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
      (a, b) => depth(b) - depth(a) || contents(b) - contents(a) || first(b) - first(a) || (a < b ? 1 : -1),
    );
    const [next = ROOT] = waiting.slice(-1);
    const isAlike = (path: string): boolean =>
      depth(path) === depth(next) && contents(path) === contents(next);
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

/** A scope of the overview that opens has about so many ends, and the others close. */
const OPENED = 24;

/** The closed scopes after one was opened: inner scopes close as in `autoCollapse`, others if the picture grows too large. */
export function afterOpening(graph: Graph, collapsed: readonly string[], path: string): string[] {
  const kept = collapsed.filter((other) => other !== path);
  const isLarge = (graph.contents.get(ROOT)?.nodes ?? 0) > LIMIT;
  const isOverview = graph.parts.size > 0;
  const inside = autoCollapse(graph, isOverview ? OPENED : isLarge ? READABLE : LIMIT, kept, {
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
  if (isOverview) {
    const own = itemOf(graph, path);
    for (const item of overviewCollapse(graph)) if (item !== own && !around.has(item)) closed.add(item);
  }
  const open = (at: string): string[] =>
    (graph.children.get(at) ?? []).filter((child) => !closed.has(child) && !graph.sealed.has(child));
  while (drawn(ROOT) > LIMIT) {
    // The largest scope that neither contains the opened one nor lies in it.
    const others = [...around].flatMap((at) => (at === path ? [] : open(at))).filter((at) => !around.has(at));
    const largest = others.reduce((best, at) => (drawn(at) > drawn(best) ? at : best), others[0] ?? "");
    if (others.length === 0) break;
    closed.add(largest);
  }
  return [...closed];
}

/** The scopes to open so that a node is drawn. */
export function pathTo(graph: Graph, id: number): string[] {
  return ancestors(graph, homeOf(graph, id));
}

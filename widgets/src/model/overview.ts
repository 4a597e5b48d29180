/**
 * The overview of a large graph: the way forward in columns from left to right, variables and gradients in the column of what
 * they belong to, and all else aside. Lines run inside a lane, from a variable to its column, and from gradients to the
 * optimizer; all other edges are counted where they arrive.
 */
import type { PartKind } from "../record";
import { ancestors, type Graph, homeOf, push, ROOT } from "./graph";
import type { Bundle, Column, End, Lane, Lanes, Visible } from "./visible";

const LANES: Partial<Record<PartKind, Lane>> = {
  gradients: "gradients",
  gradient: "gradients",
  variables: "variables",
  variable: "variables",
  optimizer: "optimizer",
  span: "forward",
};

/** The scopes that are no boxes when they are open: their content stands in a lane. */
export const isLane = (graph: Graph, path: string): boolean =>
  ["gradients", "variables", "variable"].includes(graph.parts.get(path)?.kind ?? "");

/** The part that a scope is, or that the members of a group are. */
export const partOf = (graph: Graph, path: string) =>
  graph.parts.get(path) ?? graph.parts.get(graph.groups.get(path)?.scopes[0] ?? "");

const chainOf = (graph: Graph, end: End): string[] =>
  ancestors(graph, typeof end === "number" ? homeOf(graph, end) : end);

export function laneOf(graph: Graph, end: End): Lane {
  const [, outermost] = chainOf(graph, end);
  if (outermost === undefined) return typeof end === "number" ? "forward" : "aside";
  const part = partOf(graph, outermost);
  return part ? (LANES[part.kind] ?? "aside") : "forward";
}

/** The item of the overview that an end is in: the outermost scope in its lane, or a node that is in none. */
export function itemOf(graph: Graph, end: End): End {
  const chain = chainOf(graph, end).slice(1);
  while (chain[0] !== undefined && isLane(graph, chain[0]) && chain[0] !== end) chain.shift();
  return chain[0] ?? end;
}

/** The items in topological order, each with the length of the longest way to it; a cycle is cut at its first item. */
function ranks(items: End[], edges: { from: End; to: End }[]): Map<End, number> {
  const after = new Map<End, Set<End>>();
  const waits = new Map<End, number>(items.map((item) => [item, 0]));
  for (const { from, to } of edges) {
    const known = after.get(from) ?? new Set();
    after.set(from, known);
    if (from === to || known.has(to)) continue;
    known.add(to);
    waits.set(to, (waits.get(to) ?? 0) + 1);
  }
  const rank = new Map<End, number>();
  const left = new Set(items);
  while (left.size > 0) {
    const next = [...left].find((item) => waits.get(item) === 0) ?? [...left][0];
    if (next === undefined) break;
    left.delete(next);
    rank.set(next, rank.get(next) ?? 0);
    for (const to of after.get(next) ?? []) {
      if (!left.has(to)) continue;
      rank.set(to, Math.max(rank.get(to) ?? 0, (rank.get(next) ?? 0) + 1));
      waits.set(to, (waits.get(to) ?? 1) - 1);
    }
  }
  return rank;
}

/**
 * The columns of items by rank. Of equal items with lines from below, each has a column of its own: a line to an upper item
 * would run behind the lower one.
 */
function spread(rank: ReadonlyMap<End, number>, alone: ReadonlySet<End>): Map<End, number> {
  const equal: End[][] = [];
  for (const [item, at] of rank) equal[at] = [...(equal[at] ?? []), item];
  const place = new Map<End, number>();
  let next = 0;
  for (const items of equal) {
    const first = next;
    for (const item of items ?? []) if (!alone.has(item)) place.set(item, first);
    for (const item of items ?? []) if (alone.has(item)) place.set(item, next++);
    next = Math.max(next, first + 1);
  }
  return place;
}

/** Puts what is drawn into lanes and columns; null in a graph without parts. */
export function arrangeLanes(graph: Graph, visible: Visible): Lanes | null {
  if (graph.parts.size === 0) return null;
  const known = new Map<End, End>();
  const item = (end: End): End => {
    const own = known.get(end) ?? itemOf(graph, end);
    known.set(end, own);
    return own;
  };
  const lanes = new Map<End, Lane>();
  const lane = (end: End): Lane => {
    const own = lanes.get(end) ?? laneOf(graph, end);
    lanes.set(end, own);
    return own;
  };
  const drawn = [...visible.nodes, ...visible.closed.keys(), ...visible.open];
  const first = (end: End): number =>
    typeof end === "number" ? end : (graph.contents.get(end)?.first ?? Infinity);
  const items = drawn.filter((end) => item(end) === end && !(isOpen(end) && isLane(graph, String(end))));
  items.sort((a, b) => first(a) - first(b));
  function isOpen(end: End): boolean {
    return typeof end === "string" && !visible.closed.has(end);
  }
  const inLane = (which: Lane): End[] => items.filter((end) => lane(end) === which);
  const forward = inLane("forward");
  const edges = visible.bundles.map(({ source, target }) => ({ from: item(source), to: item(target) }));
  const between = edges.filter(({ from, to }) => lane(from) === "forward" && lane(to) === "forward");
  const rank = ranks(forward, between);
  const consumers = new Map<End, End[]>();
  const fed = new Set<End>();
  for (const { from, to } of edges) {
    if (from === to || lane(to) !== "forward") continue;
    push(consumers, from, to);
    fed.add(to);
  }
  const least = (end: End): End | undefined =>
    consumers.get(end)?.reduce((best, to) => ((rank.get(to) ?? 0) < (rank.get(best) ?? 0) ? to : best));
  const names = new Map(
    items.flatMap((end) => (typeof end === "number" ? [[graph.node.get(end)?.name, end]] : [])),
  );
  const owner = (end: End): End | undefined => {
    const path = typeof end === "string" ? end : homeOf(graph, end);
    const of = partOf(graph, path)?.of ?? "";
    const found = of && (names.get(of) ?? chainOf(graph, of)[1]);
    return found !== undefined && rank.has(found) ? found : undefined;
  };
  // An input of a later layer stands under it, not at the far left.
  const laterInput = (end: End): End | undefined => {
    const over = typeof end === "number" && !fed.has(end) ? least(end) : undefined;
    return over !== undefined && (rank.get(over) ?? 0) > 1 ? over : undefined;
  };
  const under: [end: End, over: End | undefined][] = [
    ...forward.flatMap((end): [End, End][] => {
      const over = laterInput(end);
      return over === undefined ? [] : [[end, over]];
    }),
    ...inLane("variables").map((end): [End, End | undefined] => [end, owner(end) ?? least(end)]),
  ];
  const below = new Set(under.map(([end]) => end));
  const place = spread(rank, new Set(edges.flatMap(({ from, to }) => (below.has(from) ? to : []))));
  const columns: Column[] = [];
  const column = (at: number): Column => {
    while (columns.length <= at) columns.push({ forward: [], below: [], beside: [], gradients: [] });
    return columns[at] as Column;
  };
  column(0);
  for (const end of forward) if (!below.has(end)) column(place.get(end) ?? 0).forward.push(end);
  for (const [end, over] of under) {
    const own = column(over === undefined ? 0 : (place.get(over) ?? 0));
    own[over !== undefined && isOpen(over) ? "beside" : "below"].push(end);
  }
  const of = new Map<End, End>();
  for (const end of inLane("gradients")) {
    const own = owner(end);
    if (own !== undefined) of.set(end, own);
    column(own === undefined ? columns.length - 1 : (place.get(own) ?? 0)).gradients.push(end);
  }
  // Lines from below end at the lowest item of a column.
  const isOverVariables = (end: End): boolean =>
    edges.some(({ from, to }) => to === end && lane(from) === "variables");
  for (const column of columns)
    column.forward.sort((a, b) => Number(isOverVariables(a)) - Number(isOverVariables(b)));
  // Gradients flow to the left.
  const back = ranks([...inLane("gradients")], edges);
  for (const { gradients } of columns) gradients.sort((a, b) => (back.get(b) ?? 0) - (back.get(a) ?? 0));
  return {
    columns: columns.filter((own) => Object.values(own).some((ends) => ends.length > 0)),
    optimizer: inLane("optimizer"),
    aside: inLane("aside"),
    of,
    item,
    lane,
  };
}

/** Whether a line is drawn, or counted where it arrives. */
export function isDrawnLine({ columns, item, lane }: Lanes, { source, target }: Bundle): boolean {
  const [from, to] = [item(source), item(target)];
  const [a, b] = [lane(from), lane(to)];
  if (from === to) return true;
  if (a === b) return a === "forward" || a === "gradients";
  if (a === "variables" && b === "forward")
    return columns.some((own) => [...own.below, ...own.beside].includes(from) && own.forward.includes(to));
  return a === "gradients" && b === "optimizer" && from === source && to === target;
}

/** The most variables that stand on their own in the first view. */
const CYLINDERS = 12;
const IN_ONE = 3;

/** The scopes that are closed in the first view: all but the lanes, and variables as far as there is room. */
export function overviewCollapse(graph: Graph): string[] {
  const children = (path: string): string[] => graph.children.get(path) ?? [];
  const top = children(ROOT);
  const lanes: string[] = [];
  const addLanes = (paths: string[]): void => {
    for (const path of paths) {
      if (!["gradients", "variables"].includes(graph.parts.get(path)?.kind ?? "") || graph.sealed.has(path))
        continue;
      lanes.push(path);
      addLanes(children(path));
    }
  };
  addLanes(top);
  const count = (path: string): number => graph.contents.get(path)?.nodes ?? 0;
  // If all of the way forward is in one scope, that one is open.
  const forward = top.filter((path) => laneOf(graph, path) === "forward");
  const [only = ROOT, ...others] = forward.sort((a, b) => count(b) - count(a));
  const isOpen = (path: string): boolean =>
    path === only &&
    !graph.sealed.has(path) &&
    !graph.groups.has(path) &&
    children(path).length > 1 &&
    count(path) > 4 * others.reduce((sum, other) => sum + count(other), 0) &&
    children(path).length + (graph.scope.get(path)?.nodes.length ?? 0) <= CYLINDERS;
  let room = CYLINDERS;
  const closed: string[] = [];
  for (const path of [...top, ...lanes.flatMap(children)].filter((path) => !lanes.includes(path))) {
    if (isOpen(path)) {
      closed.push(...children(path));
      continue;
    }
    const isVariable = graph.parts.get(path)?.kind === "variable" && children(path).length === 0;
    if (isVariable && !graph.sealed.has(path) && count(path) <= Math.min(IN_ONE, room)) room -= count(path);
    else closed.push(path);
  }
  // Variables in no scope, and gradients of nodes in none, are one card if they are many.
  for (const path of lanes) if ((graph.scope.get(path)?.nodes.length ?? 0) > CYLINDERS) closed.push(path);
  return closed;
}

/** How many counted edges arrive at each item, without those from a scope to its gradient, which the tie between them tells. */
export function arrivingEdges(
  lanes: Lanes,
  counted: Bundle[],
): Record<"arriving" | "tied", Map<End, number>> {
  const found = { arriving: new Map<End, number>(), tied: new Map<End, number>() };
  for (const { source, target, edges, more } of counted) {
    const to = lanes.item(target);
    const counts = lanes.of.get(to) === lanes.item(source) ? found.tied : found.arriving;
    counts.set(to, (counts.get(to) ?? 0) + edges.length + more);
  }
  return found;
}

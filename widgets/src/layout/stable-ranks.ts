/** Ranks for a level that was drawn before, or is too large for the best ranks: by the longest path, keeping known rows. */
import type { Graph } from "@dagrejs/dagre";
import type { Placed } from "./level-types";

/** Beyond this many items, the time for the best ranks grows too fast. */
export const MANY = 120;

/** The former position of an item: its row, and its x. */
export interface RowPlace {
  row: number;
  place: number;
}

/** The rows of a placed level: items whose middles have the same y. */
export function rowPlaces(placed: Placed | undefined): Map<string, RowPlace> {
  const places = new Map<string, RowPlace>();
  for (const [key, { x, y, h }] of placed?.boxes ?? [])
    if (!placed?.alone.has(key)) places.set(key, { row: Math.round(y + h / 2), place: x });
  return places;
}

interface Gap {
  to: string;
  least: number;
}

/** Two ranks a row: dagre doubles the length of edges to make room for labels. */
const ROW = 2;

/** A ranker for dagre: the items of a known row stay in one row, and rows keep their order, if the edges allow it. */
export function ranker(known: Map<string, RowPlace>, widest: number): (graph: Graph) => void {
  return (graph) => {
    if (!assign(graph, known)) assign(graph, new Map());
    if (known.size === 0) split(graph, widest);
  };
}

interface Ranked {
  rank?: number;
  width?: number;
}

/** Splits a row that is too wide to be read: no item of a row depends on another one. */
function split(graph: Graph, widest: number): void {
  const rows = new Map<number, Ranked[]>();
  for (const node of graph.nodes()) {
    const label = graph.node(node) as Ranked;
    const row = rows.get(label.rank ?? 0) ?? [];
    row.push(label);
    rows.set(label.rank ?? 0, row);
  }
  let shift = 0;
  for (const [rank, row] of [...rows].sort(([a], [b]) => a - b)) {
    const total = row.reduce((sum, { width = 0 }) => sum + width, 0);
    const parts = total > widest ? Math.ceil((total * 1.4) / widest) : 1;
    let soFar = 0;
    for (const label of row) {
      const part = Math.min(parts - 1, Math.floor((soFar * parts) / Math.max(1, total)));
      // An item without width is a port or a helper: it stays next to its edge.
      const isThing = (label.width ?? 0) > 8;
      label.rank = rank + shift + (isThing ? part * ROW : 0);
      soFar += label.width ?? 0;
    }
    shift += (parts - 1) * ROW;
  }
}

function assign(graph: Graph, known: Map<string, RowPlace>): boolean {
  const rowOf = (node: string): string => {
    const row = known.get(node)?.row;
    return row === undefined ? `n${node}` : `r${row}`;
  };
  const after = new Map<string, Gap[]>(graph.nodes().map((node) => [rowOf(node), []]));
  const waits = new Map<string, number>([...after.keys()].map((row) => [row, 0]));
  const pull = new Map<string, number>();
  const join = (from: string, to: string, least: number): void => {
    after.get(from)?.push({ to, least });
    waits.set(to, (waits.get(to) ?? 0) + 1);
  };
  for (const edge of graph.edges()) {
    const { minlen = 1, weight = 1 } = graph.edge(edge) as { minlen?: number; weight?: number };
    const [from, to] = [rowOf(edge.v), rowOf(edge.w)];
    if (from === to) return false;
    join(from, to, minlen);
    pull.set(from, (pull.get(from) ?? 0) + weight);
    pull.set(to, (pull.get(to) ?? 0) - weight);
  }
  const rows = [...new Set([...known].filter(([node]) => graph.hasNode(node)).map(([, { row }]) => row))];
  rows.sort((a, b) => a - b);
  for (const [i, row] of rows.slice(1).entries()) join(`r${rows[i]}`, `r${row}`, ROW);

  const rank = new Map<string, number>();
  const order = [...waits].filter(([, count]) => count === 0).map(([row]) => row);
  for (let i = 0; i < order.length; i += 1) {
    const row = order[i] ?? "";
    const at = rank.get(row) ?? 0;
    rank.set(row, at);
    for (const { to, least } of after.get(row) ?? []) {
      rank.set(to, Math.max(rank.get(to) ?? 0, at + least));
      const left = (waits.get(to) ?? 0) - 1;
      waits.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  if (order.length < after.size) return false;
  // An item with more outgoing than incoming edges is put just above its consumers.
  for (const row of order.toReversed()) {
    const gaps = after.get(row) ?? [];
    if (row.startsWith("n") && gaps.length > 0 && (pull.get(row) ?? 0) > 0)
      rank.set(row, Math.min(...gaps.map(({ to, least }) => (rank.get(to) ?? 0) - least)));
  }
  for (const node of graph.nodes()) {
    const label = graph.node(node) as { rank?: number };
    label.rank = rank.get(rowOf(node)) ?? 0;
  }
  return true;
}

/** Restores the former order of a row, in the places that dagre assigned. */
export function keepOrder(graph: Graph, known: Map<string, RowPlace>): void {
  const rows = new Map<number, { node: string; order: number; place: number }[]>();
  for (const [node, { place }] of known) {
    const label = graph.hasNode(node) ? (graph.node(node) as { rank?: number; order?: number }) : null;
    if (label?.rank === undefined || label.order === undefined) continue;
    const row = rows.get(label.rank) ?? [];
    row.push({ node, order: label.order, place });
    rows.set(label.rank, row);
  }
  for (const row of rows.values()) {
    const free = row.map(({ order }) => order).sort((a, b) => a - b);
    row.sort((a, b) => a.place - b.place);
    for (const [i, { node }] of row.entries()) (graph.node(node) as { order: number }).order = free[i] ?? i;
  }
}

/** Puts the left one of each pair that came into one row directly before the right one, if it is behind it. */
export function putBeside(graph: Graph, pairs: [string, string][]): void {
  // A move may separate a pair that was in order: as many rounds as there are pairs.
  for (const [left, right] of pairs.flatMap(() => pairs)) {
    const [one, other] = [left, right].map((node) => graph.node(node) as { rank: number; order: number });
    if (!one || !other || one.rank !== other.rank || one.order < other.order) continue;
    const [from, to] = [other.order, one.order];
    for (const node of graph.nodes()) {
      const label = graph.node(node) as { rank?: number; order?: number };
      const { rank, order = -1 } = label;
      if (rank === one.rank && from <= order && order < to) label.order = order + 1;
    }
    one.order = from;
  }
}

/** The neighbours in each row, from left to right. */
export function neighbours(
  known: Map<string, RowPlace>,
  isThere: (node: string) => boolean,
): [string, string][] {
  const here = [...known].filter(([node]) => isThere(node));
  here.sort(([, a], [, b]) => a.row - b.row || a.place - b.place);
  return here.slice(1).flatMap(([node, { row }], i): [string, string][] => {
    const [before, at] = here[i] ?? ["", { row: -1 }];
    return at.row === row ? [[before, node]] : [];
  });
}

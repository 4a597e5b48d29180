/**
 * How large a picture will be, without laying it out: the rows of each level by the longest way, inner levels first. Plain data
 * in and out. A layout takes a hundred times as long.
 */
import { gapsOf, PAD } from "./gaps";
import type { Size } from "./geometry";
import type { LevelPlan, Plan } from "./place-levels";
import { ranksOf } from "./ranks";

export function estimateSize({ levels, turned }: Plan): Size {
  const inner = new Map<string, Map<string, Size>>();
  let root: Size = { w: 0, h: 0 };
  for (const level of levels) {
    const { w, h } = contentSize(level, inner.get(level.path) ?? new Map());
    const { title, around } = level;
    const frame = turned
      ? { w: w + 2 * PAD + title.h, h: Math.max(h, title.w) + 2 * PAD }
      : { w: Math.max(w, title.w) + 2 * PAD, h: h + 2 * PAD + title.h };
    if (!around) root = frame;
    else inner.set(around.path, (inner.get(around.path) ?? new Map()).set(around.item, frame));
  }
  return turned ? { w: root.h, h: root.w } : root;
}

function contentSize(level: LevelPlan, inner: ReadonlyMap<string, Size>): Size {
  const { items, edges, ports, beside } = level;
  const gaps = gapsOf(level.tight);
  const rank = rowsOf([...items.keys()], edges);
  const touched = new Set([
    ...edges.flatMap(({ from, to }) => [from, to]),
    ...ports.map(({ item }) => item),
    ...beside.flat(),
  ]);
  const rows = new Map<number, Size>();
  const widen = (row: number, w: number, h: number): void => {
    const own = rows.get(row) ?? { w: -gaps.node, h: 0 };
    rows.set(row, { w: own.w + w + gaps.node, h: Math.max(own.h, h) });
  };
  let aside = 0;
  for (const [key, own] of items) {
    const size = inner.get(key) ?? own;
    if (touched.has(key)) widen(rank.get(key) ?? 0, size.w, size.h);
    else aside += (size.w + gaps.node) * (size.h + gaps.node);
  }
  for (const { from, to } of edges)
    for (let row = (rank.get(from) ?? 0) + 1; row < (rank.get(to) ?? 0); row += 1) widen(row, 0, 0);
  const all = [...rows.values()];
  const h = all.reduce((sum, row) => sum + row.h + gaps.rank, -gaps.rank);
  const w = Math.max(0, ...all.map((row) => row.w));
  const column = Math.max(h, Math.sqrt(aside * 0.6));
  return { w: w + (aside > 0 ? aside / column : 0), h: aside > 0 ? column : Math.max(0, h) };
}

/** The row of each item; one that nothing enters stands just above what it goes to. */
function rowsOf(items: string[], edges: LevelPlan["edges"]): Map<string, number> {
  const steps = edges.map(({ from, to }) => ({ above: from, below: to }));
  const rows = ranksOf(items, steps);
  const entered = new Set(edges.map(({ to }) => to));
  for (const item of items) {
    const below = steps.filter(({ above }) => above === item).map((step) => rows.get(step.below) ?? 0);
    if (!entered.has(item) && below.length > 0) rows.set(item, Math.min(...below) - 1);
  }
  return rows;
}

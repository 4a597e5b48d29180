/** The marks of the explorer's tools on a picture: search hits, traced inputs and outputs, pins. */

import { s } from "../base/dom";
import type { Context } from "../context";
import { iconPill, pill } from "../draw/badge";
import type { Direction, Reach } from "../explore/reach";
import type { Box } from "../layout/geometry";
import type { End } from "../model/collapse";
import { push } from "../model/graph";
import { boxOf, type Drawing, endKey } from "./paint";

export interface ExplorerMarks {
  hits: readonly number[];
  /** The current hit. */
  current: number | null;
  reach: Partial<Record<Direction, Reach>>;
  /** The node whose inputs and outputs are traced. */
  from: number | null;
  pins: readonly number[];
  /** The chosen scope. */
  scope: string | null;
  /** What the colours say of an end, by its key. */
  told: ReadonlyMap<string, string>;
}

export const NO_MARKS: ExplorerMarks = {
  hits: [],
  current: null,
  reach: {},
  from: null,
  pins: [],
  scope: null,
  told: new Map(),
};

/** The arrows against the flow and with it, as the picture runs. */
const ARROWS: Record<"down" | "right", Record<Direction, string>> = {
  down: { inputs: "↑", outputs: "↓" },
  right: { inputs: "←", outputs: "→" },
};

/** Draws the marks; `shownAs` returns what is drawn for a node. Nothing is laid out again. */
export function showExplorerMarks(
  ctx: Context,
  drawn: Drawing,
  finds: ExplorerMarks,
  shownAs: (id: number) => End | undefined,
): void {
  const layer = drawn.finds;
  layer.replaceChildren();
  const texts = new Map<string, string[]>();
  const say = (end: End, words: string): void => {
    push(texts, endKey(end), words);
  };
  const { text } = drawn.words;

  for (const [key, words] of finds.told) texts.set(key, [words]);
  const chosen = drawn.scene.closed.get(finds.scope ?? "") ?? drawn.scene.open.get(finds.scope ?? "");
  // Rings lie under the numbers that the colours write.
  const rings = s("g", { class: "rings" });
  drawn.over.querySelector(".rings")?.remove();
  drawn.colours.before(rings);
  if (chosen) rings.append(ring("chosen-ring", chosen, 3));
  for (const [end, ids] of grouped(finds.hits, shownAs)) {
    const box = boxOf(drawn, end);
    if (!box) continue;
    const isCurrent = finds.current !== null && ids.includes(finds.current);
    const words = typeof end === "string" ? String(ids.length) : "";
    rings.append(ring(isCurrent ? "hit-ring now" : "hit-ring", box));
    layer.append(iconPill("hit", box.x + box.w - (words ? 14 : 3), box.y - 1, "find", words, text(words)));
    say(end, typeof end === "string" ? ctx.t("search.holds", { n: ids.length }) : ctx.t("search.is_hit"));
  }

  const traced = new Set<End>(finds.from === null ? [] : [shownAs(finds.from) ?? -1]);
  const edges = new Set<number>();
  for (const direction of ["inputs", "outputs"] as const) {
    const reach = finds.reach[direction];
    if (!reach) continue;
    for (const id of reach.edges) edges.add(id);
    for (const [end, ids] of grouped([...reach.nodes.keys()], shownAs)) {
      const box = boxOf(drawn, end);
      if (!box) continue;
      traced.add(end);
      const nearest = Math.min(...ids.map((id) => reach.nodes.get(id) ?? 1));
      const words = `${ARROWS[drawn.scene.turned ? "right" : "down"][direction]}${nearest}`;
      const y = direction === "inputs" ? box.y + box.h / 2 - 9 : box.y + box.h / 2 + 9;
      layer.append(pill(`reach-${direction}`, box.x + box.w, y, words, text(words)));
      say(end, ctx.t(`trace.is_${direction}`, { n: nearest }));
    }
  }
  for (const { item, group } of drawn.marks.values()) {
    const end = item.kind === "node" ? item.id : item.kind === "scope" ? item.path : null;
    const isOpen = typeof end === "string" && drawn.areas.has(end);
    group.toggleAttribute("data-off", traced.size > 0 && end !== null && !isOpen && !traced.has(end));
  }
  for (const { line, group } of drawn.lines.values()) {
    const isTraced = line.bundle.edges.some(({ id }) => edges.has(id));
    group.toggleAttribute("data-traced", isTraced);
    group.toggleAttribute("data-off", traced.size > 0 && !isTraced);
  }

  for (const [end, ids] of grouped(finds.pins, shownAs)) {
    const box = boxOf(drawn, end);
    if (!box) continue;
    const words = typeof end === "string" ? String(ids.length) : "";
    layer.append(iconPill("pin", box.x + box.w / 2, box.y - 2, "pin", words, text(words)));
    say(end, typeof end === "string" ? ctx.t("pin.holds", { n: ids.length }) : ctx.t("pin.is_pinned"));
  }
  for (const [key, { group }] of drawn.marks) {
    const words = texts.get(key);
    if (words) group.setAttribute("aria-description", words.join(" · "));
    else group.removeAttribute("aria-description");
  }
}

/** The nodes by what is drawn for them. */
function grouped(ids: readonly number[], shownAs: (id: number) => End | undefined): Map<End, number[]> {
  const groups = new Map<End, number[]>();
  for (const id of ids) {
    const end = shownAs(id);
    if (end !== undefined) push(groups, end, id);
  }
  return groups;
}

function ring(className: string, { x, y, w, h }: Box, by = 5): SVGElement {
  const place = { x: x - by, y: y - by, width: w + 2 * by, height: h + 2 * by };
  return s("rect", { class: className, ...place, rx: 10 });
}

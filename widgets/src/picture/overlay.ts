/** What a picture shows of the thing that is looked at: its lines, their texts, and the nodes of its gradient. */
import { s } from "../dom";
import { tag } from "../draw/badge";
import { along } from "../draw/curve";
import { type Graph, homeOf, nodesUnder, partners, ROOT } from "../graph";
import type { Thing } from "../parts/thing";
import type { Frame } from "../replay";
import { boxOf, type Drawn, endKey, endOf } from "./paint";
import { isMany } from "./words";

/** Marks the lines of a thing and writes on them what flows there. */
export function showNear({ lines, overlay, words }: Drawn, shown: Thing | null): void {
  overlay.replaceChildren();
  for (const { group } of lines.values()) group.removeAttribute("data-near");
  if (!shown) return;
  for (const { line, group } of lines.values()) {
    const { bundle } = line;
    const near =
      shown.kind === "edge"
        ? bundle === shown.bundle
        : bundle.source === endOf(shown) || bundle.target === endOf(shown);
    if (!near) continue;
    group.setAttribute("data-near", "");
    const isTold = isMany(bundle) ? line.cable === null : bundle.kind === "control";
    if (line.label || isTold) continue;
    const at = along(line.points, 0.45, line.turned);
    overlay.append(tag("edge-text", at.x, at.y, words.text(words.label(bundle)), words.label(bundle)));
  }
}

/** The nodes that are marked as such on a picture, and what is tied. */
const tied = new WeakMap<Drawn, { as: string; marked: Set<SVGGElement> }>();

/** Ties a node to the nodes of its gradient, or these to it. */
export function showPairs(drawn: Drawn, graph: Graph, id: number | null, frame: Frame | null): void {
  const { marks, pairs, scene, seen } = drawn;
  const end = id === null ? undefined : seen.stand.get(id);
  const from = boxOf(drawn, end);
  const others =
    id === null || !from ? [] : partners(graph, id).filter((other) => frame?.state.get(other) !== "absent");
  const drawnFor = new Set(others.map((other) => seen.stand.get(other)));
  // One line to the box that holds just them says the same as one to each.
  const home = homeOf(graph, others[0] ?? -1);
  const whole = others.length > 0 && home !== ROOT ? scene.open.get(home) : undefined;
  const isWhole = whole !== undefined && nodesUnder(graph, home).every((inside) => others.includes(inside));
  const before = tied.get(drawn);
  // Most steps tie what is tied already: many nodes stand behind one drawn thing.
  const as = JSON.stringify([end, isWhole && home, ...drawnFor]);
  if (as === before?.as) return;
  for (const group of before?.marked ?? []) group.removeAttribute("data-partner");
  const marked = new Set<SVGGElement>();
  tied.set(drawn, { as, marked });
  pairs.replaceChildren();
  if (!from) return;
  for (const other of drawnFor) {
    const group = other === undefined ? undefined : marks.get(endKey(other))?.group;
    if (!group) continue;
    group.setAttribute("data-partner", "");
    marked.add(group);
  }
  const ends = isWhole ? [whole] : [...drawnFor].map((other) => boxOf(drawn, other));
  for (const to of new Set(ends)) {
    if (!to || to === from) continue;
    const right = from.x + from.w / 2 < to.x + to.w / 2;
    const [x, end] = right ? [from.x + from.w, to.x] : [from.x, to.x + to.w];
    const [y, below] = [from.y + from.h / 2, to.y + to.h / 2];
    const bend = Math.max(24, Math.abs(end - x) / 2) * (right ? 1 : -1);
    const d = `M${x} ${y}C${x + bend} ${y} ${end - bend} ${below} ${end} ${below}`;
    pairs.append(s("path", { class: "pair under", d }), s("path", { class: "pair", d }));
  }
}

/** What a picture shows of the item pointed at: its lines with their texts, and the nodes of its gradient. */
import { s } from "../base/dom";
import { tag } from "../draw/badge";
import { pointAlong } from "../draw/edge-path";
import type { Box } from "../layout/geometry";
import { type Graph, gradientPartners, homeOf, nodesUnder, ROOT } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import { isMany } from "./labels";
import { boxOf, type Drawing, endKey, endOf } from "./paint";

/** Highlights the lines of an item and writes on them what flows there. */
export function showInspected({ lines, overlay, words }: Drawing, item: GraphItem | null): void {
  overlay.replaceChildren();
  for (const { group } of lines.values()) group.removeAttribute("data-near");
  if (!item) return;
  for (const { line, group } of lines.values()) {
    const { bundle } = line;
    const near =
      item.kind === "edge"
        ? bundle === item.bundle
        : bundle.source === endOf(item) || bundle.target === endOf(item);
    if (!near) continue;
    group.setAttribute("data-near", "");
    const isTold = isMany(bundle) ? line.cable === null : bundle.kind === "control";
    if (line.label || isTold) continue;
    const at = pointAlong(line.points, 0.45, line.turned);
    overlay.append(tag("edge-text", at.x, at.y, words.text(words.label(bundle)), words.label(bundle)));
  }
}

/** The pairs drawn on each picture. */
const tied = new WeakMap<Drawing, string>();

const ring = ({ x, y, w, h }: Box, end: string): SVGElement =>
  s("rect", { class: "pair", x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: 9, "data-partner": end });

/** Connects a node with the nodes of its gradient, or these with it, and rings them. */
export function showGradientPairs(
  drawn: Drawing,
  graph: Graph,
  id: number | null,
  frame: Frame | null,
): void {
  const { pairs, scene, visible } = drawn;
  const end = id === null ? undefined : visible.shownAs.get(id);
  const from = boxOf(drawn, end);
  const others =
    id === null || !from
      ? []
      : gradientPartners(graph, id).filter((other) => frame?.state.get(other) !== "absent");
  const drawnFor = new Set(others.map((other) => visible.shownAs.get(other)));
  // One line to the box that holds only them says the same as one line to each.
  const home = homeOf(graph, others[0] ?? -1);
  const homeBox = others.length > 0 && home !== ROOT ? scene.open.get(home) : undefined;
  const isWhole = homeBox !== undefined && nodesUnder(graph, home).every((inside) => others.includes(inside));
  // Most steps connect what is connected already: one drawn end stands for many nodes.
  const as = JSON.stringify([end, isWhole && home, ...drawnFor]);
  if (as === tied.get(drawn)) return;
  tied.set(drawn, as);
  pairs.replaceChildren();
  if (!from) return;
  for (const other of drawnFor) {
    const box = boxOf(drawn, other);
    if (box && other !== undefined) pairs.append(ring(box, endKey(other)));
  }
  const ends = isWhole ? [homeBox] : [...drawnFor].map((other) => boxOf(drawn, other));
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

/** Draws a widget's highlights: the numbered path to a node, and the pairs of nodes that race. */

import { s } from "../base/dom";
import { circle, tag } from "../draw/badge";
import { drawRace } from "../draw/race-sign";
import type { End } from "../model/collapse";
import type { Highlights } from "../model/highlights";
import { boxOf, type Drawing, endKey } from "./paint";

export function showPathAndRaces(drawn: Drawing, highlights: Highlights): void {
  const old = drawn.over.querySelector(".pointed");
  if (!old && highlights.path.length + highlights.races.length === 0) return;
  old?.remove();
  const layer = s("g", { class: "overlay pointed" });
  drawn.over.append(layer);
  showPath(drawn, highlights.path, layer);
  showRaces(drawn, highlights, layer);
}

function showPath(
  { visible, lines, marks, scene }: Drawing,
  path: readonly number[],
  layer: SVGGElement,
): void {
  const ends = path.map((id) => visible.shownAs.get(id));
  for (const { group } of marks.values()) group.removeAttribute("data-way");
  ends.forEach((end, i) => {
    if (end === undefined || ends.indexOf(end) < i) return;
    marks.get(endKey(end))?.group.setAttribute("data-way", "");
    const box = boxOf({ scene } as Drawing, end);
    if (box && path.length > 1) layer.append(circle("way", box.x + box.w / 2, box.y + box.h, `${i + 1}`));
  });
  const steps = new Set(path.slice(1).flatMap((id, i) => [`${path[i]} ${id}`, `${id} ${path[i]}`]));
  for (const { line, group } of lines.values()) {
    const isOnIt = line.bundle.edges.some(({ source, target }) => steps.has(`${source} ${target}`));
    group.toggleAttribute("data-way", isOnIt);
  }
}

function showRaces(drawn: Drawing, { races }: Highlights, layer: SVGGElement): void {
  for (const { group } of drawn.marks.values()) group.removeAttribute("data-racing");
  const tags: SVGGElement[] = [];
  // Several races between the same two boxes share one sign, with a line of text for each.
  const lineCounts = new Map<string, number>();
  for (const { first, second, words } of races) {
    const ends: (End | undefined)[] = [first, second].map((id) => drawn.visible.shownAs.get(id));
    const [one, other] = ends.map((end) => drawn.outlines.get(Number(end)) ?? boxOf(drawn, end));
    if (!one || !other) continue;
    for (const end of ends) {
      if (end !== undefined) drawn.marks.get(endKey(end))?.group.setAttribute("data-racing", "");
    }
    const race = drawRace(one, other, drawn.scene);
    if (race) layer.append(race.group);
    const { x, y } = race?.middle ?? { x: one.x + one.w / 2, y: one.y };
    const place = ends.map(String).sort().join(" ");
    const row = lineCounts.get(place) ?? 0;
    lineCounts.set(place, row + 1);
    tags.push(tag("race-tag", x, y + 20 * row, drawn.words.text(words), words));
  }
  layer.append(...tags);
}

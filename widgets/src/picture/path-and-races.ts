/** Draws a widget's highlights: the numbered path to a node, and the pairs of nodes that race. */

import { s } from "../base/dom";
import { circle, tag } from "../draw/badge";
import { CHIP, chipBox } from "../draw/chip";
import { drawRace } from "../draw/race-sign";
import { TITLE } from "../draw/scope";
import type { Box } from "../layout/geometry";
import { boxAround, grown, routeRace } from "../layout/race-route";
import type { End } from "../model/collapse";
import type { Highlights } from "../model/highlights";
import { boxOf, type Drawing, endKey } from "./paint";

/** The room of a sign at a node's corner, of a line of text, and of what stands beside the title of a scope. */
const BADGE = 18;
const LINE = 20;
const TITLE_ROOM = { w: 32, h: 28 };

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

/** What the sign of a race must not cover: texts, values and signs, where they are now or may be at another step. */
function coveredBoxes({ scene, outlines, flags, shown, words }: Drawing): Box[] {
  const corner = (x: number, y: number): Box => boxAround({ x, y }, { w: BADGE, h: BADGE });
  const ofNodes = [...outlines].flatMap(([id, box]) => {
    const [top, value] = [box.y + (words.isVariable(id) ? 8 : 0), shown?.widest.get(id)];
    const middle = { x: box.x + box.w / 2, y: box.chip };
    return [
      grown(box, -2),
      ...(shown ? [corner(box.x + 4, top), corner(box.x + box.w - 4, top)] : []),
      ...(value !== undefined && !words.isVariable(id) ? [chipBox(middle, words.text(value, CHIP))] : []),
    ];
  });
  const titles = [...scene.open].map(([path, { x, y }]) => ({
    x,
    y,
    w: words.text(words.title(path), TITLE) + TITLE_ROOM.w,
    h: TITLE_ROOM.h,
  }));
  const cards = [...scene.closed.values(), ...scene.blocks.values()].map((box) => grown(box, -2));
  return [...ofNodes, ...flags.values(), ...titles, ...cards];
}

function showRaces(drawn: Drawing, { races }: Highlights, layer: SVGGElement): void {
  for (const { group } of drawn.marks.values()) group.removeAttribute("data-racing");
  // Several races between the same two boxes share one sign, with a line of text for each.
  const pairs = new Map<string, { ends: (End | undefined)[]; lines: string[] }>();
  for (const { first, second, words } of races) {
    const ends = [first, second].map((id) => drawn.visible.shownAs.get(id));
    const key = ends.map(String).sort().join(" ");
    const known = pairs.get(key);
    if (known) known.lines.push(words);
    else pairs.set(key, { ends, lines: [words] });
  }
  if (pairs.size === 0) return;
  const tags: SVGGElement[] = [];
  const covered = coveredBoxes(drawn);
  for (const { ends, lines } of pairs.values()) {
    const [one, other] = ends.map((end) => drawn.outlines.get(Number(end)) ?? boxOf(drawn, end));
    if (!one || !other) continue;
    for (const end of ends) {
      if (end !== undefined) drawn.marks.get(endKey(end))?.group.setAttribute("data-racing", "");
    }
    const widths = lines.map((line) => drawn.words.text(line));
    const size = { w: Math.max(...widths) + 12, h: LINE * lines.length };
    const route = routeRace(one, other, drawn.scene, covered, size);
    if (route) layer.append(drawRace(route));
    const { x, y } = route?.text ?? { x: one.x + one.w / 2, y: one.y };
    covered.push(boxAround({ x, y }, size));
    const top = y - (LINE * (lines.length - 1)) / 2;
    tags.push(...lines.map((line, i) => tag("race-tag", x, top + LINE * i, widths[i] ?? 0, line)));
  }
  layer.append(...tags);
}

/** Colours the nodes of a picture by their classes: each class has a colour, a pattern and a letter. */

import { s } from "../base/dom";
import { circle } from "../draw/badge";
import type { Colouring } from "../explore/node-classes";
import type { End } from "../model/collapse";
import { boxOf, type Drawing } from "./paint";

/** The lines of each pattern in a square of 8, so that no reader depends on colour. */
const PATTERNS = [
  "",
  "M-2 10 10 -2M-2 2 2 -2M6 10 10 6",
  "M-2 -2 10 10M6 -2 10 2M-2 6 2 10",
  "M0 4H8",
  "M4 0V8",
  "M2 3.5h3M6 7.5h3",
  "M0 4H8M4 0V8",
  "M-2 -2 10 10M-2 10 10 -2",
];

const patternId = (prefix: string, place: number): string => `${prefix}-class-${place}`;

/** The patterns of some classes, for the `<defs>` of a drawing. */
export function classFillings(prefix: string, places: Iterable<number>): SVGElement {
  const patterns = [...places].map((place) =>
    s(
      "pattern",
      {
        id: patternId(prefix, place),
        width: 8,
        height: 8,
        patternUnits: "userSpaceOnUse",
        class: `filling of-${place}`,
      },
      s("rect", { width: 8, height: 8 }),
      s("path", { d: PATTERNS[place] ?? "" }),
    ),
  );
  return s("defs", {}, ...patterns);
}

export function fill(element: SVGElement, prefix: string, place: number): void {
  element.style.fill = `url(#${patternId(prefix, place)})`;
  element.style.stroke = `var(--class-${place})`;
}

/** The sample of a class for the legend, with its own copy of the pattern, as the picture may be redrawn. */
export function classSample(prefix: string, place: number, words: string): SVGElement {
  const own = `${prefix}-legend`;
  const box = s("rect", { class: "shape", x: 8, y: 4, width: 30, height: 20, rx: 5 });
  fill(box, own, place);
  return s(
    "svg",
    { class: "sample", width: 42, height: 28, viewBox: "0 0 42 28", "aria-hidden": "true" },
    classFillings(own, [place]),
    box,
    letter(words, place, 10, 9),
  );
}

/** Colours everything anew and returns the classes that occur; `shownAs` returns what is drawn for a node. */
export function tint(
  prefix: string,
  drawn: Drawing,
  { classes, node, scope }: Colouring,
  nodes: Iterable<number>,
  shownAs: (id: number) => End | undefined,
): Set<number> {
  const { colours } = drawn;
  colours.replaceChildren();
  drawn.svg.querySelector("defs.fillings")?.remove();
  for (const shape of drawn.svg.querySelectorAll<SVGElement>(".shape, .card, .scope.open > .area")) {
    shape.style.fill = "";
    shape.style.stroke = "";
  }
  const used = new Set<number>();
  drawn.svg.toggleAttribute("data-coloured", classes.length > 0);
  if (classes.length === 0) return used;
  const use = (place: number): string => {
    used.add(place);
    return classes[place]?.letter ?? "?";
  };
  for (const [id, box] of drawn.scene.nodes) {
    const place = node(id);
    const shape = drawn.marks.get(`node ${id}`)?.group.querySelector<SVGElement>(".shape");
    if (place === undefined || !shape) continue;
    fill(shape, prefix, place);
    colours.append(letter(use(place), place, box.x + 3, box.y + 2));
  }
  for (const [path, box] of [...drawn.scene.closed, ...drawn.scene.open]) {
    const place = scope(path);
    if (place === undefined) continue;
    const area = drawn.areas.get(path)?.querySelector<SVGElement>(".area");
    const cards = drawn.marks.get(`scope ${path}`)?.group.querySelectorAll<SVGElement>(".card") ?? [];
    for (const card of area ? [area] : cards) fill(card, prefix, place);
    colours.append(letter(use(place), place, box.x + 3, box.y + 2));
  }
  for (const [path, counts] of inside(drawn, node, nodes, shownAs)) {
    const box = boxOf(drawn, path);
    if (!box) continue;
    let x = box.x + 2;
    let left = [...counts.values()].reduce((sum, n) => sum + n, 0);
    // Classes that do not fit are counted; opening the scope shows them.
    for (const [place, n] of [...counts].sort((a, b) => b[1] - a[1])) {
      const words = `${classes[place]?.letter ?? "?"} ${n}`;
      const end = x + drawn.words.text(words) + 10;
      // The number of the remaining classes needs room, too.
      const isLast = x > box.x + 2 && end > box.x + box.w + 4 - (n < left ? 26 : 0);
      if (!isLast) use(place);
      const sign = isLast ? `+${left}` : words;
      left -= n;
      const wide = drawn.words.text(sign) + 10;
      const chip = s("rect", { x, y: box.y + box.h - 7, width: wide, height: 17, rx: 4 });
      const text = s("text", {
        x: x + wide / 2,
        y: box.y + box.h + 1.5,
        "text-anchor": "middle",
        dy: "0.36em",
      });
      text.textContent = sign;
      const group = s(
        "g",
        { class: "chip", "data-class": isLast ? undefined : classes[place]?.letter },
        chip,
        text,
      );
      if (!isLast) fill(chip, prefix, place);
      colours.append(group);
      if (isLast) break;
      x += wide + 3;
    }
  }
  const defs = classFillings(prefix, used);
  defs.setAttribute("class", "fillings");
  drawn.svg.prepend(defs);
  return used;
}

/** How many nodes of each class every closed scope holds. */
function inside(
  drawn: Drawing,
  node: Colouring["node"],
  nodes: Iterable<number>,
  shownAs: (id: number) => End | undefined,
): Map<string, Map<number, number>> {
  const used = new Map<string, Map<number, number>>();
  if (drawn.scene.closed.size === 0) return used;
  for (const id of nodes) {
    const end = shownAs(id);
    const place = typeof end === "string" ? node(id) : undefined;
    if (typeof end !== "string" || place === undefined) continue;
    const counts = used.get(end) ?? new Map<number, number>();
    counts.set(place, (counts.get(place) ?? 0) + 1);
    used.set(end, counts);
  }
  return used;
}

function letter(words: string, place: number, x: number, y: number): SVGGElement {
  const badge = circle(`class of-${place}`, x, y, words);
  badge.setAttribute("data-class", words);
  return badge;
}

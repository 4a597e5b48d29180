/**
 * Colours the boxes of a picture: by classes, each with a colour, a pattern and a letter, a closed scope with the share of each;
 * or by what a run took, in five steps, with the number on the box.
 */

import { s } from "../base/dom";
import { circle, pill } from "../draw/badge";
import { type Amounts, amountText, type Scale, scaleUpTo, shareText, stepOf } from "../explore/amounts";
import type { Colouring } from "../explore/node-classes";
import type { Translate } from "../i18n";
import type { Box } from "../layout/geometry";
import type { End } from "../model/collapse";
import { boxOf, type Drawing, endKey } from "./paint";

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

/** Gives an element the colour of a class, which the style sheet uses as `--class`. */
function ofClass<E extends SVGElement>(element: E, place: number): E {
  element.style.setProperty("--class", `var(--class-${place})`);
  return element;
}

/** The patterns of some classes, for the `<defs>` of a drawing. */
export function classFillings(prefix: string, places: Iterable<number>): SVGElement {
  const patterns = [...places].map((place) => {
    const size = { width: 8, height: 8 };
    const named = { id: patternId(prefix, place), class: "filling", patternUnits: "userSpaceOnUse" };
    const d = PATTERNS[place] ?? "";
    return ofClass(s("pattern", { ...named, ...size }, s("rect", size), s("path", { d })), place);
  });
  return s("defs", {}, ...patterns);
}

export function fill(element: SVGElement, prefix: string, place: number): void {
  element.style.fill = `url(#${patternId(prefix, place)})`;
  element.style.stroke = `var(--class-${place})`;
}

/** The sample of a class for the legend, with its own copy of the pattern, as the picture may be redrawn. */
export function classSample(prefix: string, place: number, words: string): SVGElement {
  const own = `${prefix}-legend`;
  const box = s("rect", { class: "shape", x: 9, y: 3, width: 22, height: 14, rx: 4 });
  fill(box, own, place);
  return s(
    "svg",
    { class: "sample", width: 34, height: 20, viewBox: "0 0 34 20", "aria-hidden": "true" },
    classFillings(own, [place]),
    box,
    letter(words, place, 10, 10),
  );
}

/** What the colours of a drawing say besides. */
export interface Tinted {
  /** How many nodes each class has that occurs; a class of scopes has none. */
  counts: Map<number, number>;
  scale: Scale | null;
  /** What to say of an end, by its key. */
  told: Map<string, string>;
}

export interface TintOptions {
  t: Translate;
  prefix: string;
  colouring: Colouring;
  nodes: Iterable<number>;
  /** What is drawn for a node. */
  shownAs: (id: number) => End | undefined;
  /** The scale of the drawing before: colours keep their meaning while a scope opens. */
  before: Scale | null;
}

/** Colours everything anew. */
export function tint(drawn: Drawing, options: TintOptions): Tinted {
  drawn.colours.replaceChildren();
  drawn.svg.querySelector("defs.fillings")?.remove();
  for (const shape of drawn.svg.querySelectorAll<SVGElement>(".shape, .card, .scope.open > .area")) {
    shape.style.fill = "";
    shape.style.stroke = "";
  }
  for (const { group } of drawn.marks.values()) {
    group.removeAttribute("data-heat");
    group.removeAttribute("data-unused");
  }
  const { classes, amounts } = options.colouring;
  drawn.svg.toggleAttribute("data-coloured", classes.length > 0);
  if (amounts) return tintAmounts(drawn, amounts, options);
  return classes.length > 0
    ? tintClasses(drawn, options)
    : { counts: new Map(), scale: null, told: new Map() };
}

// -- by what a run took ------------------------------------------------------------------------------------------------

function tintAmounts(
  drawn: Drawing,
  { kind, of, total }: Amounts,
  { t, shownAs, before }: TintOptions,
): Tinted {
  const sums = new Map<End, number>();
  for (const [id, amount] of of) {
    const end = shownAs(id);
    if (end !== undefined) sums.set(end, (sums.get(end) ?? 0) + amount);
  }
  const most = Math.max(0, before?.kind === kind ? (before.limits.at(-1) ?? 0) : 0, ...sums.values());
  const scale = scaleUpTo(kind, most);
  const told = new Map<string, string>();
  for (const end of [...drawn.scene.nodes.keys(), ...drawn.scene.closed.keys()]) {
    const group = drawn.marks.get(endKey(end))?.group;
    const amount = sums.get(end);
    if (amount === undefined) {
      group?.setAttribute("data-unused", "");
      told.set(endKey(end), t("state.pruned"));
      continue;
    }
    const step = stepOf(scale, amount);
    const words = amountText(t, kind, amount, scale.unit);
    group?.setAttribute("data-heat", String(step));
    told.set(endKey(end), `${words}, ${shareText(t, amount, total)}`);
    // The number of a node that took next to nothing is in its details alone.
    if (typeof end === "string" || step > 0) inscribe(drawn, end, [words], step);
  }
  return { counts: new Map(), scale, told };
}

/** The first of some words that fits at the end of a card's last line; else, and at a node, the last in a pill on the lower edge. */
function inscribe(drawn: Drawing, end: End, choices: readonly string[], step?: number): void {
  const box = boxOf(drawn, end);
  const group = drawn.marks.get(endKey(end))?.group;
  if (!box || !group) return;
  const widthOf = (words: string): number => drawn.words.text(words, { size: 12, weight: 650 });
  const front = frontOf(group, box);
  const line = [...group.querySelectorAll<SVGTextElement>("text.count")].at(-1);
  const start = Number(line?.getAttribute("x")) - front.x + drawn.words.text(line?.textContent ?? "");
  const words = choices.find((each) => line && start + widthOf(each) + 19 <= front.w);
  if (!line || words === undefined) {
    const last = choices.at(-1) ?? "";
    // Under the right half of a closed scope stand the counts of what leaves it unseen; a node's sign stands on its upper left.
    const inset = Math.max(18, widthOf(last) + 10) / 2 - 6;
    const x = typeof end === "string" ? front.x + inset : front.x + front.w - inset;
    drawn.colours.append(pill("inscribed", x, front.y + front.h + 7, last, widthOf(last)));
    return;
  }
  const place = { x: front.x + front.w - 11, y: Number(line.getAttribute("y")) };
  const text = s("text", {
    class: "inscribed",
    ...place,
    "text-anchor": "end",
    dy: "0.35em",
    "data-heat": step,
  });
  text.textContent = words;
  drawn.colours.append(text);
}

/** The card at the front of a stack, or the box itself. */
function frontOf(group: SVGGElement, box: Box): Box {
  const card = [...group.querySelectorAll("rect.card")].at(-1);
  if (!card) return box;
  const [x = 0, y = 0, w = 0, h = 0] = ["x", "y", "width", "height"].map((name) =>
    Number(card.getAttribute(name)),
  );
  return { x, y, w, h };
}

// -- by classes --------------------------------------------------------------------------------------------------------

function tintClasses(drawn: Drawing, { t, prefix, colouring, nodes, shownAs }: TintOptions): Tinted {
  const { classes, node, scope } = colouring;
  const counts = new Map<number, number>();
  const told = new Map<string, string>();
  const letterOf = (place: number): string => classes[place]?.letter ?? "?";
  const use = (place: number, n = 0): void => {
    counts.set(place, (counts.get(place) ?? 0) + n);
  };
  const shares = new Map<string, Map<number, number>>();
  for (const id of nodes) {
    const place = node(id);
    const end = place === undefined ? undefined : shownAs(id);
    if (place === undefined || end === undefined) continue;
    use(place, 1);
    if (typeof end === "number") continue;
    const own = shares.get(end) ?? new Map<number, number>();
    own.set(place, (own.get(place) ?? 0) + 1);
    shares.set(end, own);
  }
  for (const [id, box] of drawn.scene.nodes) {
    const place = node(id);
    const shape = drawn.marks.get(`node ${id}`)?.group.querySelector<SVGElement>(".shape");
    if (place === undefined || !shape) continue;
    fill(shape, prefix, place);
    drawn.colours.append(letter(letterOf(place), place, box.x + 3, box.y + 2));
    told.set(`node ${id}`, classes[place]?.words ?? "");
  }
  for (const [path, box] of [...drawn.scene.closed, ...drawn.scene.open]) {
    const place = scope(path);
    if (place === undefined) continue;
    use(place);
    const area = drawn.areas.get(path)?.querySelector<SVGElement>(".area");
    const cards = drawn.marks.get(`scope ${path}`)?.group.querySelectorAll<SVGElement>(".card") ?? [];
    for (const card of area ? [area] : cards) fill(card, prefix, place);
    drawn.colours.append(letter(letterOf(place), place, box.x + 3, box.y + 2));
    told.set(`scope ${path}`, classes[place]?.words ?? "");
  }
  const defs = classFillings(prefix, counts.keys());
  defs.setAttribute("class", "fillings");
  for (const [path, own] of shares) {
    const parts = [...own].sort((a, b) => b[1] - a[1]);
    share(drawn, defs, prefix, path, parts, classes);
    told.set(
      `scope ${path}`,
      parts.map(([place, n]) => t("colour.count", { n, words: classes[place]?.words ?? "" })).join(", "),
    );
  }
  drawn.svg.prepend(defs);
  return { counts, scale: null, told };
}

/** Fills the front card of a closed scope by the share of each class, and writes the largest on it. */
function share(
  drawn: Drawing,
  defs: SVGElement,
  prefix: string,
  path: string,
  parts: [place: number, n: number][],
  classes: Colouring["classes"],
): void {
  const box = boxOf(drawn, path);
  const group = drawn.marks.get(`scope ${path}`)?.group;
  const card = [...(group?.querySelectorAll<SVGElement>(".card") ?? [])].at(-1);
  if (!box || !group || !card) return;
  const { x, y, w, h } = frontOf(group, box);
  const total = parts.reduce((sum, [, n]) => sum + n, 0);
  const id = `${prefix}-share-${defs.children.length}`;
  let at = 0;
  const strips = parts.map(([place, n]) => {
    const width = (n / total) * w;
    const strip = s("rect", { x: at, y: 0, width, height: h, "data-class": classes[place]?.letter });
    strip.style.fill = `url(#${patternId(prefix, place)})`;
    at += width;
    return strip;
  });
  defs.append(s("pattern", { id, x, y, width: w, height: h, patternUnits: "userSpaceOnUse" }, ...strips));
  card.style.fill = `url(#${id})`;
  const words = parts.map(([place, n]) => `${classes[place]?.letter ?? "?"} ${n}`);
  const first = (n: number): string =>
    [...words.slice(0, n), ...(n < words.length ? [`+${words.length - n}`] : [])].join("  ");
  inscribe(drawn, path, [3, 2, 1].map(first));
}

function letter(words: string, place: number, x: number, y: number): SVGGElement {
  const badge = ofClass(circle("class", x, y, words), place);
  badge.setAttribute("data-class", words);
  return badge;
}

/** Draws a scope: an open one as a box around its nodes, a closed one as a stack of cards with counts of its content. */
import { s } from "../base/dom";
import type { Box } from "../layout/geometry";
import type { BoxKind } from "../record";

export const TITLE = { size: 12, weight: 600 };
export const CLOSED_TITLE = { size: 13, weight: 600 };

/** A count on a closed scope: its place in its row, and the row. */
export interface PlacedCount {
  words: string;
  x: number;
  row: number;
}

/** The outline of a closed scope: a cond has points like a Switch, a loop has round ends. */
function card(kind: BoxKind, { x, y, w, h }: Box): SVGElement {
  if (kind !== "cond")
    return s("rect", { class: "card", x, y, width: w, height: h, rx: kind === "loop" ? 26 : 8 });
  const [r, b, m] = [x + w, y + h, y + h / 2];
  return s("path", {
    class: "card",
    d: `M${x + 12} ${y}H${r - 12}L${r} ${m}L${r - 12} ${b}H${x + 12}L${x} ${m}Z`,
  });
}

export function drawOpen(
  path: string,
  words: string,
  kind: BoxKind,
  box: Box,
  titleWidth: number,
): SVGGElement {
  const text = s("text", { class: "title", x: box.x + 24, y: box.y + 15, dy: "0.35em" });
  text.textContent = words;
  const group = s(
    "g",
    { class: "scope open" },
    s("rect", { class: "area", x: box.x, y: box.y, width: box.w, height: box.h, rx: 8 }),
    s(
      "g",
      { class: "handle" },
      s("rect", { class: "focus", x: box.x + 3, y: box.y + 3, width: titleWidth + 28, height: 24, rx: 6 }),
      s("path", { class: "sign", d: `M${box.x + 9} ${box.y + 12}h10l-5 7z` }),
      text,
    ),
  );
  group.setAttribute("data-scope", path);
  group.setAttribute("data-kind", kind);
  return group;
}

export function drawClosed(
  path: string,
  words: string,
  kind: BoxKind,
  box: Box,
  counts: PlacedCount[],
): SVGGElement {
  const shifted = (by: number): SVGElement =>
    card(kind, { x: box.x + by, y: box.y + by, w: box.w - 5, h: box.h - 5 });
  // Points and round ends leave less room at the sides.
  const left = box.x + (kind === "cond" || kind === "loop" ? 12 : 0);
  const title = s("text", { class: "title", x: left + 26, y: box.y + 17, dy: "0.35em" });
  title.textContent = words;
  const lines = counts.map(({ words, x, row }) => {
    const text = s("text", { class: "count", x: left + 14 + x, y: box.y + 36 + 16 * row, dy: "0.35em" });
    text.textContent = words;
    return text;
  });
  const group = s(
    "g",
    { class: "scope closed" },
    s("rect", { class: "focus", x: box.x - 4, y: box.y - 4, width: box.w + 8, height: box.h + 8, rx: 10 }),
    shifted(5),
    shifted(0),
    s("path", { class: "sign", d: `M${left + 12} ${box.y + 12}v10l7 -5z` }),
    title,
    ...lines.flatMap((line) => [" ", line]),
  );
  group.setAttribute("data-scope", path);
  group.setAttribute("data-kind", kind);
  return group;
}

/** Draws a scope: open as a box round its nodes, closed as a stack of cards with counts of all that it holds. */
import { s } from "../dom";
import type { Box } from "../layout/scene";
import { leaf, shorten } from "../text";

export const TITLE = { size: 12, weight: 600 };

export function scopeTitle(path: string): string {
  return shorten(leaf(path), 30);
}

export function drawOpen(path: string, box: Box, titleWidth: number): SVGGElement {
  const text = s("text", { class: "title", x: box.x + 24, y: box.y + 15, dy: "0.35em" });
  text.textContent = scopeTitle(path);
  const group = s(
    "g",
    { class: "scope open" },
    s("rect", { class: "area", x: box.x, y: box.y, width: box.w, height: box.h, rx: 10 }),
    s(
      "g",
      { class: "handle" },
      s("rect", { class: "focus", x: box.x + 3, y: box.y + 3, width: titleWidth + 28, height: 24, rx: 6 }),
      s("path", { class: "sign", d: `M${box.x + 9} ${box.y + 12}h10l-5 7z` }),
      text,
    ),
  );
  group.setAttribute("data-scope", path);
  return group;
}

export function drawClosed(path: string, words: string, box: Box, counts: string[]): SVGGElement {
  const card = (shift: number): SVGElement =>
    s("rect", {
      class: "card",
      x: box.x + shift,
      y: box.y + shift,
      width: box.w - 8,
      height: box.h - 8,
      rx: 8,
    });
  const title = s("text", { class: "title", x: box.x + 26, y: box.y + 17, dy: "0.35em" });
  title.textContent = words;
  const lines = counts.map((words, i) => {
    const text = s("text", { class: "count", x: box.x + 14, y: box.y + 36 + 15 * i, dy: "0.35em" });
    text.textContent = words;
    return text;
  });
  const group = s(
    "g",
    { class: "scope closed" },
    s("rect", { class: "focus", x: box.x - 4, y: box.y - 4, width: box.w + 8, height: box.h + 8, rx: 10 }),
    card(8),
    card(4),
    card(0),
    s("path", { class: "sign", d: `M${box.x + 12} ${box.y + 12}v10l7 -5z` }),
    title,
    ...lines,
  );
  group.setAttribute("data-scope", path);
  return group;
}

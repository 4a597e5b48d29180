/** Small signs on nodes and lines: a number or symbol in a circle, a word in a tag. */
import { s } from "../base/dom";
import type { Box } from "../layout/geometry";
import { type Icon, iconPath } from "./icon";

export function circle(className: string, x: number, y: number, symbol: string): SVGGElement {
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = symbol;
  return s("g", { class: `badge ${className}` }, s("circle", { cx: x, cy: y, r: 8.5 }), text);
}

/** The signs of states that are drawn: a font may lack them, or make them too thin. */
const STROKES = {
  "✓": "M-3.6 .4L-1 3L4-3",
  "✕": "M-3-3L3 3M-3 3L3-3",
  "‖": "M-2-3.4V3.4M2-3.4V3.4",
};

/** The sign of a state: a tick, a cross or a symbol, in a circle. */
export function stateBadge(state: string, x: number, y: number, symbol: string): SVGGElement {
  const d = STROKES[symbol as keyof typeof STROKES];
  if (!d) return circle(state, x, y, symbol);
  return s(
    "g",
    { class: `badge ${state}`, transform: `translate(${x} ${y})` },
    s("circle", { r: 8.5 }),
    s("path", { d }),
  );
}

/** What is fetched: a dark tag on the left border of its node. */
export function fetchFlag({ x, y, w, h }: Box, words: string): SVGGElement {
  const text = s("text", { x: x + w / 2, y: y + h / 2, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = words;
  return s("g", { class: "fetch-flag" }, s("rect", { x, y, width: w, height: h, rx: 4 }), text);
}

/** The box of a flag on the left border of a node, around a text of this width. */
export const flagBox = (left: number, y: number, width: number): Box => ({
  x: left - FLAG_OUT,
  y: y - 10,
  w: flagWidth(width),
  h: 20,
});

export const FLAG = { size: 12, weight: 650 };
/** How far a flag stands out of its node, and how far it is from the node's name. */
export const FLAG_OUT = 12;
export const FLAG_GAP = 6;
export const flagWidth = (text: number): number => Math.max(24, Math.ceil(text) + 12);

export function tag(className: string, x: number, y: number, width: number, words: string): SVGGElement {
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = words;
  const box = s("rect", { x: x - width / 2 - 6, y: y - 9, width: width + 12, height: 18, rx: 4 });
  return s("g", { class: `tag ${className}` }, box, text);
}

/** A sign in a pill, followed by a number if there is one. */
export function iconPill(
  className: string,
  x: number,
  y: number,
  icon: Icon,
  words = "",
  width = 0,
): SVGGElement {
  const w = 18 + (words ? width + 4 : 0);
  const text = s("text", { x: x + w / 2 - 6, y, "text-anchor": "end", dy: "0.36em" });
  text.textContent = words;
  return s(
    "g",
    { class: `badge ${className}` },
    s("rect", { x: x - w / 2, y: y - 9, width: w, height: 18, rx: 9 }),
    s("path", {
      class: "icon",
      d: iconPath(icon),
      transform: `translate(${x - w / 2 + 3.4} ${y - 5.6}) scale(.7)`,
    }),
    words ? text : null,
  );
}

/** A word in a pill. */
export function pill(className: string, x: number, y: number, words: string, width: number): SVGGElement {
  const w = Math.max(18, width + 10);
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = words;
  return s(
    "g",
    { class: `badge ${className}` },
    s("rect", { x: x - w / 2, y: y - 9, width: w, height: 18, rx: 9 }),
    text,
  );
}

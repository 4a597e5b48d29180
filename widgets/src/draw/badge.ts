/** Small signs at the corners of a node: a number or symbol in a circle, a word in a tag. */
import { s } from "../base/dom";
import { type Icon, iconPath } from "./icon";

export function circle(className: string, x: number, y: number, symbol: string): SVGGElement {
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = symbol;
  return s("g", { class: `badge ${className}` }, s("circle", { cx: x, cy: y, r: 9 }), text);
}

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

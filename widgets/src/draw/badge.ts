/** Small signs at the corners of a node: a number or a symbol in a circle, a word in a tag. */
import { s } from "../dom";

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

/** Draws a token: what waits on an edge. A disc holds a value, a ring only says "has run", a square is the variable itself. */
import { s, setAttribute, setText } from "../dom";
import type { Point } from "../layout/scene";
import type { Token } from "../replay";

/** Writes another number on a token that bears one; what is drawn stays. */
export function recount(token: SVGGElement, count: number): void {
  setAttribute(token, "data-count", String(count));
  const text = token.children[1];
  if (text?.getAttribute("class") === null) setText(text, String(count));
}

export function drawToken(kind: Token, { x, y }: Point, count = 1, iteration = ""): SVGGElement {
  const group = s("g", { class: "token", "data-token": kind, "data-count": count });
  const r = 6.5;
  if (kind === "reference") group.append(s("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }));
  else group.append(s("circle", { cx: x, cy: y, r }));
  if (kind === "dead") {
    group.append(
      s("path", {
        class: "cross",
        d: `M${x - 3} ${y - 3}L${x + 3} ${y + 3}M${x - 3} ${y + 3}L${x + 3} ${y - 3}`,
      }),
    );
  } else if (count > 1) {
    const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
    text.textContent = String(count);
    group.append(text);
  }
  if (iteration !== "") {
    // In a loop: the number of the iteration in which it was made.
    const text = s("text", { class: "iteration", x: x + r + 3, y, dy: "0.36em" });
    text.textContent = iteration;
    group.append(text);
  }
  return group;
}

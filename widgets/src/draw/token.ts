/** Draws a token, which waits on an edge: a disc is a value, a ring only means "has run", a square is the variable itself. */
import { s, setText } from "../base/dom";
import type { Point } from "../layout/geometry";
import type { Token } from "../model/replay";

const R = 6.5;
/** Tokens of more than two digits are wider, and no number is longer than this. */
const MOST = 99;
const BROAD = 11;

const words = (count: number): string => (count > MOST ? `${MOST}+` : count > 1 ? String(count) : "");

/** A key that is equal for tokens which differ only by their `recount`. */
export const tokenKey = (kind: Token, count: number, iteration: string): string =>
  `${kind} ${count > 1} ${count > MOST} ${iteration}`;

/** Changes the number on a token of the same kind; the drawing stays. */
export function recount(token: SVGGElement, count: number): void {
  const text = token.querySelector(".count");
  if (text) setText(text, words(count));
}

export function drawToken(kind: Token, { x, y }: Point, count = 1, iteration = ""): SVGGElement {
  const half = count > MOST ? BROAD : R;
  const round = kind === "reference" ? 0 : R;
  const body = { class: "body", x: x - half, y: y - R, width: 2 * half, height: 2 * R, rx: round };
  const group = s("g", { class: "token", "data-token": kind }, s("rect", body));
  if (kind === "dead") {
    group.append(
      s("path", {
        class: "cross",
        d: `M${x - 3} ${y - 3}L${x + 3} ${y + 3}M${x - 3} ${y + 3}L${x + 3} ${y - 3}`,
      }),
    );
  } else if (count > 1) {
    const text = s("text", { class: "count", x, y, "text-anchor": "middle", dy: "0.36em" });
    text.textContent = words(count);
    group.append(text);
  }
  if (iteration !== "") {
    // In a loop, the number of the iteration that produced the value.
    const text = s("text", { class: "iteration", x: x + half + 3, y, dy: "0.36em" });
    text.textContent = iteration;
    group.append(text);
  }
  return group;
}

/** Draws a value: round if it is a node's own, square if it is a variable itself. A chip hangs on the node that has it. */
import { s, setText } from "../base/dom";
import type { Box, Point } from "../layout/geometry";

export const CHIP = { size: 12, weight: 650 };
const HEIGHT = 20;
/** How far a chip covers its node. */
const OVER = 2;
/** The room of a chip below its node. */
export const CHIP_ROOM = HEIGHT - OVER;

export type ChipKind = "own" | "alias" | "dead";

/** The room of a chip in its node, above the numbers of the outputs. */
export const CHIP_INSIDE = HEIGHT + 4;

/** The width of a chip with a text of that width. */
export const chipWidth = (text: number): number => Math.max(32, Math.ceil(text) + 16);

/** The middle of a chip of a node whose outline ends at this height. */
export const chipMiddle = (bottom: number, inside: boolean): number =>
  inside ? bottom - 8 - HEIGHT / 2 : bottom - OVER + HEIGHT / 2;

/** The box of a chip with a text of that width. */
export const chipBox = ({ x, y }: Point, width: number): Box => ({
  x: x - chipWidth(width) / 2,
  y: y - HEIGHT / 2,
  w: chipWidth(width),
  h: HEIGHT,
});

/** `iteration`: the number of the loop's iteration that made the value. */
export function drawChip(
  kind: ChipKind,
  { x, y }: Point,
  words: string,
  width: number,
  iteration = "",
): SVGGElement {
  const box = chipBox({ x, y }, width);
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  setText(text, words);
  if (iteration !== "") {
    const turn = s("tspan", { class: "iteration" });
    setText(turn, ` ↻${iteration}`);
    text.append(turn);
  }
  return s(
    "g",
    { class: `chip ${kind}` },
    s("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: kind === "alias" ? 3 : 10 }),
    text,
    kind === "dead" &&
      s("path", { class: "strike", d: `M${box.x + 4} ${y + 5}L${box.x + box.w - 4} ${y - 5}` }),
  );
}

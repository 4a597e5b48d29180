/** Draws an empty control_dependencies block: a dashed box with its source line and a note that no node was created in it. */
import { s } from "../base/dom";
import type { Box } from "../layout/geometry";

export const BLOCK = { size: 12, weight: 400 };

export function drawBlock(
  id: number,
  box: Box,
  lines: string[],
  words: string,
  marked: boolean,
): SVGGElement {
  let y = box.y + 18;
  const line = (className: string, content: string): SVGTextElement => {
    const text = s("text", {
      class: className,
      x: box.x + box.w / 2,
      y,
      "text-anchor": "middle",
      dy: "0.35em",
    });
    text.textContent = content;
    y += 17;
    return text;
  };
  return s(
    "g",
    { class: "block", "data-block": id, "data-marked": marked || undefined },
    marked &&
      s("rect", { class: "mark", x: box.x - 7, y: box.y - 7, width: box.w + 14, height: box.h + 14, rx: 10 }),
    s("rect", { class: "focus", x: box.x - 4, y: box.y - 4, width: box.w + 8, height: box.h + 8, rx: 8 }),
    s("rect", { class: "area", x: box.x, y: box.y, width: box.w, height: box.h, rx: 4 }),
    ...lines.flatMap((content) => [line("code", content), " "]),
    line("empty", words),
  );
}

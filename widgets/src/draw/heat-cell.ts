/** Cells of a heat map: darker is more; what is no finite number is a sign on paper, not a colour. */
import { s } from "../base/dom";

/** What stands in a cell that is no finite number; Python's own (tfedu/view/draw/value_sheet.py). */
export const SIGNS: Record<number, string> = { "-1": "×", "-2": "±∞", "-3": "−∞", "-4": "+∞", "-5": "–" };

/** One cell; `level` is 0 to 8, or one of the signs. */
export function drawCell(x: number, y: number, w: number, h: number, level: number): SVGElement {
  if (level >= 0) return s("rect", { class: "cell", x, y, width: w, height: h, "data-level": level });
  const text = s("text", { x: x + w / 2, y: y + h / 2, "text-anchor": "middle", dy: "0.35em" });
  text.textContent = SIGNS[level] ?? "?";
  return s(
    "g",
    { class: "cell odd" },
    s("rect", { x: x + 0.5, y: y + 0.5, width: w - 1, height: h - 1 }),
    text,
  );
}

/** The cells of a heat map: darker is more; a value that is not finite is a sign on white. */
import { s } from "../base/dom";

/** The sign of a value that is not finite, as in Python (tfedu/view/draw/value_sheet.py). */
export const SIGNS: Record<number, string> = { "-1": "×", "-2": "±∞", "-3": "−∞", "-4": "+∞", "-5": "–" };

/** One cell; `level`: 0 to 8, or a key of SIGNS. */
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

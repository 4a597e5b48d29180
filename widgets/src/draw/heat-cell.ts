/** The cells of a heat map: further from the ground's colour is more; a value that is not finite is a sign in a frame. */
import { s } from "../base/dom";

/** The sign of a value that is not finite, as in Python (tfedu/view/draw/value_sheet.py). */
export const SIGNS: Record<number, string> = { "-1": "×", "-2": "±∞", "-3": "−∞", "-4": "+∞", "-5": "–" };

/** A cell narrower than this has no room for text. */
const LEGIBLE = 12;

function write(x: number, y: number, words: string): SVGElement {
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.35em" });
  text.textContent = words;
  return text;
}

/** One cell; `level`: 0 to 8, or a key of SIGNS; `words` stand in it. */
export function drawCell(x: number, y: number, w: number, h: number, level: number, words = ""): SVGElement {
  const middle = [x + w / 2, y + h / 2] as const;
  if (level >= 0) {
    const rect = s("rect", { x, y, width: w, height: h });
    const shown = words && write(...middle, words);
    const cell = s("g", { class: "cell", "data-level": level }, rect, shown || null);
    cell.style.setProperty("--level", String(level));
    return cell;
  }
  const sign =
    w < LEGIBLE
      ? s("path", { d: `M${x} ${y}l${w} ${h}m${-w} 0l${w} ${-h}` })
      : write(...middle, SIGNS[level] ?? "?");
  return s(
    "g",
    { class: "cell odd" },
    s("rect", { x: x + 0.5, y: y + 0.5, width: w - 1, height: h - 1 }),
    sign,
  );
}

/**
 * A box whose height does not follow each new text in it: it grows, and what is below stays where it is. The browser then
 * lays out the text alone, as nothing outside depends on it.
 */
import { h } from "../base/dom";

/** Puts what stands in a box into one of its own, and keeps the box as high as that was at most at the present width. */
export function steady(box: HTMLElement, life: AbortSignal): void {
  // Where there is no layout, as in a test, no height can be known.
  if (typeof ResizeObserver !== "function") return;
  const inner = h("div", { class: "within" }, ...box.childNodes);
  box.append(inner);
  let [width, height] = [0, 0];
  const watcher = new ResizeObserver(([entry]) => {
    const size = entry?.contentRect;
    if (!size || size.width === 0) return;
    const most = size.width === width ? Math.max(height, size.height) : size.height;
    width = size.width;
    if (most === height && box.style.height !== "") return;
    height = most;
    box.classList.add("steady");
    box.style.height = `${Math.ceil(height)}px`;
  });
  watcher.observe(inner);
  life.addEventListener("abort", () => watcher.disconnect());
}

/**
 * A box that keeps its height when its text gets shorter, so that what is below does not move. The browser then lays out
 * the text alone, as nothing outside depends on it.
 */
import { h } from "../base/dom";

/** Wraps the content of a box, and keeps the box as high as the content ever was at the current width. */
export function keepHeight(box: HTMLElement, life: AbortSignal): void {
  // Without layout, as in a test, there is no height.
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

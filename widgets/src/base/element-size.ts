/** Follows the inner size of an element. */

/** Calls `then` once the size is known and after each change, until `life` ends; never where nothing is laid out. */
export function watchSize(
  element: Element,
  life: AbortSignal,
  then: (size: { w: number; h: number }) => void,
): void {
  if (typeof ResizeObserver !== "function") return;
  const observer = new ResizeObserver(([entry]) => {
    if (entry) then({ w: entry.contentRect.width, h: entry.contentRect.height });
  });
  observer.observe(element);
  life.addEventListener("abort", () => observer.disconnect());
}

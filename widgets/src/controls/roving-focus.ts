/** Makes a list of elements one tab stop: the arrow keys up and down, Home and End go from one to the next. */

const WAYS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** `items`: those there now; `reached`: the user went to one. Returns how to make one of them the tab stop. */
export function rove(
  list: HTMLElement,
  items: () => readonly HTMLElement[],
  reached: (item: HTMLElement) => unknown = () => {},
): (stop: HTMLElement | undefined) => void {
  const stopAt = (stop: HTMLElement | undefined): void => {
    for (const item of items()) item.tabIndex = item === stop ? 0 : -1;
  };
  list.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = items();
    // In a tree an item contains others.
    const at = all.findLastIndex((item) => item.contains(event.target as Node));
    const way = WAYS[event.key];
    if (at < 0 || !way) return;
    event.preventDefault();
    const next = all[way(at, all.length)];
    if (!next) return;
    event.stopPropagation();
    stopAt(next);
    next.focus();
    reached(next);
  });
  stopAt(items()[0]);
  return stopAt;
}

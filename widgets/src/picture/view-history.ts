/** The way back and forward among views, as in a browser. */

export interface ViewHistory<T> {
  /** Remembers a view that the reader leaves. */
  leave: (view: T) => void;
  back: () => void;
  forward: () => void;
}

/** So many views are remembered. */
const KEPT = 100;

export function createViewHistory<T>(now: () => T, go: (view: T) => void): ViewHistory<T> {
  const past: T[] = [];
  const future: T[] = [];
  const move = (from: T[], to: T[]): void => {
    const view = from.pop();
    if (view === undefined) return;
    to.push(now());
    go(view);
  };
  return {
    leave(view) {
      past.push(view);
      if (past.length > KEPT) past.shift();
      future.length = 0;
    },
    back: () => move(past, future),
    forward: () => move(future, past),
  };
}

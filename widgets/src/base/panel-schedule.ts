/**
 * Draws the panels beside a picture in later frames, one panel a frame, so that a step costs no more than its picture.
 * While steps follow each other faster than anybody reads, all panels wait; panels out of sight wait until no step has come
 * for a while.
 * Nobody acts on a waiting panel: it is drawn first if the user reaches for it, and at once if it has the focus.
 */
export interface Panels {
  /**
   * Draws a panel in a later frame, unless a newer step comes; at once if it is new or has the focus. `draw` creates at most so
   * many pieces and returns true if more are left, which the next frame draws.
   */
  draw(panel: Element, draw: Draw): void;
  /** Draws a short and important text at once, but not more often than anybody reads. */
  tell(panel: Element, draw: Draw): void;
  /** Draws waiting panels now: all, or those that contain this element or lie in it. */
  settle(at?: Node): void;
}

type Draw = (most: number) => unknown;

/** How many pieces, each about a line of text, are created and laid out in one frame. */
const PIECES = 10;

/** Counts new pieces: a piece that exists costs nothing, and beyond the limit pieces stay undrawn. */
export function createRoom(most: number) {
  let left = most;
  return {
    take<T>(known: T | undefined, make: () => T): T | undefined {
      if (known !== undefined) return known;
      left -= 1;
      return left < 0 ? undefined : make();
    },
    /** Whether pieces may be missing. */
    isFull: (): boolean => left <= 0,
  };
}

/** Milliseconds: steps closer than this are not read one by one. */
const QUIET = 100;
/** The events by which a user acts on a panel, before or instead of focusing it. */
const REACHES = ["pointerdown", "click", "focusin"] as const;

export function createPanels(root: HTMLElement, life: AbortSignal): Panels {
  const known = new WeakSet<Element>();
  const waiting = new Map<Element, Draw>();
  const unseen = new WeakSet<Element>();
  /** When `tell` last drew. */
  const toldAt = new WeakMap<Element, number>();
  let isNew = false;
  let isAsked = false;
  /** When the last step came, and whether soon after the one before. */
  let since = Number.NEGATIVE_INFINITY;
  let isHurried = false;
  let isDrawing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Without layout, as in a test, every panel is in sight.
  const sight =
    typeof IntersectionObserver === "function"
      ? new IntersectionObserver(
          (changes) => {
            for (const { target, isIntersecting } of changes)
              if (isIntersecting) unseen.delete(target);
              else unseen.add(target);
            if (waiting.size > 0) ask();
          },
          { rootMargin: "100px" },
        )
      : null;
  life.addEventListener("abort", () => {
    sight?.disconnect();
    clearTimeout(timer);
  });

  function settle(at?: Node): void {
    // A panel may schedule parts of itself while it is drawn; these come later in the same walk.
    for (const [panel, draw] of waiting) {
      if (at && !panel.contains(at) && !at.contains(panel)) continue;
      waiting.delete(panel);
      drawSome(draw, Number.POSITIVE_INFINITY);
    }
  }

  /** A part that a panel schedules while it is drawn is no step. */
  function drawSome(draw: Draw, most: number): boolean {
    const before = isDrawing;
    isDrawing = true;
    try {
      return draw(most) === true;
    } finally {
      isDrawing = before;
    }
  }

  /** The next panel: the one in sight that has waited longest; once steps have paused, any other. */
  function first(now: number): Element | undefined {
    const isQuiet = now - since >= QUIET;
    if (!isQuiet && isHurried) return undefined;
    return [...waiting.keys()].find((panel) => isQuiet || !unseen.has(panel));
  }

  /** Draws one panel, unless a step came since the last frame: its picture comes first. */
  function tick(): void {
    isAsked = false;
    if (life.aborted) return;
    const now = performance.now();
    const panel = isNew ? undefined : first(now);
    const draw = panel && waiting.get(panel);
    if (draw) {
      let isMore = false;
      try {
        isMore = drawSome(draw, PIECES);
      } finally {
        // It stays first as long as it has more pieces.
        if (!isMore) waiting.delete(panel);
      }
    }
    isNew = false;
    clearTimeout(timer);
    if (first(now)) ask();
    else if (waiting.size > 0) timer = setTimeout(ask, QUIET);
  }

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(tick);
  }

  function reached(event: Event): void {
    const target = event.target as Node;
    settle(target);
    // The element that the user meant is gone.
    if (!target.isConnected) event.stopImmediatePropagation();
  }
  for (const reach of REACHES) root.addEventListener(reach, reached, { capture: true, signal: life });
  const leaves = ({ key }: KeyboardEvent): void => {
    if (key === "Tab") settle();
  };
  root.addEventListener("keydown", leaves, { capture: true, signal: life });
  window.addEventListener("beforeprint", () => settle(), { signal: life });

  function draw(panel: Element, draw: Draw): void {
    // A panel that waits already keeps its place, so that each has its turn.
    waiting.set(panel, draw);
    if (!known.has(panel) || panel.contains(document.activeElement)) settle(panel);
    else ask();
    if (!known.has(panel)) sight?.observe(panel);
    known.add(panel);
    if (isDrawing) return;
    const now = performance.now();
    if (!isNew) isHurried = now - since < QUIET;
    isNew = true;
    since = now;
  }

  return {
    settle,
    draw,
    tell(panel, tell) {
      const isFirst = !known.has(panel);
      draw(panel, tell);
      const now = performance.now();
      if (isFirst || now - (toldAt.get(panel) ?? Number.NEGATIVE_INFINITY) < QUIET) return;
      toldAt.set(panel, now);
      settle(panel);
    },
  };
}

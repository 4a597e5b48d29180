/**
 * Panels that may be drawn some frames after the picture, one a frame: a step then never costs more than the reader sees move.
 * While steps follow each other faster than anybody reads they all wait, and what is out of sight waits until no step has come
 * for a while.
 * While a panel waits nobody acts on it: what is reached for is drawn first, and what has the focus is drawn at once.
 */
export interface Panels {
  /**
   * Draws a panel in a frame of its own, once no newer step comes; at once where it is new or has the focus. A large panel
   * draws so many pieces, and gives true where it has more of them, for the next frame.
   */
  draw(panel: Element, draw: Draw): void;
  /** Draws what is short and matters most at once, but not more often than anybody reads. */
  tell(panel: Element, draw: Draw): void;
  /** Draws now what waits: all of it, or the panels in which this is and those in it. */
  settle(at?: Node): void;
}

type Draw = (most: number) => unknown;

/** Of the size of a line of text: so many are made and laid out in one frame. */
const PIECES = 10;

/** Counts the pieces that are made: one that is there costs nothing, and of so many others each is made on its own. */
export function createRoom(most: number) {
  let left = most;
  return {
    take<T>(known: T | undefined, make: () => T): T | undefined {
      if (known !== undefined) return known;
      left -= 1;
      return left < 0 ? undefined : make();
    },
    /** Whether some may not have been made. */
    isFull: (): boolean => left <= 0,
  };
}

/** Milliseconds: steps that are less apart are not read one by one. */
const QUIET = 100;
/** What a reader does to a panel, before or instead of bringing the focus there. */
const REACHES = ["pointerdown", "click", "focusin"] as const;

export function createPanels(root: HTMLElement, life: AbortSignal): Panels {
  const known = new WeakSet<Element>();
  const waiting = new Map<Element, Draw>();
  const unseen = new WeakSet<Element>();
  /** When something was told last. */
  const told = new WeakMap<Element, number>();
  let isNew = false;
  let isAsked = false;
  /** When the last step came, and whether soon after the one before. */
  let since = Number.NEGATIVE_INFINITY;
  let isHurried = false;
  let isDrawing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Where there is no layout, as in a test, all is in sight.
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
    // What is drawn may let parts of itself wait: these come later in the same walk.
    for (const [panel, draw] of waiting) {
      if (at && !panel.contains(at) && !at.contains(panel)) continue;
      waiting.delete(panel);
      drawSome(draw, Number.POSITIVE_INFINITY);
    }
  }

  /** What a panel lets wait of itself while it is drawn is no step. */
  function drawSome(draw: Draw, most: number): boolean {
    const before = isDrawing;
    isDrawing = true;
    try {
      return draw(most) === true;
    } finally {
      isDrawing = before;
    }
  }

  /** Whose turn it is: of the panels in sight the one that has waited longest, and of the others once it is quiet. */
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
        // It stays the first of them as long as it has more.
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
    // What was meant is not there any more.
    if (!target.isConnected) event.stopImmediatePropagation();
  }
  for (const reach of REACHES) root.addEventListener(reach, reached, { capture: true, signal: life });
  const leaves = ({ key }: KeyboardEvent): void => {
    if (key === "Tab") settle();
  };
  root.addEventListener("keydown", leaves, { capture: true, signal: life });
  window.addEventListener("beforeprint", () => settle(), { signal: life });

  function draw(panel: Element, draw: Draw): void {
    // Of one that waits already the place stays: each has its turn.
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
      if (isFirst || now - (told.get(panel) ?? Number.NEGATIVE_INFINITY) < QUIET) return;
      told.set(panel, now);
      settle(panel);
    },
  };
}

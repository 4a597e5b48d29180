/**
 * Panels that may be drawn some frames after the picture, one a frame: a step then never costs more than the reader sees move.
 * What is out of sight comes last, once no step has come for a while.
 * While a panel waits nobody acts on it: what is reached for is drawn first, and what has the focus is drawn at once.
 */
export interface Panels {
  /**
   * Draws a panel in a frame of its own, once no newer step comes; at once where it is new or has the focus. What gives true
   * has more to draw, in another frame.
   */
  draw(panel: Element, draw: Draw): void;
  /** Draws now what waits: all of it, or the panels in which this is and those in it. */
  settle(at?: Node): void;
}

type Draw = () => unknown;

/** Milliseconds without a step after which what is out of sight is drawn, too. */
const QUIET = 100;
/** What a reader does to a panel, before or instead of bringing the focus there. */
const REACHES = ["pointerdown", "click", "focusin"] as const;

export function createPanels(root: HTMLElement, life: AbortSignal): Panels {
  const known = new WeakSet<Element>();
  const waiting = new Map<Element, Draw>();
  const unseen = new WeakSet<Element>();
  let isNew = false;
  let isAsked = false;
  /** When the last step came. */
  let since = 0;
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
      while (draw() === true);
    }
  }

  /** The panel in sight that has waited longest, unless a step came since the last frame: its picture comes first. */
  function tick(): void {
    isAsked = false;
    if (life.aborted) return;
    const isQuiet = performance.now() - since >= QUIET;
    const next = isNew ? undefined : [...waiting].find(([panel]) => isQuiet || !unseen.has(panel));
    if (next) {
      const [panel, draw] = next;
      waiting.delete(panel);
      if (draw() === true) waiting.set(panel, draw);
    }
    isNew = false;
    clearTimeout(timer);
    if ([...waiting.keys()].some((panel) => isQuiet || !unseen.has(panel))) ask();
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

  return {
    settle,
    draw(panel, draw) {
      // Of one that waits already the place stays: each has its turn.
      waiting.set(panel, draw);
      if (!known.has(panel) || panel.contains(document.activeElement)) settle(panel);
      else ask();
      if (!known.has(panel)) sight?.observe(panel);
      known.add(panel);
      isNew = true;
      since = performance.now();
    },
  };
}

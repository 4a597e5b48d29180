/**
 * Draws the panels beside a picture after it: those in view in the first frame without a step, those in a closed drawer when
 * it opens. Nobody acts on a waiting panel: it is drawn first if the user reaches for it, and at once if it has the focus.
 */
export interface Panels {
  /** Draws a panel in a later frame, unless a newer drawing comes; at once if it is new or has the focus. */
  draw(panel: Element, draw: () => void): void;
  /** Draws the sentence about a step at once, but not more often than anybody reads. */
  tell(panel: Element, draw: () => void): void;
  /** Draws waiting panels now: all, or those that contain this element or lie in it. */
  settle(at?: Node): void;
}

/** Milliseconds: steps closer than this are not read one by one. */
const QUIET = 100;
/** The events by which a user acts on a panel, before or instead of focusing it. */
const REACHES = ["pointerdown", "click", "focusin"] as const;

export function createPanels(root: HTMLElement, life: AbortSignal): Panels {
  const known = new WeakSet<Element>();
  const waiting = new Map<Element, () => void>();
  let isNew = false;
  let isAsked = false;
  let toldAt = Number.NEGATIVE_INFINITY;

  function settle(at?: Node): void {
    for (const [panel, draw] of waiting) {
      if (at && !panel.contains(at) && !at.contains(panel)) continue;
      waiting.delete(panel);
      draw();
    }
  }

  /** A panel may also hide itself. */
  const isOpen = (panel: Element): boolean => !panel.parentElement?.closest("[hidden]");

  /** A frame: if a step came since the last one, its picture comes first. */
  function tick(): void {
    isAsked = false;
    if (life.aborted) return;
    if (isNew) ask();
    else for (const panel of [...waiting.keys()].filter(isOpen)) settle(panel);
    isNew = false;
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
  window.addEventListener("beforeprint", () => settle(), { signal: life });

  function draw(panel: Element, draw: () => void): void {
    waiting.set(panel, draw);
    if ((isOpen(panel) && !known.has(panel)) || panel.contains(document.activeElement)) settle(panel);
    known.add(panel);
    isNew = true;
    ask();
  }

  return {
    settle,
    draw,
    tell(panel, tell) {
      const isFirst = !known.has(panel);
      draw(panel, tell);
      const now = performance.now();
      if (isFirst || now - toldAt < QUIET) return;
      toldAt = now;
      settle(panel);
    },
  };
}

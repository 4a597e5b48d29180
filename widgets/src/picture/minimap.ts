/** A small map of a picture that is larger than its window, with a frame that can be dragged. The keyboard scrolls without it. */

import { h, s } from "../base/dom";
import type { Context } from "../context";
import type { Box } from "../layout/geometry";
import type { Drawing } from "./paint";
import { MARGIN } from "./paint";

const LARGEST = 150; // pixels in the longer direction

export interface Minimap {
  element: HTMLElement;
  draw: (drawn: Drawing) => void;
}

export function createMinimap(ctx: Context, viewport: HTMLElement): Minimap {
  const element = h("div", { class: "minimap", "data-testid": "minimap", "aria-hidden": "true" });
  element.hidden = true;
  const frame = h("div", { class: "frame" });
  let size = { w: 1, h: 1 };
  let waiting = false;
  let frameSize = "";

  /** Moves the frame to the window's place: once an animation frame, and without a layout. */
  function follow(): void {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (ctx.life.aborted) return;
      const { scrollWidth, scrollHeight, clientWidth, clientHeight, scrollLeft, scrollTop } = viewport;
      const isLarger = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      element.hidden = !isLarger;
      if (!isLarger) return;
      const [x, y] = [size.w / scrollWidth, size.h / scrollHeight];
      // A transform needs no layout; the size changes only by zooming.
      frame.style.transform = `translate(${(scrollLeft * x).toFixed(1)}px, ${(scrollTop * y).toFixed(1)}px)`;
      const own = `${(clientWidth * x).toFixed(1)}px ${(clientHeight * y).toFixed(1)}px`;
      if (own === frameSize) return;
      frameSize = own;
      [frame.style.width, frame.style.height] = own.split(" ") as [string, string];
    });
  }

  function to(event: PointerEvent): void {
    const box = element.querySelector("svg")?.getBoundingClientRect();
    if (!box) return;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = viewport;
    viewport.scrollLeft = ((event.clientX - box.left) / box.width) * scrollWidth - clientWidth / 2;
    viewport.scrollTop = ((event.clientY - box.top) / box.height) * scrollHeight - clientHeight / 2;
  }
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    to(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) to(event);
  });
  viewport.addEventListener("scroll", follow, { passive: true });
  // Without layout, as in a test, sizes do not change.
  const watcher = typeof ResizeObserver === "function" ? new ResizeObserver(follow) : null;
  ctx.life.addEventListener("abort", () => watcher?.disconnect());

  return {
    element,
    draw({ scene, svg }) {
      const [w, height] = [scene.w + 2 * MARGIN, scene.h + 2 * MARGIN];
      const scale = LARGEST / Math.max(w, height);
      size = { w: Math.max(24, w * scale), h: Math.max(24, height * scale) };
      const at = (value: number): string => (value * scale).toFixed(1);
      // One path for all equal boxes: hundreds of elements would each be styled and laid out.
      const boxes = (className: string, all: Iterable<Box>): SVGElement => {
        const parts = Array.from(
          all,
          ({ x, y, w, h }) => `M${at(x + MARGIN)} ${at(y + MARGIN)}h${at(w)}v${at(h)}h${at(-w)}z`,
        );
        return s("path", { class: className, d: parts.join("") });
      };
      element.replaceChildren(
        s(
          "svg",
          { width: size.w, height: size.h },
          boxes("area", scene.open.values()),
          boxes("card", scene.closed.values()),
          boxes("node", scene.nodes.values()),
        ),
        frame,
      );
      watcher?.disconnect();
      watcher?.observe(viewport);
      watcher?.observe(svg);
      follow();
    },
  };
}

/** Pans the picture by the mouse, and zooms by the wheel with Ctrl, around the pointer. */
export function panAndZoom(viewport: HTMLElement, zoom: (factor: number) => void, life: AbortSignal): void {
  let from: { x: number; y: number; left: number; top: number } | null = null;
  let moved = false;
  viewport.addEventListener(
    "pointerdown",
    (event) => {
      const onBar = event.target === viewport && event.offsetX > viewport.clientWidth;
      if (event.button !== 0 || event.pointerType === "touch" || onBar) return;
      from = { x: event.clientX, y: event.clientY, left: viewport.scrollLeft, top: viewport.scrollTop };
      moved = false;
    },
    { signal: life },
  );
  viewport.addEventListener(
    "pointermove",
    (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      // A trembling hand still clicks.
      if (!moved && Math.hypot(dx, dy) < 5) return;
      if (!moved) viewport.setPointerCapture(event.pointerId);
      moved = true;
      viewport.scrollLeft = from.left - dx;
      viewport.scrollTop = from.top - dy;
    },
    { signal: life },
  );
  const end = (): void => {
    from = null;
  };
  // No style for this: an inherited one would be computed anew for every node.
  viewport.addEventListener("selectstart", (event) => from && event.preventDefault(), { signal: life });
  viewport.addEventListener("pointerup", end, { signal: life });
  viewport.addEventListener("pointercancel", end, { signal: life });
  viewport.addEventListener(
    "click",
    (event) => {
      // The end of a drag is no click on the item below the pointer.
      if (moved) event.stopPropagation();
      moved = false;
    },
    { capture: true, signal: life },
  );
  viewport.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = viewport.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const { scrollWidth, scrollHeight, scrollLeft, scrollTop } = viewport;
      const [u, v] = [(scrollLeft + x) / scrollWidth, (scrollTop + y) / scrollHeight];
      zoom(Math.exp(-event.deltaY / 300));
      viewport.scrollLeft = u * viewport.scrollWidth - x;
      viewport.scrollTop = v * viewport.scrollHeight - y;
    },
    { passive: false, signal: life },
  );
}

/** Drags a new edge from one node of a picture to another, with a line that follows the pointer. */
import { s } from "../base/dom";

/** How far the pointer must move for a press to become a drag, in pixels. */
const FAR = 6;

const nodeAt = (target: EventTarget | null): number | null => {
  const group = target instanceof Element ? target.closest("g.node[data-id]") : null;
  const id = group?.getAttribute("data-id");
  return id === null || id === undefined ? null : Number(id);
};

/** Calls `then` with the two nodes of each drag; the click that ends a drag chooses nothing. */
export function followDrags(
  viewport: HTMLElement,
  then: (source: number, target: number) => void,
  life: AbortSignal,
): void {
  let from: { id: number; x: number; y: number } | null = null;
  let line: SVGLineElement | null = null;

  const place = (svg: SVGSVGElement, event: PointerEvent): { x: number; y: number } => {
    const matrix = svg.getScreenCTM()?.inverse();
    return matrix
      ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix)
      : { x: event.clientX, y: event.clientY };
  };
  const stop = (): void => {
    from = null;
    line?.remove();
    line = null;
  };
  const begin = (event: PointerEvent): void => {
    const id = nodeAt(event.target);
    // This gesture replaces the panning of the picture.
    if (id === null || event.button !== 0) return;
    event.stopPropagation();
    from = { id, x: event.clientX, y: event.clientY };
  };
  const move = (event: PointerEvent): void => {
    if (!from) return;
    const svg = viewport.querySelector("svg");
    if (!svg || Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
    if (!line) {
      const start = place(svg, new PointerEvent("pointermove", { clientX: from.x, clientY: from.y }));
      line = s("line", { class: "drawing", x1: start.x, y1: start.y, x2: start.x, y2: start.y });
      svg.append(line);
    }
    const { x, y } = place(svg, event);
    line.setAttribute("x2", String(x));
    line.setAttribute("y2", String(y));
  };
  const end = (event: PointerEvent): void => {
    const source = from?.id ?? null;
    const dragged = line !== null;
    stop();
    const target = nodeAt(event.target);
    if (!dragged || source === null) return;
    // Swallows the click after a drag that began and ended on the same node.
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
    if (target !== null && target !== source) then(source, target);
  };
  const swallow = (event: Event): void => event.stopPropagation();
  const options = { signal: life, capture: true };
  viewport.addEventListener("pointerdown", begin, options);
  window.addEventListener("pointermove", move, { signal: life });
  window.addEventListener("pointerup", end, { signal: life });
  window.addEventListener("pointercancel", stop, { signal: life });
}

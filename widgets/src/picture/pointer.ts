/** The pointer over a picture. One listener serves all items: one on each, and wide invisible lines, would cost as much as drawing. */
import { distance } from "../draw/edge-path";
import type { Point } from "../layout/geometry";
import type { GraphItem } from "../model/graph-item";
import type { Drawing } from "./paint";

export interface PointerHandlers {
  /** An item was clicked. */
  click: (item: GraphItem) => void;
  /** The pointer moved onto an item, or left it. */
  look: (item: GraphItem | null) => void;
}

/** The distance at which a line is hit, in pixels of the picture. */
const REACH = 7;

/** The line nearest to a point, if one is near. */
export function lineAt(lines: Drawing["lines"], place: Point): GraphItem | null {
  let nearest: GraphItem | null = null;
  let least = REACH;
  for (const { line, group } of lines.values()) {
    if (group.hasAttribute("data-absent")) continue;
    const away = distance(line.points, place, least, line.turned);
    if (away >= least) continue;
    least = away;
    nearest = { kind: "edge", bundle: line.bundle };
  }
  return nearest;
}

/** Tells the handlers which item the pointer is on. */
export function follow({ svg, items, lines }: Drawing, handlers: PointerHandlers): void {
  const thingAt = ({ target, clientX, clientY }: MouseEvent): GraphItem | null => {
    let part = target as Element | null;
    while (part && part !== svg) {
      const item = items.get(part);
      if (item) return item;
      part = part.parentElement;
    }
    const matrix = svg.getScreenCTM?.()?.inverse();
    return matrix ? lineAt(lines, new DOMPoint(clientX, clientY).matrixTransform(matrix)) : null;
  };
  let at: GraphItem | null = null;
  const look = (item: GraphItem | null): void => {
    const isSame = item?.kind === "edge" && at?.kind === "edge" ? item.bundle === at.bundle : item === at;
    if (isSame) return;
    at = item;
    handlers.look(item);
  };
  svg.addEventListener("click", (event) => {
    const item = thingAt(event);
    if (item) handlers.click(item);
  });
  svg.addEventListener("pointermove", (event) => look(thingAt(event)));
  svg.addEventListener("pointerleave", () => look(null));
}

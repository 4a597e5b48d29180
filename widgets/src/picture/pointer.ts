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

/** The distance at which a line is hit, in pixels of the picture, or of the screen if these are larger. */
const REACH = 7;

/** A point of the picture, and the scale at which it is seen. */
export interface SeenPoint extends Point {
  scale: number;
}

/** The line nearest to a point, if one is near. */
function lineAt(lines: Drawing["lines"], place: SeenPoint): GraphItem | null {
  let nearest: GraphItem | null = null;
  let least = Math.max(REACH, REACH / place.scale);
  for (const { line, group } of lines.values()) {
    if (group.hasAttribute("data-absent")) continue;
    const away = distance(line.points, place, least, line.turned);
    if (away >= least) continue;
    least = away;
    nearest = { kind: "edge", bundle: line.bundle };
  }
  return nearest;
}

/** Tells the handlers which item the pointer is on; `placeOf` is where the pointer is in the picture. */
export function follow(
  { svg, items, lines }: Drawing,
  handlers: PointerHandlers,
  placeOf: (event: MouseEvent) => SeenPoint,
): void {
  const thingAt = (event: MouseEvent): GraphItem | null => {
    let part = event.target as Element | null;
    while (part && part !== svg) {
      const item = items.get(part);
      if (item) return item;
      part = part.parentElement;
    }
    return lineAt(lines, placeOf(event));
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

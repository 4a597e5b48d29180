/** The pointer over a picture. It listens once for all things: a listener on each, and room to hit on each line, cost as much as drawing. */
import { distance } from "../draw/edge-path";
import type { Point } from "../layout/geometry";
import type { Thing } from "../model/graph-item";
import type { Drawn } from "./paint";

export interface Hands {
  /** A thing was clicked. */
  click: (thing: Thing) => void;
  /** The pointer is on a thing, or left it. */
  look: (thing: Thing | null) => void;
}

/** A line is met from so far away. */
const REACH = 7;

/** The line that is nearest to a place, if any is near. */
export function lineAt(lines: Drawn["lines"], place: Point): Thing | null {
  let nearest: Thing | null = null;
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

/** Tells the hands what the pointer is on. */
export function follow({ svg, things, lines }: Drawn, hands: Hands): void {
  const thingAt = ({ target, clientX, clientY }: MouseEvent): Thing | null => {
    let part = target as Element | null;
    while (part && part !== svg) {
      const thing = things.get(part);
      if (thing) return thing;
      part = part.parentElement;
    }
    const matrix = svg.getScreenCTM?.()?.inverse();
    return matrix ? lineAt(lines, new DOMPoint(clientX, clientY).matrixTransform(matrix)) : null;
  };
  let at: Thing | null = null;
  const look = (thing: Thing | null): void => {
    const isSame = thing?.kind === "edge" && at?.kind === "edge" ? thing.bundle === at.bundle : thing === at;
    if (isSame) return;
    at = thing;
    hands.look(thing);
  };
  svg.addEventListener("click", (event) => {
    const thing = thingAt(event);
    if (thing) hands.click(thing);
  });
  svg.addEventListener("pointermove", (event) => look(thingAt(event)));
  svg.addEventListener("pointerleave", () => look(null));
}

/** What keeps its place on the screen when a picture is drawn anew. */
import type { Box, Point } from "../layout/geometry";
import type { GraphItem } from "../model/graph-item";
import { type Drawing, endKey } from "./paint";

/** An item before and after. */
export interface Anchor {
  from: Point;
  to: Point;
  /** The box after the change if the reader acted on this item, else null. */
  acted: Box | null;
}

/** The box of a drawn item, open or closed. */
function boxAt({ scene }: Drawing, key: string): Box | undefined {
  if (key.startsWith("node ")) return scene.nodes.get(Number(key.slice(5)));
  const path = key.slice(6);
  return scene.closed.get(path) ?? scene.open.get(path);
}

/** The scopes that are open in one drawing and closed in the other. */
function turnedScopes(before: Drawing, after: Drawing): { opened: string[]; closed: string[] } {
  return {
    opened: [...before.scene.closed.keys()].filter((path) => after.scene.open.has(path)),
    closed: [...before.scene.open.keys()].filter((path) => after.scene.closed.has(path)),
  };
}

/**
 * The anchor: the scope that was opened or closed; if several were, the focused item; else what is drawn nearest to a point of
 * the picture.
 */
export function anchorOf(before: Drawing, after: Drawing, at: GraphItem | null, near: Point): Anchor | null {
  const { opened, closed } = turnedScopes(before, after);
  const focused = at?.kind === "scope" ? endKey(at.path) : at?.kind === "node" ? endKey(at.id) : null;
  const turned = [...opened, ...closed].map(endKey);
  const one = opened.length === 1 ? opened : opened.length === 0 && closed.length === 1 ? closed : [];
  const acted = focused !== null && turned.includes(focused) ? focused : one.map(endKey)[0];
  const pair = (key: string): Anchor | null => {
    const [from, to] = [boxAt(before, key), boxAt(after, key)];
    return from && to ? { from, to, acted: key === acted ? to : null } : null;
  };
  const found = (acted === undefined ? null : pair(acted)) ?? (focused === null ? null : pair(focused));
  return found ?? nearest(before, after, near);
}

/** The item nearest to a point; one that is no longer drawn is where the scope around it is. */
function nearest(before: Drawing, after: Drawing, near: Point): Anchor | null {
  let least = Infinity;
  let anchor: Anchor | null = null;
  const offer = (from: Box, to: Box | undefined): void => {
    const far = Math.hypot(from.x + from.w / 2 - near.x, from.y + from.h / 2 - near.y);
    if (to && far < least) [least, anchor] = [far, { from, to, acted: null }];
  };
  for (const [id, box] of before.scene.nodes) {
    const end = after.visible.shownAs.get(id);
    offer(box, end === undefined ? undefined : boxAt(after, endKey(end)));
  }
  for (const [path, box] of before.scene.closed) offer(box, boxAt(after, endKey(path)));
  return anchor;
}

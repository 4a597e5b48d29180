/** Keeps a picture in its place on the screen when a scope opens or closes: it scrolls and keeps its scale. */
import type { GraphItem } from "../model/graph-item";
import { type Drawing, endKey, MARGIN } from "./paint";

/** A point of the picture that is to keep its place. */
export interface Anchor {
  key: string;
  /** The place in the viewport, in pixels of the screen. */
  x: number;
  y: number;
  scale: number;
  /** The height of the viewport. */
  room: number;
}

/** The upper left corner of a drawn item, where its title is, open or closed. */
function corner({ scene }: Drawing, key: string): { x: number; y: number } | undefined {
  if (key.startsWith("node ")) return scene.nodes.get(Number(key.slice(5)));
  const path = key.slice(6);
  return scene.closed.get(path) ?? scene.open.get(path);
}

/** The anchor: the scope that was opened or closed, else the focused item, if it is still drawn. */
export function anchorOf(
  element: HTMLElement,
  before: Drawing,
  after: Drawing,
  at: GraphItem | null,
): Anchor | null {
  const turned = [...before.scene.closed.keys()].filter((path) => after.scene.open.has(path));
  turned.push(...[...before.scene.open.keys()].filter((path) => after.scene.closed.has(path)));
  const focused = at?.kind === "scope" ? endKey(at.path) : at?.kind === "node" ? endKey(at.id) : null;
  const keys = [...turned.map(endKey), ...before.marks.keys()];
  const isThere = (key: string): boolean => Boolean(corner(before, key) && corner(after, key));
  const key = focused !== null && isThere(focused) ? focused : keys.find(isThere);
  const from = key === undefined ? undefined : corner(before, key);
  const inner = before.svg.getBoundingClientRect();
  const outer = element.getBoundingClientRect();
  if (key === undefined || !from || inner.width === 0) return null;
  const scale = inner.width / before.svg.viewBox.baseVal.width;
  return {
    key,
    x: inner.left - outer.left + (from.x + MARGIN) * scale,
    y: inner.top - outer.top + (from.y + MARGIN) * scale,
    scale,
    room: element.clientHeight,
  };
}

/** Scrolls so that the anchor keeps its place; if there is nothing to scroll, the picture moves aside. */
export function keepAnchor(element: HTMLElement, after: Drawing, anchor: Anchor): void {
  const to = corner(after, anchor.key);
  if (!to) return;
  const { sheet, svg } = after;
  const left = anchor.x - (to.x + MARGIN) * anchor.scale;
  const top = anchor.y - (to.y + MARGIN) * anchor.scale;
  const { width: w, height: h } = svg.viewBox.baseVal;
  const [width, height] = [w * anchor.scale, h * anchor.scale];
  element.style.textAlign = "left";
  // As high as the visible part of the picture, and never lower than before; a lower picture gets room to scroll.
  const room = Math.max(anchor.room, height + top);
  if (top < 0) element.style.height = `${room}px`;
  sheet.style.marginLeft = `${Math.max(0, left)}px`;
  sheet.style.marginRight = `${Math.max(0, element.clientWidth - width - left)}px`;
  sheet.style.marginTop = `${Math.max(0, top)}px`;
  sheet.style.marginBottom = top < 0 ? `${Math.max(0, room - top - height)}px` : "";
  element.scrollLeft = -left;
  element.scrollTop = -top;
}

/** A card beside the node that the user points at, with its whole value where the picture has room only for its shape. */

import { h, renew } from "../base/dom";
import { passage } from "../base/text";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { Drawing } from "./paint";

const LONG = 2000;
const APART = 6;

interface Card {
  element: HTMLElement;
  id: number;
}

const cards = new WeakMap<Drawing, Card>();

/** Shows the card of an item, if it has one; the label of its element says the same. */
export function showValueCard(drawn: Drawing, item: GraphItem | null, frame: Frame | null): void {
  const id = item?.kind === "node" ? item.id : null;
  const lines = id !== null && frame && drawn.shown?.whole(id, frame);
  if (!lines || cards.get(drawn)?.id !== id) hideValueCard(drawn);
  if (id === null || !lines) return;
  const texts = lines.map((line) => h("code", { dir: "auto" }, passage(line, LONG)));
  const known = cards.get(drawn);
  if (known) {
    renew(known.element, texts);
    return;
  }
  const element = h("div", { class: "value-card", popover: "manual", "aria-hidden": "true" }, ...texts);
  // Without popovers the inspector is the way to the value: an element in the picture would be cut.
  if (!element.showPopover) return;
  cards.set(drawn, { element, id });
  drawn.sheet.append(element);
  element.showPopover();
  const node = (drawn.chips.get(id) ?? drawn.marks.get(`node ${id}`)?.group)?.getBoundingClientRect();
  const room = element.getBoundingClientRect();
  if (!node) return;
  const below = node.bottom + APART;
  const top = below + room.height < innerHeight ? below : node.top - APART - room.height;
  const left = Math.min(node.left + node.width / 2 - room.width / 2, innerWidth - room.width - APART);
  element.style.left = `${Math.max(APART, left)}px`;
  element.style.top = `${Math.max(APART, top)}px`;
  window.addEventListener("scroll", () => hideValueCard(drawn), { capture: true, once: true });
}

/** Shows the value of another step on the card that is there. */
export function renewValueCard(drawn: Drawing, frame: Frame | null): void {
  const card = cards.get(drawn);
  if (card) showValueCard(drawn, { kind: "node", id: card.id }, frame);
}

function hideValueCard(drawn: Drawing): void {
  cards.get(drawn)?.element.remove();
  cards.delete(drawn);
}

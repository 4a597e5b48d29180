/** One section of a training: a card for each tag. A card far from the window is drawn when it comes near. */

import { h, section, setText } from "../base/dom";
import type { Context } from "../context";
import type { Card, View } from "./tag-card";

const MOST_OPEN = 24; // cards that are visible without opening "more"

export interface Entry<T> {
  key: string;
  tag: string;
  series: T;
  /** A key of the drawn data: the card is redrawn only if it changed. */
  state: string;
}

export interface ChartSection<T> {
  element: HTMLElement;
  show: (entries: Entry<T>[], view: View) => void;
}

interface Placed<T> {
  card: Card<T>;
  state: string;
  near: boolean;
  /** Draws the data that came while the card was far away. */
  late: (() => void) | null;
}

export function createChartSection<T>(
  ctx: Context,
  title: "training.curves" | "training.histograms" | "training.images" | "training.texts",
  create: (tag: string) => Card<T>,
): ChartSection<T> {
  const cards = new Map<string, Placed<T>>();
  const at = new WeakMap<Element, Placed<T>>();
  const near = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const placed = at.get(target);
        if (!placed) continue;
        placed.near = isIntersecting;
        if (!isIntersecting) continue;
        placed.late?.();
        placed.late = null;
      }
    },
    { rootMargin: "300px" },
  );
  ctx.life.addEventListener("abort", () => near.disconnect());

  const place = (key: string, tag: string): Placed<T> => {
    const known = cards.get(key);
    if (known) return known;
    // Near until the observer reports otherwise: a new card is drawn once, wherever it is.
    const placed = { card: create(tag), state: "", near: true, late: null };
    cards.set(key, placed);
    at.set(placed.card.element, placed);
    near.observe(placed.card.element);
    return placed;
  };

  const fill = (into: HTMLElement, entries: Entry<T>[], view: View): void => {
    const elements = entries.map(({ key, tag, series, state }) => {
      const placed = place(key, tag);
      if (placed.state !== state) {
        const draw = (): void => placed.card.show(series, view);
        if (placed.near) draw();
        placed.late = placed.near ? null : draw;
        placed.state = state;
      }
      return placed.card.element;
    });
    // Only changed lists are put in place: an element that moves loses the focus.
    if (elements.length !== into.children.length || elements.some((each, i) => into.children[i] !== each)) {
      into.replaceChildren(...elements);
    }
  };

  const first = h("div", { class: "cards" });
  const rest = h("div", { class: "cards" });
  const summary = h("summary");
  let open = (): void => {};
  const more = h("details", { class: "more", toggle: () => open() }, summary, rest);
  const element = section({ class: "of-training" }, h("h4", {}, ctx.t(title)), first, more);
  return {
    element,
    show(entries, view) {
      element.hidden = entries.length === 0;
      more.hidden = entries.length <= MOST_OPEN;
      setText(summary, ctx.t("training.more", { n: Math.max(0, entries.length - MOST_OPEN) }));
      open = () => more.open && fill(rest, entries.slice(MOST_OPEN), view);
      fill(first, entries.slice(0, MOST_OPEN), view);
      open();
    },
  };
}

/**
 * Draws a picture anew: lays it out, here or in a worker, and puts the drawing into the viewport with everything that it shows.
 * State: the drawing on the page, and whether the labels of lines are written.
 */
import type { Context } from "../context";
import type { Key } from "../i18n";
import type { Size } from "../layout/geometry";
import { AT_ONCE, createLayouter } from "../layout/layouter";
import { type GraphItem, itemKey } from "../model/graph-item";
import type { MarksRecord } from "../record";
import { anchorOf } from "./anchor";
import { pointAt } from "./camera";
import { type DraftOptions, draftPicture, type Laid } from "./draft";

import type { Focus } from "./keyboard-focus";
import { createMinimap } from "./minimap";
import { createOpening, type Opening, type OpeningOptions } from "./opening";
import { contentOf, type Drawing, itemBoxes, paint } from "./paint";
import { follow, type PointerHandlers } from "./pointer";
import type { ReaderViews } from "./reader-views";
import type { ShownState } from "./shown-state";
import { pictureAt, type Viewport } from "./viewport";

export interface DrawOptions extends DraftOptions, OpeningOptions {
  title: string;
  marks: MarksRecord | null;
  /** The message on marked nodes; by default that only this side has them. */
  mark?: Key;
  /** Draws more on a new drawing. */
  layer?: (drawn: Drawing) => void;
  /** The picture was redrawn. */
  drawn?: () => void;
}

/** The parts of a picture that a new drawing concerns. */
export interface DrawnParts {
  viewport: Viewport;
  focus: Focus;
  views: ReaderViews;
  state: ShownState;
  choose: (item: GraphItem) => void;
}

export interface Redraw {
  arrangement: Opening["arrangement"];
  /** The room is known: the picture opens anew unless the reader has acted. */
  resized: (room: Size) => void;
  /** The picture as it is drawn now. */
  drawing: () => Drawing | null;
  redraw: () => void;
  /** Draws the picture anew if other nodes have a place now. */
  makeRoom: () => void;
  labels: (on: boolean) => void;
}

export function createRedraw(ctx: Context, options: DrawOptions, parts: DrawnParts): Redraw {
  const { graph } = options;
  const { viewport, focus, views, state, choose } = parts;
  const { element } = viewport;
  const layouter = createLayouter(ctx.life);
  const map = createMinimap(ctx, viewport, views);
  let drawn: Drawing | null = null;
  let withLabels = false;
  const opening = createOpening(ctx, options, { viewport, views, layouter });
  /** The nodes that have no place in this layout. */
  let later = opening.later();
  const handlers: PointerHandlers = {
    click(item) {
      // The picture takes the focus by mouse too, so that the arrow keys go on from there.
      if (item.kind !== "edge") focus.move(itemKey(item));
      choose(item);
    },
    look: state.look,
  };

  function redraw(): void {
    opening.follow();
    later = opening.later();
    const [collapsed, room] = [views.renew(), opening.room()];
    // What opens anew is drafted as it was when it was tried out; then its layout is known.
    const before = opening.isNew() ? new Map() : layouter.memory();
    const { turned, tight } = opening.arrangement();
    const view = { collapsed, withLabels, room, before, turned, tight, later };
    const { plan, finish } = draftPicture(ctx, options, view);
    element.setAttribute("aria-busy", "true");
    // Two pictures side by side are drawn together.
    const patient = options.like === null;
    layouter.place(plan, (placements) => draw(finish(placements)), patient);
  }

  function draw(laid: Laid): void {
    const before = drawn;
    const { title, values = null, mark } = options;
    const after = paint(ctx, graph, { ...laid, title, values, ...(mark && { mark }) }, options.marks);
    follow(after, handlers, (event) => pictureAt(viewport, event));
    options.layer?.(after);
    after.svg.addEventListener("focusout", () => state.look(null));
    const { w, h } = viewport.room();
    const near = pointAt(viewport.camera(), { x: w / 2, y: h / 2 });
    // In a turned picture everything is elsewhere: no place can be kept.
    const isElsewhere = opening.isNew() || before?.scene.turned !== after.scene.turned;
    const stays = before !== null && !views.isReturning() && !isElsewhere;
    const anchor = stays ? anchorOf(before, after, focus.at(), near) : null;
    element.setAttribute("aria-busy", "false");
    drawn = after;
    map.draw(after);
    const sheet = { element: after.sheet, content: contentOf(after), boxes: itemBoxes(after) };
    focus.draw(after, () => viewport.put(sheet, anchor));
    views.arrive();
    opening.arrive();
    state.renew();
    options.drawn?.();
  }

  // A user who reaches for the picture of a large graph may open more of it.
  if (graph.record.nodes.length > AT_ONCE)
    for (const reached of ["pointerenter", "focusin"]) element.addEventListener(reached, layouter.expect);
  return {
    drawing: () => drawn,
    arrangement: opening.arrangement,
    resized: (room) => opening.resized(room, redraw),
    redraw,
    makeRoom() {
      if (later === opening.later()) return;
      // A layout of its own, so that all ways to a step lead to the same picture.
      layouter.remember(new Map());
      redraw();
    },
    labels(on) {
      withLabels = on;
      redraw();
    },
  };
}

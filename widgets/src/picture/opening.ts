/**
 * How a picture opens: for the room at the design width before it is on the page, then for its own room, unless the reader has
 * acted. State: the direction and the density that were chosen, and the scopes that were closed with them.
 */
import type { Context } from "../context";
import { estimateSize } from "../layout/estimate";
import type { Size } from "../layout/geometry";
import type { Layouter } from "../layout/layouter";
import { nodesUnder } from "../model/graph";
import { gatherIdle, separateIdle } from "../model/unused";
import { READABLE } from "./camera";
import { type Arranged, type DraftOptions, draftPicture } from "./draft";
import { type FirstViewOptions, firstView } from "./first-view";
import { MARGIN } from "./paint";
import { type ClosedScopes, isSame, type ReaderViews } from "./reader-views";
import type { Viewport } from "./viewport";

export interface OpeningOptions extends ClosedScopes {
  /** Into what room the picture is to fit; by default it opens as it was left. */
  first?: FirstViewOptions | null;
  /** The nodes that no run needs. */
  idle?: ReadonlySet<number>;
}

export interface Opening {
  arrangement: () => Arranged;
  /** The room to lay out for. */
  room: () => Size;
  /** The picture is about to be drawn; it opens anew if it shows other scopes: boxes of conds and loops, or one by itself. */
  follow: () => void;
  /** The room is known, or changed: the picture opens anew unless the reader has acted. */
  resized: (room: Size, redraw: () => void) => void;
  /** The nodes that have no place yet. */
  later: () => ReadonlySet<number>;
  /** Whether the picture opens anew with the next drawing: no place is kept. */
  isNew: () => boolean;
  /** The picture is drawn. */
  arrive: () => void;
}

export function createOpening(
  ctx: Context,
  options: DraftOptions & OpeningOptions,
  { viewport, views, layouter }: { viewport: Viewport; views: ReaderViews; layouter: Layouter },
): Opening {
  const { graph, first = null, like } = options;
  const idle = new Set([...(options.idle ?? [])].filter((id) => !first?.marked?.has(id)));
  const model = like?.arrangement() ?? null;
  /** The scopes that were closed before a view was chosen. */
  let start = options.collapsed();
  let arranged: Arranged = { turned: false, tight: false, gathered: false, ...model, collapsed: start };
  let room: Size = first?.room ?? { w: 0, h: 0 };
  const subject = (): string => `${graph.boxes.size > 0} ${graph.at}`;
  let drawn = subject();
  let isNew = false;
  /** Whether the whole picture is too small to be read. */
  let isSmall = false;
  const isCommon = (path: string): boolean =>
    graph.scope.has(path) && !nodesUnder(graph, path).some((id) => first?.marked?.has(id));
  const later = (): ReadonlySet<number> => (isSmall ? (options.later?.() ?? NONE) : NONE);

  function choose(): void {
    if (!first) return;
    separateIdle(graph);
    const groups = model?.gathered ? gatherIdle(graph, idle) : [];
    const closed = [...new Set([...start, ...groups, ...(model?.collapsed ?? []).filter(isCommon)])];
    const directions = options.turned ? [options.turned()] : model ? [model.turned] : first.directions;
    const own = { ...first, idle, room, ...(directions && { directions }) };
    const view = firstView(graph, closed, own, {
      draft: (some) =>
        draftPicture(ctx, options, { ...some, withLabels: false, room, before: new Map(), later: NONE }),
      estimate: estimateSize,
      place: layouter.measure,
      margin: MARGIN,
    });
    // An overview suits its room.
    isNew ||= view !== null || graph.parts.size > 0;
    if (!view) return;
    const { collapsed, turned, tight, gathered, placements } = view;
    isSmall = view.scale < READABLE;
    arranged = { collapsed, turned, tight, gathered: gathered || groups.length > 0 };
    layouter.remember(later().size > 0 ? new Map() : placements);
    views.adopt(collapsed);
    options.collapse(collapsed);
  }

  if (first) choose();
  else if (model?.gathered) gatherIdle(graph, idle);
  return {
    arrangement: () => ({
      ...arranged,
      turned: options.turned?.() ?? arranged.turned,
      collapsed: options.collapsed(),
    }),
    room: () => (viewport.room().w > 0 ? viewport.room() : room),
    follow() {
      if (subject() === drawn) return;
      drawn = subject();
      start = options.collapsed();
      isNew = true;
      choose();
    },
    resized(now, redraw) {
      const next = { w: now.w, h: first?.highest ?? now.h };
      const isOther = Math.abs(next.w - room.w) > NEAR || Math.abs(next.h - room.h) > NEAR;
      const hasActed = views.hasMoved() || !isSame(options.collapsed(), arranged.collapsed);
      if (!first || !isOther || hasActed) return;
      room = next;
      choose();
      // Where the scopes changed, the picture may be drawn already.
      if (isNew) redraw();
    },
    later,
    isNew: () => isNew,
    arrive() {
      isNew = false;
    },
  };
}

const NONE: ReadonlySet<number> = new Set();

/** A room that differs by no more than this, in pixels of the screen, gives the same view. */
const NEAR = 8;

/** The picture of a graph: scopes that open and close, one tab stop with roving focus, and the state of a run on top. */

import { h, setAttribute } from "../base/dom";
import { batched } from "../base/store";
import type { Context } from "../context";
import { placeBeside } from "../explore/beside";
import type { Key } from "../i18n";
import { AT_ONCE, createLayouter } from "../layout/layouter";
import { draftScene, type Hint, hintFrom, type Scene } from "../layout/scene";
import { LIMIT, REST, type Visible, visibleGraph } from "../model/collapse";
import type { Graph } from "../model/graph";
import { type GraphItem, itemKey } from "../model/graph-item";
import type { NodeValues } from "../model/node-values";
import type { Frame } from "../model/replay";
import type { MarksRecord } from "../record";
import { showBreakpoints } from "./breakpoint-marks";
import { showGradientPairs, showInspected } from "./inspection";
import { createFocus } from "./keyboard-focus";
import { sizesOf, type Words, wordsOf } from "./labels";
import { type Drawing, endKey, MARGIN, paint } from "./paint";
import { showPathAndRaces } from "./path-and-races";
import { follow, type PointerHandlers } from "./pointer";
import { showRun } from "./run-state";
import { anchorOf, keepAnchor } from "./scroll-anchor";

/** The height that an unzoomed picture fits into, as in the style sheet. */
const ROOM = 720;

export interface PictureOptions {
  graph: Graph;
  title: string;
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  marks: MarksRecord | null;
  /** The message on marked nodes; by default that only this side has them. */
  mark?: Key;
  /** What the nodes show of a run. */
  values?: NodeValues;
  /** The user points at an item or moves the focus to it. */
  look: (item: GraphItem | null) => void;
  choose: (item: GraphItem) => void;
  /** The picture whose arrangement this one adopts. */
  like: Picture | null;
  /** Whether values flow to the right; by default they flow down. */
  turned?: () => boolean;
  /** The nodes that the user set beside the graph. */
  beside?: () => number[];
  /** Draws more on a new drawing. */
  layer?: (drawn: Drawing) => void;
  /** The picture was redrawn. */
  drawn?: () => void;
}

export interface Picture {
  element: HTMLElement;
  redraw: () => void;
  show: (frame: Frame | null) => void;
  select: (id: number) => void;
  /** Marks the nodes that have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
  labels: (on: boolean) => void;
  zoom: (factor: number | null) => void;
  /** Moves the focus to an item. */
  focus: (item: GraphItem) => void;
  /** Scrolls to what is drawn for a node. */
  reveal: (id: number) => void;
  /** The place of every item, for a picture that adopts the arrangement. */
  hint: () => Hint;
}

export function createPicture(ctx: Context, options: PictureOptions): Picture {
  const { graph } = options;
  const element = h("div", { class: "viewport" });
  const layouter = createLayouter(ctx.life);
  let drawn: Drawing | null = null;
  let frame: Frame | null = null;
  let withLabels = false;
  let scale: number | null = null;
  let selected = -1;
  let stopped: ReadonlySet<number> = new Set();

  /** The box of nodes set aside cannot be opened: the graph is too large. */
  const choose = (item: GraphItem): void => {
    if (item.kind !== "scope" || item.path !== REST) options.choose(item);
  };
  const focus = createFocus({
    graph,
    element,
    choose,
    reach(item, group) {
      reveal(group);
      look(item);
    },
  });

  function redraw(): void {
    const visible = visibleGraph(graph, new Set(options.collapsed()), LIMIT, options.beside?.());
    const words = wordsOf(ctx, graph, visible);
    const turned = options.turned?.() ?? false;
    const sizes = sizesOf(ctx, graph, words, options.values ?? null, withLabels, turned);
    const hint = options.like?.hint();
    const { plan, finish } = draftScene(graph, visible, sizes, {
      ...(hint && { hint }),
      turned,
      before: layouter.memory(),
    });
    element.setAttribute("aria-busy", "true");
    // Two pictures side by side are drawn together.
    const patient = options.like === null;
    const place = (placements: Parameters<typeof finish>[0]): Scene =>
      placeBeside(visible, finish(placements), sizes);
    layouter.place(plan, (placements) => draw({ visible, scene: place(placements), words }), patient);
  }

  function draw(laid: { visible: Visible; scene: Scene; words: Words }): void {
    const before = drawn;
    const { title, values = null, mark } = options;
    const handlers: PointerHandlers = {
      click(item) {
        // The picture takes the focus by mouse too, so that the arrow keys go on from there.
        if (item.kind !== "edge") focus.move(itemKey(item));
        choose(item);
      },
      look,
    };
    const after = paint(ctx, graph, { ...laid, title, values, ...(mark && { mark }) }, options.marks);
    follow(after, handlers);
    options.layer?.(after);
    after.svg.addEventListener("focusout", () => look(null));
    // In a turned picture everything is elsewhere: no place can be kept.
    const stays = before !== null && before.scene.turned === after.scene.turned && isOther(before, after);
    const anchor = stays ? anchorOf(element, before, after, focus.at()) : null;
    element.setAttribute("aria-busy", "false");
    drawn = after;
    // An opened scope keeps its scale.
    if (anchor) scale = anchor.scale;
    resize();
    focus.draw(after, () => anchor && keepAnchor(element, after, anchor));
    press();
    showBreakpoints(ctx, drawn, stopped);
    show(frame);
    point();
    options.drawn?.();
  }

  function point(): void {
    const { highlights } = ctx;
    if (drawn) showPathAndRaces(drawn, { path: highlights.get("path"), races: highlights.get("races") });
  }

  function resize(): void {
    if (!drawn) return;
    const { scene, sheet } = drawn;
    const w = Math.ceil(scene.w + 2 * MARGIN);
    // Unzoomed, the picture shrinks with its room, but its text stays readable.
    const fit = Math.round((w * ROOM) / (scene.h + 2 * MARGIN));
    sheet.style.width = scale === null ? `min(100%, ${Math.min(w, fit)}px)` : `${Math.round(w * scale)}px`;
    sheet.style.minWidth = scale === null ? `${Math.round(w * 0.62)}px` : "";
    sheet.style.margin = "";
    element.style.textAlign = "";
    element.style.height = "";
  }

  function look(item: GraphItem | null): void {
    const inspected = item ?? focus.at();
    if (drawn) {
      showGradientPairs(
        drawn,
        graph,
        inspected?.kind === "node" ? inspected.id : (frame?.last?.node ?? null),
        frame,
      );
      showInspected(drawn, inspected);
    }
    options.look(inspected);
  }

  /** Scrolls the picture, never the page. */
  function reveal(group: SVGGElement): void {
    const inner = group.getBoundingClientRect();
    const outer = element.getBoundingClientRect();
    if (inner.left < outer.left) element.scrollLeft -= outer.left - inner.left + MARGIN;
    if (inner.right > outer.right) element.scrollLeft += inner.right - outer.right + MARGIN;
    if (inner.top < outer.top) element.scrollTop -= outer.top - inner.top + MARGIN;
    if (inner.bottom > outer.bottom) element.scrollTop += inner.bottom - outer.bottom + MARGIN;
  }

  function select(id: number): void {
    if (id === selected) return;
    selected = id;
    press();
  }

  function press(): void {
    for (const { item, group } of drawn?.marks.values() ?? []) {
      if (item.kind === "node") setAttribute(group, "aria-pressed", String(item.id === selected));
    }
  }

  function show(next: Frame | null): void {
    frame = next;
    if (!drawn) return;
    showRun(ctx, graph, drawn, next);
    focus.settle();
    if (!next) return;
    showGradientPairs(drawn, graph, next.last?.node ?? null, next);
    const active = next.last ? drawn.visible.shownAs.get(next.last.node) : undefined;
    const group = active === undefined ? undefined : drawn.marks.get(endKey(active))?.group;
    // In the next frame: asking for places here would force a second layout.
    if (group && !element.contains(document.activeElement))
      requestAnimationFrame(() => group.isConnected && reveal(group));
  }

  /** Whether a scope is open in one drawing and closed in the other. */
  const isOther = (before: Drawing, after: Drawing): boolean =>
    before.visible.open.join("\n") !== after.visible.open.join("\n");

  redraw();
  // A user who reaches for the picture of a large graph may open more of it.
  if (graph.record.nodes.length > AT_ONCE)
    for (const reached of ["pointerenter", "focusin"]) element.addEventListener(reached, layouter.expect);
  ctx.highlights.watch(["path", "races"], batched(point, ctx.life), ctx.life);
  // A picture wider than its room would otherwise begin with an empty corner.
  requestAnimationFrame(() => {
    if (!drawn) return;
    const { scene, visible, marks } = drawn;
    // A node set beside the graph is not its beginning.
    const nodes = [...scene.nodes].filter(([id]) => !visible.beside.nodes.includes(id));
    const top = Math.min(...[...nodes.map(([, box]) => box), ...scene.closed.values()].map(({ y }) => y));
    const first = nodes.find(([, { y }]) => y === top)?.[0];
    const group = first === undefined ? undefined : marks.get(`node ${first}`)?.group;
    if (group && element.scrollLeft === 0 && element.scrollTop === 0) reveal(group);
  });
  return {
    element,
    redraw,
    show,
    select,
    stops(nodes) {
      stopped = nodes;
      if (drawn) showBreakpoints(ctx, drawn, nodes);
    },
    labels(on) {
      withLabels = on;
      redraw();
    },
    zoom(factor) {
      const currentWidth = element.querySelector("svg")?.getBoundingClientRect().width ?? 0;
      const natural = (drawn?.scene.w ?? 0) + 2 * MARGIN;
      scale =
        factor === null
          ? null
          : Math.max(0.3, Math.min(3, (scale ?? (currentWidth / natural || 1)) * factor));
      resize();
    },
    focus: (item) => focus.move(itemKey(item)),
    reveal(id) {
      const end = drawn?.visible.shownAs.get(id);
      const group = end === undefined ? undefined : drawn?.marks.get(endKey(end))?.group;
      if (group) reveal(group);
    },
    hint: () => (drawn ? hintFrom(graph, drawn.scene) : new Map()),
  };
}

/** The picture of a graph: scopes that open and close, one tab stop with roving focus, and the state of a run on top. */

import { h, setAttribute, setText } from "../base/dom";
import { batched } from "../base/store";
import type { Context } from "../context";
import { placeBeside } from "../explore/beside";
import type { Key } from "../i18n";
import type { Box, Size } from "../layout/geometry";
import { AT_ONCE, createLayouter } from "../layout/layouter";
import { draftScene, type Hint, hintFrom, type Scene } from "../layout/scene";
import { LIMIT, REST, type Visible, visibleGraph } from "../model/collapse";
import type { Graph } from "../model/graph";
import { type GraphItem, itemKey } from "../model/graph-item";
import type { NodeValues } from "../model/node-values";
import type { Frame } from "../model/replay";
import type { MarksRecord } from "../record";
import { anchorOf } from "./anchor";
import { showBreakpoints } from "./breakpoint-marks";
import { type Camera, type Covered, isLegible, pointAt, union } from "./camera";
import { followGestures } from "./gestures";
import { showGradientPairs, showInspected } from "./inspection";
import { createFocus } from "./keyboard-focus";
import { sizesOf, type Words, wordsOf } from "./labels";
import { createMinimap } from "./minimap";
import { boxOf, contentOf, type Drawing, itemBoxes, paint } from "./paint";
import { showPathAndRaces } from "./path-and-races";
import { follow, type PointerHandlers } from "./pointer";
import { showRun } from "./run-state";
import { savePng, saveSvg } from "./save";
import { renewValueCard, showValueCard } from "./value-card";
import { createViewHistory } from "./view-history";
import { createViewport, pictureAt } from "./viewport";

/** What a reader sees: the place of the picture, and the scopes that are closed. */
interface View {
  camera: Camera;
  collapsed: string[];
}

/** So much of an open scope is its title. */
const TITLE = { w: 160, h: 32 };
const KEYS = ["0", "+", "=", "-", "[", "]", "s"] as const;
type CameraKey = (typeof KEYS)[number];

/** How far one press of a button or a key zooms. */
export const ZOOM = 1.25;
/** Moves of the camera that follow each other faster belong to one view, in milliseconds. */
const PAUSE = 600;
/** A message over the picture goes after this time, in milliseconds. */
const READ = 8000;

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
  /** Whether a step brings its node to a readable size, until the reader moves the picture. */
  follows?: boolean;
  /** The nodes that the user set beside the graph. */
  beside?: () => number[];
  /** Draws more on a new drawing. */
  layer?: (drawn: Drawing) => void;
  /** The picture was redrawn. */
  drawn?: () => void;
  /** How much of the picture something else covers now. */
  covered?: () => Covered;
  /** The room of the picture is known, or changed. */
  resized?: (room: Size) => void;
}

export interface Picture {
  element: HTMLElement;
  redraw: () => void;
  show: (frame: Frame | null) => void;
  select: (id: number) => void;
  /** Marks the nodes that have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
  labels: (on: boolean) => void;
  /** Shows the whole picture. */
  fit: () => void;
  zoom: (factor: number) => void;
  /** To the view before, and back to the one that was left. */
  back: () => void;
  forward: () => void;
  /** The size of the window onto the picture, in pixels; nothing before it is on the page. */
  room: () => Size;
  camera: () => Camera;
  place: (camera: Camera, glide?: boolean) => void;
  /** Calls `then` when the camera moved, gliding or at once. */
  watch: (then: (glide: boolean) => void) => void;
  /** Fits these boxes, too, when it fits itself. */
  fitWith: (boxes: () => Box[]) => void;
  /** What the keys of the camera do. */
  keys: Record<CameraKey, () => void>;
  /** Moves the focus to an item. */
  focus: (item: GraphItem) => void;
  /** Moves what is drawn for a node into view, where it can be read. */
  reveal: (id: number) => void;
  /** Says something over the picture. */
  say: (words: string) => void;
  /** The picture as it is drawn now. */
  drawing: () => Drawing | null;
  /** Where on the screen a node's value is, or else the node; null if it is not drawn. */
  from: (id: number) => DOMRect | null;
  /** Offers what is drawn as a file. */
  save: (as: "svg" | "png") => void;
  /** The place of every item, for a picture that adopts the arrangement. */
  hint: () => Hint;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

/** Pictures side by side show the same place. */
export function shareCamera(pictures: readonly Picture[]): void {
  let isSharing = false;
  for (const picture of pictures) {
    const others = pictures.filter((other) => other !== picture);
    picture.fitWith(() =>
      others.map((other) => other.drawing()).flatMap((own) => (own ? [contentOf(own)] : [])),
    );
    picture.watch((glide) => {
      if (isSharing) return;
      isSharing = true;
      for (const other of others) other.place(picture.camera(), glide);
      isSharing = false;
    });
  }
}

/** The keys of the camera, for a widget that shows these pictures now. */
export const cameraKeys = (pictures: () => readonly (Picture | undefined)[]): Record<string, () => void> =>
  Object.fromEntries(
    KEYS.map((key) => [
      key,
      () => {
        for (const picture of pictures()) picture?.keys[key]();
      },
    ]),
  );

export function createPicture(ctx: Context, options: PictureOptions): Picture {
  const { graph } = options;
  const viewport = createViewport(ctx, options);
  const { element } = viewport;
  const said = h("p", { class: "said", role: "status" });
  element.append(said);
  const layouter = createLayouter(ctx.life);
  let drawn: Drawing | null = null;
  let frame: Frame | null = null;
  let withLabels = false;
  let selected = -1;
  let stopped: ReadonlySet<number> = new Set();
  let collapsed = options.collapsed();
  /** The camera of a view that the reader returns to, while its picture is drawn. */
  let returning: Camera | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  /** The box of nodes set aside cannot be opened: the graph is too large. */
  const choose = (item: GraphItem): void => {
    if (item.kind !== "scope" || item.path !== REST) options.choose(item);
  };
  const focus = createFocus({
    graph,
    element,
    choose,
    reach(item) {
      const box = placeOf(item);
      if (box) viewport.reveal(box);
      look(item);
    },
  });

  const views = createViewHistory<View>(
    () => ({ camera: viewport.camera(), collapsed }),
    (view) => {
      if (isSame(view.collapsed, collapsed)) viewport.place(view.camera);
      else {
        returning = view.camera;
        options.collapse(view.collapsed);
      }
    },
  );
  /** The reader is about to move the camera; one gesture is many small moves. */
  let last = { by: "", at: 0 };
  const leave = (by: "fit" | "zoom" | "gesture" | "reveal"): void => {
    const now = performance.now();
    if (by !== last.by || now - last.at > PAUSE) views.leave({ camera: viewport.camera(), collapsed });
    last = { by, at: now };
  };
  const fit = (): void => {
    leave("fit");
    viewport.fit();
  };
  const zoom = (factor: number): void => {
    leave("zoom");
    viewport.zoom(factor);
  };
  const save = (as: "svg" | "png"): void => {
    if (!drawn) return;
    if (as === "svg") saveSvg(drawn, options.title);
    else void savePng(drawn, options.title);
  };
  const map = createMinimap(ctx, viewport, { zoom, fit });
  followGestures(viewport, () => leave("gesture"), ctx.life);
  const keys: Picture["keys"] = {
    "0": fit,
    "+": () => zoom(ZOOM),
    "=": () => zoom(ZOOM),
    "-": () => zoom(1 / ZOOM),
    "[": views.back,
    "]": views.forward,
    s: () => save("svg"),
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const turns: Record<string, () => void> = { ArrowLeft: views.back, ArrowRight: views.forward };
    const act = (event.altKey ? turns : (keys as typeof turns))[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });

  function redraw(): void {
    const before = collapsed;
    collapsed = options.collapsed();
    if (!returning && !isSame(before, collapsed))
      views.leave({ camera: viewport.camera(), collapsed: before });
    const visible = visibleGraph(graph, new Set(collapsed), LIMIT, options.beside?.());
    const words = wordsOf(ctx, graph, visible);
    const turned = options.turned?.() ?? false;
    const sizes = sizesOf(ctx, graph, words, options.values ?? null, withLabels, turned);
    const hint = options.like?.hint();
    const room = viewport.room();
    const { plan, finish } = draftScene(graph, visible, sizes, {
      ...(hint && { hint }),
      ...(room.w > 0 && { room }),
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
    follow(after, handlers, (event) => pictureAt(viewport, event));
    options.layer?.(after);
    after.svg.addEventListener("focusout", () => look(null));
    const { w, h } = viewport.room();
    const near = pointAt(viewport.camera(), { x: w / 2, y: h / 2 });
    // In a turned picture everything is elsewhere: no place can be kept.
    const stays = before !== null && !returning && before.scene.turned === after.scene.turned;
    const anchor = stays ? anchorOf(before, after, focus.at(), near) : null;
    element.setAttribute("aria-busy", "false");
    drawn = after;
    map.draw(after);
    const sheet = { element: after.sheet, content: contentOf(after), boxes: itemBoxes(after) };
    focus.draw(after, () => viewport.put(sheet, anchor));
    if (returning) viewport.place(returning, false);
    returning = null;
    press();
    showBreakpoints(ctx, drawn, stopped);
    present();
    point();
    options.drawn?.();
  }

  function point(): void {
    const { highlights } = ctx;
    if (drawn) showPathAndRaces(drawn, { path: highlights.get("path"), races: highlights.get("races") });
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
      showValueCard(drawn, inspected, frame);
    }
    options.look(inspected);
  }

  /** The box of an item; of an open scope that of its title. */
  function placeOf(item: GraphItem): Box | undefined {
    if (!drawn) return undefined;
    const { scene } = drawn;
    if (item.kind === "node") return scene.nodes.get(item.id);
    if (item.kind === "block") return scene.blocks.get(item.id);
    if (item.kind === "edge") return undefined;
    const open = scene.open.get(item.path);
    return open ? { ...open, w: Math.min(open.w, TITLE.w), h: TITLE.h } : scene.closed.get(item.path);
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
    const before = frame;
    frame = next;
    present();
    if (!drawn || !next || element.contains(document.activeElement)) return;
    const { follows = false } = options;
    const box = subject(placesOf(graph, drawn, next, follows ? before : null), viewport.room());
    if (box) viewport.reveal(box, follows && last.at === 0);
  }

  function present(): void {
    if (!drawn) return;
    showRun(ctx, graph, drawn, frame);
    renewValueCard(drawn, frame);
    focus.settle();
    if (frame) showGradientPairs(drawn, graph, frame.last?.node ?? null, frame);
  }

  redraw();
  // A user who reaches for the picture of a large graph may open more of it.
  if (graph.record.nodes.length > AT_ONCE)
    for (const reached of ["pointerenter", "focusin"]) element.addEventListener(reached, layouter.expect);
  ctx.highlights.watch(["path", "races"], batched(point, ctx.life), ctx.life);
  document.addEventListener(
    "fullscreenchange",
    () => {
      const { fullscreenElement: full } = document;
      if (!full || full.contains(element)) viewport.fit();
    },
    { signal: ctx.life },
  );
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
    fit,
    zoom,
    back: views.back,
    forward: views.forward,
    room: viewport.room,
    camera: viewport.camera,
    place: viewport.place,
    watch: viewport.watch,
    fitWith: viewport.fitWith,
    keys,
    focus: (item) => focus.move(itemKey(item)),
    reveal(id) {
      const box = drawn ? boxOf(drawn, drawn.visible.shownAs.get(id)) : undefined;
      if (!box) return;
      leave("reveal");
      viewport.reveal(box, true);
    },
    say(words) {
      setText(said, words);
      clearTimeout(silence);
      silence = setTimeout(() => setText(said, ""), READ);
    },
    drawing: () => drawn,
    from: (id) =>
      (drawn?.chips.get(id) ?? drawn?.marks.get(`node ${id}`)?.group)?.getBoundingClientRect() ?? null,
    save,
    hint: () => (drawn ? hintFrom(graph, drawn.scene) : new Map()),
  };
}

/** The places of the node that a step is about and, after another step, of the nodes and blocks that it made. */
function placesOf(
  graph: Graph,
  { scene, visible }: Drawing,
  frame: Frame,
  before: Frame | null,
): { about: Box[]; made: Box[] } {
  const there = (boxes: (Box | undefined)[]): Box[] => boxes.filter((box) => box !== undefined);
  const node = (id: number) => boxOf({ scene }, visible.shownAs.get(id));
  const created = before ? graph.record.nodes.filter(({ id }) => frame.state.get(id) === "new") : [];
  const blocks = before ? [...(frame.blocks ?? [])].filter((id) => !before.blocks?.has(id)) : [];
  return {
    about: there(frame.last ? [node(frame.last.node)] : []),
    made: there([...created.map(({ id }) => node(id)), ...blocks.map((id) => scene.blocks.get(id))]),
  };
}

/** As much of a step as can be read at once: all of it, or what it made, or the node that it is about. */
function subject({ about, made }: { about: Box[]; made: Box[] }, room: Size): Box | undefined {
  const [all] = [[...about, ...made], made]
    .filter(({ length }) => length > 0)
    .map(union)
    .filter((box) => isLegible(box, room));
  return all ?? about[0] ?? made[0];
}

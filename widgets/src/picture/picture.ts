/** The picture of a graph: scopes that open and close, one tab stop with roving focus, and the state of a run on top. */

import { h, setText } from "../base/dom";
import type { Context } from "../context";
import type { Box, Size } from "../layout/geometry";
import { type Hint, hintFrom } from "../layout/scene";
import { REST } from "../model/collapse";
import type { Graph } from "../model/graph";
import { type GraphItem, itemKey } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import { type Camera, type Covered, isLegible, union } from "./camera";
import type { Arranged } from "./draft";
import { followGestures } from "./gestures";
import { createFocus } from "./keyboard-focus";
import { boxOf, contentOf, type Drawing } from "./paint";
import { answerKeys, type CameraKeys, createReaderViews, KEYS } from "./reader-views";
import { createRedraw, type DrawOptions } from "./redraw";
import { savePng, saveSvg } from "./save";
import { createShownState } from "./shown-state";
import { createViewport, type Viewport } from "./viewport";

/** So much of an open scope is its title. */
const TITLE = { w: 160, h: 32 };
/** A message over the picture goes after this time, in milliseconds. */
const READ = 8000;

export interface PictureOptions extends DrawOptions {
  /** The user points at an item or moves the focus to it. */
  look: (item: GraphItem | null) => void;
  choose: (item: GraphItem) => void;
  /** Whether a step brings its node to a readable size, until the reader moves the picture. */
  follows?: boolean;
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
  keys: CameraKeys;
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
  /** What the first view has decided besides the closed scopes. */
  arrangement: () => Arranged;
  /** The place of every item, for a picture that adopts the arrangement. */
  hint: () => Hint;
}

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
  const viewport = createViewport(ctx, {
    ...options,
    resized(room) {
      redraws.resized(room);
      options.resized?.(room);
    },
  });
  const { element } = viewport;
  const say = createMessage(element);
  const drawing = (): Drawing | null => redraws.drawing();
  /** The box of nodes set aside cannot be opened: the graph is too large. */
  const choose = (item: GraphItem): void => {
    if (item.kind !== "scope" || item.path !== REST) options.choose(item);
  };
  const focus = createFocus({
    graph,
    element,
    choose,
    reach(item) {
      const box = placeOf(drawing(), item);
      if (box) viewport.reveal(box);
      state.look(item);
    },
  });
  const state = createShownState(ctx, { graph, drawing, focus, looked: options.look });
  const save = (as: "svg" | "png"): void => {
    const drawn = drawing();
    if (!drawn) return;
    if (as === "svg") saveSvg(drawn, options.title);
    else void savePng(drawn, options.title);
  };
  const views = createReaderViews(viewport, options, () => save("svg"));
  const redraws = createRedraw(ctx, options, { viewport, focus, views, state, choose });
  followGestures(viewport, () => views.leave("gesture"), ctx.life);
  answerKeys(element, views);
  fitAfterFullScreen(viewport, ctx.life);

  redraws.redraw();
  return {
    element,
    redraw: redraws.redraw,
    show(frame) {
      const before = state.frame();
      state.show(frame);
      redraws.makeRoom();
      const drawn = drawing();
      if (!drawn || !frame || element.contains(document.activeElement)) return;
      const { follows = false } = options;
      const box = subject(placesOf(graph, drawn, frame, follows ? before : null), viewport.room());
      if (box) viewport.reveal(box, follows && !views.hasMoved());
    },
    select: state.select,
    stops: state.stops,
    labels: redraws.labels,
    fit: views.fit,
    zoom: views.zoom,
    back: views.back,
    forward: views.forward,
    room: viewport.room,
    camera: viewport.camera,
    place: viewport.place,
    watch: viewport.watch,
    fitWith: viewport.fitWith,
    keys: views.keys,
    focus: (item) => focus.move(itemKey(item)),
    reveal(id) {
      const drawn = drawing();
      const box = drawn ? boxOf(drawn, drawn.visible.shownAs.get(id)) : undefined;
      if (!box) return;
      views.leave("reveal");
      viewport.reveal(box, true);
    },
    say,
    drawing,
    from(id) {
      const drawn = drawing();
      const seen = drawn?.chips.get(id) ?? drawn?.marks.get(`node ${id}`)?.group;
      return seen?.getBoundingClientRect() ?? null;
    },
    save,
    arrangement: redraws.arrangement,
    hint() {
      const drawn = drawing();
      return drawn ? hintFrom(graph, drawn.scene) : new Map();
    },
  };
}

/** The box of an item; of an open scope that of its title. */
function placeOf(drawn: Drawing | null, item: GraphItem): Box | undefined {
  if (!drawn) return undefined;
  const { scene } = drawn;
  if (item.kind === "node") return scene.nodes.get(item.id);
  if (item.kind === "block") return scene.blocks.get(item.id);
  if (item.kind === "edge") return undefined;
  const open = scene.open.get(item.path);
  return open ? { ...open, w: Math.min(open.w, TITLE.w), h: TITLE.h } : scene.closed.get(item.path);
}

/** A message over the picture, which goes after a while. */
function createMessage(element: HTMLElement): Picture["say"] {
  const said = h("p", { class: "said", role: "status" });
  element.append(said);
  let silence: ReturnType<typeof setTimeout> | undefined;
  return (words) => {
    setText(said, words);
    clearTimeout(silence);
    silence = setTimeout(() => setText(said, ""), READ);
  };
}

function fitAfterFullScreen(viewport: Viewport, life: AbortSignal): void {
  document.addEventListener(
    "fullscreenchange",
    () => {
      const { fullscreenElement: full } = document;
      if (!full || full.contains(viewport.element)) viewport.fit();
    },
    { signal: life },
  );
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

/**
 * The window onto a picture: it fills the room that its container gives, and one transform places the picture in it, so that
 * no move lays anything out. State: the camera, and whether the reader has moved it.
 */
import { h } from "../base/dom";
import { watchSize } from "../base/element-size";
import type { Context } from "../context";
import type { Box, Point, Size } from "../layout/geometry";
import {
  type Camera,
  type Covered,
  clampToContent,
  freePart,
  intoView,
  isSeen,
  onScreen,
  panBy,
  pointAt,
  revealed,
  scaleAfter,
  UNCOVERED,
  union,
  whole,
  zoomAt,
} from "./camera";
import type { SeenPoint } from "./pointer";

/** The drawn picture: its sheet, its box, and the boxes of which one is always in view. */
export interface Sheet {
  element: HTMLElement;
  content: Box;
  boxes: readonly Box[];
}

export interface ViewportOptions {
  covered?: () => Covered;
  /** The room changed; the first time, it is known. */
  resized?: (room: Size) => void;
}

export interface Viewport {
  element: HTMLElement;
  /** What lies over the picture, in a corner. */
  corner: HTMLElement;
  room: () => Size;
  /** The point of the viewport at a point of the page. */
  at: (place: Point) => Point;
  camera: () => Camera;
  /** Replaces the picture; what was at one point is now at another, or the picture is fitted. */
  put: (sheet: Sheet, move: { from: Point; to: Point; acted: Box | null } | null) => void;
  /** Shows the whole picture. */
  fit: () => void;
  zoom: (factor: number, at?: Point) => void;
  pan: (dx: number, dy: number) => void;
  /** Moves the camera there. */
  place: (camera: Camera, glide?: boolean) => void;
  /** Moves a box into view, if it is not; `readably`: at a scale at which it can be read. */
  reveal: (box: Box, readably?: boolean) => void;
  /** Fits these boxes, too, when it fits its own picture. */
  fitWith: (boxes: () => Box[]) => void;
  /** Calls `then` after each move of the camera and change of the room. */
  watch: (then: (glide: boolean) => void) => void;
  /** Whether the whole picture has been in view since it was last fitted. */
  isFitted: () => boolean;
  isSeen: (box: Box) => boolean;
}

const GLIDE = { duration: 250, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };

const transform = ({ x, y, scale }: Camera, { x: left, y: top }: Point): string =>
  `translate(${(x + left * scale).toFixed(2)}px, ${(y + top * scale).toFixed(2)}px) scale(${Number(scale.toFixed(5))})`;

/** Puts a sheet where the camera sees it, gliding from where it is seen now, or from the place given. */
function createMotion() {
  let running: Animation | null = null;
  const cancel = (): void => {
    running?.cancel();
    running = null;
  };
  return {
    cancel,
    to({ element, content }: Sheet, camera: Camera, glide: boolean, from?: Camera): void {
      const { style } = element;
      const moving = running?.playState === "running" ? getComputedStyle(element).transform : null;
      const before = from ? transform(from, content) : (moving ?? style.transform);
      cancel();
      style.transform = transform(camera, content);
      if (glide && before !== style.transform)
        running = element.animate?.([{ transform: before }, { transform: style.transform }], GLIDE) ?? null;
    },
  };
}

export function createViewport(ctx: Context, { covered, resized }: ViewportOptions): Viewport {
  // As high as the picture where the container has no height of its own.
  const strut = h("div", { class: "strut" });
  const corner = h("div", { class: "corner" });
  const element = h("div", { class: "viewport" }, strut, corner);
  const watchers: ((glide: boolean) => void)[] = [];
  let room: Size = { w: 0, h: 0 };
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let sheet: Sheet | null = null;
  let fitted = true;
  /** The boxes of other pictures that fit in if this one does. */
  let beside = (): Box[] => [];
  const motion = createMotion();
  /** What is to be done once the room is known. */
  let waiting: (() => void) | null = null;

  const free = (): Box => freePart(room, covered?.() ?? UNCOVERED);

  /** Moves the camera; from where it is seen now, or from the place given. */
  function set(to: Camera, glide: boolean, from?: Camera): void {
    if (!sheet) return;
    camera = room.w > 0 ? clampToContent(to, sheet.boxes, free()) : to;
    motion.to(sheet, camera, glide && room.w > 0 && !ctx.calm(), from);
    for (const then of watchers) then(glide);
  }

  function refit(glide: boolean): void {
    fitted = true;
    if (sheet && room.w > 0) set(whole(union([sheet.content, ...beside()]), free()), glide);
  }

  function follow({ content }: Sheet, change: Change): void {
    const { start, end } = cameraAfter(camera, content, change, free());
    set(end, true, start);
  }

  function resize(size: Size): void {
    if (size.w === 0 || size.h === 0 || (size.w === room.w && size.h === room.h)) return;
    room = size;
    if (fitted) refit(false);
    else set(camera, false);
    waiting?.();
    waiting = null;
    resized?.(room);
  }
  watchSize(element, ctx.life, resize);

  const move = (to: Camera, glide: boolean): void => {
    fitted = false;
    set(to, glide);
  };
  const known = (then: () => void): void => {
    if (room.w > 0) then();
    else waiting = then;
  };
  return {
    element,
    corner,
    room: () => room,
    at: (point) => placeIn(element, point),
    camera: () => camera,
    put(next, anchor) {
      motion.cancel();
      sheet?.element.remove();
      sheet = next;
      const { w, h } = next.content;
      strut.style.aspectRatio = `${w} / ${h}`;
      strut.style.maxHeight = `min(720px, ${Math.ceil(h)}px)`;
      strut.after(next.element);
      if (!anchor || room.w === 0 || (fitted && !anchor.acted)) refit(false);
      else {
        fitted = false;
        follow(next, anchor);
      }
    },
    fit: () => refit(true),
    zoom(factor, at) {
      const { x, y, w, h } = free();
      const around = at ?? { x: x + w / 2, y: y + h / 2 };
      if (sheet) move(zoomAt(camera, around, factor, sheet.content, free()), !at);
    },
    pan: (dx, dy) => move(panBy(camera, dx, dy), false),
    place(to, glide = true) {
      if (!isSame(to, camera)) move(to, glide);
    },
    reveal(box, readably = false) {
      known(() => {
        if (!sheet) return;
        const to = revealed(camera, box, sheet.content, free(), readably);
        if (!isSame(to, camera)) move(to, true);
      });
    },
    fitWith(boxes) {
      beside = boxes;
    },
    watch: (then) => watchers.push(then),
    isFitted: () => fitted,
    isSeen: (box) => isSeen(camera, box, free()),
  };
}

interface Change {
  from: Point;
  to: Point;
  acted: Box | null;
}

/** The camera after a change: what was acted on keeps its place, and comes into view by the smallest move. */
function cameraAfter(
  camera: Camera,
  content: Box,
  { from, to, acted }: Change,
  free: Box,
): { start: Camera; end: Camera } {
  const at = onScreen(camera, { ...from, w: 0, h: 0 });
  const held = (scale: number): Camera => ({ x: at.x - to.x * scale, y: at.y - to.y * scale, scale });
  const start = held(camera.scale);
  const next = held(scaleAfter(camera, content, acted, free));
  const { w, h } = onScreen(next, content);
  if (w <= free.w && h <= free.h) return { start, end: intoView(next, content, content, free, 0) };
  return { start, end: acted ? intoView(next, acted, content, free) : next };
}

const isSame = (one: Camera, other: Camera): boolean =>
  one.x === other.x && one.y === other.y && one.scale === other.scale;

/** The place in an element of a point on the page. */
function placeIn(element: HTMLElement, { x, y }: Point): Point {
  const { left, top, width } = element.getBoundingClientRect();
  // On a large screen the whole widget may be magnified.
  const zoom = width / element.offsetWidth || 1;
  return { x: (x - left) / zoom, y: (y - top) / zoom };
}

/** The point of the picture at a place of the page. */
export function pictureAt(viewport: Viewport, { clientX, clientY }: MouseEvent): SeenPoint {
  const camera = viewport.camera();
  return { ...pointAt(camera, viewport.at({ x: clientX, y: clientY })), scale: camera.scale };
}

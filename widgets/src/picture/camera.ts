/**
 * The camera: at which place and scale a viewport shows its picture. This file has pure functions of plain data, which
 * `viewport.ts` applies. Boxes of the picture are in pixels of the picture, boxes of the viewport in pixels of the screen.
 */
import type { Box, Point, Size } from "../layout/geometry";

export interface Camera {
  /** The place of the picture's origin in the viewport. */
  x: number;
  y: number;
  scale: number;
}

/** How much of the viewport something else covers, from each edge. */
export type Covered = Record<"left" | "right" | "top" | "bottom", number>;

export const UNCOVERED: Covered = { left: 0, right: 0, top: 0, bottom: 0 };

/** Text is readable at this scale, and larger than it need be above the other. */
export const READABLE = 0.7;
/** Below this scale, a text is too small. */
const LEGIBLE = 0.5;
const LARGE = 1.15;
const LARGEST = 3;
/** A node nearer to an edge than this is not quite in view. */
export const EDGE = 24;
/** The most that the minimap and its buttons cover. */
const CORNER: Size = { w: 114, h: 126 };
/** So much of some node stays in view, in pixels of the screen. */
const LEAST = 40;

/** The part of the viewport that nothing covers. */
export function freePart({ w, h }: Size, { left, right, top, bottom }: Covered): Box {
  const free = { w: w - left - right, h: h - top - bottom };
  // Where nearly all is covered, the picture ignores what covers it.
  return free.w < 2 * LEAST || free.h < 2 * LEAST ? { x: 0, y: 0, w, h } : { x: left, y: top, ...free };
}

/** A box of the picture as it is in the viewport. */
export const onScreen = ({ x, y, scale }: Camera, box: Box): Box => ({
  x: x + box.x * scale,
  y: y + box.y * scale,
  w: box.w * scale,
  h: box.h * scale,
});

/** The point of the picture at a point of the viewport. */
export const pointAt = ({ x, y, scale }: Camera, at: Point): Point => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
});

/** The smallest box around some boxes. */
export function union(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const w = Math.max(...boxes.map((box) => box.x + box.w)) - x;
  const h = Math.max(...boxes.map((box) => box.y + box.h)) - y;
  return { x, y, w, h };
}

const fitScale = (content: Box, free: Box): number => Math.min(free.w / content.w, free.h / content.h);

const middle = ({ x, y, w, h }: Box): Point => ({ x: x + w / 2, y: y + h / 2 });

/** Shows a box in the middle at a scale. */
export function centre(box: Box, free: Box, scale: number): Camera {
  const [to, from] = [middle(free), middle(box)];
  return { x: to.x - from.x * scale, y: to.y - from.y * scale, scale };
}

/** Shows the whole picture. */
export const whole = (content: Box, free: Box): Camera =>
  centre(content, free, Math.min(LARGE, fitScale(content, free)));

/** Zooms, and the picture stays where it is at a point of the viewport. The whole picture can always be seen. */
export function zoomAt(camera: Camera, at: Point, factor: number, content: Box, free: Box): Camera {
  const least = Math.min(0.3, fitScale(content, free));
  const scale = Math.max(Math.min(least, camera.scale), Math.min(LARGEST, camera.scale * factor));
  const by = scale / camera.scale;
  return { x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by, scale };
}

export const panBy = ({ x, y, scale }: Camera, dx: number, dy: number): Camera => ({
  x: x + dx,
  y: y + dy,
  scale,
});

/** How far an interval must move to lie in a room; one that is too long shows its beginning. */
function moveInto(from: number, length: number, start: number, room: number): number {
  if (from < start || length > room) return start - from;
  return Math.min(0, start + room - from - length);
}

/** Moves a box into view by the smallest move, with some distance from the edges, but not beyond the end of the picture. */
export function intoView(camera: Camera, box: Box, content: Box, free: Box, edge = EDGE): Camera {
  const [own, all] = [onScreen(camera, box), onScreen(camera, content)];
  const left = Math.max(own.x - edge, Math.min(all.x, own.x));
  const top = Math.max(own.y - edge, Math.min(all.y, own.y));
  const right = Math.min(own.x + own.w + edge, Math.max(all.x + all.w, own.x + own.w));
  const bottom = Math.min(own.y + own.h + edge, Math.max(all.y + all.h, own.y + own.h));
  return panBy(
    camera,
    moveInto(left, right - left, free.x, free.w),
    moveInto(top, bottom - top, free.y, free.h),
  );
}

/** How far an interval must move so that it leaves no more of a room empty than it must. */
function moveToFill(from: number, length: number, start: number, room: number): number {
  const spare = room - length;
  if (spare >= 0) return start + spare / 2 - from;
  return Math.max(start + spare - EDGE, Math.min(start + EDGE, from)) - from;
}

/** The scale at which a box is seen whole, with some distance from the edges. */
const wholeScale = (box: Box, { w, h }: Size): number =>
  fitScale(box, { x: 0, y: 0, w: w - 2 * EDGE, h: h - 2 * EDGE });

export const isLegible = (box: Box, room: Size): boolean => wholeScale(box, room) >= LEGIBLE;

/** Shows a box at a scale at which it can be read, or at the largest one below that shows all of it. */
function readable(camera: Camera, box: Box, content: Box, free: Box): Camera {
  const fits = wholeScale(box, free);
  const scale = Math.max(Math.min(READABLE, fits), Math.min(LARGE, fitScale(content, free)));
  if (camera.scale >= scale - 1e-6 && camera.scale <= Math.max(scale, fits) + 1e-6)
    return intoView(camera, box, content, free);
  const next = centre(box, free, scale);
  const { x, y, w, h } = onScreen(next, content);
  return panBy(next, moveToFill(x, w, free.x, free.w), moveToFill(y, h, free.y, free.h));
}

/** Moves a box out of the corner at the bottom left, where the minimap lies over a picture that is not seen whole. */
function outOfCorner(camera: Camera, box: Box, content: Box, free: Box): Camera {
  const { x, y, w, h } = onScreen(camera, box);
  const right = free.x + CORNER.w + EDGE - x;
  const up = y + h - (free.y + free.h - CORNER.h - EDGE);
  if (right <= 0 || up <= 0 || isSeen(camera, content, free)) return camera;
  if (right <= up && x + w + right <= free.x + free.w) return panBy(camera, right, 0);
  return y - up >= free.y ? panBy(camera, 0, -up) : camera;
}

/** Brings a box into view; `readably`: at a scale at which it can be read. */
export const revealed = (camera: Camera, box: Box, content: Box, free: Box, readably: boolean): Camera =>
  outOfCorner((readably ? readable : intoView)(camera, box, content, free), box, content, free);

/** How far an interval must move so that enough of it is in a room. */
function moveNear(from: number, length: number, start: number, room: number): number {
  const least = Math.min(length, room, LEAST);
  if (from + length < start + least) return start + least - from - length;
  return Math.min(0, start + room - least - from);
}

/** Moves the picture by the smallest move after which a part of some node is in view. */
export function clampToContent(camera: Camera, boxes: Iterable<Box>, free: Box): Camera {
  let [dx, dy] = [0, 0];
  let least = Infinity;
  for (const box of boxes) {
    const { x, y, w, h } = onScreen(camera, box);
    const [right, down] = [moveNear(x, w, free.x, free.w), moveNear(y, h, free.y, free.h)];
    const far = Math.hypot(right, down);
    if (far < least) [dx, dy, least] = [right, down, far];
    if (far === 0) break;
  }
  return panBy(camera, dx, dy);
}

/**
 * The scale after a change of the picture: a picture too small to be read grows as far as all of it stays in view, and what
 * was opened is seen whole if it stays readable.
 */
export function scaleAfter(camera: Camera, content: Box, opened: Box | null, free: Box): number {
  const scale = Math.max(camera.scale, Math.min(READABLE, fitScale(content, free)));
  if (!opened) return scale;
  return Math.min(scale, Math.max(READABLE, fitScale(opened, free)));
}

/** Whether a box is seen whole. */
export function isSeen(camera: Camera, box: Box, free: Box): boolean {
  const { x, y, w, h } = onScreen(camera, box);
  const within = (from: number, length: number, start: number, room: number): boolean =>
    from >= start - 0.5 && from + length <= start + room + 0.5;
  return within(x, w, free.x, free.w) && within(y, h, free.y, free.h);
}

/** The pointer and the wheel over a picture: a drag pans, the wheel with Ctrl and two fingers zoom where they are. */
import type { Point } from "../layout/geometry";
import type { Viewport } from "./viewport";

/** A hand that trembles less than this still clicks, in pixels. */
const FAR = 5;
/** The pixels of a line and of a page, the units in which some mice turn. */
const UNITS = [1, 20, 400];

/** `begin` is called before the gestures move the camera. */
export function followGestures(viewport: Viewport, begin: () => void, life: AbortSignal): void {
  const { element } = viewport;
  /** The pressed pointers, where they are now. */
  const pressed = new Map<number, Point>();
  let from: Point | null = null;
  let moved = false;

  const placeOf = ({ clientX, clientY }: MouseEvent): Point => viewport.at({ x: clientX, y: clientY });
  const isOnCorner = (event: Event): boolean => viewport.corner.contains(event.target as Node);

  function down(event: PointerEvent): void {
    if (event.button !== 0 || isOnCorner(event)) return;
    const at = placeOf(event);
    if (pressed.size === 0) moved = false;
    pressed.set(event.pointerId, at);
    from = at;
  }

  function drag(event: PointerEvent): void {
    const before = pressed.get(event.pointerId);
    if (!before || !from) return;
    const at = placeOf(event);
    const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
    // One finger scrolls the page.
    if (!other && event.pointerType === "touch") return;
    if (!moved && Math.hypot(at.x - from.x, at.y - from.y) < FAR) return;
    if (!moved) {
      begin();
      element.setPointerCapture(event.pointerId);
    }
    // The first move makes up for the distance that could have been a click.
    const last = moved ? before : from;
    moved = true;
    pressed.set(event.pointerId, at);
    if (other) {
      const far = (point: Point): number => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      viewport.zoom(far(at) / far(last), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
      viewport.pan((at.x - last.x) / 2, (at.y - last.y) / 2);
    } else viewport.pan(at.x - last.x, at.y - last.y);
  }

  const up = (event: PointerEvent): void => {
    pressed.delete(event.pointerId);
  };

  function wheel(event: WheelEvent): void {
    if (isOnCorner(event)) return;
    const unit = UNITS[event.deltaMode] ?? 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.ctrlKey || event.metaKey) {
      begin();
      viewport.zoom(Math.exp(-dy / 300), placeOf(event));
    } else {
      if (!element.contains(document.activeElement)) return;
      const before = viewport.camera();
      begin();
      viewport.pan(-dx, -dy);
      const { x, y } = viewport.camera();
      // At the end of the picture the page scrolls on.
      if (x === before.x && y === before.y) return;
    }
    event.preventDefault();
  }

  const options = { signal: life };
  element.addEventListener("pointerdown", down, options);
  element.addEventListener("pointermove", drag, options);
  element.addEventListener("pointerup", up, options);
  element.addEventListener("pointercancel", up, options);
  element.addEventListener("wheel", wheel, { passive: false, signal: life });
  // No style for this: an inherited one would be computed anew for every node.
  element.addEventListener("selectstart", (event) => pressed.size > 0 && event.preventDefault(), options);
  element.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), {
    passive: false,
    signal: life,
  });
  element.addEventListener(
    "click",
    (event) => {
      // The end of a drag is no click on the item below the pointer.
      if (moved) event.stopPropagation();
      moved = false;
    },
    { capture: true, signal: life },
  );
}

/**
 * What lies over a picture that is larger than its window, or has many items: buttons to zoom, and a small map with a frame
 * that can be dragged. The keyboard moves the picture without it.
 */
import { h, s } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { Box } from "../layout/geometry";
import { pointAt } from "./camera";
import { contentOf, type Drawing, itemBoxes } from "./paint";
import type { Viewport } from "./viewport";

/** The largest size of the map, in pixels. */
const ROOM = { w: 112, h: 84 };
/** A picture of more items has a map, even if it is wholly in view. */
const MANY = 60;

export interface Minimap {
  draw: (drawn: Drawing) => void;
}

/** Puts the map into the corner of the viewport. */
export function createMinimap(
  ctx: Context,
  viewport: Viewport,
  act: { zoom: (factor: number) => void; fit: () => void },
): Minimap {
  const frame = h("div", { class: "frame" });
  const map = h("div", { class: "minimap", "data-testid": "minimap", "aria-hidden": "true" });
  const { corner } = viewport;
  corner.append(h("div", { class: "zooms" }, ...zoomButtons(ctx, act)), map);
  corner.hidden = true;
  let drawn: Drawing | null = null;
  let painted: Drawing | null = null;
  let scale = 1;
  let waiting = false;
  let frameSize = "";

  function paintMap(now: Drawing): void {
    painted = now;
    const content = contentOf(now);
    scale = Math.min(ROOM.w / content.w, ROOM.h / content.h);
    map.replaceChildren(drawMap(now, scale), frame);
  }

  function refresh(): void {
    waiting = false;
    const room = viewport.room();
    if (ctx.life.aborted || !drawn || room.w === 0) return;
    const content = contentOf(drawn);
    const isNeeded = itemBoxes(drawn).length > MANY || !viewport.isSeen(content);
    corner.hidden = !isNeeded;
    if (!isNeeded) return;
    if (painted !== drawn) paintMap(drawn);
    const camera = viewport.camera();
    const { x, y } = pointAt(camera, { x: 0, y: 0 });
    const [left, top] = [(x - content.x) * scale, (y - content.y) * scale];
    // A transform needs no layout; the size changes only by zooming.
    frame.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    const [w, height] = [room.w, room.h].map((length) => ((length / camera.scale) * scale).toFixed(1));
    const own = `${w}px ${height}px`;
    if (own === frameSize) return;
    frameSize = own;
    frame.style.width = `${w}px`;
    frame.style.height = `${height}px`;
  }

  function to(event: PointerEvent): void {
    const box = map.querySelector("svg")?.getBoundingClientRect();
    if (!box || !drawn) return;
    const content = contentOf(drawn);
    const camera = viewport.camera();
    const room = viewport.room();
    const x = content.x + (event.clientX - box.left) / scale;
    const y = content.y + (event.clientY - box.top) / scale;
    viewport.pan(room.w / 2 - camera.x - x * camera.scale, room.h / 2 - camera.y - y * camera.scale);
  }
  map.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    map.setPointerCapture(event.pointerId);
    to(event);
  });
  map.addEventListener("pointermove", (event) => {
    if (map.hasPointerCapture(event.pointerId)) to(event);
  });
  // Once an animation frame: the camera moves more often.
  viewport.watch(() => {
    if (!waiting) requestAnimationFrame(refresh);
    waiting = true;
  });
  return {
    draw(next) {
      drawn = next;
    },
  };
}

function zoomButtons(ctx: Context, act: { zoom: (factor: number) => void; fit: () => void }): HTMLElement[] {
  const buttons = [
    button({
      testid: "map-out",
      icon: "minus",
      words: ctx.t("action.zoom_out"),
      act: () => act.zoom(1 / 1.25),
    }),
    button({ testid: "map-fit", icon: "fit", words: ctx.t("action.fit"), act: act.fit }),
    button({ testid: "map-in", icon: "plus", words: ctx.t("action.zoom_in"), act: () => act.zoom(1.25) }),
  ];
  // The picture is one tab stop, and has a key for each.
  for (const [i, key] of ["-", "0", "+"].entries()) {
    buttons[i]?.setAttribute("tabindex", "-1");
    buttons[i]?.setAttribute("aria-keyshortcuts", key);
  }
  return buttons;
}

/** All boxes of a picture, at the scale of the map. */
function drawMap(drawn: Drawing, scale: number): SVGElement {
  const { scene } = drawn;
  const content = contentOf(drawn);
  const at = (value: number): string => (value * scale).toFixed(1);
  // One path for all equal boxes: hundreds of elements would each be styled and laid out.
  const boxes = (className: string, all: Iterable<Box>): SVGElement => {
    const parts = Array.from(
      all,
      ({ x, y, w, h }) => `M${at(x - content.x)} ${at(y - content.y)}h${at(w)}v${at(h)}h${at(-w)}z`,
    );
    return s("path", { class: className, d: parts.join("") });
  };
  return s(
    "svg",
    { width: Math.max(24, content.w * scale), height: Math.max(24, content.h * scale) },
    boxes("area", scene.open.values()),
    boxes("card", scene.closed.values()),
    boxes("node", scene.nodes.values()),
  );
}

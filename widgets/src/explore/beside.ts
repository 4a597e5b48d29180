/** The places of nodes that the user set beside the graph, and of their edges' stubs, numbered at both ends. */

import type { Box } from "../layout/geometry";
import type { Scene, Sizes } from "../layout/scene";
import type { Bundle, End, Visible } from "../model/collapse";

const GAP = 44;
/** The room for the numbers of the stubs above and below a node. */
const STUBS = 34;
export const STEP = 20;

/** Places the nodes set beside the graph in a column to the right of it. */
export function placeBeside(visible: Visible, scene: Scene, sizes: Sizes): Scene {
  if (visible.beside.nodes.length === 0) return scene;
  const nodes = new Map(scene.nodes);
  let [y, w] = [STUBS, 0];
  for (const id of visible.beside.nodes) {
    const size = sizes.node(id);
    const rows = (side: "source" | "target"): number => {
      const own = visible.beside.stubs.filter((stub) => stub[side] === id).length;
      return Math.max(0, Math.ceil(own / perRow(size.w)) - 1) * STEP;
    };
    y += rows("target");
    nodes.set(id, { x: scene.w + GAP, y, w: size.w, h: size.h });
    y += size.h + 2 * STUBS + rows("source");
    w = Math.max(w, size.w);
  }
  return { ...scene, nodes, w: scene.w + GAP + w + 12, h: Math.max(scene.h, y - STUBS) };
}

export const perRow = (width: number): number => Math.max(1, Math.floor(width / STEP));

/** The end of the next stub at one side of a box: from left to right, at the right of the side, then further out. */
export function createStubPlaces(stubs: Bundle[], boxOf: (end: End) => Box | undefined) {
  const count = (side: "source" | "target", end: End): number =>
    stubs.filter((stub) => stub[side] === end).length;
  const counts = new Map<string, number>();
  return (end: End, side: "source" | "target"): { x: number; near: number; far: number } | null => {
    const box = boxOf(end);
    if (!box) return null;
    const key = `${side} ${end}`;
    const place = counts.get(key) ?? 0;
    counts.set(key, place + 1);
    const row = Math.floor(place / perRow(box.w));
    const inRow = Math.min(perRow(box.w), count(side, end) - row * perRow(box.w));
    const x = box.x + box.w - STEP / 2 - (inRow - 1 - (place % perRow(box.w))) * STEP;
    const away = 18 + row * STEP;
    const bottom = box.y + box.h;
    return side === "target"
      ? { x, near: box.y, far: box.y - away }
      : { x, near: bottom, far: bottom + away };
  };
}

/** The places of a node's outputs, if it has several: on the side to which values flow, each with its number. */
import type { NodeRecord } from "../record";
import type { Box, Point } from "./geometry";

/** With more outputs than this their numbers cannot be read; lines then start where there is room. */
const MOST = 24;

/** How many outputs have a place of their own: none if there is only one. */
export function portCount(node: NodeRecord | undefined): number {
  const count = node?.outputs.length ?? 0;
  return count > 1 && count <= MOST ? count : 0;
}

/** The room that a node's outputs need side by side. */
export const portRoom = (node: NodeRecord, turned: boolean): number =>
  portCount(node) * (turned ? 16 : 20) + 8;

/** The place of an output on the border. */
export function portAt(box: Box, output: number, count: number, turned: boolean): Point {
  const share = (output + 0.5) / count;
  return turned
    ? { x: box.x + box.w, y: box.y + 4 + (box.h - 8) * share }
    : { x: box.x + 4 + (box.w - 8) * share, y: box.y + box.h };
}

/**
 * Places the levels of a picture, inner ones first: pure work on plain data, as a worker needs it.
 * Items keep the rows and the order of the last placement; a level that did not change is not
 * placed again.
 */

import type { Box, Size } from "./geometry";
import { layoutLevel } from "./level";
import type { Level, LevelEdge, Placed } from "./level-types";
import { rowPlaces } from "./stable-ranks";

export interface LevelPlan extends Level {
  path: string;
  /** The level around this one, and this level's item there. */
  around: { path: string; item: string } | null;
  /** The title's room, in reading direction. */
  title: Size;
}

export interface Placement {
  placed: Placed;
  /** The box around all items, lines and ports. */
  frame: Box;
  /** The content that was placed, as JSON. */
  content: string;
}

/** Placements by path. */
export type Memory = Map<string, Placement>;

export interface Plan {
  levels: LevelPlan[];
  /** Whether the picture flows to the right, so that rows become columns. */
  turned: boolean;
}

const PAD = 16;

export function placeLevels({ levels, turned }: Plan, before: Memory): Memory {
  const placements: Memory = new Map();
  const byPath = new Map(levels.map((level) => [level.path, level]));
  for (const level of levels) {
    const { items, edges, ports, order, title } = level;
    const content = JSON.stringify([[...items], edges, ports, order, title, turned]);
    const known = before.get(level.path);
    let own = known;
    if (own?.content !== content) {
      const placed = layoutLevel(level, rowPlaces(known?.placed));
      own = { placed, frame: bounds(placed, edges, title, turned), content };
    }
    placements.set(level.path, own);
    const { w, h } = own.frame;
    if (level.around) byPath.get(level.around.path)?.items.set(level.around.item, { w, h });
  }
  return placements;
}

/** The box around the content of a level; its ports will be moved to the border. */
function bounds(placed: Placed, edges: LevelEdge[], title: Size, turned: boolean): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  for (const { x, y, w, h } of placed.boxes.values()) {
    take(x, y);
    take(x + w, y + h);
  }
  for (const { via } of placed.routes.values()) for (const { x, y } of via) take(x, y);
  for (const { key, label } of edges) {
    const at = placed.routes.get(key)?.label;
    if (!label || !at) continue;
    take(at.x - label.w / 2, at.y - label.h / 2);
    take(at.x + label.w / 2, at.y + label.h / 2);
  }
  // Ports will be moved to the border in the direction of the flow, but not sideways.
  for (const { x } of placed.ports.values()) {
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  if (left > right) [left, top, right, bottom] = [0, 0, 0, 0];
  // The title is at the top of the picture, which is the left here if the picture is turned.
  const least = title.w + 2 * PAD;
  if (turned) left -= title.h;
  else top -= title.h;
  [left, top, right, bottom] = [left - PAD, top - PAD, right + PAD, bottom + PAD];
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const w = turned ? right - left : Math.max(right - left, least);
  const h = turned ? Math.max(bottom - top, least) : bottom - top;
  return { x: middle.x - w / 2, y: turned ? middle.y - h / 2 : top, w, h };
}

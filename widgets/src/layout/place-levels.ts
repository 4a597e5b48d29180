/**
 * Places the levels of a picture, inner ones first: pure work on plain data, which a worker can do.
 * What a level held when it was placed before stays in its rows and in its order there; a level that did not change is not
 * placed again.
 */

import type { Box, Size } from "./geometry";
import { rank } from "./level";
import type { Level, LevelEdge, Placed } from "./level-types";
import { placesIn } from "./stable-ranks";

export interface LevelPlan extends Level {
  path: string;
  /** The level in which this one is an item, and as which. */
  around: { path: string; item: string } | null;
  /** Room for its title, as it is read. */
  title: Size;
}

export interface Placement {
  placed: Placed;
  /** The box round it all. */
  frame: Box;
  /** What it was made from. */
  content: string;
}

/** Placements by path. */
export type Memory = Map<string, Placement>;

export interface Plan {
  levels: LevelPlan[];
  /** Whether rows will stand beside each other instead of below. */
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
      const placed = rank(level, placesIn(known?.placed));
      own = { placed, frame: bounds(placed, edges, title, turned), content };
    }
    placements.set(level.path, own);
    const { w, h } = own.frame;
    if (level.around) byPath.get(level.around.path)?.items.set(level.around.item, { w, h });
  }
  return placements;
}

/** The box round all that one level holds; its ports are moved out to the borders. */
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
  // Ports will be moved to the border in the direction of the flow, but not aside.
  for (const { x } of placed.ports.values()) {
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  if (left > right) [left, top, right, bottom] = [0, 0, 0, 0];
  // The title stands at the top as the picture is read, which in a turned one is the left here.
  const least = title.w + 2 * PAD;
  if (turned) left -= title.h;
  else top -= title.h;
  [left, top, right, bottom] = [left - PAD, top - PAD, right + PAD, bottom + PAD];
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const w = turned ? right - left : Math.max(right - left, least);
  const h = turned ? Math.max(bottom - top, least) : bottom - top;
  return { x: middle.x - w / 2, y: turned ? middle.y - h / 2 : top, w, h };
}

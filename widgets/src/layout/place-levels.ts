/**
 * Places the levels of a picture, inner ones first: pure work on plain data, as a worker needs it.
 * Items keep the rows and the order of the last placement; a level that did not change is not
 * placed again.
 */

import { placeColumns } from "./device-columns";
import { PAD } from "./gaps";
import type { Box, Point, Size } from "./geometry";
import { placeLanes } from "./lanes";
import { layoutLevel } from "./level";
import type { Level, LevelEdge, Placed, Port } from "./level-types";
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

export function placeLevels({ levels, turned }: Plan, before: Memory): Memory {
  const placements: Memory = new Map();
  const byPath = new Map(levels.map((level) => [level.path, level]));
  for (const level of levels) {
    const { items, edges, ports, order, beside, between, title, tight, lanes, columns } = level;
    const parts = [[...items], edges, ports, order, beside, between, title, tight, turned, lanes, columns];
    const content = JSON.stringify(parts);
    const known = before.get(level.path);
    let own = known;
    if (own?.content !== content) {
      const before = rowPlaces(known?.placed);
      const placed = lanes
        ? placeLanes(items, edges, lanes)
        : columns
          ? placeColumns(level, before, columns, turned)
          : layoutLevel(level, before);
      const inner = levels.filter(({ around }) => around?.path === level.path);
      if (!lanes && !columns)
        settle(
          level,
          placed,
          new Map(inner.map((one) => [one.around?.item ?? "", placements.get(one.path)])),
        );
      own = { placed, frame: framed(placed, level, turned), content };
    }
    placements.set(level.path, own);
    const { w, h } = own.frame;
    if (level.around) byPath.get(level.around.path)?.items.set(level.around.item, { w, h });
  }
  return placements;
}

/** A level of more items is not settled: nobody sees it at once. */
const SETTLED = 60;
/** The least room on either side of an item that is moved. */
const ROOM = 24;

/** Moves each item at which lines only end below the middle of the places where they begin, if there is room. */
function settle(
  { items, edges, ports }: LevelPlan,
  { boxes, routes }: Placed,
  inner: Map<string, Placement | undefined>,
): void {
  if (items.size > SETTLED) return;
  const leaving = new Set([...edges.map(({ from }) => from), ...ports.map(({ item }) => item)]);
  for (const item of items.keys()) {
    const box = boxes.get(item);
    const all = edges.filter(({ to }) => to === item);
    const incoming = all.some(({ pulls }) => pulls) ? all.filter(({ pulls }) => pulls) : all;
    if (!box || leaving.has(item) || inner.has(item) || incoming.length === 0) continue;
    const starts = incoming.map(({ key, from }) => {
      const [source, within] = [boxes.get(from) ?? box, inner.get(from)];
      const port = within?.placed.ports.get(key);
      return source.x + (within && port ? port.x - within.frame.x : source.w / 2);
    });
    const wished = starts.reduce((sum, x) => sum + x, 0) / starts.length - box.w / 2;
    let [least, most] = [-Infinity, Infinity];
    const keepOff = (left: number, right: number): void => {
      if (right <= box.x + box.w / 2) least = Math.max(least, right + ROOM);
      else most = Math.min(most, left - ROOM - box.w);
    };
    for (const other of boxes.values())
      if (other !== box && other.y < box.y + box.h + ROOM && box.y < other.y + other.h)
        keepOff(other.x, other.x + other.w);
    for (const [key, { via, leave, arrive }] of routes) {
      if (all.some((edge) => edge.key === key)) continue;
      for (const [i, { x }] of via.entries()) {
        // A line is near the x of a point from the point before it to the one behind it.
        const [from, to] = [via[i - 1]?.y ?? leave, via[i + 1]?.y ?? arrive];
        if (Math.min(from, to) < box.y + box.h && box.y < Math.max(from, to)) keepOff(x, x);
      }
    }
    if (least <= most) box.x = Math.min(Math.max(wished, least), most);
  }
}

/** The room between ports, and beside a title. */
const APART = 14;
/** A line beside a title turns towards its item between the title and the rows. */
const TURN = 16;
const TRACK = 8;

/** The box around the content of a level, with the title's strip at its top, beside which lines enter. */
function framed(placed: Placed, { edges, title, ports }: LevelPlan, turned: boolean): Box {
  const frame = bounds(placed, edges);
  // The strip is at the top of the picture, which is the left here if the picture is turned.
  const least = title.w + 2 * PAD;
  if (turned) {
    frame.x -= title.h;
    frame.w += title.h;
    const more = Math.max(0, least - frame.h);
    return { ...frame, y: frame.y - more / 2, h: frame.h + more };
  }
  const more = Math.max(0, least - frame.w);
  frame.x -= more / 2;
  frame.w += more;
  if (title.h === 0) return frame;
  const inside = frame.y + PAD;
  const strip = title.h + 4;
  const moved = besideTitle(placed, ports, frame.x + title.w + APART);
  const top = inside - strip - (moved.size > 0 ? TURN + TRACK * moved.size : 0);
  for (const { key, port, side } of ports) {
    const route = placed.routes.get(key);
    const before = moved.get(port);
    if (side !== "top" || before === undefined || !route) continue;
    route.via = [{ x: before, y: inside }, ...route.via];
    route.leave = top + strip;
  }
  const right = Math.max(frame.x + frame.w, ...[...placed.ports.values()].map(({ x }) => x + PAD));
  return { x: frame.x, y: top, w: right - frame.x, h: frame.y + frame.h - top };
}

/** Moves the ports that are above the title to its right; the former x of each. */
function besideTitle(placed: Placed, ports: Port[], right: number): Map<string, number> {
  const moved = new Map<string, number>();
  const tops = new Set(ports.filter(({ side }) => side === "top").map(({ port }) => port));
  const points = [...tops].flatMap((port): [string, Point][] => {
    const point = placed.ports.get(port);
    return point ? [[port, point]] : [];
  });
  points.sort(([, a], [, b]) => a.x - b.x);
  let free = right;
  for (const [port, point] of points) {
    if (point.x < free) {
      moved.set(port, point.x);
      placed.ports.set(port, { ...point, x: free });
    }
    free = Math.max(free, point.x) + APART;
  }
  return moved;
}

/** The box around the content of a level; its ports will be moved to the border. */
function bounds(placed: Placed, edges: LevelEdge[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  const areas = placed.bands?.map(({ box }) => box) ?? [];
  for (const { x, y, w, h } of [...placed.boxes.values(), ...areas]) {
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
  return { x: left - PAD, y: top - PAD, w: right - left + 2 * PAD, h: bottom - top + 2 * PAD };
}

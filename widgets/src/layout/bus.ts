/**
 * Lines of one cable that come from many items of a level: a lane beside the rows collects them, so that they need no
 * way of their own through every row.
 */
import type { Level, Placed, Port } from "./level-types";

/** Fewer lines than this find their own ways through the rows. */
const MANY = 6;
const LANE = 12;
const OUT = 26;
/** The room in which a line turns into its lane, in the gap beside its item's row. */
const TURN = 38;

/** The ports with so many lines that they get a lane. */
export function busPorts({ ports }: Level): Set<string> {
  const counts = new Map<string, number>();
  for (const { port } of ports) counts.set(port, (counts.get(port) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > MANY).map(([port]) => port));
}

/** Lays the lanes on the right: the title of a scope is on the left. */
export function layBuses(ports: Port[], placed: Placed, halfRow: (y: number) => number): void {
  if (ports.length === 0) return;
  let [top, right, bottom] = [Infinity, -Infinity, -Infinity];
  for (const { x, y, w, h } of placed.boxes.values()) {
    [top, bottom, right] = [Math.min(top, y), Math.max(bottom, y + h), Math.max(right, x + w)];
  }
  for (const { via, label } of placed.routes.values()) {
    for (const { x } of label ? [...via, label] : via) right = Math.max(right, x);
  }
  const lanes = new Map<string, number>();
  for (const { port, side } of ports) {
    if (lanes.has(port)) continue;
    const x = right + OUT + lanes.size * LANE;
    lanes.set(port, x);
    placed.ports.set(port, { x, y: side === "top" ? top : bottom });
  }
  for (const { key, port, item, side } of ports) {
    const box = placed.boxes.get(item);
    const x = lanes.get(port);
    if (!box || x === undefined) continue;
    const middle = box.y + box.h / 2;
    const half = Math.max(halfRow(middle), box.h / 2);
    if (side === "bottom") {
      const leave = middle + half;
      placed.routes.set(key, {
        via: [{ x, y: leave + TURN }],
        label: null,
        leave,
        arrive: Math.max(bottom, leave + TURN),
      });
    } else {
      const arrive = middle - half;
      placed.routes.set(key, {
        via: [{ x, y: arrive - TURN }],
        label: null,
        leave: Math.min(top, arrive - TURN),
        arrive,
      });
    }
  }
}

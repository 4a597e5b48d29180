/** The sign of a race covers no text, value or sign, where there is a way around them. */
import { expect, test } from "vitest";
import type { Box } from "../../src/layout/geometry";
import { boxAround, boxesMeet, pointOfRace, routeRace } from "../../src/layout/race-route";
import { random } from "../fake";

const holds = (box: Box, { x, y }: { x: number; y: number }): boolean =>
  box.x < x && x < box.x + box.w && box.y < y && y < box.y + box.h;
const TEXT = { w: 60, h: 18 };

/** Nodes in rows and columns with gutters, each with a value below it and a flag at its left. */
function picture(seed: number) {
  const next = random(seed);
  const nodes: Box[] = [];
  const signs: Box[] = [];
  const [rows, columns] = [1 + Math.floor(next() * 3), 2 + Math.floor(next() * 3)];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const w = 64 + Math.floor(next() * 50);
      const box = { x: 20 + column * 220 + next() * 40, y: 20 + row * 130 + next() * 20, w, h: 40 };
      const chip = 32 + next() * (w - 32);
      nodes.push(box);
      signs.push({ x: box.x + (w - chip) / 2, y: box.y + 38, w: chip, h: 20 });
      if (next() < 0.4) signs.push({ x: box.x - 12, y: box.y + 10, w: 28, h: 20 });
    }
  }
  return { nodes, signs, room: { w: columns * 220 + 120, h: rows * 130 + 120 }, pick: next };
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "picture %i has a way for the sign and its text",
  (seed) => {
    const { nodes, signs, room, pick } = picture(seed);
    const one = nodes[Math.floor(pick() * nodes.length)] as Box;
    const other = nodes[Math.floor(pick() * nodes.length)] as Box;
    const route = routeRace(
      one,
      other,
      room,
      [...nodes.filter((box) => box !== one && box !== other), ...signs],
      TEXT,
    );
    if (one === other) {
      expect(route).toBe(null);
      return;
    }
    if (!route) throw new Error("no way");
    // The ends lie on the borders of their nodes.
    for (let i = 2; i < 59; i += 1) {
      const point = pointOfRace(route, i / 60);
      for (const box of [...nodes, ...signs]) expect(holds(box, point), `part ${i}`).toBe(false);
    }
    for (const box of [...nodes, ...signs]) expect(boxesMeet(box, boxAround(route.text, TEXT))).toBe(false);
  },
);

test("between two boxes without room for the text, the way bows to where there is room", () => {
  const [one, other] = [
    { x: 20, y: 40, w: 150, h: 62 },
    { x: 212, y: 48, w: 128, h: 48 },
  ];
  const room = { w: 380, h: 240 };
  const text = { w: 77, h: 20 };
  const route = routeRace(one, other, room, [], text);
  if (!route) throw new Error("no way");
  const box = boxAround(route.text, text);
  expect([one, other].filter((covered) => boxesMeet(covered, box))).toEqual([]);
  expect(box.x >= 0 && box.y >= 0 && box.x + box.w <= room.w && box.y + box.h <= room.h).toBe(true);
});

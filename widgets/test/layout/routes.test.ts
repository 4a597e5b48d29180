/** The ways of lines: from side to side, around boxes, and on tracks; and the places of their texts. */
import { expect, test } from "vitest";
import type { Box, Point } from "../../src/layout/geometry";
import { placeLabels } from "../../src/layout/label-places";
import { layoutScene } from "../../src/layout/scene";
import type { Line, Scene } from "../../src/layout/scene-types";
import { sideRoute, wayAround } from "../../src/layout/side-routes";
import { layTracks } from "../../src/layout/tracks";
import { visibleGraph } from "../../src/model/collapse";
import { indexGraph } from "../../src/model/graph";
import { makeGraph } from "../fixtures/make";
import { sizes } from "../fixtures/sizes";

const box = (x: number, y: number, w = 80, h = 40): Box => ({ x, y, w, h });
const point = (x: number, y: number): Point => ({ x, y });
const [from, to] = [box(0, 0), box(200, 100)];
const walls = (...solid: Box[]) => ({ solid: [from, to, ...solid], open: [], lines: [] });

/** Whether a part of a way runs through a box. */
function runsThrough(way: Point[], { x, y, w, h }: Box): boolean {
  return way.slice(1).some((end, i) => {
    const start = way[i] ?? end;
    const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)];
    const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)];
    return right > x && left < x + w && bottom > y && top < y + h;
  });
}

test("a line from side to side turns in the middle of its gutter", () => {
  expect(sideRoute(from, to, 20, 120, walls())).toEqual([
    point(80, 20),
    point(140, 20),
    point(140, 120),
    point(200, 120),
  ]);
});

test("it gives way to a box in the gutter, and to a line that is there", () => {
  const inTheMiddle = box(120, 50, 30, 20);
  const way = sideRoute(from, to, 20, 120, walls(inTheMiddle)) ?? [];
  expect(way.length).toBe(4);
  expect(runsThrough(way, inTheMiddle)).toBe(false);
  const taken = { ...walls(), lines: [{ x: 140, y: 0, w: 0, h: 200 }] };
  expect(sideRoute(from, to, 20, 120, taken)?.[1]?.x).not.toBe(140);
  expect(sideRoute(from, to, 20, 120, walls(box(90, -50, 100, 300)))).toBe(null);
});

test("where no gutter is free, the way leads around", () => {
  const wall = box(90, -50, 100, 300);
  const way = wayAround(from, to, 20, 120, walls(wall)) ?? [];
  expect(way.length).toBeGreaterThan(3);
  for (const solid of [wall, from, to]) expect(runsThrough(way, solid)).toBe(false);
  for (const [i, end] of way.slice(1).entries()) {
    const start = way[i] as Point;
    expect(start.x === end.x || start.y === end.y).toBe(true);
  }
});

test("lines that run far sideways in one gap have tracks of their own, and do not cross", () => {
  const lines = [
    [point(0, 0), point(200, 50)],
    [point(20, 0), point(220, 50)],
    [point(40, 0), point(240, 50)],
  ];
  layTracks(lines);
  const tracks = lines.map((points) => points[1]?.y ?? 0);
  expect(lines.map((points) => points.length)).toEqual([4, 4, 4]);
  expect(new Set(tracks).size).toBe(3);
  // The line that begins on the left turns below the others, which end on its right.
  expect(tracks.toSorted((a, b) => b - a)).toEqual(tracks);
  const steep = [[point(0, 0), point(40, 50)]];
  layTracks(steep);
  expect(steep[0]?.length).toBe(2);
});

test("a text stands on its line, off boxes, other texts and other lines", () => {
  const line = (key: string, ...points: Point[]): Line => ({
    bundle: { key, kind: "data", source: 0, target: 1, edges: [], more: 0 },
    points,
    label: null,
    turned: false,
    cable: null,
  });
  const lines = [
    line("a", point(0, 0), point(0, 200)),
    line("b", point(20, 0), point(20, 200)),
    line("c", point(300, 100), point(-100, 100)),
  ];
  const scene = {
    lines,
    nodes: new Map([[0, box(-40, 60)]]),
    closed: new Map(),
    blocks: new Map(),
    overview: null,
  };
  placeLabels(scene as unknown as Scene, { label: ({ key }) => (key === "c" ? null : { w: 30, h: 20 }) }, []);
  const [a, b, c] = lines.map(({ label }) => label);
  expect(c).toBe(null);
  expect([a?.x, b?.x]).toEqual([0, 20]);
  for (const place of [a, b]) {
    expect(Math.abs((place?.y ?? 100) - 100)).toBeGreaterThan(10);
    expect((place?.y ?? 80) < 50 || (place?.y ?? 80) > 110).toBe(true);
  }
  expect(Math.abs((a?.y ?? 0) - (b?.y ?? 0))).toBeGreaterThan(20);
});

test("two boxes that write a variable stand on either side of it", () => {
  const graph = indexGraph(
    makeGraph([
      { name: "x", type: "VariableV2", role: "variable", out: "float32_ref ()" },
      { name: "x/read", type: "Identity", role: "read", inputs: ["x"] },
      { name: "one/value", type: "Const" },
      { name: "one", type: "AssignAdd", role: "update", inputs: ["&x", "one/value"] },
      { name: "ten/value", type: "Const" },
      { name: "ten", type: "AssignAdd", role: "update", inputs: ["&x", "ten/value"] },
      { name: "total", type: "Identity", inputs: ["x/read", "^one", "^ten"] },
    ]),
  );
  const scene = layoutScene(graph, visibleGraph(graph, new Set()), sizes);
  const left = (path: string): number => scene.open.get(path)?.x ?? Number.NaN;
  expect(left("one")).toBeLessThan(left("x"));
  expect(left("x")).toBeLessThan(left("ten"));
  const sideways = scene.lines.filter(({ points }) => points[0]?.y === points[1]?.y);
  expect(sideways.map(({ bundle }) => bundle.target).sort()).toEqual([3, 5]);
});

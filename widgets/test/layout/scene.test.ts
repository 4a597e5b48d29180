import { describe, expect, test } from "vitest";
import { estimate } from "../../src/base/text-width";
import { curve, distance, pointAlong } from "../../src/draw/edge-path";
import type { Box, Point } from "../../src/layout/geometry";
import { hintFrom, layoutScene, type Scene, type Sizes } from "../../src/layout/scene";
import { type End, visibleGraph } from "../../src/model/collapse";
import { indexGraph } from "../../src/model/graph";
import type { GraphRecord } from "../../src/record";
import { counterGraph } from "../fixtures/counter";
import { makeGraph } from "../fixtures/make";
import { randomGraph } from "../fixtures/random";
import { sizes } from "../fixtures/sizes";

function place(record: GraphRecord, collapsed: string[] = [], own: Sizes = sizes): Scene {
  const graph = indexGraph(record);
  return layoutScene(graph, visibleGraph(graph, new Set(collapsed)), own);
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w - 0.01 && b.x < a.x + a.w - 0.01 && a.y < b.y + b.h - 0.01 && b.y < a.y + a.h - 0.01;
const inside = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h;

const graphs: [string, GraphRecord, string[]][] = [
  ["the counter without identity", counterGraph(false), []],
  ["the counter with identity", counterGraph(true), []],
  ["the counter with a closed scope", counterGraph(true), ["Variable"]],
  ...[1, 2, 3, 4, 5, 6].map((seed): [string, GraphRecord, string[]] => [
    `random graph ${seed}`,
    randomGraph(seed),
    [],
  ]),
  ["a random graph with closed scopes", randomGraph(7), ["a/b", "d"]],
];

describe.each(graphs)("%s", (_, record, collapsed) => {
  const scene = place(record, collapsed);
  const solid = [...scene.nodes.values(), ...scene.closed.values(), ...scene.blocks.values()];

  test("no two nodes overlap", () => {
    for (const [i, a] of solid.entries())
      for (const b of solid.slice(i + 1)) expect(overlap(a, b)).toBe(false);
  });

  test("a scope's box contains its nodes and no others", () => {
    for (const [path, box] of scene.open) {
      for (const [id, own] of scene.nodes) {
        const scope = record.nodes.find((node) => node.id === id)?.scope ?? "";
        const belongs = scope === path || scope.startsWith(`${path}/`);
        if (belongs) expect(inside(own, box)).toBe(true);
        else expect(overlap(own, box)).toBe(false);
      }
    }
  });

  test("each line starts and ends on the borders of its ends", () => {
    const boxOf = (end: End): Box | undefined =>
      typeof end === "number" ? scene.nodes.get(end) : scene.closed.get(end);
    const onBorder = (point: Point | undefined, box: Box | undefined): void => {
      if (!point || !box) throw new Error("a line without an end");
      const [across, down] = [point.x - box.x, point.y - box.y];
      const isIn = (at: number, size: number): boolean => 0 < at && at < size;
      const isAt = (at: number, size: number): boolean => Math.min(Math.abs(at), Math.abs(at - size)) < 0.01;
      expect((isIn(across, box.w) && isAt(down, box.h)) || (isIn(down, box.h) && isAt(across, box.w))).toBe(
        true,
      );
    };
    expect(scene.lines.length).toBeGreaterThan(0);
    for (const { bundle, points } of scene.lines) {
      onBorder(points[0], boxOf(bundle.source));
      onBorder(points.at(-1), boxOf(bundle.target));
    }
  });

  test("no line runs down along the side of a scope", () => {
    for (const { points } of scene.lines) {
      for (const box of scene.open.values()) {
        for (const [i, from] of points.entries()) {
          const to = points[i + 1];
          if (!to || to.x !== from.x) continue;
          if (Math.max(from.y, to.y) < box.y || box.y + box.h < Math.min(from.y, to.y)) continue;
          for (const side of [box.x, box.x + box.w]) expect(Math.abs(from.x - side)).toBeGreaterThan(5);
        }
      }
    }
  });

  test("without cycles every node is below its inputs", () => {
    if (collapsed.length > 0 || record.scopes.length > 3) return;
    for (const { points } of scene.lines) expect(points.at(-1)?.y).toBeGreaterThan(points[0]?.y ?? 0);
  });

  test("no line crosses a node on its way", () => {
    let hits = 0;
    for (const { bundle, points } of scene.lines) {
      const ends = [bundle.source, bundle.target];
      const others = [...scene.nodes].filter(([id]) => !ends.includes(id)).map(([, box]) => box);
      for (let i = 0; i <= 200; i += 1) {
        const { x, y } = pointAlong(points, i / 200);
        hits += others.filter(
          (box) => x > box.x + 1 && x < box.x + box.w - 1 && y > box.y + 1 && y < box.y + box.h - 1,
        ).length;
      }
    }
    expect(hits).toBe(0);
  });

  test("the same graph gives the same picture", () => {
    expect(place(record, collapsed)).toEqual(scene);
  });

  test("everything is inside the sheet", () => {
    const all = [...solid, ...scene.open.values()];
    for (const box of all)
      expect(inside(box, { x: -0.01, y: -0.01, w: scene.w + 0.02, h: scene.h + 0.02 })).toBe(true);
  });
});

test("an empty block is below its control input, with a line that is no edge", () => {
  const scene = place(counterGraph(false));
  const add = scene.nodes.get(5);
  const block = scene.blocks.get(0);
  expect(block?.y).toBeGreaterThan((add?.y ?? 0) + (add?.h ?? 0));
  expect(Math.abs((block?.x ?? 0) + 120 - (add?.x ?? 0) - (add?.w ?? 0) / 2)).toBeLessThan(200);
  expect(scene.ties.length).toBe(1);
  expect(scene.lines.length).toBe(counterGraph(false).edges.length);
});

test("a picture adopts the order of the one beside it", () => {
  const graph = indexGraph(
    makeGraph([
      { name: "a", type: "Const" },
      { name: "b", type: "Const" },
      { name: "c", type: "Add", inputs: ["a", "b"] },
    ]),
  );
  const visible = visibleGraph(graph, new Set());
  const alone = layoutScene(graph, visible, sizes);
  const mirrored = new Map(
    [...hintFrom(graph, alone)].map(([key, box]): [string, Box] => [key, { ...box, x: -box.x - box.w }]),
  );
  const beside = layoutScene(graph, visible, sizes, mirrored);
  const isLeft = ({ nodes }: Scene): boolean => (nodes.get(0)?.x ?? 0) < (nodes.get(1)?.x ?? 0);
  expect(isLeft(beside)).toBe(!isLeft(alone));
});

test("the box that writes a variable stands beside it, and the line between them runs from side to side", () => {
  const scene = place(counterGraph(true));
  const [variable, write] = [scene.nodes.get(1), scene.nodes.get(5)] as [Box, Box];
  const line = scene.lines.find(({ bundle }) => bundle.source === 1 && bundle.target === 5);
  expect(write.x).toBeGreaterThan(variable.x + variable.w);
  expect(line?.points[0]?.x).toBe(variable.x + variable.w);
  expect(line?.points.at(-1)?.x).toBe(write.x);
  expect(scene.open.get("AssignAdd")?.y).toBeLessThan(variable.y + variable.h);
});

test("lines enter a scope beside its title", () => {
  const record = makeGraph([
    { name: "a", type: "Const" },
    { name: "b", type: "Const" },
    { name: "s/c", type: "Add", inputs: ["a", "b"] },
    { name: "s/d", type: "Neg", inputs: ["a"] },
  ]);
  const scene = place(record, [], { ...sizes, title: () => ({ w: 120, h: 32 }) });
  const scope = scene.open.get("s") as Box;
  const title = { x: scope.x, y: scope.y, w: 120, h: 32 };
  expect(scene.lines.length).toBe(3);
  for (const { points } of scene.lines) {
    for (let i = 0; i <= 300; i += 1) {
      const { x, y } = pointAlong(points, i / 300);
      expect(overlap({ x, y, w: 0.1, h: 0.1 }, title)).toBe(false);
    }
  }
});

test("a cycle is drawn, with one line that runs upwards", () => {
  const record = makeGraph([
    { name: "loop/enter", type: "Enter" },
    { name: "loop/merge", type: "Merge", inputs: ["loop/enter", "loop/next"] },
    { name: "loop/body", type: "Add", inputs: ["loop/merge"] },
    { name: "loop/next", type: "NextIteration", inputs: ["loop/body"] },
    { name: "self", type: "NoOp", inputs: ["^self", "^loop/body"] },
  ]);
  const scene = place(record);
  const up = scene.lines.filter(({ points }) => (points.at(-1)?.y ?? 0) < (points[0]?.y ?? 0));
  expect(scene.lines.length).toBe(record.edges.length);
  expect(up.length).toBeGreaterThanOrEqual(1);
});

test("a chain of scopes nested forty deep is laid out", () => {
  const path = Array.from({ length: 40 }, (_, i) => `s${i}`).join("/");
  const scene = place(
    makeGraph([
      { name: "x", type: "Const" },
      { name: `${path}/y`, type: "Add", inputs: ["x"] },
    ]),
  );
  expect(scene.open.size).toBe(40);
});

test("a label has its own room", () => {
  const labelled = { ...sizes, label: () => ({ w: 90, h: 20 }) };
  const scene = place(counterGraph(true), [], labelled);
  const boxes = scene.lines.map(({ label }) => ({
    x: (label?.x ?? 0) - 45,
    y: (label?.y ?? 0) - 10,
    w: 90,
    h: 20,
  }));
  for (const box of boxes) for (const node of scene.nodes.values()) expect(overlap(box, node)).toBe(false);
});

test("without a canvas, Chinese and Korean characters are estimated as wide", () => {
  expect(estimate("变量", 10)).toBeGreaterThanOrEqual(20);
  expect(estimate("변수", 10)).toBeGreaterThanOrEqual(20);
  expect(estimate("ab", 10)).toBeLessThan(14);
  expect(estimate("e\u0301", 10)).toBe(estimate("e", 10));
});

test("a line's path consists of numbers only", () => {
  expect(
    curve([
      { x: 0, y: 0 },
      { x: 10, y: 20 },
      { x: 10, y: 40 },
    ]),
  ).toBe("M0 0C0 10 10 10 10 20L10 40");
  const bends = [
    { x: 0, y: 0 },
    { x: 0, y: 20 },
    { x: 30, y: 20 },
    { x: 30, y: 50 },
  ];
  expect(curve(bends)).toBe("M0 0L0 12Q0 20 8 20L22 20Q30 20 30 28L30 50");
});

test.each([false, true])(
  "how far a place is from a line: nothing on it, and aside of it as far as it is (turned: %s)",
  (turned) => {
    const points = [
      { x: 10, y: 0 },
      { x: 80, y: 60 },
      { x: 80, y: 130 },
      { x: 30, y: 190 },
    ].map(({ x, y }) => (turned ? { x: y, y: x } : { x, y }));
    for (let i = 0; i <= 50; i += 1) {
      const on = pointAlong(points, i / 50, turned);
      expect(distance(points, on, 7, turned)).toBeLessThan(0.8);
    }
    // half way down the vertical part
    const aside = (by: number) => (turned ? { x: 95, y: 80 + by } : { x: 80 + by, y: 95 });
    expect(distance(points, aside(5), 7, turned)).toBeCloseTo(5);
    expect(distance(points, aside(-6), 7, turned)).toBeCloseTo(6);
    expect(distance(points, aside(200), 7, turned)).toBe(Number.POSITIVE_INFINITY);
  },
);

test("the lines of a node's outputs keep their order and do not meet", () => {
  const record = makeGraph([
    { name: "batch/queue", type: "FIFOQueueV2" },
    { name: "batch/n", type: "Const" },
    { name: "batch/take", type: "QueueDequeueManyV2", inputs: ["batch/queue", "batch/n"] },
    { name: "one", type: "Identity", inputs: ["batch/take"] },
    { name: "two", type: "Identity", inputs: ["batch/take"] },
    { name: "axis", type: "Const" },
    { name: "mean", type: "Mean", inputs: ["one", "axis"] },
  ]);
  const [output] = record.nodes[2]?.outputs ?? [];
  if (!output) throw new Error("no output");
  record.nodes[2]?.outputs.push(output);
  for (const [left, right] of [
    [3, 4],
    [4, 3],
  ] as const) {
    for (const edge of record.edges) if (edge.source === 2) edge.output = edge.target === left ? 0 : 1;
    const scene = place(record);
    expect(scene.nodes.get(left)?.x).toBeLessThan(scene.nodes.get(right)?.x ?? 0);
    const [a, b] = [left, right].map((end) => scene.lines.find(({ bundle }) => bundle.target === end));
    for (let i = 0; i <= 100; i += 1)
      expect(distance(a?.points ?? [], pointAlong(b?.points ?? [], i / 100), 100)).toBeGreaterThan(4);
  }
});

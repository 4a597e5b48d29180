import { expect, test } from "vitest";
import type { Box } from "../../src/layout/geometry";
import { draftScene, type Scene } from "../../src/layout/scene";
import { layoutCode } from "../../src/layout/worker-code";
import { visibleGraph } from "../../src/model/collapse";
import { SENDS, UNPLACED } from "../../src/model/device-lanes";
import { ancestors, type Graph, homeOf, indexGraph } from "../../src/model/graph";
import { deviceGraph } from "../fixtures/devices";
import { sizes } from "../fixtures/sizes";

const record = deviceGraph();
const named = (name: string): number => record.nodes.find((node) => node.name === name)?.id ?? -1;

function laid(closed: string[], turned: boolean): { graph: Graph; scene: Scene } {
  const graph = indexGraph(record);
  const { plan, finish } = draftScene(graph, visibleGraph(graph, new Set(closed)), sizes, { turned });
  return { graph, scene: finish(layoutCode().placeLevels(plan, new Map())) };
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const inside = (a: Box, b: Box): boolean =>
  a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;

test.each([
  [false, []],
  [false, [SENDS, UNPLACED]],
  [true, []],
  [true, [SENDS, UNPLACED, "GPU:0/tower_0"]],
])("lanes stand apart, each around its nodes (to the right: %s, closed: %s)", (turned, closed) => {
  const { graph, scene } = laid(closed, turned);
  const lanes = graph.lanes.flatMap((path) => scene.open.get(path) ?? []);
  for (const [i, lane] of lanes.entries())
    for (const other of lanes.slice(i + 1)) expect(overlap(lane, other)).toBe(false);
  for (const [id, box] of scene.nodes) {
    const lane = scene.open.get(ancestors(graph, homeOf(graph, id))[1] ?? "");
    expect(lane && inside(box, lane)).toBe(true);
    for (const [other, theirs] of scene.nodes) if (other !== id) expect(overlap(box, theirs)).toBe(false);
  }
  // The lanes of a picture that flows down are as high as each other, those of one that flows to the right as wide.
  expect(new Set(lanes.map(({ w, h }) => Math.round(turned ? w : h))).size).toBe(1);
});

test("the CPU stands between the GPUs that it sends to, and a transfer runs straight across", () => {
  const { scene } = laid([SENDS, UNPLACED], false);
  const xs = ["GPU:0", "CPU:0", "GPU:1"].map((path) => scene.open.get(path)?.x ?? 0);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  const line = scene.lines.find(({ bundle }) => bundle.target === named("split/_1"));
  expect(line?.points).toHaveLength(2);
  expect(line?.points[0]?.y).toBe(line?.points[1]?.y);
});

test("a closed lane is a card in its place, and the others stay", () => {
  const { scene } = laid([SENDS, UNPLACED, "GPU:1"], false);
  expect([...scene.open.keys()].filter((path) => !path.includes("/"))).toEqual(["GPU:0", "CPU:0"]);
  const [card, cpu] = [scene.closed.get("GPU:1"), scene.open.get("CPU:0")];
  expect(card && cpu && !overlap(card, cpu)).toBe(true);
});

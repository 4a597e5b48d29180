import { expect, test } from "vitest";
import { nodeLines } from "../../src/draw/node";
import { autoCollapse, tally, visibleGraph } from "../../src/model/collapse";
import { SENDS, UNPLACED } from "../../src/model/device-lanes";
import { homeOf, indexGraph, ROOT } from "../../src/model/graph";
import { busyBeside, runClock, timeAt } from "../../src/model/steps/run-clock";
import { deviceClock, deviceGraph } from "../fixtures/devices";
import { makeGraph } from "../fixtures/make";

const record = deviceGraph();
const named = (name: string): number => record.nodes.find((node) => node.name === name)?.id ?? -1;

test("each device is a scope around the name scopes of its nodes, and transfers stand in it themselves", () => {
  const graph = indexGraph(record);
  expect(graph.lanes).toEqual(["CPU:0", "GPU:0", "GPU:1", UNPLACED]);
  expect(graph.children.get(ROOT)).toEqual(graph.lanes);
  expect(homeOf(graph, named("split"))).toBe("CPU:0");
  expect(homeOf(graph, named("split/_1"))).toBe("GPU:0");
  expect(homeOf(graph, named("tower_1/loss"))).toBe("GPU:1/tower_1");
  expect(homeOf(graph, named("tower_1/loss/_7"))).toBe("CPU:0");
  expect(homeOf(graph, named("unused"))).toBe(UNPLACED);
  const received = graph.node.get(named("tower_1/loss/_7"));
  expect(received && nodeLines(received)).toEqual({ name: "loss/_7", type: "_Recv" });
});

test("conds and loops as boxes, one device, and tf.device alone make no lanes", () => {
  expect(indexGraph(record, true).lanes).toEqual([]);
  const alone = {
    ...record,
    nodes: record.nodes.map((node) => ({ ...node, device: record.nodes[0]?.device ?? "" })),
  };
  expect(indexGraph(alone).lanes).toEqual([]);
  const wished = makeGraph([
    { name: "a", type: "Const" },
    { name: "b", type: "Neg", inputs: ["a"] },
  ]);
  const nodes = wished.nodes.map((node, i) => ({ ...node, device: i ? "/device:GPU:0" : "/device:CPU:0" }));
  expect(indexGraph({ ...wished, nodes }).lanes).toEqual([]);
});

test("drawn and folded make the total, with the sends drawn or not, however the scopes are closed", () => {
  const graph = indexGraph(record);
  const paths = [SENDS, ...graph.scope.keys()].filter((path) => path !== ROOT);
  for (let mask = 0; mask < 2 ** paths.length; mask += 1) {
    const closed = new Set(paths.filter((_, i) => (mask >> i) & 1));
    for (const { drawn, folded, total } of Object.values(tally(graph, visibleGraph(graph, closed))))
      expect(drawn + folded).toBe(total);
  }
});

test("at first no send is drawn: the line of a transfer begins where its tensor comes from", () => {
  const graph = indexGraph(record);
  const seen = visibleGraph(graph, new Set(autoCollapse(graph)));
  const lines = seen.bundles.map(({ source, target }) => [source, target]);
  expect(lines).toContainEqual([named("split"), named("split/_1")]);
  expect(lines).toContainEqual([named("split"), named("split/_3")]);
  expect(seen.nodes).not.toContain(named("split/_0"));
  expect(seen.carried).toEqual({ nodes: 4, data: 4, control: 0, reference: 0 });
  const all = visibleGraph(graph, new Set([UNPLACED]));
  expect(all.nodes).toContain(named("split/_0"));
  expect(all.carried.nodes).toBe(0);
});

test("the clock has a row for each device, in which it also sends, and tells what works at the same time", () => {
  const clock = runClock(deviceClock());
  expect(clock.devices).toEqual(["CPU:0", "GPU:0", "GPU:1"]);
  expect(clock.spans.map(({ row, to }) => [row, to])).toEqual([
    [0, null],
    [0, "GPU:0"],
    [1, null],
    [2, null],
  ]);
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((step) => timeAt(clock, step))).toEqual([0, 0, 5, 25, 45, 45, 40, 40]);
  expect(clock.spans.map((span) => busyBeside(clock, span))).toEqual([[], [], ["GPU:1"], ["GPU:0"]]);
  expect(clock.total).toBe(45);
});

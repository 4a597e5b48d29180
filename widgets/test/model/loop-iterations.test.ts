import { describe, expect, test } from "vitest";
import recorded from "../../../tests/golden/loop_trace.json";
import { indexGraph } from "../../src/model/graph";
import { iterationText, loopsOf, roundAt, stack, turnIn } from "../../src/model/loops/loop-iterations";
import { columnsOf, planOf } from "../../src/model/loops/loop-plan";
import { lastIteration, stationText } from "../../src/model/loops/loop-texts";
import { frameAt } from "../../src/model/steps/replay";
import type { TraceRecord } from "../../src/record";

// A nested loop, run once by the engine.
const trace = recorded as unknown as TraceRecord;
const graph = indexGraph(trace.graph);
const loops = loopsOf(trace);
const steps = trace.runs[0]?.steps ?? [];
const end = { run: 0, step: steps.length };
const plans = loops.map((loop) => planOf(graph, trace, loop));

describe("the iterations of a run", () => {
  test("outer loops are listed before inner ones, with the names that the program gives their variables", () => {
    expect(loops.map(({ depth }) => depth)).toEqual([1, 2]);
    expect(loops.map(({ name }) => name)).toEqual(["outer", "outer/inner"]);
    expect(loops.map(({ variables }) => variables.map(({ name }) => name))).toEqual([
      ["i", "total"],
      ["j", "t"],
    ]);
  });

  test("a node's turn in an iteration is the step of that iteration", () => {
    for (const { frame, variables } of loops) {
      for (const { merge } of variables) {
        const own = steps.filter(({ node }) => node === merge);
        expect(own.length).toBeGreaterThan(0);
        for (const record of own) {
          expect(record.frame).toBe(frame);
          expect(turnIn(trace, end, merge, record.iteration)?.record).toBe(record);
          expect(turnIn(trace, { run: 0, step: steps.indexOf(record) }, merge, record.iteration)).toBeNull();
        }
      }
    }
  });

  test("of a nested loop the latest round is shown, and before it the first", () => {
    const [outer, inner] = loops;
    if (!outer || !inner) throw new Error("no loops");
    expect(roundAt(trace, { run: 0, step: 0 }, inner)).toMatchObject({ outer: [0], count: 1 });
    expect(roundAt(trace, end, inner)?.outer).toEqual([2]);
    expect(roundAt(trace, end, outer)).toMatchObject({ outer: [], count: 3 });
  });

  test("the open frames are those of the last step, innermost first, with named values", () => {
    for (let step = 0; step <= steps.length; step += 1) {
      const levels = stack(trace, loops, { run: 0, step });
      const last = steps[step - 1];
      expect(levels.length).toBe(last?.iteration.length ?? 0);
      levels.forEach((level, i) => {
        expect(level.iteration).toEqual(last?.iteration.slice(0, levels.length - i));
        const known = level.loop.variables.map(({ name }) => name);
        for (const { name } of level.values) expect(known).toContain(name);
      });
    }
  });

  test("a node that was dead in one iteration is not dead in the next before its step", () => {
    const state = (step: number, node: number) => frameAt(trace, { run: 0, step })?.state.get(node);
    for (const [i, record] of steps.entries()) {
      const earlier = steps
        .slice(0, i)
        .filter(({ node, frame }) => node === record.node && frame === record.frame);
      if (record.frame === "" || earlier.length === 0) continue;
      expect(["waiting", "ready"]).toContain(state(i, record.node));
    }
  });

  test("only nodes in the queue are ready", () => {
    for (let step = 0; step <= steps.length; step += 1) {
      const frame = frameAt(trace, { run: 0, step });
      expect(frame?.ready).toBe(frame?.queue.length);
    }
  });

  test("the number of an iteration includes those of the loops around it", () => {
    expect(iterationText([2, 0])).toBe("2.0");
    expect(iterationText([])).toBe("");
  });
});

describe("the lanes of a loop", () => {
  test("what is drawn, counted at the lanes and counted beside the loop is the graph", () => {
    for (const plan of plans) {
      const drawn = new Set(plan.stations.map(({ node }) => node));
      expect(drawn.size).toBe(plan.drawn);
      const counted = plan.lanes.reduce((sum, { more }) => sum + more, 0);
      expect(plan.drawn + counted + plan.beside).toBe(graph.node.size);
    }
  });

  test("a lane has its variable's value and the node that computes the next one", () => {
    const [, inner] = plans;
    const name = (node: number) => graph.node.get(node)?.name;
    const stations = inner?.stations.map(({ kind, lane, node }) => [kind, lane, name(node)]);
    expect(stations).toEqual(
      expect.arrayContaining([
        ["value", 1, "outer/inner/Merge"],
        ["value", 2, "outer/inner/Merge_1"],
        ["test", 0, "outer/inner/Less"],
        ["op", 1, "outer/inner/add"],
        ["op", 2, "outer/inner/add_1"],
        ["exit", 2, "outer/inner/Exit_1"],
      ]),
    );
    const links = inner?.links.map(({ from, to, next }) => [name(from.node), to ? name(to.node) : next]);
    expect(links).toContainEqual(["outer/inner/add_1", 2]);
    expect(links).toContainEqual(["outer/inner/Merge", "outer/inner/Less"]);
    expect(links).toContainEqual(["outer/inner/Merge_1", "outer/inner/Exit_1"]);
  });

  test("a node shows the numbers that it computes with, and before they exist the variables' names", () => {
    const [plan] = plans;
    if (!plan) throw new Error("no plan");
    const loop = { graph, trace, plan };
    const add = plan.stations.find(({ kind, lane }) => kind === "op" && lane === 1);
    if (!add) throw new Error("no node");
    expect(stationText(loop, { run: 0, step: 0 }, add, [0])).toMatchObject({
      state: "waiting",
      detail: "i + 1",
      value: "",
    });
    expect(stationText(loop, end, add, [1])).toMatchObject({ state: "ran", detail: "1 + 1", value: "2" });
    expect(stationText(loop, end, add, [2])).toMatchObject({ state: "dead" });
    expect(lastIteration(loop, 0, { outer: [], count: 3 })).toBe(2);
  });

  test("the columns are the first iteration, those before now, now and the last, and stubs count the others", () => {
    const shown = (count: number, now: number, most = 5) =>
      columnsOf(count, now, most).map((column) =>
        "skipped" in column ? `+${column.skipped}` : column.iteration,
      );
    expect(shown(4, -1)).toEqual([0, 1, 2, 3]);
    expect(shown(20, 10)).toEqual([0, "+7", 8, 9, 10, "+8", 19]);
    expect(shown(20, -1)).toEqual([0, 1, 2, 3, "+15", 19]);
    expect(shown(20, 19)).toEqual([0, "+15", 16, 17, 18, 19]);
    expect(shown(20, 10, 2)).toEqual(["+10", 10, "+8", 19]);
    for (let count = 1; count < 12; count += 1) {
      for (let now = -1; now < count; now += 1) {
        const columns = columnsOf(count, now, 5);
        const all = columns.reduce((sum, column) => sum + ("skipped" in column ? column.skipped : 1), 0);
        expect(all).toBe(count);
        if (now >= 0) expect(columns).toContainEqual({ iteration: now });
      }
    }
  });
});

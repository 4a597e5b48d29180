import { describe, expect, test } from "vitest";
import recorded from "../../../tests/golden/loop_trace.json";
import { indexGraph } from "../../src/model/graph";
import { iterationText, loopsOf, stack, unroll } from "../../src/model/loop-iterations";
import { frameAt } from "../../src/model/replay";
import type { TraceRecord } from "../../src/record";

// A nested loop, run once by the engine.
const trace = recorded as unknown as TraceRecord;
const graph = indexGraph(trace.graph);
const loops = loopsOf(trace);
const steps = trace.runs[0]?.steps ?? [];
const end = { run: 0, step: steps.length };

describe("the iterations of a run", () => {
  test("outer loops are listed before inner ones", () => {
    expect(loops.map(({ depth }) => depth)).toEqual([1, 2]);
    expect(loops[1]?.frame.startsWith(`${loops[0]?.frame}/`)).toBe(true);
  });

  test("an unrolled loop has each step of its last round once, in the lane of its iteration", () => {
    const [outer, inner] = loops;
    if (!outer || !inner) throw new Error("no loops");
    expect(unroll(trace, end, outer).lanes.map(({ iteration }) => iteration)).toEqual([0, 1, 2]);
    const last = unroll(trace, end, inner);
    for (const lane of last.lanes) {
      for (const [node, { step, record }] of lane.turns) {
        expect(steps[step - 1]).toBe(record);
        expect(record.node).toBe(node);
        expect(record.iteration).toEqual([...last.outer, lane.iteration]);
      }
    }
    expect(unroll(trace, { run: 0, step: 0 }, outer).lanes).toEqual([]);
  });

  test("the open frames are those of the last step, innermost first", () => {
    for (let step = 0; step <= steps.length; step += 1) {
      const levels = stack(graph, trace, loops, { run: 0, step });
      const last = steps[step - 1];
      expect(levels.length).toBe(last?.iteration.length ?? 0);
      levels.forEach((level, i) => {
        expect(level.iteration).toEqual(last?.iteration.slice(0, levels.length - i));
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

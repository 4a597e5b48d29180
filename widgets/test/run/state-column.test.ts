/** The state beside a picture: a step forward updates only the variables that it concerns. */
import { expect, test } from "vitest";
import type { Context } from "../../src/context";
import { translator } from "../../src/i18n";
import { indexGraph } from "../../src/model/graph";
import { type Frame, frameAt, type Position } from "../../src/model/steps/replay";
import type { TraceRecord } from "../../src/record";
import { createStateColumn } from "../../src/run/state-column";
import { random } from "../fake";
import { counterTrace } from "../fixtures/counter";

/** Without motion the column marks what a step wrote. */
const ctx = { t: translator("en"), calm: () => true, life: new AbortController().signal } as Context;

/** The counter with more variables, some of which two steps in a row write. */
function traceOf(extra: number): TraceRecord {
  const trace = structuredClone(counterTrace(true));
  const [first] = trace.graph.variables;
  if (!first) throw new Error("no variable");
  const names = Array.from({ length: extra }, (_, i) => `v${i}`);
  trace.graph.variables.push(...names.map((name) => ({ ...first, name })));
  for (const [run, { start, steps }] of trace.runs.entries()) {
    start.variables.push(...names.map((name): [string, string] => [name, "0"]));
    for (const [i, { writes }] of steps.entries())
      for (const name of names.filter((_, at) => (at + run + i) % 3 === 0))
        writes.push([name, "0", `${run}.${i >> 1}`]);
  }
  return trace;
}

test.each([0, 1, 7])(
  "after any walk the column of %i more variables looks as if drawn at its step",
  (extra) => {
    const trace = traceOf(extra);
    const graph = indexGraph(trace.graph);
    const frame = (at: Position): Frame => frameAt(trace, at) as Frame;
    const pick = random(extra + 1);
    const walked = createStateColumn(ctx, graph, trace);
    let here = frame({ run: 0, step: 0 });
    walked.show(here, false, () => null);
    const marks = new Set<number>();
    for (let i = 0; i < 60; i += 1) {
      const run = Math.floor(pick() * trace.runs.length);
      const jump = { run, step: Math.floor(pick() * 7) };
      const next = frame(pick() < 0.6 ? { run: here.run, step: here.step + 1 } : jump);
      const forward = next.run === here.run && next.step === here.step + 1;
      const fresh = createStateColumn(ctx, graph, trace);
      fresh.show(here, false, () => null);
      fresh.show(next, forward, () => null);
      walked.show(next, forward, () => null);
      // The order of attributes tells only when each was set.
      expect(walked.element.isEqualNode(fresh.element)).toBe(true);
      marks.add(walked.element.querySelectorAll("[data-now]").length);
      here = next;
    }
    expect(marks.size).toBeGreaterThan(1);
  },
);

test("a queue has a card with what it holds, under the learner's name, and no history", () => {
  const trace = traceOf(0);
  const [queue] = trace.graph.nodes;
  if (!queue) throw new Error("no node");
  for (const { start } of trace.runs)
    start.variables.push([queue.name, "[1.0, 2.0] size=2 capacity=2 closed=True"]);
  const graph = indexGraph(trace.graph);
  const column = createStateColumn(ctx, graph, trace);
  column.show(frameAt(trace, { run: 1, step: 0 }) as Frame, false, () => null);
  const card = column.element.querySelector(`[data-variable="${queue.name}"]`);
  expect(card?.hasAttribute("data-held")).toBe(true);
  expect(card?.querySelector(".roll")?.textContent).toBe("[1.0, 2.0] size=2 capacity=2 closed=True");
  expect(card?.querySelector(".history")).toBeNull();
  expect(column.element.querySelector("h4")?.textContent).toBe("State");
});

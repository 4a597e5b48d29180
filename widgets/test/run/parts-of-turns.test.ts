/** A turn that begins at a queue in one step, and ends in a later one. */
import { expect, test } from "vitest";
import type { Context } from "../../src/context";
import { translator } from "../../src/i18n";
import { indexGraph } from "../../src/model/graph";
import { type Frame, frameAt } from "../../src/model/steps/replay";
import { sentence } from "../../src/run/step-sentences";
import { counterTrace } from "../fixtures/counter";

const ctx = { t: translator("en") } as Context;
const textOf = (nodes: readonly (string | Node)[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");

test("a node that has begun its turn sends nothing, says that it waits, and is held back", () => {
  const trace = structuredClone(counterTrace(true));
  const steps = trace.runs[0]?.steps ?? [];
  const at = steps.findIndex(({ writes }) => writes.length > 0);
  const whole = steps[at];
  if (!whole) throw new Error("no step writes");
  const before = at > 0 ? (steps[at - 1]?.ready ?? []) : (trace.runs[0]?.start.ready ?? []);
  steps.splice(at, 0, {
    ...whole,
    outcome: "began",
    consumed: [],
    produced: [],
    outputs: [],
    pending: [],
    ready: before.filter((node) => node !== whole.node),
    held: [whole.node],
  });
  const frame = frameAt(trace, { run: 0, step: at + 1 }) as Frame;
  expect(frame.state.get(whole.node)).toBe("active");
  expect([...frame.held]).toEqual([whole.node]);
  expect(frame.queue).not.toContain(whole.node);
  expect([...frame.tokens.keys()].filter((id) => whole.produced.includes(id))).toEqual([]);
  const { now, after } = sentence(ctx, indexGraph(trace.graph), trace, frame);
  expect(textOf(now)).toContain("writes x: 0.0 → 1.0");
  expect(textOf(after)).toContain("waits at the queue");
  const earlier = structuredClone(trace);
  for (const step of earlier.runs[0]?.steps ?? []) Object.assign(step, { held: undefined });
  expect(frameAt(earlier, { run: 0, step: at + 1 })?.held.size).toBe(0);
  const end = frameAt(trace, { run: 0, step: at + 2 }) as Frame;
  expect(end.state.get(whole.node)).toBe("active");
});

test("a step at a queue tells the elements alone, or all where these stay the same", () => {
  const trace = structuredClone(counterTrace(true));
  const [run] = trace.runs;
  const at = run?.steps.findIndex(({ writes }) => writes.length > 0) ?? -1;
  const step = run?.steps[at];
  if (!step) throw new Error("no step writes");
  const say = (before: string, after: string, name = "queue"): string => {
    step.writes = [[name, before, after]];
    const frame = frameAt(trace, { run: 0, step: at + 1 }) as Frame;
    return textOf(sentence(ctx, indexGraph(trace.graph), trace, frame).now);
  };
  const closed = "[1] size=1 capacity=2 closed=True";
  expect(say("[1, 2] size=2 capacity=2 waiting=[put]", "[2] size=1 capacity=2")).toContain(
    "changes queue: [1, 2] → [2].",
  );
  expect(say("[1] size=1 capacity=2", closed)).toContain(`→ ${closed}`);
  const [{ name } = { name: "" }] = trace.graph.variables;
  expect(say("a size=1", "b size=2", name)).toContain("writes x: a size=1 → b size=2.");
});

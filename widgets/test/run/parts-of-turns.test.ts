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

test("a node that has begun its turn stays ready, sends nothing, and says that it waits", () => {
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
    ready: before,
  });
  const frame = frameAt(trace, { run: 0, step: at + 1 }) as Frame;
  expect(frame.state.get(whole.node)).toBe("ready");
  expect([...frame.tokens.keys()].filter((id) => whole.produced.includes(id))).toEqual([]);
  const { now, after } = sentence(ctx, indexGraph(trace.graph), trace, frame);
  expect(textOf(now)).toContain("writes x: 0.0 → 1.0");
  expect(textOf(after)).toContain("waits at the queue");
  const end = frameAt(trace, { run: 0, step: at + 2 }) as Frame;
  expect(end.state.get(whole.node)).toBe("active");
});

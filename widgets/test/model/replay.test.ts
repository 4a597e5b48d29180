import { describe, expect, test } from "vitest";
import {
  type Changes,
  changesBetween,
  clamp,
  type Frame,
  frameAt,
  fromOffset,
  lastOffset,
  positionOf,
  runLengths,
  toOffset,
} from "../../src/model/steps/replay";
import type { TraceRecord } from "../../src/record";
import { jointLengths } from "../../src/widgets/compare";
import { listed, plain, random } from "../fake";
import { counterTrace } from "../fixtures/counter";

function freeze<T>(value: T): T {
  if (value !== null && typeof value === "object") {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

const traces: [string, TraceRecord][] = [
  ["without identity", freeze(counterTrace(false))],
  ["with identity", freeze(counterTrace(true))],
];

describe.each(traces)("%s", (_, trace) => {
  const runs = runLengths(trace);

  test("a frame depends on the position alone: any walk back and forth ends in the same state", () => {
    const direct = Array.from({ length: lastOffset(runs) + 1 }, (_, at) =>
      plain(frameAt(trace, fromOffset(runs, at))),
    );
    const next = random(5);
    let at = 0;
    for (let i = 0; i < 200; i += 1) {
      at = Math.max(0, Math.min(lastOffset(runs), at + (next() < 0.5 ? -1 : 1)));
      expect(plain(frameAt(trace, fromOffset(runs, at)))).toEqual(direct[at]);
    }
  });

  test("nodes and edges outside the changes between two frames of a run are equal in both", () => {
    const next = random(7);
    for (let i = 0; i < 60; i += 1) {
      const run = Math.floor(next() * runs.length);
      const [one, other] = [0, 1].map(() =>
        frameAt(trace, { run, step: Math.floor(next() * ((runs[run] ?? 0) + 1)) }),
      ) as [Frame, Frame];
      const changes = changesBetween(one, other) as Changes;
      for (const [of, ids] of [
        ["state", changes.nodes],
        ["pending", changes.nodes],
        ["ran", changes.nodes],
        ["tokens", changes.edges],
      ] as const) {
        const [before, after] = [listed<number, unknown>(one[of]), listed<number, unknown>(other[of])];
        for (const id of [...before.keys(), ...after.keys()])
          if (!ids.has(id)) expect(after.get(id)).toBe(before.get(id));
      }
    }
  });

  test("positions and offsets convert into each other", () => {
    for (let at = 0; at <= lastOffset(runs); at += 1) expect(toOffset(runs, fromOffset(runs, at))).toBe(at);
  });

  test("every consumed token was there, and at the end tokens remain only on edges without a consumer step", () => {
    for (const run of runs.keys()) {
      let before = new Set<number>();
      for (let step = 1; step <= (runs[run] ?? 0); step += 1) {
        const frame = frameAt(trace, { run, step });
        for (const edge of frame?.consumed ?? []) expect(before.has(edge)).toBe(true);
        before = new Set(frame?.tokens.keys());
      }
      expect(before.size).toBe(0);
    }
  });

  test("a node is in the queue exactly while its pending count is 0 and it has not run", () => {
    for (let at = 0; at <= lastOffset(runs); at += 1) {
      const frame = frameAt(trace, fromOffset(runs, at));
      for (const { node } of trace.needed) {
        const waits = (frame?.pending.get(node) ?? 0) > 0;
        expect(frame?.queue.includes(node)).toBe(!waits && !frame?.ran.has(node));
      }
    }
  });

  test("pruned nodes are pruned at every step", () => {
    for (let at = 0; at <= lastOffset(runs); at += 1) {
      const frame = frameAt(trace, fromOffset(runs, at));
      for (const { node } of trace.pruned) expect(frame?.state.get(node)).toBe("pruned");
    }
  });
});

test("a position that does not exist becomes the nearest one that does", () => {
  expect(clamp([5, 5, 5], 9, 9)).toEqual({ run: 2, step: 5 });
  expect(clamp([5, 5, 5], -1, -7)).toEqual({ run: 0, step: 0 });
  expect(clamp([5], Number.NaN, Number.NaN)).toEqual({ run: 0, step: 0 });
  expect(clamp([], 0, 0)).toEqual({ run: 0, step: 0 });
});

test("run to node goes to its next step, and from the last one to the first", () => {
  const trace = counterTrace(true);
  expect(positionOf(trace, 5, { run: 0, step: 0 })).toEqual({ run: 0, step: 4 });
  expect(positionOf(trace, 5, { run: 0, step: 4 })).toEqual({ run: 1, step: 4 });
  expect(positionOf(trace, 5, { run: 2, step: 5 })).toEqual({ run: 0, step: 4 });
  expect(positionOf(trace, 7, { run: 0, step: 0 })).toBeNull();
});

test("the scrubber of two programs has the steps of the longer one, run by run", () => {
  expect(jointLengths([counterTrace(false), counterTrace(true)])).toEqual([5, 5, 5]);
});

test("dead outputs are dead tokens on their edges", () => {
  const trace = structuredClone(counterTrace(true));
  const first = trace.runs[0]?.steps[0];
  if (!first) throw new Error("no step");
  first.outputs = [{ text: "", alias: null, dead: true, tensor: null, asks: false }];
  const frame = frameAt(trace, { run: 0, step: 1 });
  expect([...listed(frame?.tokens).values()].every((token) => token === "dead")).toBe(true);
});

test("all ready nodes are known although the record lists only the front of the queue", () => {
  const complete = counterTrace(true);
  const short = structuredClone(complete);
  for (const run of short.runs) {
    run.start.ready.length = Math.min(1, run.start.ready.length);
    for (const step of run.steps) step.ready.length = Math.min(1, step.ready.length);
  }
  for (let step = 0; step <= (complete.runs[0]?.steps.length ?? 0); step += 1) {
    const [expected, known] = [frameAt(complete, { run: 0, step }), frameAt(short, { run: 0, step })];
    expect(listed(known?.state)).toEqual(listed(expected?.state));
    expect(known?.ready).toBe(expected?.queue.length);
  }
});

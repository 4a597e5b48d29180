/** What nodes show of their values: short texts, variables by name, formulas, and the whole value on demand. */
import { expect, test } from "vitest";
import { indexGraph } from "../../src/model/graph";
import { createNodeValues, fetchLabels, formulaOf } from "../../src/model/node-values";
import { type Frame, frameAt } from "../../src/model/steps/replay";
import type { StepRecord, TensorRecord, TraceRecord } from "../../src/record";
import { counterTrace } from "../fixtures/counter";

const at = (trace: TraceRecord, run: number, step: number): Frame => {
  const frame = frameAt(trace, { run, step });
  if (!frame) throw new Error("no such step");
  return frame;
};

const idOf = (trace: TraceRecord, name: string): number =>
  trace.graph.nodes.find((node) => node.name === name)?.id ?? -1;

test("a node shows its value, and what is a variable's buffer shows the variable as it is now", () => {
  const trace = counterTrace(true);
  const graph = indexGraph(trace.graph);
  const values = createNodeValues(graph, trace);
  const shown = (name: string, run: number, step: number): string | undefined =>
    values.at(idOf(trace, name), at(trace, run, step))?.words;
  expect([0, 3, 4].map((step) => shown("Variable", 0, step))).toEqual(["= 0.0", "= 0.0", "= 1.0"]);
  expect([0, 3, 4].map((step) => shown("Variable/read", 0, step))).toEqual([undefined, "≡ x 0.0", "≡ x 1.0"]);
  expect(shown("AssignAdd", 2, 5)).toBe("≡ x 3.0");
  expect(shown("init", 2, 5)).toBeUndefined();
  expect(values.widest.get(idOf(trace, "Variable"))).toBe("= 0.0");
  expect(values.widest.has(idOf(trace, "init"))).toBe(false);
});

test("a fetched node has the name that the program gives it, or the label of its fetch", () => {
  const trace = counterTrace(true);
  const [fetch] = trace.fetches;
  if (!fetch) throw new Error("nothing is fetched");
  const label = (text: string): string | undefined =>
    fetchLabels(indexGraph(trace.graph), { ...trace, fetches: [{ ...fetch, label: text }] }).get(fetch.node);
  expect(label(fetch.name)).toBe("y");
  expect(label("loss")).toBe("loss");
});

/** The counter's trace, in which one constant is a long value. */
function withLong(text: string, tensor: TensorRecord | null): TraceRecord {
  const trace = structuredClone(counterTrace(true));
  const id = idOf(trace, "AssignAdd/value");
  if (tensor) trace.tensors = [tensor];
  for (const run of trace.runs) {
    for (const step of run.steps as StepRecord[])
      if (step.node === id)
        step.outputs = [{ text, alias: null, dead: false, tensor: tensor && 0, asks: false }];
  }
  return trace;
}

const MATRIX = "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]";
const STATS = { count: 6, nan: 0, inf: 0, zero: 1, low: "0.0", high: "5.0", mean: "2.5", std: "1.7" };

test("a long value is its shape and range, and whole on demand", () => {
  const tensor: TensorRecord = {
    version: 1,
    kind: "tensor",
    name: "",
    dtype: "float32",
    shape: [2, 3],
    looks: ["table"],
    text: MATRIX,
    length: null,
    stats: STATS,
    table: null,
    heat: null,
    bars: null,
    gallery: null,
  };
  const look = (text: string, tensor: TensorRecord | null) => {
    const trace = withLong(text, tensor);
    const values = createNodeValues(indexGraph(trace.graph), trace);
    const [id, frame] = [idOf(trace, "AssignAdd/value"), at(trace, 0, 5)];
    return [values.at(id, frame)?.words, values.whole(id, frame), values.widest.get(id)];
  };
  expect(look(MATRIX, tensor)).toEqual(["2×3 · 0.0…5.0", [MATRIX, "float32 2×3 0.0…5.0"], "2×3 · 0.0…5.0"]);
  const even = { ...tensor, stats: { ...STATS, high: "0.0" } };
  expect(look(MATRIX, even)[0]).toBe("2×3 · 0.0");
  // A scalar string has no shape to show.
  expect(look("a string of many words", null)[0]).toBe("a string …ords");
  expect(look("1.0", null)).toEqual(["1.0", null, "1.0"]);
  // What a program says is text, whatever it is.
  expect(look("a\nb\u202e", null)[0]).toBe("a b⟨U+202E⟩");
});

test("an operation of two numbers tells them, and of a written variable the number before", () => {
  const trace = counterTrace(true);
  const graph = indexGraph(trace.graph);
  const formula = (name: string, run: number, step: number): string | null =>
    formulaOf(graph, idOf(trace, name), at(trace, run, step));
  expect(formula("AssignAdd", 1, 4)).toBe("1.0 + 1.0");
  expect(formula("AssignAdd", 1, 3)).toBeNull();
  expect(formula("Variable/read", 1, 4)).toBeNull();
});

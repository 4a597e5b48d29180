/** What a node shows of its value at a step of a run: a text that has room in a picture. */

import { leaf, oneLine, shorten } from "../base/text";
import type { TensorRecord, TraceRecord, ValueRecord } from "../record";
import { type Graph, indexGraph } from "./graph";
import { iterationText } from "./loops/loop-iterations";
import { programName, variableName } from "./program-names";
import type { Frame } from "./steps/replay";

/** The longest text of a value in a picture. */
const LONG = 14;
/** The longest number in a formula. */
const NUMBER = 6;
/** The signs of operations of two numbers. */
export const SIGNS: Record<string, string> = {
  Add: "+",
  AddV2: "+",
  AssignAdd: "+",
  AssignAddVariableOp: "+",
  Sub: "−",
  AssignSub: "−",
  AssignSubVariableOp: "−",
  Mul: "×",
  Div: "/",
  RealDiv: "/",
  FloorDiv: "//",
  FloorMod: "%",
  Less: "<",
  LessEqual: "≤",
  Greater: ">",
  GreaterEqual: "≥",
  Equal: "=",
  NotEqual: "≠",
  LogicalAnd: "∧",
  LogicalOr: "∨",
};

export interface ShownValue {
  words: string;
  /** The variable whose buffer this is. */
  alias: string | null;
  /** The iteration in which it was made, in a loop. */
  iteration: string;
}

export interface NodeValues {
  /** The widest text that each node will show: a variable in itself, every other node below itself. */
  widest: ReadonlyMap<number, string>;
  /** The widest formula that each node will show in the place of its type. */
  formulas: ReadonlyMap<number, string>;
  /** The labels of what is fetched. */
  fetched: ReadonlyMap<number, string>;
  /** What a node shows; null: nothing. */
  at: (id: number, frame: Frame) => ShownValue | null;
  /** The whole value in lines; null if the node shows it already. */
  whole: (id: number, frame: Frame) => string[] | null;
  /** The text of an output on its way: of a variable only its name, as its value may change meanwhile. */
  token: (id: number, output: number, value: ValueRecord) => string;
}

export const dimensions = (shape: readonly (number | null)[]): string =>
  shape.map((size) => size ?? "?").join("×");

function rangeOf({ stats }: TensorRecord): string {
  if (!stats?.low) return "";
  return stats.low === stats.high ? stats.low : `${stats.low}…${stats.high}`;
}

/** A text that is too long gives way to shape and range. */
function short(text: string, shape: readonly (number | null)[] | null, tensor?: TensorRecord): string {
  if (text.length <= LONG && !/[\r\n\t]/.test(text)) return shorten(text, LONG);
  const known = tensor?.shape ?? shape;
  if (!known || known.length === 0) return shorten(oneLine(text), LONG);
  const range = tensor ? rangeOf(tensor) : "";
  return range !== "" && range.length < LONG ? `${dimensions(known)} · ${range}` : dimensions(known);
}

/** The numbers that a node computes with, and the sign between them: `2 + 3`; null for most nodes. */
export function formulaOf(graph: Graph, id: number, frame: Frame): string | null {
  const sign = SIGNS[graph.node.get(id)?.type ?? ""];
  const step = frame.ran.get(id);
  if (!sign || !step) return null;
  const texts = (graph.inputs.get(id) ?? [])
    .filter(({ kind }) => kind !== "control")
    .toSorted((a, b) => (a.input ?? 0) - (b.input ?? 0))
    .map(({ source, output }) => {
      const value = frame.ran.get(source)?.outputs[output ?? 0];
      // The variable holds the new value by now.
      const before = step.writes.find(([name]) => name === value?.alias)?.[1];
      return before ?? value?.text;
    });
  const [one, other] = texts;
  if (texts.length !== 2 || !one || !other || one.length > NUMBER || other.length > NUMBER) return null;
  return `${one} ${sign} ${other}`;
}

/** The widest formula of each node that shows one; `numbers`: the widest number of each node. */
function widestFormulas(graph: Graph, numbers: ReadonlyMap<number, string>): Map<number, string> {
  const formulas = new Map<number, string>();
  for (const { id, type } of graph.record.nodes) {
    const sources = (graph.inputs.get(id) ?? []).filter(({ kind }) => kind !== "control");
    const [one, other] = sources.map(({ source }) => numbers.get(source));
    if (SIGNS[type] && sources.length === 2 && one && other)
      formulas.set(id, `${one} ${SIGNS[type]} ${other}`);
  }
  return formulas;
}

/** The label of what is fetched: a tensor's name gives way to the name in the program. */
export function fetchLabel(graph: Graph, { label, name, node }: TraceRecord["fetches"][number]): string {
  if (label !== name) return label;
  return programName(graph, node) || leaf(label).replace(/:0$/, "");
}

/** The labels of what is fetched, by node. */
export function fetchLabels(graph: Graph, { fetches }: TraceRecord): Map<number, string> {
  const labels = new Map<number, string>();
  for (const fetch of fetches) {
    const { node } = fetch;
    const own = fetchLabel(graph, fetch);
    const there = labels.get(node);
    if (there !== own) labels.set(node, there === undefined ? own : `${there}, ${own}`);
  }
  return labels;
}

/** The same values, with the room that nodes of the same names need in programs beside this one. */
export function withRoomOf(values: NodeValues, graph: Graph, others: readonly TraceRecord[]): NodeValues {
  const widest = new Map(values.widest);
  const ids = new Map(graph.record.nodes.map(({ id, name }) => [name, id]));
  for (const trace of others) {
    const other = indexGraph(trace.graph);
    for (const [id, words] of createNodeValues(other, trace).widest) {
      const own = ids.get(other.node.get(id)?.name ?? "");
      if (own !== undefined && words.length > (widest.get(own)?.length ?? 0)) widest.set(own, words);
    }
  }
  return { ...values, widest };
}

/** `room`: the text of a value, if no run is known beforehand. */
export function createNodeValues(graph: Graph, trace: TraceRecord | null, room = ""): NodeValues {
  const variables = new Set(graph.record.variables.map(({ node }) => node));
  const names = new Map(
    graph.record.variables.map(({ name }) => [name, shorten(leaf(variableName(graph, name)), 10)]),
  );
  const widest = new Map<number, string>();
  const written = new Map<string, string>();
  const shapeOf = (id: number, output: number) => graph.node.get(id)?.outputs[output]?.shape ?? null;
  const shapes = new Map(graph.record.variables.map(({ node, name }) => [name, shapeOf(node, 0)]));
  /** The values of variables in full, by name and text. */
  const full = new Map<string, number>();
  const ofVariable = (name: string, text: string): string => {
    const tensor = full.get(`${name} ${text}`);
    return short(text, shapes.get(name) ?? null, tensor === undefined ? undefined : trace?.tensors[tensor]);
  };
  const own = (id: number, output: number, { text, tensor }: ValueRecord): string =>
    short(text, shapeOf(id, output), tensor === null ? undefined : trace?.tensors[tensor]);
  const aliased = (name: string, words: string): string =>
    `≡ ${names.get(name) ?? shorten(name, 10)} ${words}`;
  const take = <K>(into: Map<K, string>, key: K, words: string): void => {
    if (words.length > (into.get(key)?.length ?? 0)) into.set(key, words);
  };
  for (const { outputs } of trace?.runs.flatMap(({ steps }) => steps) ?? [])
    for (const { alias, text, tensor } of outputs)
      if (alias !== null && tensor !== null) full.set(`${alias} ${text}`, tensor);
  for (const { start, steps } of trace?.runs ?? []) {
    for (const [name, text] of start.variables) take(written, name, ofVariable(name, text));
    for (const { writes } of steps)
      for (const [name, , after] of writes) take(written, name, ofVariable(name, after));
  }
  const numbers = new Map<number, string>();
  for (const { steps } of trace?.runs ?? []) {
    for (const { node, outputs, iteration } of steps) {
      for (const { text, alias } of outputs)
        for (const number of [text, written.get(alias ?? "") ?? ""])
          if (number.length <= NUMBER) take(numbers, node, number);
      const value = outputs.find(({ dead }) => !dead);
      if (!value || variables.has(node)) continue;
      const words =
        value.alias === null
          ? own(node, outputs.indexOf(value), value)
          : aliased(value.alias, written.get(value.alias) ?? "");
      take(widest, node, iteration.length > 0 ? `${words} ↻${iterationText(iteration)}` : words);
    }
  }
  for (const { node, name } of graph.record.variables)
    widest.set(node, `= ${written.get(name) ?? (room || "–")}`);
  if (!trace && room)
    for (const { id, outputs } of graph.record.nodes)
      if (outputs.length > 0 && !widest.has(id)) widest.set(id, room);
  return {
    widest,
    formulas: widestFormulas(graph, numbers),
    fetched: trace ? fetchLabels(graph, trace) : new Map(),
    token: (id, output, value) =>
      value.alias === null ? own(id, output, value) : aliased(value.alias, "").trimEnd(),
    whole(id, frame) {
      const isVariable = variables.has(id);
      const live = frame.ran.get(id)?.outputs.filter(({ dead }) => !dead) ?? [];
      const values = live.map(({ text, alias, tensor }) => ({
        text: alias === null ? text : (frame.variables.get(alias) ?? "–"),
        // A variable's buffer may hold another value by now.
        tensor: tensor === null || (alias !== null && frame.variables.get(alias) !== text) ? null : tensor,
      }));
      if (isVariable && values.length === 0) {
        const text = frame.variables.get(graph.node.get(id)?.name ?? "");
        if (text !== undefined) values.push({ text, tensor: null });
      }
      const isLong = values.some(({ text }) => text !== short(text, null));
      if (!isLong && values.length < 2) return null;
      return values.flatMap(({ text, tensor }) => {
        const known = tensor === null ? undefined : trace?.tensors[tensor];
        const about = known && `${known.dtype} ${dimensions(known.shape)} ${rangeOf(known)}`.trimEnd();
        return about ? [text, about] : [text];
      });
    },
    at(id, frame) {
      if (variables.has(id)) {
        const name = graph.node.get(id)?.name ?? "";
        const text = frame.variables.get(name);
        return {
          words: text === undefined ? "–" : `= ${ofVariable(name, text)}`,
          alias: null,
          iteration: "",
        };
      }
      const step = frame.ran.get(id);
      const output = step?.outputs.findIndex(({ dead }) => !dead) ?? -1;
      const value = step?.outputs[output];
      // In a loop a node may wait again for its next turn: its value is that of the iteration before.
      if (!step || !value || step.outcome === "error") return null;
      const { alias } = value;
      const words =
        alias === null
          ? own(id, output, value)
          : aliased(alias, ofVariable(alias, frame.variables.get(alias) ?? "–"));
      return { words, alias, iteration: iterationText(step.iteration) };
    },
  };
}

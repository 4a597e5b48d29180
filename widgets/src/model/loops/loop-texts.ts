/** What the nodes of a loop show in an iteration: their state, the numbers that they compute with, and their values. */

import { leaf, oneLine, shorten } from "../../base/text";
import type { TraceRecord } from "../../record";
import type { Graph } from "../graph";
import { dimensions, SIGNS } from "../node-values";
import type { Outcome, Position } from "../steps/replay";
import { type Round, type Turn, textOf, turnIn, turnsOf } from "./loop-iterations";
import type { LoopPlan, Station } from "./loop-plan";

/** The longest value in a box, and the longest number in it or in a formula. */
const LONG = 10;
const NUMBER = 7;

export interface StationText {
  name: string;
  /** The numbers that it computes with, `2 + 1`, or its type. */
  detail: string;
  state: Outcome | "active" | "waiting";
  /** Its value, in full and with room in a box. */
  value: string;
  short: string;
}

/** A loop as it is drawn, and what is around it. */
export interface DrawnLoop {
  graph: Graph;
  trace: TraceRecord;
  plan: LoopPlan;
}

/** A text with room in a box: of a long number the first digits, of other long values the shape. */
function brief({ graph }: DrawnLoop, node: number, output: number, text: string): string {
  const line = oneLine(text);
  if (line.length <= NUMBER) return line;
  const rounded = digits(line);
  if (rounded !== line) return `≈${rounded}`;
  const shape = graph.node.get(node)?.outputs[output]?.shape;
  return line.length <= LONG || !shape || shape.length === 0 ? shorten(line, LONG) : dimensions(shape);
}

/** The first digits of a long number; other texts as they are. */
function digits(text: string): string {
  const number = Number(text);
  return text.length > NUMBER && Number.isFinite(number) ? String(Number(number.toPrecision(4))) : text;
}

export function nameOf({ graph, plan }: DrawnLoop, { kind, node, lane }: Station): string {
  return kind === "value" ? (plan.lanes[lane]?.name ?? "") : leaf(graph.node.get(node)?.name ?? "");
}

/** The turn of a node in this iteration; a node of an inner loop has it in an iteration inside this one. */
export function turnOf(
  { trace }: DrawnLoop,
  at: Position,
  node: number,
  path: readonly number[],
): Turn | null {
  const turn = turnIn(trace, at, node, path);
  return turn && turn.record.iteration.length >= path.length ? turn : null;
}

/** The inputs of a node that computes with two values and has a sign for it. */
function operands({ graph }: DrawnLoop, node: number): { sign: string; sources: [number, number][] } | null {
  const sign = SIGNS[graph.node.get(node)?.type ?? ""];
  const sources = (graph.inputs.get(node) ?? [])
    .filter(({ kind }) => kind !== "control")
    .sort((a, b) => (a.input ?? 0) - (b.input ?? 0))
    .map(({ source, output }): [number, number] => [source, output ?? 0]);
  return sign && sources.length === 2 ? { sign, sources } : null;
}

/** The numbers that a node computes with: `2 + 1`; before they exist, the variables' names. */
function formula(loop: DrawnLoop, at: Position, station: Station, path: readonly number[]): string {
  const { graph, trace, plan } = loop;
  const type = graph.node.get(station.node)?.type ?? "";
  const found = operands(loop, station.node);
  if (!found) return type;
  const texts = found.sources.map(([source, output]) => {
    const turn = turnIn(trace, at, source, path);
    const known = turn?.record.outcome === "ran" ? digits(oneLine(textOf(turn, output))) : "";
    if (known) return known;
    const link = plan.links.find(({ to, from }) => to === station && leads(graph, from.node, source));
    if (link) return nameOf(loop, link.from);
    const node = graph.node.get(source);
    return constantText(loop, source) || (node?.role === "op" ? leaf(node.name) : "");
  });
  return texts.some((text) => text === "" || text.length > NUMBER) ? type : texts.join(` ${found.sign} `);
}

/** The value of a constant in the run, which it has even before its turn. */
function constantText({ graph, trace }: DrawnLoop, node: number): string {
  let id: number | undefined = node;
  while (id !== undefined && graph.node.get(id)?.type.endsWith("Enter"))
    id = graph.inputs.get(id)?.[0]?.source;
  if (id === undefined || graph.node.get(id)?.role !== "constant") return "";
  const turns = trace.runs.flatMap((_, run) => turnsOf(trace, run, id ?? -1));
  return digits(oneLine(textOf(turns.find(({ record }) => record.outcome === "ran") ?? null)));
}

/** Whether a value reaches a node's input unchanged: through nodes that pass it on. */
function leads(graph: Graph, from: number, input: number): boolean {
  let id: number | undefined = input;
  while (id !== undefined && id !== from && /(Identity|Switch|Enter)$/.test(graph.node.get(id)?.type ?? ""))
    id = (graph.inputs.get(id) ?? []).find(({ input: place }) => place === 0)?.source;
  return id === from;
}

export function stationText(
  loop: DrawnLoop,
  at: Position,
  station: Station,
  path: readonly number[],
): StationText {
  const turn = turnOf(loop, at, station.node, path);
  const output = turn?.record.outputs.findIndex(({ dead }) => !dead) ?? -1;
  const value = output >= 0 ? oneLine(textOf(turn, output)) : "";
  const isNow = turn?.step === at.step && turn.record.outcome === "ran";
  const name = nameOf(loop, station);
  const detail = station.kind === "test" || station.kind === "op" ? formula(loop, at, station, path) : "";
  return {
    name,
    detail: detail.toLowerCase() === name.toLowerCase() ? "" : detail,
    state: isNow ? "active" : (turn?.record.outcome ?? "waiting"),
    value,
    short: brief(loop, station.node, output, value),
  };
}

/** The longest texts that a station shows in any run: its value, and what stands below its name. */
export function longestTexts(loop: DrawnLoop, station: Station): { value: string; detail: string } {
  const { kind, node } = station;
  const longest = (id: number): string => {
    let found = "";
    for (const [run] of loop.trace.runs.entries())
      for (const { record } of turnsOf(loop.trace, run, id))
        for (const [i, { text }] of record.outputs.entries()) {
          const short = brief(loop, id, i, text);
          if (short.length > found.length) found = short;
        }
    return found;
  };
  const found = operands(loop, node);
  const numbers = found?.sources.map(([source]) => longest(source).slice(0, NUMBER)) ?? [];
  const details = found ? [numbers.join(` ${found.sign} `)] : [];
  if (kind === "op" || kind === "test") details.push(formula(loop, { run: 0, step: 0 }, station, []));
  return { value: longest(node), detail: details.sort((a, b) => b.length - a.length)[0] ?? "" };
}

/** The iteration in which the condition is False; null for a run that did not come so far. */
export function lastIteration({ trace, plan }: DrawnLoop, run: number, { outer }: Round): number | null {
  const turns = plan.condition === null ? [] : turnsOf(trace, run, plan.condition);
  const end = turns.find(
    ({ record }) =>
      record.outputs[0]?.text === "False" && outer.every((value, i) => value === record.iteration[i]),
  );
  return end?.record.iteration[outer.length] ?? null;
}

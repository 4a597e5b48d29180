/** What each step did, in one short sentence and a softer second one. */

import { h } from "../base/dom";
import { inline, oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import { amountText } from "../explore/amounts";
import type { Key, Translate } from "../i18n";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { iterationText } from "../model/loops/loop-iterations";
import { variableName } from "../model/program-names";
import type { Frame } from "../model/steps/replay";
import { busyBeside, type ClockSpan, type RunClock, runClock } from "../model/steps/run-clock";
import type { ForkedRecord, Params, StepRecord, TraceRecord } from "../record";

export interface Sentence {
  now: Node[];
  after: Node[];
}

/** How much of a value or an error a sentence holds. */
const SHORT = 40;
const REASON = 160;
/** The ends of a bold name inside a translated text: private characters, which no name keeps. */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const BOLD = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`);

const bold = (name: string): string => OPEN + name.replace(/[\ue000\ue001]/g, "") + CLOSE;

/** A text with its bold names as elements. */
function nodesOf(text: string): Node[] {
  return text
    .split(BOLD)
    .map((part, i) => (i % 2 === 1 ? h("strong", { dir: "auto" }, part) : new Text(part)))
    .filter(({ textContent }) => textContent !== "");
}

/** The change of a fork, in words. */
export function changeText(t: Translate, { code, params }: ForkedRecord): string {
  return t(`fork.${code}`, params);
}

export function sentence(
  { t }: Pick<Context, "t">,
  graph: Graph,
  trace: TraceRecord,
  frame: Frame,
): Sentence {
  const [now, after] = frame.last
    ? stepTexts(t, graph, frame, frame.last, clockOf(trace, frame))
    : startTexts(t, graph, trace, frame);
  const end = endText(t, trace, frame);
  // No step tells the error that ends a run between two steps, as where a node waits for a queue for ever: it stands first.
  const isUntold =
    frame.step === frame.total && trace.runs[frame.run]?.error && frame.last?.outcome !== "error";
  if (end !== null && isUntold) return { now: nodesOf(end), after: nodesOf(now) };
  return { now: nodesOf(now), after: nodesOf(end ?? after) };
}

function startTexts(t: Translate, graph: Graph, trace: TraceRecord, { run, queue }: Frame): [string, string] {
  const record = trace.runs[run];
  const used = record?.steps.find(({ writes }) => writes.length > 0)?.writes[0]?.[0];
  const variables = record?.start.variables ?? [];
  const held = variables.find(([name]) => name === used) ?? variables[0];
  const [next] = queue;
  const now = run === 0 ? t("say.start") : t("say.begin", { run: run + 1 });
  if (held) return [now, t("say.holds", { variable: variableName(graph, held[0]), value: short(held[1]) })];
  return [now, next === undefined ? "" : t("say.next", { node: nodeName(graph, next) })];
}

const clockOf = (trace: TraceRecord, { run }: Frame): RunClock | null => {
  const clock = trace.runs[run]?.clock;
  return clock ? runClock(clock) : null;
};

/** The devices that work while a step is taken, besides its own. */
function meanwhile(t: Translate, clock: RunClock, span: ClockSpan): string {
  const others = busyBeside(clock, span);
  return others.length > 0 ? t("say.meanwhile", { devices: others.join(", ") }) : "";
}

function stepTexts(
  t: Translate,
  graph: Graph,
  frame: Frame,
  step: StepRecord,
  clock: RunClock | null,
): [string, string] {
  const node = bold(nodeName(graph, step.node));
  const say = (key: Key, params: Params = {}): string => t(key, { node, ...params });
  if (step.change) return [say("say.changed", { change: changeText(t, step.change) }), ""];
  if (step.outcome === "error") return [say("say.error", { error: reasonText(step.error ?? "") }), ""];
  if (step.outcome === "dead") {
    const { death } = step;
    if (!death) return [say("say.dead"), ""];
    return [say(`say.death.${death.code}`, death.params), t(`say.death.${death.code}.then`, death.params)];
  }
  const span = clock?.byStep.get(frame.step);
  const beside = clock && span ? meanwhile(t, clock, span) : "";
  if (span && span.to !== null)
    return [say("say.sends", { to: span.to, bytes: amountText(t, "memory", span.bytes) }), beside];
  const then =
    step.outcome === "began"
      ? say("say.began")
      : (waitedText(t, graph, frame, step) ?? loopText(t, graph, step) ?? beside);
  // A Switch is described by the side that has the value.
  const output = step.outputs.find(({ dead }) => !dead) ?? step.outputs[0];
  if (step.outcome === "fed") return [say("say.fed", { value: short(output?.text ?? "") }), then];
  const [write] = step.writes;
  if (write) {
    const [name, before, after] = write;
    const variable = variableName(graph, name);
    const isVariable = graph.record.variables.some((each) => each.name === name);
    const contents = isVariable ? null : elementsOf(before, after);
    if (contents) return [say("say.content", { variable, ...contents }), then];
    const values = { before: short(before) || t("tape.unset"), after: short(after) };
    return [say("say.wrote", { variable, ...values }), then];
  }
  if (output?.alias) {
    const value = frame.variables.get(output.alias);
    const variable = variableName(graph, output.alias);
    const now = say("say.alias", { variable, value: short(value ?? t("tape.unset")) });
    return [now, then || t("say.no_copy")];
  }
  return [output ? say("say.value", { value: short(output.text) }) : say("say.ran"), then];
}

const short = (text: string): string => shorten(oneLine(text), SHORT);

/** The elements of a queue before and after a step, if these changed: its card tells its size and who waits. */
function elementsOf(before: string, after: string): { before: string; after: string } | null {
  const [held, holds] = [before, after].map((text) => / size=\d/.exec(text)?.index);
  if (held === undefined || holds === undefined) return null;
  const elements = { before: before.slice(0, held), after: after.slice(0, holds) };
  if (elements.before === elements.after) return null;
  return { before: short(elements.before), after: short(elements.after) };
}

/** An error's own line, without the places that follow it. */
const reasonText = (error: string): string => shorten(oneLine(error.split("\n", 1)[0] ?? ""), REASON);

/** The node that waited for the step by a control edge, and is ready now. */
function waitedText(t: Translate, graph: Graph, { state }: Frame, { produced }: StepRecord): string | null {
  for (const id of produced) {
    const edge = graph.edge.get(id);
    if (edge?.kind === "control" && state.get(edge.target) === "ready")
      return t("say.waited", { node: nodeName(graph, edge.target) });
  }
  return null;
}

/** What the value is to the loop's variables; else the iteration. */
function loopText(t: Translate, graph: Graph, { node, iteration }: StepRecord): string | null {
  const n = iteration.at(-1);
  const variables = graph.record.loops.flatMap((loop) => loop.variables);
  const out = variables.find(({ exit }) => exit === node);
  if (out) return t("say.leaves", { variable: out.name });
  if (n === undefined) return null;
  const into = variables.find(({ merge }) => merge === node);
  if (into) return t("say.is", { variable: into.name, n });
  const next = (graph.outputs.get(node) ?? []).map(({ target }) => target);
  const becomes = variables.find(
    (each) => each.next === node || (each.next !== null && next.includes(each.next)),
  );
  if (becomes) return t("say.becomes", { variable: becomes.name, n: n + 1 });
  return t("say.iteration", { n: iterationText(iteration) });
}

/** What the run printed, after its last step. */
function endText(t: Translate, trace: TraceRecord, frame: Frame): string | null {
  if (frame.step < frame.total) return null;
  const run = frame.run + 1;
  const record = trace.runs[frame.run];
  if (record?.error) {
    if (frame.last?.outcome === "error") return t("say.stopped", { run });
    return t("say.stopped_by", { run, error: reasonText(record.error) });
  }
  const values = printedText(trace, frame.run);
  return values === "" ? t("say.over", { run }) : t("say.printed", { run, values });
}

/** The iteration of the last step; null outside of loops. */
export function iterationSentence(t: Translate, { last }: Pick<Frame, "last">): string | null {
  if (!last || last.frame === "") return null;
  return t("live.iteration", { frame: inline(last.frame), n: iterationText(last.iteration) });
}

/** What a run printed, for a narrow place. */
export function printedText(trace: TraceRecord, run: number): string {
  const record = trace.runs[run];
  return record?.error
    ? "×"
    : (record?.fetched ?? []).map(({ text }) => shorten(oneLine(text), 24)).join(", ");
}

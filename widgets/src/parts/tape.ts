/** The tape: one row for each variable and each result, one column for each run, filled up to now. */
import type { Context } from "../context";
import { h } from "../dom";
import type { Graph } from "../graph";
import type { TraceRecord } from "../record";
import type { Position } from "../replay";
import { inline, oneLine, passage } from "../text";
import { nodeName } from "./thing";

export interface TapeEvent {
  kind: "start" | "write" | "read";
  step: number;
  node: number | null;
  before: string;
  after: string;
}

/** What happened to one variable in one run, up to a step. */
export function variableEvents(
  trace: TraceRecord,
  variable: string,
  run: number,
  steps: number,
): TapeEvent[] {
  const record = trace.runs[run];
  if (!record) return [];
  const start = record.start.variables.find(([name]) => name === variable)?.[1];
  const events: TapeEvent[] = [];
  if (start !== undefined) events.push({ kind: "start", step: 0, node: null, before: "", after: start });
  for (const [i, taken] of record.steps.slice(0, steps).entries()) {
    for (const [name, value] of taken.reads) {
      if (name === variable)
        events.push({ kind: "read", step: i + 1, node: taken.node, before: "", after: value });
    }
    for (const [name, before, after] of taken.writes) {
      if (name === variable) events.push({ kind: "write", step: i + 1, node: taken.node, before, after });
    }
  }
  return events;
}

/** The variables that these runs touch or know, in the order of the graph. */
export function tapeVariables(trace: TraceRecord): string[] {
  const used = new Set<string>();
  for (const run of trace.runs) {
    for (const [name] of run.start.variables) used.add(name);
    for (const step of run.steps) for (const [name] of [...step.reads, ...step.writes]) used.add(name);
  }
  const known = trace.graph.variables.map(({ name }) => name).filter((name) => used.has(name));
  return [...new Set([...known, ...used])];
}

/** So many elements of tensor arrays have rows of their own: those touched last. */
export const ELEMENTS = 24;

export interface Tape {
  element: HTMLElement;
  show: (at: Position) => void;
}

export function createTape(ctx: Context, graph: Graph, trace: TraceRecord): Tape {
  const body = h("tbody");
  const head = h("tr", {}, h("td"));
  for (const { index } of trace.runs)
    head.append(h("th", { scope: "col" }, ctx.t("tape.run", { run: index + 1 })));
  const table = h("table", { "data-testid": "tape" }, h("thead", {}, head), body);
  const element = h(
    "section",
    { class: "tape" },
    h("h4", {}, ctx.t("tape.title")),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": ctx.t("tape.title") }, table),
  );
  const known = new Set([
    ...trace.graph.variables.map(({ name }) => name),
    ...trace.runs.flatMap(({ start }) => start.variables.map(([name]) => name)),
  ]);
  const rowsOf = tapeVariables(trace);
  const variables = rowsOf.filter((name) => known.has(name));
  const elements = rowsOf.filter((name) => !known.has(name));

  const words = (event: TapeEvent): string => {
    const after = event.after || ctx.t("tape.unset");
    if (event.kind === "start") return ctx.t("tape.start", { value: after });
    const node = nodeName(graph, event.node ?? -1);
    return event.kind === "write"
      ? ctx.t("tape.write", { node, before: event.before || ctx.t("tape.unset"), after })
      : ctx.t("tape.read", { node, value: after });
  };

  return {
    element,
    show(at) {
      const touched = elements.filter((name) =>
        trace.runs.some(
          (_, run) =>
            run <= at.run && variableEvents(trace, name, run, run < at.run ? Infinity : at.step).length > 0,
        ),
      );
      const rows = [...variables, ...touched.slice(-ELEMENTS)].map((name) => {
        const key = known.has(name) ? "tape.variable" : "tape.element";
        const row = h("tr", {}, h("th", { scope: "row" }, ctx.t(key, { name })));
        row.setAttribute("data-variable", name);
        for (const [run, record] of trace.runs.entries()) {
          if (run > at.run) {
            row.append(h("td", { class: "later" }, ctx.t("tape.later")));
            continue;
          }
          const steps = run < at.run ? record.steps.length : at.step;
          const events = variableEvents(trace, name, run, steps).map((event) =>
            h(
              "li",
              {
                class: event.kind,
                dir: "auto",
                "data-now": run === at.run && event.step === at.step && event.kind !== "start",
              },
              words(event),
            ),
          );
          row.append(h("td", {}, h("ul", {}, ...events)));
        }
        return row;
      });
      const results = trace.fetches.map(({ label }, i) => {
        const row = h("tr", { class: "result" }, h("th", { scope: "row" }, ctx.t("tape.result", { label })));
        for (const [run, record] of trace.runs.entries()) {
          const over = run < at.run || (run === at.run && at.step === record.steps.length);
          const text = record.error ?? record.fetched[i]?.text ?? "";
          row.append(
            over
              ? h("td", { "data-result": run }, h("code", { dir: "auto" }, passage(text, 400)))
              : h("td", { class: "later" }, ctx.t("tape.later")),
          );
        }
        return row;
      });
      const hidden = touched.length - ELEMENTS;
      const more = h("tr", {}, h("th", { scope: "row" }, ctx.t("tape.more_elements", { n: hidden })));
      body.replaceChildren(...rows, ...(hidden > 0 ? [more] : []), ...results);
    },
  };
}

/** The results of one run in a few words. */
export function resultText(trace: TraceRecord, run: number): string {
  const fetched = trace.runs[run]?.fetched ?? [];
  return fetched.map(({ label, text }) => `${inline(label)} = ${inline(oneLine(text), 200)}`).join(", ");
}

/** The tape: a row for each variable and each result, a column for each run, filled up to the current step. */

import { arrange, h, renew } from "../base/dom";
import { passage } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import type { Position } from "../model/replay";
import type { RunRecord, TraceRecord } from "../record";

export interface TapeEvent {
  kind: "start" | "write" | "read";
  step: number;
  node: number | null;
  before: string;
  after: string;
}

/** The events of each variable in each run, in order. */
const histories = new WeakMap<RunRecord, Map<string, TapeEvent[]>>();

function history(run: RunRecord): Map<string, TapeEvent[]> {
  const known = histories.get(run);
  if (known) return known;
  const byVariable = new Map<string, TapeEvent[]>();
  const note = (name: string, event: TapeEvent): void => {
    const events = byVariable.get(name);
    if (events) events.push(event);
    else byVariable.set(name, [event]);
  };
  for (const [name, after] of run.start.variables)
    note(name, { kind: "start", step: 0, node: null, before: "", after });
  for (const [i, { node, reads, writes }] of run.steps.entries()) {
    for (const [name, after] of reads) note(name, { kind: "read", step: i + 1, node, before: "", after });
    for (const [name, before, after] of writes)
      note(name, { kind: "write", step: i + 1, node, before, after });
  }
  histories.set(run, byVariable);
  return byVariable;
}

/** How many of these events happened in the first `step` steps. */
function countUpTo(events: readonly TapeEvent[], steps: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.step ?? 0) <= steps) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The variables that these runs touch or list, in the order of the graph. */
export function tapeVariables(trace: TraceRecord): string[] {
  const used = new Set<string>();
  for (const run of trace.runs) {
    for (const [name] of run.start.variables) used.add(name);
    for (const step of run.steps) for (const [name] of [...step.reads, ...step.writes]) used.add(name);
  }
  const known = trace.graph.variables.map(({ name }) => name).filter((name) => used.has(name));
  return [...new Set([...known, ...used])];
}

/** How many variables, and how many elements of TensorArrays, have a row: those touched last. */
export const ROWS = 24;
/** How many steps back the tape looks for touched variables. */
const BACK = 4000;
/** How many events of one variable in one run are shown: the last ones. */
const EVENTS = 60;

export interface Tape {
  element: HTMLElement;
  show: (at: Position) => void;
}

function eventText(ctx: Context, graph: Graph, event: TapeEvent): string {
  const after = event.after || ctx.t("tape.unset");
  if (event.kind === "start") return ctx.t("tape.start", { value: after });
  const node = nodeName(graph, event.node ?? -1);
  return event.kind === "write"
    ? ctx.t("tape.write", { node, before: event.before || ctx.t("tape.unset"), after })
    : ctx.t("tape.read", { node, value: after });
}

/** The variables touched last, at most `ROWS`, in the order of the graph. */
function latest(trace: TraceRecord, variables: readonly string[], at: Position): readonly string[] {
  if (variables.length <= ROWS) return variables;
  const places = new Map(variables.map((name, place) => [name, place]));
  const touched = new Set<string>();
  let back = BACK;
  for (let run = at.run; run >= 0; run -= 1) {
    const steps = trace.runs[run]?.steps ?? [];
    for (let i = (run < at.run ? steps.length : at.step) - 1; i >= 0 && back > 0; i -= 1) {
      back -= 1;
      for (const [name] of steps[i]?.reads ?? []) if (places.has(name)) touched.add(name);
      for (const [name] of steps[i]?.writes ?? []) if (places.has(name)) touched.add(name);
      if (touched.size >= ROWS) back = 0;
    }
  }
  for (const name of variables) {
    if (touched.size >= ROWS) break;
    touched.add(name);
  }
  return [...touched].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/** The rows by key, each with a cell for each run. */
function createRows(trace: TraceRecord) {
  const rows = new Map<string, { row: HTMLElement; cells: { cell: HTMLElement; as: string }[] }>();

  function rowOf(
    key: string,
    title: HTMLElement,
    attributes: Record<string, string> = {},
  ): { row: HTMLElement; cells: { cell: HTMLElement; as: string }[] } {
    const there = rows.get(key);
    if (there) return there;
    const cells = trace.runs.map(() => ({ cell: h("td", {}), as: "" }));
    const row = h("tr", attributes, title, ...cells.map(({ cell }) => cell));
    const entry = { row, cells };
    rows.set(key, entry);
    return entry;
  }

  /** Fills a cell if its content changed: a step changes one or two cells. */
  function fill(
    previous: { cell: HTMLElement; as: string } | undefined,
    as: string,
    content: () => Node[],
  ): void {
    if (!previous || previous.as === as) return;
    previous.as = as;
    previous.cell.className = as === "later" ? "later" : "";
    renew(previous.cell, content());
  }
  return { rows, rowOf, fill };
}

export function createTape(ctx: Context, graph: Graph, trace: TraceRecord): Tape {
  const body = h("tbody");
  const head = h("tr", {}, h("td"));
  for (const { index } of trace.runs)
    head.append(h("th", { scope: "col" }, ctx.t("tape.run", { run: index + 1 })));
  const table = h("table", { "data-testid": "tape" }, h("thead", {}, head), body);
  const label = ctx.t("tape.title");
  const element = h(
    "section",
    { class: "tape" },
    h("h5", {}, label),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, table),
  );
  const known = new Set([
    ...trace.graph.variables.map(({ name }) => name),
    ...trace.runs.flatMap(({ start }) => start.variables.map(([name]) => name)),
  ]);
  const rowsOf = tapeVariables(trace);
  const variables = rowsOf.filter((name) => known.has(name));
  const elements = rowsOf.filter((name) => !known.has(name));

  const { rows, rowOf, fill } = createRows(trace);

  function more(key: "tape.more_variables" | "tape.more_elements", n: number): HTMLElement[] {
    if (n <= 0) return [];
    const words = ctx.t(key, { n });
    return [rowOf(words, h("th", { scope: "row" }, words)).row];
  }

  function variableRow(name: string, at: Position): HTMLElement {
    const title = (): HTMLElement =>
      h("th", { scope: "row" }, ctx.t(known.has(name) ? "tape.variable" : "tape.element", { name }));
    const { row, cells } = rows.get(`=${name}`) ?? rowOf(`=${name}`, title(), { "data-variable": name });
    for (const [run, record] of trace.runs.entries()) {
      if (run > at.run) {
        fill(cells[run], "later", () => [new Text(ctx.t("tape.later"))]);
        continue;
      }
      const all = history(record).get(name) ?? [];
      const count = countUpTo(all, run < at.run ? Number.POSITIVE_INFINITY : at.step);
      const isNow = run === at.run && all[count - 1]?.step === at.step && at.step > 0;
      fill(cells[run], `${count} ${isNow}`, () => {
        const from = Math.max(0, count - EVENTS);
        const items = all.slice(from, count).map((event) => {
          const now = isNow && event.step === at.step && event.kind !== "start";
          return h("li", { class: event.kind, dir: "auto", "data-now": now }, eventText(ctx, graph, event));
        });
        const earlier = h("li", { class: "none" }, ctx.t("tape.earlier", { n: from }));
        return [h("ul", {}, ...(from > 0 ? [earlier] : []), ...items)];
      });
    }
    return row;
  }

  function resultRow(label: string, i: number, at: Position): HTMLElement {
    const title = h("th", { scope: "row" }, ctx.t("tape.result", { label }));
    const { row, cells } = rowOf(`result ${i}`, title);
    row.className = "result";
    for (const [run, record] of trace.runs.entries()) {
      if (run > at.run || (run === at.run && at.step < record.steps.length)) {
        cells[run]?.cell.removeAttribute("data-result");
        fill(cells[run], "later", () => [new Text(ctx.t("tape.later"))]);
        continue;
      }
      cells[run]?.cell.setAttribute("data-result", String(run));
      const text = record.error ?? record.fetched[i]?.text ?? "";
      fill(cells[run], "over", () => [h("code", { dir: "auto" }, passage(text, 400))]);
    }
    return row;
  }

  return {
    element,
    show(at) {
      const filled = (names: readonly string[]): HTMLElement[] => names.map((name) => variableRow(name, at));
      const touched = elements.filter((name) =>
        trace.runs.some((record, run) => {
          const events = run <= at.run ? (history(record).get(name) ?? []) : [];
          return events.length > 0 && (run < at.run || (events[0]?.step ?? 0) <= at.step);
        }),
      );
      const names = latest(trace, variables, at);
      const all = [
        ...filled(names),
        ...more("tape.more_variables", variables.length - names.length),
        ...filled(touched.slice(-ROWS)),
        ...more("tape.more_elements", touched.length - ROWS),
        ...trace.fetches.map(({ label }, i) => resultRow(label, i, at)),
      ];
      arrange(body, all);
    },
  };
}

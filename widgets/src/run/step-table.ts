/** The steps of a run as a table, one page at a time: what each wrote or gave, and from which values. */

import { h, section, setText } from "../base/dom";
import { inline, oneLine, passage } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { iterationText } from "../model/loops/loop-iterations";
import { clamp, type Position, runLengths } from "../model/steps/replay";
import type { StepRecord, TraceRecord } from "../record";

const PAGE = 50;
const WIDEST = 80;

export interface StepTable {
  element: HTMLElement;
  show: (at: Position) => void;
}

export function createStepTable(
  ctx: Context,
  graph: Graph,
  trace: TraceRecord,
  move: ((to: Position) => void) | null,
): StepTable {
  const body = h("tbody");
  const heads = ["rows.step", "rows.node", "rows.outputs"] as const;
  const table = h(
    "table",
    { "data-testid": "rows" },
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, ctx.t(head))))),
    body,
  );
  const where = h("span", { class: "hint" });
  const turn = (by: number): void => {
    page += by;
    draw();
  };
  const earlier = h("button", { type: "button", click: () => turn(-1) }, ctx.t("rows.earlier"));
  const later = h("button", { type: "button", click: () => turn(1) }, ctx.t("rows.later"));
  const turns = h("div", { class: "actions" }, earlier, later);
  const element = section({ class: "rows" }, h("div", { class: "bar" }, where, turns), table);
  const runs = runLengths(trace);
  let at: Position = { run: 0, step: 0 };
  let page = 0;
  let drawn = "";
  const inputsOf = inputTexts(trace);

  const code = (text: string): HTMLElement => h("code", { dir: "auto" }, passage(oneLine(text), WIDEST));
  function row(step: StepRecord, number: number): HTMLElement {
    const loops = step.iteration.length > 0 ? ` [${iterationText(step.iteration)}]` : "";
    const label = ctx.t("rows.go", { step: number });
    const click = (): void => move?.({ run: at.run, step: number });
    const go = move && h("button", { type: "button", "aria-label": label, click }, String(number));
    const inputs = inputsOf(at.run, number - 1).map((text) => passage(oneLine(text), WIDEST));
    const { outcome, outputs, writes, error } = step;
    const given = outputs.map(({ text, dead, alias }) =>
      dead ? ctx.t("text.dead") : alias ? `${text} ≡ ${inline(alias)}` : text,
    );
    const written = writes.map(([name, before, after]) => `${inline(name)}: ${before || "–"} → ${after}`);
    const results = error !== null ? [error] : writes.length > 0 ? written : given;
    return h(
      "tr",
      { "data-step": number },
      h("th", { scope: "row" }, go ?? String(number)),
      h(
        "td",
        {},
        h("bdi", {}, nodeName(graph, step.node) + loops),
        outcome !== "ran" && h("div", { class: "hint" }, ctx.t(`outcome.${outcome}`)),
      ),
      h(
        "td",
        {},
        ...results.map((text) => h("div", {}, code(text))),
        inputs.length > 0 &&
          h("div", { class: "hint", dir: "auto" }, ctx.t("rows.from", { values: inputs.join(", ") })),
      ),
    );
  }

  function draw(): void {
    const steps = trace.runs[at.run]?.steps ?? [];
    page = Math.max(0, Math.min(Math.ceil(steps.length / PAGE) - 1, page));
    const from = page * PAGE;
    const now = `${at.run}.${page}`;
    if (now !== drawn) {
      drawn = now;
      const rows = steps.slice(from, from + PAGE);
      body.replaceChildren(...rows.map((step, i) => row(step, from + i + 1)));
      earlier.setAttribute("aria-disabled", String(page === 0));
      later.setAttribute("aria-disabled", String(from + PAGE >= steps.length));
      const range = { run: at.run + 1, from: from + 1, to: from + rows.length, total: steps.length };
      setText(where, ctx.t("rows.run", range));
      turns.hidden = steps.length <= PAGE;
    }
    for (const each of body.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
    body.querySelector(`[data-step="${at.step}"]`)?.setAttribute("aria-current", "step");
  }

  return {
    element,
    show(next) {
      at = clamp(runs, next.run, next.step);
      if (at.step > 0) page = Math.floor((at.step - 1) / PAGE);
      else page = 0;
      ctx.panels.draw(element, draw);
    },
  };
}

/** The input values of each step, computed once for each run that is shown. */
function inputTexts(trace: TraceRecord): (run: number, index: number) => string[] {
  const known = new Map<number, string[][]>();
  const edges = new Map(trace.graph.edges.map((edge) => [edge.id, edge]));
  const find = (run: number): string[][] => {
    const last = new Map<number, StepRecord>();
    return (trace.runs[run]?.steps ?? []).map((step) => {
      const readTexts = new Map(step.reads);
      const texts = step.consumed.flatMap((id) => {
        const edge = edges.get(id);
        if (!edge || edge.output === null) return [];
        const output = last.get(edge.source)?.outputs[edge.output];
        // A reference is read when it is consumed, not when it was produced.
        return [
          output?.alias ? (readTexts.get(output.alias) ?? `≡ ${inline(output.alias)}`) : (output?.text ?? ""),
        ];
      });
      if (step.outcome !== "changed" || step.outputs.length > 0) last.set(step.node, step);
      return texts;
    });
  };
  return (run, index) => {
    const runTexts = known.get(run) ?? find(run);
    known.set(run, runTexts);
    return runTexts[index] ?? [];
  };
}

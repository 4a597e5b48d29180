/** The details of a node: a list of terms. */

import { h } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import { amountText, shareText } from "../explore/amounts";
import type { Graph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { NodeRecord } from "../record";
import { type RunTotals, siteText } from "./scope-details";

/** Long enough for any honest name or value; a hostile one must not fill the notebook. */
const LONG = 2000;
/** How many consumers are listed; the others are counted. */
const CONSUMERS = 6;
/** How many nodes of its gradient. */
const GRADIENTS = 3;

function row(list: HTMLElement, term: string, ...values: (string | HTMLElement)[]): void {
  list.append(h("dt", {}, term));
  for (const value of values) list.append(h("dd", {}, value));
}
const heading = (words: string, kind: string): HTMLElement =>
  h("h4", { dir: "auto" }, h("span", {}, shorten(words, LONG)), h("small", {}, kind));
const code = (words: string): HTMLElement => h("code", { dir: "auto" }, passage(words, LONG));

/** What a node is, its state at a step, its edges, and where it comes from. */
export function nodeDetails(
  ctx: Context,
  graph: Graph,
  id: number,
  { frame, run }: { frame: Frame | null; run: RunTotals | null },
): HTMLElement[] {
  const record = graph.node.get(id);
  if (!record) return [];
  const list = h("dl");
  row(list, ctx.t("detail.type"), code(record.type));
  if (frame) stateAt(ctx, list, id, frame);
  else known(ctx, list, record, run);
  edges(ctx, graph, list, record);
  origin(ctx, graph, list, record);
  if (record.device) row(list, ctx.t("detail.device"), code(record.device));
  const attrs = record.attrs.map(([key, value]) => h("li", {}, code(`${key} = ${shorten(value, 200)}`)));
  const more =
    attrs.length > 0 && h("details", {}, h("summary", {}, ctx.t("detail.attrs")), h("ul", {}, ...attrs));
  return [heading(record.name, ctx.t(`role.${record.role}`)), list, ...(more ? [more] : [])];
}

/** The state and the values of a node at a step. */
function stateAt(ctx: Context, list: HTMLElement, id: number, frame: Frame): void {
  const state = frame.state.get(id);
  const death = state === "dead" && frame.ran.get(id)?.death;
  const words = death ? ctx.t(`dead.${death.code}`, death.params) : state && ctx.t(`state.${state}`);
  if (words) row(list, ctx.t("detail.state"), words);
  const pending = frame.pending.get(id) ?? 0;
  if (state === "waiting" && pending > 0) list.append(h("dd", {}, ctx.t("detail.pending", { n: pending })));
  const ran = frame.ran.get(id);
  if (ran) {
    for (const output of ran.outputs) {
      if (output.alias === null)
        row(list, ctx.t("detail.value"), code(output.dead ? ctx.t("text.dead") : output.text));
      else {
        const value = frame.variables.get(output.alias) ?? ctx.t("tape.unset");
        row(
          list,
          ctx.t("detail.value"),
          code(value),
          ctx.t("detail.alias", { variable: output.alias, value }),
        );
      }
    }
    if (ran.error) row(list, ctx.t("state.error"), code(ran.error));
  } else if (state !== "pruned") row(list, ctx.t("detail.value"), ctx.t("detail.no_value"));
}

function edges(ctx: Context, graph: Graph, list: HTMLElement, record: NodeRecord): void {
  const { id } = record;
  const inputs = graph.inputs.get(id) ?? [];
  const data = inputs.filter((edge) => edge.kind !== "control");
  const control = inputs.filter((edge) => edge.kind === "control");
  if (data.length > 0)
    row(
      list,
      ctx.t("graph.in_data"),
      ...data.map((edge) => edgeLine(graph, edge.source, edge.output, edge.text)),
    );
  if (control.length > 0) {
    row(list, ctx.t("graph.in_control"), ...control.map((edge) => code(nodeName(graph, edge.source))));
  }
  const consumers = (graph.outputs.get(id) ?? []).map((edge) => {
    const slot = edge.output === null ? "^" : `:${edge.output} →`;
    return code(`${slot} ${shorten(nodeName(graph, edge.target), 60)}`);
  });
  if (consumers.length > 0) {
    row(list, ctx.t("detail.consumers"), ...consumers.slice(0, CONSUMERS));
    if (consumers.length > CONSUMERS)
      list.append(h("dd", {}, ctx.t("detail.more_consumers", { n: consumers.length - CONSUMERS })));
  }
  if (record.outputs.length > 0) {
    row(
      list,
      ctx.t("detail.outputs"),
      ...record.outputs.map((output) => code(`${output.name}  ${output.text}`)),
    );
  }
}

const edgeLine = (graph: Graph, source: number, output: number | null, text: string): HTMLElement =>
  code(`${shorten(nodeName(graph, source), 60)}:${output ?? 0}  ${text}`);

/** Where a node comes from: its line, the block around it, and the node whose gradient it computes. */
function origin(ctx: Context, graph: Graph, list: HTMLElement, record: NodeRecord): void {
  const { id } = record;
  if (record.site) {
    row(list, ctx.t("detail.site"), siteText(record.site.label), code(record.site.source));
  }
  for (const block of graph.record.blocks) {
    if (!block.created.includes(id) || block.control_inputs.length === 0) continue;
    const where = block.site?.label ?? ctx.t("block.unknown_site");
    list.append(
      h("dd", {}, ctx.t("detail.created_in", { inputs: names(graph, block.control_inputs), where })),
    );
  }
  const of = graph.gradientOf.get(id);
  if (typeof of === "number") row(list, ctx.t("detail.gradient_of"), code(nodeName(graph, of)));
  const own = graph.gradients.get(id) ?? [];
  if (own.length > 0) {
    const more = own.length > GRADIENTS ? [ctx.t("scope.more", { n: own.length - GRADIENTS })] : [];
    const listed = own.slice(0, GRADIENTS).map((each) => code(nodeName(graph, each)));
    row(list, ctx.t("detail.gradients"), ...listed, ...more);
  }
}

/** The known values of a node without steps: of a finished run, or of a constant. */
function known(ctx: Context, list: HTMLElement, record: NodeRecord, run: RunTotals | null): void {
  const runFacts = run?.facts.get(record.id);
  const value = record.role === "constant" && record.attrs.find(([key]) => key === "value")?.[1];
  if (runFacts) {
    row(list, ctx.t("detail.state"), ctx.t(`state.${runFacts.outcome}`));
    const texts = runFacts.values.filter((text) => text !== "");
    if (texts.length > 0) row(list, ctx.t("detail.value"), ...texts.map(code));
    if (runFacts.turns > 1) row(list, ctx.t("detail.turns"), String(runFacts.turns));
    if (runFacts.turns > 0) {
      const amount = amountText(ctx.t, "time", runFacts.nanoseconds);
      const share = shareText(ctx.t, runFacts.nanoseconds, run?.nanoseconds ?? 0);
      row(list, ctx.t("detail.time"), ctx.t("scope.share", { amount, share }));
    }
    if (runFacts.bytes > 0) row(list, ctx.t("detail.memory"), amountText(ctx.t, "memory", runFacts.bytes));
  } else if (value) row(list, ctx.t("detail.value"), code(value));
}

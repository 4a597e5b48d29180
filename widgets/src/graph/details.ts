/** The details of the item that the user points at: what it is, where it was created, and its value now. */

import { h, renew } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import { amountText, shareText } from "../explore/amounts";
import { type Graph, ROOT } from "../model/graph";
import { describe, describeEdge, type GraphItem, names, nodeName } from "../model/graph-item";
import type { Frame } from "../model/replay";
import type { NodeFactsRecord, NodeRecord, TraceRecord } from "../record";
import { createReason } from "./reason";
import { type RunTotals, scopeDetails, siteText } from "./scope-details";
import { createStepValues } from "./step-values";

/** Long enough for any honest name or value; a hostile one must not fill the notebook. */
const LONG = 2000;
/** How many consumers are listed; the others are counted. */
const CONSUMERS = 6;
/** How many nodes of its gradient. */
const GRADIENTS = 3;

export interface Details {
  element: HTMLElement;
  /** Adds an element below the details. */
  add: (part: HTMLElement) => void;
  show: (item: GraphItem | null, frame: Frame | null) => void;
}

export interface DetailsOptions {
  /** What a run did, if that is known without steps. */
  run?: () => RunTotals | null;
  isClosed: (path: string) => boolean;
  /** Chooses an item that the details name. */
  choose?: (item: GraphItem) => void;
  /** Opens or closes a scope, or closes all others. */
  act?: (name: "toggle" | "only", path: string) => void;
}

export function createDetails(
  ctx: Context,
  graph: Graph,
  trace: TraceRecord | null,
  { run = () => null, isClosed, choose, act }: DetailsOptions,
): Details {
  let shown: GraphItem | null = null;
  const body = h("div", { class: "details-body" });
  const values = trace && createStepValues(ctx, trace);
  const why = createReason(ctx, graph, trace);
  const element = h(
    "div",
    { class: "panel details", role: "group", "aria-label": ctx.t("detail.title"), "data-testid": "details" },
    body,
    values?.element,
    why.element,
  );
  const row = (list: HTMLElement, term: string, ...values: (string | HTMLElement)[]): void => {
    list.append(h("dt", {}, term));
    for (const value of values) list.append(h("dd", {}, value));
  };
  const heading = (words: string, kind: string): HTMLElement =>
    h("h4", { dir: "auto" }, h("span", {}, shorten(words, LONG)), h("small", {}, kind));
  const code = (words: string): HTMLElement => h("code", { dir: "auto" }, passage(words, LONG));

  function node(id: number, frame: Frame | null): HTMLElement[] {
    const record = graph.node.get(id);
    if (!record) return [];
    const list = h("dl");
    row(list, ctx.t("detail.type"), code(record.type));
    const state = frame?.state.get(id);
    const death = state === "dead" && frame?.ran.get(id)?.death;
    const words = death ? ctx.t(`dead.${death.code}`, death.params) : state && ctx.t(`state.${state}`);
    if (words) row(list, ctx.t("detail.state"), words);
    const pending = frame?.pending.get(id) ?? 0;
    if (state === "waiting" && pending > 0) list.append(h("dd", {}, ctx.t("detail.pending", { n: pending })));
    const ran = frame?.ran.get(id);
    if (frame && ran) {
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
    } else if (frame && state !== "pruned") row(list, ctx.t("detail.value"), ctx.t("detail.no_value"));
    else if (!frame) known(list, record, run()?.facts.get(id));
    const inputs = graph.inputs.get(id) ?? [];
    const data = inputs.filter((edge) => edge.kind !== "control");
    const control = inputs.filter((edge) => edge.kind === "control");
    if (data.length > 0)
      row(list, ctx.t("graph.in_data"), ...data.map((edge) => edgeLine(edge.source, edge.output, edge.text)));
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
    origin(list, record);
    if (record.device) row(list, ctx.t("detail.device"), code(record.device));
    const attrs = record.attrs.map(([key, value]) => h("li", {}, code(`${key} = ${shorten(value, 200)}`)));
    const more =
      attrs.length > 0 && h("details", {}, h("summary", {}, ctx.t("detail.attrs")), h("ul", {}, ...attrs));
    return [heading(record.name, ctx.t(`role.${record.role}`)), list, ...(more ? [more] : [])];
  }

  /** Where a node comes from: its line, the block around it, and the node whose gradient it computes. */
  function origin(list: HTMLElement, record: NodeRecord): void {
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
  function known(list: HTMLElement, record: NodeRecord, runFacts: NodeFactsRecord | undefined): void {
    const value = record.role === "constant" && record.attrs.find(([key]) => key === "value")?.[1];
    if (runFacts) {
      row(list, ctx.t("detail.state"), ctx.t(`state.${runFacts.outcome}`));
      const texts = runFacts.values.filter((text) => text !== "");
      if (texts.length > 0) row(list, ctx.t("detail.value"), ...texts.map(code));
      if (runFacts.turns > 1) row(list, ctx.t("detail.turns"), String(runFacts.turns));
      if (runFacts.turns > 0) {
        const amount = amountText(ctx.t, "time", runFacts.nanoseconds);
        const share = shareText(ctx.t, runFacts.nanoseconds, run()?.nanoseconds ?? 0);
        row(list, ctx.t("detail.time"), ctx.t("scope.share", { amount, share }));
      }
      if (runFacts.bytes > 0) row(list, ctx.t("detail.memory"), amountText(ctx.t, "memory", runFacts.bytes));
    } else if (value) row(list, ctx.t("detail.value"), code(value));
  }

  const edgeLine = (source: number, output: number | null, text: string): HTMLElement =>
    code(`${shorten(nodeName(graph, source), 60)}:${output ?? 0}  ${text}`);

  function content(item: GraphItem | null, frame: Frame | null): HTMLElement[] {
    if (item?.kind === "node") return node(item.id, frame);
    const of = item ?? (act ? ({ kind: "scope", path: ROOT } as const) : null);
    if (!of) return [h("p", { class: "hint" }, ctx.t("detail.hint"))];
    if (of.kind === "scope")
      return scopeDetails(ctx, graph, of.path, { run: run(), acts: act !== undefined, isClosed });
    if (of.kind === "block") return [h("p", {}, describe(ctx.t, graph, of))];
    const lines = of.bundle.edges.slice(0, 30).map((edge) => h("li", {}, describeEdge(ctx.t, graph, edge)));
    return [h("p", {}, describe(ctx.t, graph, of)), ...(lines.length > 1 ? [h("ul", {}, ...lines)] : [])];
  }

  body.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-go], [data-act]");
    const [, kind, rest = ""] = /^(node|scope) (.*)$/s.exec(button?.dataset.go ?? "") ?? [];
    if (kind === "node") choose?.({ kind, id: Number(rest) });
    else if (kind === "scope") choose?.({ kind, path: rest });
    else if (shown?.kind === "scope" && button) act?.(button.dataset.act as "toggle" | "only", shown.path);
  });

  return {
    element,
    add: (part) => why.element.after(part),
    show(item, frame) {
      shown = item;
      renew(body, content(item, frame));
      const id = item?.kind === "node" ? item.id : null;
      why.show(id, frame);
      values?.show(id === null ? undefined : frame?.ran.get(id), frame);
    },
  };
}

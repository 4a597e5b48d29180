/** All that is known of the thing the reader points at: what it is, where it was made, and what it holds now. */
import type { Context } from "../context";
import { h } from "../dom";
import type { Graph } from "../graph";
import type { TraceRecord, Why } from "../record";
import type { Frame } from "../replay";
import { passage, shorten } from "../text";
import { describe, describeEdge, names, nodeName, scopeTitle, type Thing } from "./thing";

/** Long enough for any honest name or value; a hostile one must not fill the notebook. */
const LONG = 2000;

/** A Why in words. Python's params win; what they leave out is told by the path. */
export function whyText(ctx: Context, graph: Graph, node: number, why: Why): string {
  return ctx.t(`why.${why.code}`, {
    node: nodeName(graph, node),
    consumer: nodeName(graph, why.path.at(-2) ?? node),
    path: names(graph, why.path, " → "),
    ...why.params,
  });
}

export interface Details {
  element: HTMLElement;
  show: (thing: Thing | null, frame: Frame | null) => void;
}

export function createDetails(ctx: Context, graph: Graph, trace: TraceRecord | null): Details {
  const body = h("div", { class: "details-body" });
  const element = h(
    "div",
    { class: "panel details", role: "group", "aria-label": ctx.t("detail.title"), "data-testid": "details" },
    body,
  );
  const whys = new Map(
    [...(trace?.needed ?? []), ...(trace?.pruned ?? [])].map(({ node, why }) => [node, why]),
  );

  const row = (list: HTMLElement, term: string, ...values: (string | HTMLElement)[]): void => {
    list.append(h("dt", {}, term));
    for (const value of values) list.append(h("dd", {}, value));
  };
  const heading = (words: string): HTMLElement => h("h4", { dir: "auto" }, shorten(words, LONG));
  const code = (words: string): HTMLElement => h("code", { dir: "auto" }, passage(words, LONG));

  function node(id: number, frame: Frame | null): HTMLElement[] {
    const record = graph.node.get(id);
    if (!record) return [];
    const list = h("dl");
    row(list, ctx.t("detail.type"), code(record.type));
    row(list, ctx.t("detail.role"), ctx.t(`role.${record.role}`));
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
    const why = whys.get(id);
    if (why) row(list, ctx.t("detail.why"), whyText(ctx, graph, id, why));
    if (record.site) {
      row(list, ctx.t("detail.site"), shorten(record.site.label, 120), code(record.site.source));
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
    if (own.length > 0) row(list, ctx.t("detail.gradients"), names(graph, own));
    const inputs = graph.inputs.get(id) ?? [];
    const data = inputs.filter((edge) => edge.kind !== "control");
    const control = inputs.filter((edge) => edge.kind === "control");
    if (data.length > 0)
      row(list, ctx.t("graph.in_data"), ...data.map((edge) => edgeLine(edge.source, edge.output, edge.text)));
    if (control.length > 0) {
      row(list, ctx.t("graph.in_control"), ...control.map((edge) => code(nodeName(graph, edge.source))));
    }
    if (record.outputs.length > 0) {
      row(
        list,
        ctx.t("detail.outputs"),
        ...record.outputs.map((output) => code(`${output.name}  ${output.text}`)),
      );
    }
    if (record.device) row(list, ctx.t("detail.device"), code(record.device));
    const attrs = record.attrs.map(([key, value]) => h("li", {}, code(`${key} = ${shorten(value, 200)}`)));
    const more =
      attrs.length > 0 && h("details", {}, h("summary", {}, ctx.t("detail.attrs")), h("ul", {}, ...attrs));
    return [heading(record.name), list, ...(more ? [more] : [])];
  }

  const edgeLine = (source: number, output: number | null, text: string): HTMLElement =>
    code(`${shorten(nodeName(graph, source), 60)}:${output ?? 0}  ${text}`);

  function content(thing: Thing | null, frame: Frame | null): HTMLElement[] {
    if (!thing) return [h("p", { class: "hint" }, ctx.t("detail.hint"))];
    if (thing.kind === "node") return node(thing.id, frame);
    if (thing.kind === "scope")
      return [
        heading(graph.boxes.has(thing.path) ? scopeTitle(ctx.t, graph, thing.path) : thing.path),
        h("p", {}, describe(ctx.t, graph, thing)),
      ];
    if (thing.kind === "block") return [h("p", {}, describe(ctx.t, graph, thing))];
    const lines = thing.bundle.edges
      .slice(0, 30)
      .map((edge) => h("li", {}, describeEdge(ctx.t, graph, edge)));
    return [h("p", {}, describe(ctx.t, graph, thing)), ...(lines.length > 1 ? [h("ul", {}, ...lines)] : [])];
  }

  return {
    element,
    show(thing, frame) {
      body.replaceChildren(...content(thing, frame));
    },
  };
}

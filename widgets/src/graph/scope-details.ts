/** What a scope holds, as a list of facts: also of the whole graph, whose path is "". */

import { h } from "../base/dom";
import { leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { amountText, shareText } from "../explore/amounts";
import { runIn, type ScopeSummary, summarize } from "../explore/scope-summary";
import { type Graph, nodesUnder, ROOT } from "../model/graph";
import { nodeName, scopeTitle } from "../model/graph-item";
import type { EdgeRecord, GraphRecord, NodeFactsRecord } from "../record";

/** How many variables, op types, edges and parts are listed; the others are counted. */
const VARIABLES = 6;
const TYPES = 8;
const EDGES = 4;
const PARTS = 12;
/** The characters of a part's name and note together: one line of the details. */
const LINE = 30;

/** By record: a graph that grows has another. */
const known = new WeakMap<GraphRecord, Map<string, ScopeSummary>>();

function summaryOf(graph: Graph, path: string): ScopeSummary {
  const of = known.get(graph.record) ?? new Map<string, ScopeSummary>();
  known.set(graph.record, of);
  const key = `${graph.boxes.size} ${path}`;
  const summary = of.get(key) ?? summarize(graph, path);
  of.set(key, summary);
  return summary;
}

/** What a run did, by node; and its whole time. */
export interface RunTotals {
  facts: ReadonlyMap<number, NodeFactsRecord>;
  nanoseconds: number;
}

export interface ScopeDetailsOptions {
  run: RunTotals | null;
  /** Whether the buttons of the scope, and those of its parts, have someone who acts on them. */
  acts: boolean;
  isClosed: (path: string) => boolean;
  /** Another heading than the name of the scope. */
  heading?: ((path: string) => string | null) | undefined;
}

/** Where a line is, without the folders of its file. */
export const siteText = (label: string): string => shorten(label.replace(/^.*[\\/]/, ""), 60);

/** A button that leads to an item: one listener on the details serves them all. */
export const goButton = (go: string, ...content: (string | HTMLElement)[]): HTMLElement =>
  h("button", { type: "button", class: "go", "data-go": go }, ...content);

export function scopeDetails(
  ctx: Context,
  graph: Graph,
  path: string,
  { run, acts, isClosed, heading }: ScopeDetailsOptions,
): HTMLElement[] {
  const { t } = ctx;
  const summary = summaryOf(graph, path);
  const list = h("dl");
  const row = (term: string, ...values: (string | HTMLElement)[]): void => {
    list.append(h("dt", {}, term), h("dd", {}, ...values));
  };
  const number = (n: number): string => n.toLocaleString(ctx.lang);
  const layer = graph.layers.get(path);
  if (layer?.kind) row(t("layers.kind"), shorten(layer.kind, 40));
  if (layer?.outputs.length) row(t("layers.output"), layer.outputs.join(", "));
  const ids = run ? nodesUnder(graph, path) : [];
  const ran = run && summary.uncounted < summary.nodes ? runIn(ids, run.facts) : null;
  const nodes = number(summary.nodes);
  if (!ran) row(t("scope.nodes"), nodes);
  else if (ran.ran === summary.nodes) row(t("scope.nodes"), t("scope.all_ran", { n: nodes }));
  else row(t("scope.nodes"), t("scope.some_ran", { n: nodes, ran: number(ran.ran) }));
  if (ran && run && ran.ran > 0) {
    const share = path === ROOT ? "" : shareText(t, ran.nanoseconds, run.nanoseconds);
    const time = amountText(t, "time", ran.nanoseconds);
    row(t("detail.time"), share ? t("scope.share", { amount: time, share }) : time);
    if (ran.bytes > 0) row(t("detail.memory"), amountText(t, "memory", ran.bytes));
    const { heaviest } = ran;
    if (heaviest) {
      const name = shorten(leaf(nodeName(graph, heaviest.node)), 24);
      const words = `${name}, ${amountText(t, "time", heaviest.nanoseconds)}`;
      row(t("scope.heaviest"), acts ? goButton(`node ${heaviest.node}`, words) : words);
    }
  }
  const { variables, parameters } = summary;
  if (variables.length > 0 && path === ROOT) row(t("scope.variables"), number(variables.length));
  else if (variables.length > 0) {
    const inside = (name: string): string => shorten(name.replace(`${path}/`, ""), 20);
    const named = variables.slice(0, VARIABLES).map(({ name, shape }) => `${inside(name)} ${shape}`);
    const more = variables.length > VARIABLES ? [t("scope.more", { n: variables.length - VARIABLES })] : [];
    row(t("scope.variables"), [...named, ...more].join(", "));
  }
  if (parameters) row(t("scope.parameters"), number(parameters));
  if (path !== ROOT)
    row(t("scope.edges"), t("scope.in_out", { into: summary.inputs.length, out: summary.outputs.length }));
  if (path !== ROOT && summary.site) row(t("detail.site"), siteText(summary.site.label));
  const title =
    heading?.(path) ??
    (path === ROOT ? t("scope.graph") : graph.boxes.has(path) ? scopeTitle(t, graph, path) : path);
  const state = path === ROOT ? "" : t(isClosed(path) ? "scope.closed" : "scope.open");
  return [
    h("h4", { dir: "auto" }, h("span", {}, shorten(title, 90)), h("small", {}, state)),
    list,
    ...(acts && path !== ROOT ? [actions(ctx, isClosed(path), path !== graph.at)] : []),
    ...(summary.uncounted > 0
      ? [h("p", { class: "hint" }, t("scope.uncounted", { n: number(summary.uncounted) }))]
      : []),
    ...parts(ctx, graph, path, acts),
    ...contents(ctx, graph, summary, path),
  ];
}

function actions(ctx: Context, isClosed: boolean, isInOther: boolean): HTMLElement {
  const act = (name: "toggle" | "only", words: string): HTMLElement =>
    h("button", { type: "button", "data-act": name, "data-testid": `scope-${name}` }, words);
  return h(
    "div",
    { class: "actions" },
    act("toggle", ctx.t(isClosed ? "scope.do_open" : "scope.do_close")),
    isInOther && act("only", ctx.t("scope.only")),
  );
}

/** The scopes and nodes directly inside, each a button that chooses it. */
function parts(ctx: Context, graph: Graph, path: string, acts: boolean): HTMLElement[] {
  const scopes = graph.children.get(path) ?? [];
  const nodes = graph.scope.get(path)?.nodes ?? [];
  const all = [
    ...scopes.map((child) => ({
      go: `scope ${child}`,
      name: scopeTitle(ctx.t, graph, child),
      note: String(graph.contents.get(child)?.nodes ?? 0),
    })),
    ...nodes.map((id) => ({
      go: `node ${id}`,
      name: leaf(graph.node.get(id)?.name ?? ""),
      note: graph.node.get(id)?.type ?? "",
    })),
  ];
  if (!acts || all.length === 0) return [];
  const rows = all.slice(0, PARTS).map(({ go, name, note }) => {
    const beside = shorten(note, 16);
    const words = h("bdi", { title: name }, shorten(name, LINE - beside.length));
    return h("li", {}, goButton(go, words, h("small", {}, beside)));
  });
  if (all.length > PARTS)
    rows.push(h("li", { class: "hint" }, ctx.t("scope.more", { n: all.length - PARTS })));
  return [h("h5", {}, ctx.t("scope.parts")), h("ul", { class: "parts", "data-testid": "parts" }, ...rows)];
}

/** The op types, and the edges that go in and out. */
function contents(ctx: Context, graph: Graph, summary: ScopeSummary, path: string): HTMLElement[] {
  const { t } = ctx;
  const types = summary.types.slice(0, TYPES).map(([type, n]) => `${shorten(type, 24)} ${n}`);
  const rest = summary.types.slice(TYPES).reduce((sum, [, n]) => sum + n, 0);
  if (rest > 0) types.push(t("scope.more", { n: rest }));
  const edges = (all: readonly EdgeRecord[], title: string): HTMLElement[] => {
    // One value may go to many nodes.
    const values = [...new Map(all.map((edge) => [`${edge.source} ${edge.output}`, edge])).values()];
    const rows = values.slice(0, EDGES).map((edge) => {
      const name = shorten(nodeName(graph, edge.source), 40);
      const words = edge.kind === "control" ? `^${name}` : `${name}  ${edge.text}`;
      return h("li", {}, h("code", { dir: "auto" }, words));
    });
    if (values.length > EDGES)
      rows.push(h("li", { class: "hint" }, t("scope.more", { n: values.length - EDGES })));
    return rows.length > 0 ? [h("h5", {}, title), h("ul", {}, ...rows)] : [];
  };
  return [
    ...(types.length > 0 ? [h("h5", {}, t("scope.types")), h("p", {}, types.join(", "))] : []),
    ...(path === ROOT
      ? []
      : [...edges(summary.inputs, t("graph.in_data")), ...edges(summary.outputs, t("graph.out"))]),
  ];
}

/** One turn of the reverse sweep: arriving gradients, the rule, the nodes it created, and the gradient of each input. */

import { h, section } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import { isKey, type Key } from "../i18n";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { DerivativeRecord, GradientFlowRecord, GradientRecord, Params, TurnRecord } from "../record";

const LONG = 300;
/** How many new nodes are listed. */
const LISTED = 12;

const code = (words: string): HTMLElement => h("code", { dir: "auto" }, passage(words, LONG));
const line = (...children: (HTMLElement | string)[]): HTMLElement => h("p", {}, ...children);
const titled = (title: string, ...lines: HTMLElement[]): HTMLElement[] =>
  lines.length > 0 ? [h("h5", {}, title), ...lines] : [];

/** The name and value of a gradient; a sign and a word, not colour alone, say if it is not healthy. */
function gradient(ctx: Context, record: GradientRecord, before = ""): HTMLElement {
  const value = record.text ? ` = ${record.text}` : "";
  const ill = record.health !== "" && record.health !== "fine";
  return h(
    "p",
    { "data-health": record.health || undefined },
    before && h("span", { class: "to", dir: "auto" }, before),
    code(`${shorten(record.name, 80)}${value}`),
    ill &&
      h(
        "strong",
        { class: "health" },
        `${record.health === "dead" ? "✕" : "⚠"} ${ctx.t(`health.${record.health as "zero"}`)}`,
      ),
  );
}

function arrived(ctx: Context, turn: TurnRecord): HTMLElement[] {
  return turn.arrivals.flatMap(({ parts, total }) => {
    if (!total) return [];
    const sum = parts.length > 1;
    return [
      gradient(ctx, total),
      ...(sum
        ? [
            line(ctx.t("flow.sum", { n: parts.length })),
            h("ul", { class: "ways" }, ...parts.map((part) => h("li", {}, gradient(ctx, part)))),
          ]
        : []),
    ];
  });
}

function sent(ctx: Context, graph: Graph, turn: TurnRecord): HTMLElement[] {
  return turn.shares.map((share) => {
    const target = nodeName(graph, share.node) + (share.output ? `:${share.output}` : "");
    const words = share.code === "passed" ? "" : ctx.t(`flow.${share.code}`, { target });
    const carried = share.gradient ? [gradient(ctx, share.gradient, `→ ${target}`)] : [];
    return h("div", { class: "share", "data-code": share.code }, ...carried, words && line(words));
  });
}

const nodeLine = (graph: Graph, turn: TurnRecord): string => {
  const node = graph.node.get(turn.node);
  return turn.kind === "start" || !node ? "" : `${shorten(node.name, 60)} (${node.type})`;
};

/** Why a node passes no gradient on. */
function reasonText(ctx: Context, code: string): string {
  const key = `flow.why.${code}`;
  return isKey(key) ? ctx.t(key) : code;
}

/** New nodes, a row each with its type; the scope that all of them are in is told once. */
function madeNodes(ctx: Context, graph: Graph, created: readonly number[]): HTMLElement[] {
  const nodes = created.flatMap((id) => graph.node.get(id) ?? []);
  const [first = []] = nodes.map(({ name }) => name.split("/").slice(0, -1));
  const isShared = (n: number): boolean =>
    nodes.every(({ name }) => name.startsWith(`${first.slice(0, n).join("/")}/`));
  let depth = first.length;
  while (depth > 0 && !isShared(depth)) depth -= 1;
  const scope = depth === 0 ? "" : `${first.slice(0, depth).join("/")}/`;
  const rows = nodes
    .slice(0, LISTED)
    .map(({ name, type }) =>
      h(
        "li",
        {},
        code(name.slice(scope.length)),
        name.slice(scope.length) !== type && h("span", { class: "type" }, ` ${type}`),
      ),
    );
  return [
    ...(scope ? [h("p", { class: "scope" }, code(scope))] : []),
    h(
      "ul",
      { class: "made", "data-testid": "made" },
      ...rows,
      nodes.length > LISTED && h("li", {}, ctx.t("flow.made_more", { n: nodes.length - LISTED })),
    ),
  ];
}

export interface GradientTurn {
  element: HTMLElement;
  show: (step: number) => void;
}

export function createGradientTurn(ctx: Context, graph: Graph, flow: GradientFlowRecord): GradientTurn {
  const body = h("div", { class: "turn-body" });
  const element = section(
    { class: "panel turn", "data-testid": "turn" },
    h("h4", {}, ctx.t("flow.turn")),
    body,
  );

  function content(turn: TurnRecord): HTMLElement[] {
    const created = [...turn.sums, ...turn.made];
    const own = turn.kind === "rule" && turn.reason ? ctx.t("flow.own_rule", { name: turn.reason }) : "";
    const rule = turn.formula ? h("p", { class: "formula", "data-testid": "formula" }, turn.formula) : null;
    return [
      h("p", { class: "at", dir: "auto" }, nodeLine(graph, turn)),
      ...titled(ctx.t("flow.arrived"), ...arrived(ctx, turn)),
      ...titled(ctx.t("flow.formula"), ...(rule ? [rule] : own ? [line(own)] : [])),
      ...(turn.kind === "rule" || created.length > 0
        ? titled(
            ctx.t("flow.made"),
            ...(created.length > 0 ? madeNodes(ctx, graph, created) : [line(ctx.t("flow.same"))]),
          )
        : []),
      ...titled(ctx.t("flow.sent"), ...sent(ctx, graph, turn)),
    ];
  }

  function result(derivative: DerivativeRecord): HTMLElement {
    const params = {
      x: derivative.label,
      node: derivative.at === null ? "" : nodeName(graph, derivative.at),
      reason: reasonText(ctx, derivative.reason),
    };
    return h(
      "li",
      { "data-result": derivative.code },
      derivative.gradient || derivative.code === "found"
        ? derivative.gradient && gradient(ctx, derivative.gradient, `${shorten(derivative.label, 40)}:`)
        : line(ctx.t(`flow.result.${derivative.code}`, params)),
    );
  }

  return {
    element,
    show(step) {
      const turn = flow.turns[step - 1];
      const done = step === flow.turns.length;
      body.replaceChildren(
        ...(turn ? content(turn) : [line(startSentence(ctx, flow))]),
        ...(done
          ? [h("h5", {}, ctx.t("flow.results")), h("ul", { class: "ways" }, ...flow.results.map(result))]
          : []),
      );
    },
  };
}

export function startSentence(ctx: Context, flow: GradientFlowRecord): string {
  return ctx.t("flow.live.ready", {
    ys: flow.ys.map(({ label }) => shorten(label, 40)).join(", "),
    xs: flow.results.map(({ label }) => shorten(label, 40)).join(", "),
  });
}

/** The reply to a user who guesses that this node has the next turn. */
export function guessReply(
  ctx: Context,
  graph: Graph,
  flow: GradientFlowRecord,
  frame: Frame,
  id: number,
): { right: boolean; words: string } {
  const turn = flow.turns[frame.step];
  const params = { node: nodeName(graph, id), next: nodeName(graph, turn?.node ?? -1) };
  const say = (code: Key, right = false, more: Params = {}) => ({
    right,
    words: ctx.t(code, { ...params, ...more }),
  });
  if (turn?.node === id) return say("flow.ask.right", true);
  if (graph.gradientOf.has(id)) return say("flow.ask.gradient");
  if (turn?.kind === "start") return say("flow.ask.first");
  const state = frame.state.get(id);
  if (state === "aside") return say("flow.ask.aside");
  if (state !== "waiting") return say("flow.ask.visited");
  const missing = frame.pending.get(id) ?? 0;
  return missing > 0 ? say("flow.ask.waiting", false, { n: missing }) : say("flow.ask.also", true);
}

/** One sentence for a turn, for the live line. */
export function turnSentence(ctx: Context, graph: Graph, flow: GradientFlowRecord, step: number): string {
  const turn = flow.turns[step - 1];
  if (!turn) return startSentence(ctx, flow);
  return ctx.t(`flow.live.${turn.kind}`, {
    step,
    total: flow.turns.length,
    node: nodeName(graph, turn.node),
    ys: flow.ys.map(({ label }) => shorten(label, 40)).join(", "),
    n: turn.sums.length + turn.made.length,
    reason: reasonText(ctx, turn.reason),
  });
}

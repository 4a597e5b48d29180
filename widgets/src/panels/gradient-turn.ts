/** One turn of the reverse sweep: arriving gradients, the rule, the nodes it created, and the gradient of each input. */

import { breakable, h } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import type { Key } from "../i18n";
import type { Graph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import type { Frame } from "../model/replay";
import type { DerivativeRecord, GradientFlowRecord, GradientRecord, Params, TurnRecord } from "../record";

const LONG = 300;

const code = (words: string): HTMLElement => h("code", { dir: "auto" }, passage(words, LONG));
const line = (...children: (HTMLElement | string)[]): HTMLElement => h("p", {}, ...children);
const section = (title: string, ...lines: HTMLElement[]): HTMLElement[] =>
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

export interface GradientTurn {
  element: HTMLElement;
  show: (step: number) => void;
}

export function createGradientTurn(ctx: Context, graph: Graph, flow: GradientFlowRecord): GradientTurn {
  const body = h("div", { class: "turn-body" });
  const element = h(
    "section",
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
      ...section(ctx.t("flow.arrived"), ...arrived(ctx, turn)),
      ...section(ctx.t("flow.formula"), ...(rule ? [rule] : own ? [line(own)] : [])),
      ...(turn.kind === "rule" || created.length > 0
        ? section(
            ctx.t("flow.made"),
            created.length > 0
              ? h("p", {}, ...breakable(names(graph, created), /(?<=\/)/))
              : line(ctx.t("flow.same")),
          )
        : []),
      ...section(ctx.t("flow.sent"), ...sent(ctx, graph, turn)),
    ];
  }

  function result(derivative: DerivativeRecord): HTMLElement {
    const params = {
      x: derivative.label,
      node: derivative.at === null ? "" : nodeName(graph, derivative.at),
      reason: derivative.reason,
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
    reason: turn.reason,
  });
}

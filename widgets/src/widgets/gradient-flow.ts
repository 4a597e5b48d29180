/** GradientFlow: the gradient graph grows beside the graph that it differentiates, turn by turn, forward and back. */

import { h, setText } from "../base/dom";
import { batched } from "../base/store";
import { liveRegion } from "../controls/live-line";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { growthLegend } from "../graph/legend";
import { autoCollapse, idleScopes, LIMIT, SMALL } from "../model/collapse";
import { gradientFrameAt } from "../model/gradient-state";
import { indexGraph, nodesUnder, pairScopes } from "../model/graph";
import { createGradientTurn, guessReply, turnSentence } from "../panels/gradient-turn";
import { createGradientValues } from "../panels/gradient-values";
import { createSteppedGraph } from "../panels/stepped-graph";
import type { GradientFlowRecord } from "../record";
import type { Widget } from "../widget";

export interface FlowTraits {
  record: GradientFlowRecord;
  step: number;
  /** Whether the user is to guess the node of each next turn. */
  ask: boolean;
}

/** The most nodes of a graph that is drawn from left to right. */
const SHORT = 24;

export const gradientFlow: Widget<FlowTraits> = (ctx, store, title) => {
  const flow = store.get("record");
  const graph = indexGraph(flow.graph);
  const total = flow.turns.length;
  const step = (): number => Math.max(0, Math.min(total, Math.trunc(store.get("step")) || 0));
  // In a larger graph, each node's gradient is one box at first, and scopes that no gradient reaches are closed.
  const end = gradientFrameAt(flow, total).state;
  const aside = new Set(flow.graph.nodes.map(({ id }) => id).filter((id) => end.get(id) === "aside"));
  const start = gradientFrameAt(flow, 0).state;
  const made = new Set(flow.graph.nodes.map(({ id }) => id).filter((id) => start.get(id) === "absent"));
  const asks = store.get("ask");
  const single = pairScopes(graph);
  const pairs = flow.graph.nodes.length > SMALL ? single : [];
  const closed = autoCollapse(graph, LIMIT, [...pairs, ...idleScopes(graph, aside, new Set())]);
  const source = createCodeListing(ctx, graph.record.codes);
  const values = createGradientValues(ctx, flow);
  const question = h("p", { class: "ask" });
  const reply = h("p", { class: "ask", "data-testid": "reply" });
  const turn = createGradientTurn(ctx, graph, flow);
  const now = h("p");
  const bare = flow.results.some(({ gradient }) => gradient && !gradient.health);
  const view = createSteppedGraph(ctx, {
    graph,
    title,
    total,
    step,
    closed,
    // The room is wide: a short way forward and back fits into it from left to right.
    turned: graph.record.nodes.length <= SHORT,
    later: made,
    idle: asks ? new Set() : aside,
    // The steps are about the gradients: of each node's gradient there is at least a box. A guess may be any node.
    keeps: (path) =>
      asks || (!single.includes(path) && nodesUnder(graph, path).some((id) => graph.gradientOf.has(id))),
    move(to) {
      setText(reply, "");
      store.set({ step: to });
    },
    position: (at) => ctx.t(at === total ? "flow.position_done" : "flow.position", { step: at, total }),
    frame: (at) => gradientFrameAt(flow, at),
    look(item) {
      source.mark({ just: lineOf(graph, item) });
      values.show(item?.kind === "node" ? item.id : null, step());
    },
    chose(item) {
      if (!store.get("ask") || item.kind !== "node" || step() >= total) return;
      const { words, right } = guessReply(ctx, graph, flow, gradientFrameAt(flow, step()), item.id);
      setText(reply, words);
      if (right) store.set({ step: step() + 1 });
    },
    opens: () => !store.get("ask"),
    legend: growthLegend(ctx),
    column: h(
      "div",
      { class: "column", tabindex: "0", role: "group", "aria-label": ctx.t("flow.turn") },
      turn.element,
      bare && h("p", { class: "hint" }, ctx.t("flow.no_values")),
    ),
    words: ctx.t("flow.turn"),
    sentence: liveRegion(now, ...(store.get("ask") ? [reply, question] : [])),
    drawers: [
      { id: "values", words: ctx.t("flow.values"), element: values.element },
      { id: "source", words: ctx.t("stage.code"), element: source.element },
    ],
  });
  const show = (): void => {
    view.show();
    turn.show(step());
    setText(now, turnSentence(ctx, graph, flow, step()));
    setText(question, step() < total ? ctx.t("flow.ask.question") : "");
  };
  store.watch(["step"], batched(show, ctx.life), ctx.life);
  show();
  return view.parts;
};

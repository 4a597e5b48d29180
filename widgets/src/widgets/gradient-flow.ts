/** GradientFlow: the gradient graph grows beside the graph that it differentiates, turn by turn, forward and back. */

import { h, setText } from "../base/dom";
import { batched } from "../base/store";
import { liveRegion } from "../controls/live-line";
import { createTransport } from "../controls/transport";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeLegend, growthLegend } from "../graph/legend";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { pictureTools } from "../graph/picture-tools";
import { autoCollapse, idleScopes, LIMIT, SMALL } from "../model/collapse";
import { gradientFrameAt } from "../model/gradient-state";
import { indexGraph, pairScopes } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/replay";
import { plainLane } from "../model/track";
import { createGradientTurn, guessReply, turnSentence } from "../panels/gradient-turn";
import { createGradientValues } from "../panels/gradient-values";
import { createPicture } from "../picture/picture";
import type { GradientFlowRecord } from "../record";
import type { Widget } from "../widget";

export interface FlowTraits {
  record: GradientFlowRecord;
  step: number;
  /** Whether the user is to guess the node of each next turn. */
  ask: boolean;
}

export const gradientFlow: Widget<FlowTraits> = (ctx, store, title) => {
  const flow = store.get("record");
  const graph = indexGraph(flow.graph);
  const total = flow.turns.length;
  const step = (): number => Math.max(0, Math.min(total, Math.trunc(store.get("step")) || 0));
  // In a larger graph, each node's gradient is one box at first, and scopes that no gradient reaches are closed.
  const end = gradientFrameAt(flow, total).state;
  const aside = new Set(flow.graph.nodes.map(({ id }) => id).filter((id) => end.get(id) === "aside"));
  const pairs = flow.graph.nodes.length > SMALL ? pairScopes(graph) : [];
  const closed = autoCollapse(graph, LIMIT, [...pairs, ...idleScopes(graph, aside, new Set())]);
  let frame: Frame = gradientFrameAt(flow, step());
  const details = createDetails(ctx, graph, null);
  const source = createCodeListing(ctx, graph.record.codes);
  const values = createGradientValues(ctx, flow);
  const about = (): GraphItem | null => session.about(frame.last?.node);
  const carry = (): void => {
    const item = about();
    values.show(item?.kind === "node" ? item.id : null, frame.step);
  };
  const refresh = (): void => {
    details.show(about(), null);
    source.mark({ just: lineOf(graph, about()) });
    carry();
  };
  const session = localSession(graph, title, closed, {
    refresh,
    chose(item) {
      if (!store.get("ask") || item.kind !== "node" || frame.step >= total) return;
      const { words, right } = guessReply(ctx, graph, flow, frame, item.id);
      setText(reply, words);
      if (right) store.set({ step: frame.step + 1 });
    },
  });
  const outline = createOutline(ctx, session);
  const picture = createPicture(ctx, { ...session, marks: null, like: null });
  session.attach(picture, outline);
  const question = h("p", { class: "ask" });
  const reply = h("p", { class: "ask", "data-testid": "reply" });
  const turn = createGradientTurn(ctx, graph, flow);
  const lanes = [plainLane([total])];
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position: () => ({ run: 0, step: step() }),
    move: (to) => {
      setText(reply, "");
      store.set({ step: to.step });
    },
    words: (at) => ctx.t(at === total ? "flow.position_done" : "flow.position", { step: at, total }),
  });
  const now = h("p");
  const live = liveRegion(now, ...(store.get("ask") ? [reply, question] : []));
  const show = (): void => {
    // A new step takes the details back from the chosen node.
    if (frame.step !== step()) session.unchoose();
    frame = gradientFrameAt(flow, step());
    transport.show();
    session.unpoint();
    picture.show(frame);
    outline.show(frame);
    turn.show(frame.step);
    setText(now, turnSentence(ctx, graph, flow, frame.step));
    setText(question, frame.step < total ? ctx.t("flow.ask.question") : "");
    ctx.panels.draw(details.element, (most) => details.draw(about(), null, most));
    ctx.panels.draw(values.element, carry);
    ctx.panels.draw(source.element, () => source.mark({ just: lineOf(graph, about()) }));
  };
  store.watch(["step"], batched(show, ctx.life), ctx.life);
  show();
  const bare = flow.results.some(({ gradient }) => gradient && !gradient.health);
  return {
    body: [
      ...notices(ctx, flow.graph.notices),
      transport.element,
      live,
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "main" },
          pictureTools(ctx, picture, session),
          picture.element,
          edgeLegend(ctx),
          growthLegend(ctx),
        ),
        h(
          "div",
          { class: "aside" },
          turn.element,
          ...(bare ? [h("p", { class: "hint" }, ctx.t("flow.no_values"))] : []),
          details.element,
          values.element,
          source.element,
        ),
      ),
      outline.element,
    ],
    keys: transport.keys,
    steps: true,
    legend: growthLegend(ctx),
  };
};

/** Passes: what the engine does with a graph before it runs, pass by pass on one picture. */
import { h } from "../base/dom";
import { batched } from "../base/store";
import { createLiveLine } from "../controls/live-line";
import { passesLegend } from "../graph/legend";
import { indexGraph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import { passFrameAt } from "../model/pass-state";
import { createEnginePass, createPlanLines, passSentences } from "../panels/engine-pass";
import { createSteppedGraph } from "../panels/stepped-graph";
import type { PassesRecord } from "../record";
import type { Widget } from "../widget";

export interface PassesTraits {
  record: PassesRecord;
  step: number;
}

export const passes: Widget<PassesTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record.graph);
  const total = record.passes.length - 1;
  const step = (): number => Math.max(0, Math.min(total, Math.trunc(store.get("step")) || 0));
  const pass = createEnginePass(ctx, graph, record);
  const look = (item: GraphItem | null): void => {
    pass.show(step(), item);
    plan.show(item?.kind === "node" ? item.id : null, record.passes[step()]?.code === "write");
  };
  const plan = createPlanLines(ctx, record, look);
  const live = createLiveLine();
  const view = createSteppedGraph(ctx, {
    // The fate of each node is what is shown.
    keeps: () => true,
    graph,
    title,
    total,
    step,
    move: (to) => store.set({ step: to }),
    position: (at) => {
      const name = ctx.t(`passes.name.${record.passes[at]?.code ?? "whole"}`);
      return ctx.t("passes.position", { step: at + 1, total: total + 1, name });
    },
    frame: (at) => passFrameAt(record, at),
    look,
    legend: passesLegend(ctx),
    column: h("div", { class: "column" }, pass.element, plan.element),
    words: ctx.t("passes.column"),
    sentence: live.element,
  });
  const show = (): void => {
    view.show();
    const now = record.passes[step()];
    live.say(now ? passSentences(ctx, now) : []);
  };
  store.watch(["step"], batched(show, ctx.life), ctx.life);
  show();
  return view.parts;
};

/** GraphView: a graph whose scopes open and close. */
import { h } from "../dom";
import { indexGraph, outerBoxes, regroup } from "../graph";
import { createDetails } from "../parts/details";
import { edgeLegend, gradientEntry } from "../parts/legend";
import { notices } from "../parts/notices";
import { createOutline } from "../parts/outline";
import { createPicture } from "../parts/picture";
import { createSource } from "../parts/source";
import { foldedAfter, type Thing } from "../parts/thing";
import { pictureTools } from "../parts/tools";
import type { GraphRecord } from "../record";
import { batched } from "../store";
import type { Widget } from "./widget";

export interface GraphTraits {
  record: GraphRecord;
  collapsed: string[];
  selected: number;
  boxes: boolean;
}

export const graphView: Widget<GraphTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record);
  regroup(graph, store.get("boxes"));
  const details = createDetails(ctx, graph, null);
  const source = createSource(ctx, graph);
  if (record.nodes.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("graph.empty"))], keys: {}, steps: false };
  }
  const more = record.gradients.length > 0 ? [gradientEntry(ctx)] : [];
  let looked: Thing | null = null;
  const chosen = (): Thing | null => {
    const id = store.get("selected");
    return graph.node.has(id) ? { kind: "node", id } : null;
  };
  const refresh = (): void => {
    details.show(looked ?? chosen(), null);
    source.show(looked ?? chosen());
  };
  const shared = {
    graph,
    title,
    collapsed: () => store.get("collapsed") ?? [],
    collapse: (collapsed: string[]) => store.set({ collapsed }),
    choose: (thing: Thing) => {
      const collapsed = store.get("collapsed") ?? [];
      const folded = foldedAfter(graph, collapsed, thing);
      store.set({
        ...(folded !== collapsed && { collapsed: folded }),
        ...(thing.kind === "node" && { selected: thing.id }),
      });
    },
  };
  const picture = createPicture(ctx, {
    ...shared,
    marks: null,
    values: new Map(),
    like: null,
    look: (thing) => {
      looked = thing;
      refresh();
    },
  });
  const outline = createOutline(ctx, shared);
  let boxed = store.get("boxes");
  const boxes = {
    shown: () => Boolean(store.get("boxes")),
    show: (on: boolean): void => {
      regroup(graph, on);
      boxed = on;
      store.set({ boxes: on, collapsed: outerBoxes(graph) });
    },
  };
  store.watch(
    ["collapsed", "boxes"],
    batched(() => {
      if (boxed !== store.get("boxes")) {
        boxed = store.get("boxes");
        regroup(graph, boxed);
      }
      picture.redraw();
      outline.redraw();
    }, ctx.life),
    ctx.life,
  );
  const select = (): void => {
    picture.select(store.get("selected"));
    refresh();
  };
  store.watch(["selected"], batched(select, ctx.life), ctx.life);
  select();
  return {
    body: [
      ...notices(ctx, record.notices),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "main" },
          pictureTools(ctx, picture, { ...shared, boxes }),
          picture.element,
          edgeLegend(ctx, more),
        ),
        h("div", { class: "aside" }, details.element, source.element),
      ),
      outline.element,
    ],
    keys: {},
    steps: false,
  };
};

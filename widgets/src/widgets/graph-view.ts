/** GraphView: a graph whose scopes open and close. */

import { h } from "../base/dom";
import { batched, type Store } from "../base/store";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { createExplorer, type ExplorerTraits } from "../graph/explorer";
import { type SessionTraits, storedSession } from "../graph/graph-session";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { pictureTools } from "../graph/picture-tools";
import { createSealedScopes } from "../graph/sealed-scopes";
import { autoCollapse } from "../model/collapse";
import { indexGraph, outerBoxes, regroup } from "../model/graph";
import { createPicture } from "../picture/picture";
import type { GraphRecord, NodeFactsRecord } from "../record";
import type { Widget } from "../widget";

export interface GraphTraits extends ExplorerTraits, SessionTraits {
  record: GraphRecord;
  /** The sealed scopes that the record already holds, as if the user had opened them. */
  loaded: string[] | undefined;
  boxes: boolean;
  orientation: "down" | "right";
}

export const graphView: Widget<GraphTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record, store.get("boxes"));
  const ran = (): Map<number, NodeFactsRecord> =>
    new Map(store.get("facts")?.nodes?.map((each) => [each.node, each]));
  let facts = ran();
  const details = createDetails(ctx, graph, null, (id) => facts.get(id));
  const source = createCodeListing(ctx, graph.record.codes);
  if (record.nodes.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("graph.empty"))], keys: {}, steps: false };
  }
  const refresh = (): void => {
    details.show(session.about(), null);
    source.mark({ just: lineOf(graph, session.about()) });
  };
  const session = storedSession(graph, title, store as Store<SessionTraits>, {
    closed: () => autoCollapse(graph),
    refresh,
    load: (path) => portions.open(path),
  });
  const show = (closed: string[]): void => {
    store.set({ collapsed: closed });
    redraw();
  };
  const portions = createSealedScopes(ctx, graph, session.collapsed, show, store.get("loaded") ?? []);
  const explorer = createExplorer(ctx, graph, store as Store<ExplorerTraits>, {
    choose: (id) => session.choose({ kind: "node", id }),
    load: portions.open,
  });
  details.add(explorer.ways);
  const picture = createPicture(ctx, {
    ...session,
    marks: null,
    like: null,
    turned: () => store.get("orientation") === "right",
    beside: () => store.get("beside") ?? [],
    layer: explorer.layer,
  });
  explorer.begin(picture);
  const outline = createOutline(ctx, { ...session, beside: () => store.get("beside") ?? [] });
  let boxed = store.get("boxes");
  const boxes = {
    shown: () => Boolean(store.get("boxes")),
    show: (on: boolean): void => {
      regroup(graph, on);
      boxed = on;
      store.set({ boxes: on, collapsed: outerBoxes(graph) });
    },
  };
  const turning = {
    isTurned: () => store.get("orientation") === "right",
    turn: (on: boolean) => store.set({ orientation: on ? "right" : "down" }),
  };
  function redraw(): void {
    if (boxed !== store.get("boxes")) {
      boxed = store.get("boxes");
      regroup(graph, boxed);
    }
    picture.redraw();
    outline.redraw();
  }
  store.watch(["collapsed", "boxes", "orientation", "beside"], batched(redraw, ctx.life), ctx.life);
  const select = (): void => {
    picture.select(store.get("selected"));
    refresh();
  };
  store.watch(["selected"], batched(select, ctx.life), ctx.life);
  select();
  for (const name of ["selected", "pinned", "search", "colour", "facts", "structures"] as const) {
    const changed = (): void => {
      if (name === "facts") facts = ran();
      explorer.refresh([name]);
    };
    store.watch([name], batched(changed, ctx.life), ctx.life);
  }
  explorer.refresh(["selected"]);
  return {
    body: [
      ...notices(ctx, record.notices),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "main" },
          pictureTools(ctx, picture, { ...session, boxes, turning }),
          explorer.head,
          portions.element,
          explorer.stage,
          explorer.foot,
        ),
        h("div", { class: "aside" }, details.element, source.element),
      ),
      outline.element,
    ],
    keys: {},
    steps: false,
  };
};

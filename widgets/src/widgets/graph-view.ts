/** GraphView: a graph whose scopes open and close, with what a run took at its nodes. */

import { h } from "../base/dom";
import { batched, type Store } from "../base/store";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { createExplorer, type ExplorerTraits } from "../graph/explorer";
import { graphDrawers } from "../graph/graph-drawers";
import { type SessionTraits, storedSession } from "../graph/graph-session";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { fitButton, pictureMenu } from "../graph/picture-tools";
import type { RunTotals } from "../graph/scope-details";
import { createSealedScopes } from "../graph/sealed-scopes";
import { autoCollapse } from "../model/collapse";
import { ancestors, type Graph, indexGraph, outerBoxes, regroup } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import { createPicture } from "../picture/picture";
import type { GraphRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface GraphTraits extends ExplorerTraits, SessionTraits {
  record: GraphRecord;
  /** The sealed scopes that the record already holds, as if the user had opened them. */
  loaded: string[] | undefined;
  boxes: boolean;
  orientation: "down" | "right";
}

function runTotals(store: Store<GraphTraits>): RunTotals | null {
  const nodes = store.get("facts")?.nodes;
  if (!nodes) return null;
  const nanoseconds = nodes.reduce((sum, each) => sum + (each.outcome === "ran" ? each.nanoseconds : 0), 0);
  return { facts: new Map(nodes.map((each) => [each.node, each])), nanoseconds };
}

/** A scope is chosen first, and opens when it is chosen again; by key, and on its triangle, it opens at once. */
function followOpening(window: HTMLElement): () => boolean {
  let atOnce = false;
  window.addEventListener("keydown", () => (atOnce = true), true);
  window.addEventListener("click", ({ target }) => (atOnce = (target as Element).matches(".sign")), true);
  return () => atOnce;
}

/** The scopes that are closed where only this scope is open. */
function closedBeside(graph: Graph, path: string): string[] {
  const around = new Set(ancestors(graph, path));
  const others = [...around].flatMap((at) => graph.children.get(at) ?? []).filter((at) => !around.has(at));
  return autoCollapse(graph, undefined, others, { from: path, unfold: graph.groups.has(path) });
}

/** Whether the boxes are shown: the user and Python may say so. */
function storedBoxes(graph: Graph, store: Store<GraphTraits>) {
  let boxed = store.get("boxes");
  const group = (on: boolean): void => {
    boxed = on;
    regroup(graph, on);
  };
  return {
    shown: () => Boolean(store.get("boxes")),
    show(on: boolean): void {
      group(on);
      store.set({ boxes: on, collapsed: outerBoxes(graph) });
    },
    /** Groups the graph anew if Python has set the boxes. */
    follow(): void {
      if (boxed !== store.get("boxes")) group(store.get("boxes"));
    },
  };
}

const storedTurning = (store: Store<GraphTraits>) => ({
  isTurned: () => store.get("orientation") === "right",
  turn: (on: boolean) => store.set({ orientation: on ? "right" : "down" }),
});

export const graphView: Widget<GraphTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record, store.get("boxes"));
  const source = createCodeListing(ctx, graph.record.codes);
  if (record.nodes.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("graph.empty"))], keys: {}, steps: false };
  }
  /** Whether neither Python nor an earlier reader has said which scopes are closed. */
  const isFresh = store.get("collapsed") === null;
  let run = runTotals(store);
  const isClosed = (path: string): boolean => session.collapsed().includes(path) || graph.sealed.has(path);
  const details = createDetails(ctx, graph, null, {
    run: () => run,
    isClosed,
    choose: (item) => (item.kind === "node" ? explorer.goTo(item.id) : pick(item)),
    act(name, path) {
      if (name === "only") session.collapse(closedBeside(graph, path));
      else session.choose({ kind: "scope", path });
    },
  });
  const refresh = (): void => {
    details.show(session.about(), null);
    source.mark({ just: lineOf(graph, session.about()) });
    explorer.markScope(session.scope());
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
  const opensAtOnce = followOpening(explorer.window);
  const pick = (item: GraphItem): void => {
    // What is not drawn cannot be seen chosen: the scopes around it open.
    const around = item.kind === "scope" ? ancestors(graph, item.path).slice(1, -1) : [];
    for (const path of around) if (isClosed(path)) session.choose({ kind: "scope", path });
    session.select(item);
  };
  const turning = storedTurning(store);
  const picture = createPicture(ctx, {
    ...session,
    choose(item) {
      const isNew = item.kind === "scope" && isClosed(item.path) && session.scope() !== item.path;
      if (isNew && !opensAtOnce()) session.select(item);
      else session.choose(item);
    },
    marks: null,
    like: null,
    first: isFresh ? { room: { w: 722, h: 607 } } : null,
    turned: turning.isTurned,
    beside: () => store.get("beside") ?? [],
    layer: explorer.layer,
  });
  explorer.begin(picture);
  const outline = createOutline(ctx, { ...session, beside: () => store.get("beside") ?? [] });
  const boxes = storedBoxes(graph, store);
  function redraw(): void {
    boxes.follow();
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
      if (name === "facts") run = runTotals(store);
      explorer.refresh([name]);
    };
    store.watch([name], batched(changed, ctx.life), ctx.life);
  }
  explorer.refresh(["selected"]);
  const inspected = [details.element, ...notices(ctx, record.notices), portions.element];
  const menu = pictureMenu(ctx, picture, { ...session, boxes, turning });
  return createStage(ctx, {
    kind: "explorer-stage",
    tools: [...explorer.head, fitButton(ctx, picture)],
    menu,
    picture: explorer.window,
    side: h("div", { class: "inspector" }, h("div", { class: "inspected" }, ...inspected), explorer.side),
    drawers: graphDrawers(ctx, { code: source.element, outline, legend: explorer.legend }),
    foot: explorer.key,
    keys: { ...picture.keys, ...explorer.keys },
    steps: false,
  }).parts;
};

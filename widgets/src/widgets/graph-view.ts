/** GraphView: a graph whose scopes open and close, with what a run took at its nodes. */

import { h } from "../base/dom";
import { batched, type Store } from "../base/store";
import type { Context } from "../context";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { createExplorer, type Explorer, type ExplorerTraits } from "../graph/explorer";
import { graphDrawers } from "../graph/graph-drawers";
import { type SessionTraits, type StoredSession, storedSession } from "../graph/graph-session";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { fitButton, pictureMenu } from "../graph/picture-tools";
import type { RunTotals } from "../graph/scope-details";
import { createSealedScopes } from "../graph/sealed-scopes";
import { createShownPart, headingOf } from "../graph/shown-part";
import { autoCollapse } from "../model/collapse";
import { ancestors, type Graph, indexGraph, outerBoxes, ROOT, refocus, regroup } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import { focusable, scopeSubject } from "../model/scope-focus";
import { createPicture } from "../picture/picture";
import type { GraphRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface GraphTraits extends ExplorerTraits, SessionTraits {
  record: GraphRecord;
  /** The sealed scopes that the record already holds, as if the user had opened them. */
  loaded: string[] | undefined;
  /** The scope that is looked at by itself; "" for the whole graph. */
  at: string | undefined;
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

/** What the picture shows: boxes of conds and loops or name scopes, all of them or one by itself. The user and Python may say. */
function storedSubject(graph: Graph, store: Store<GraphTraits>) {
  const scopes = focusable(graph.whole);
  const asked = (): string => (scopes.has(store.get("at") ?? ROOT) ? (store.get("at") ?? ROOT) : ROOT);
  const look = (path: string): void => refocus(graph, path === ROOT ? undefined : scopeSubject(path));
  let boxed = store.get("boxes");
  const group = (on: boolean): void => {
    boxed = on;
    regroup(graph, on);
  };
  const subject = {
    shown: () => Boolean(store.get("boxes")),
    show(on: boolean): void {
      group(on);
      store.set({ boxes: on, collapsed: outerBoxes(graph).filter((path) => path !== graph.at) });
    },
    /** Shows a scope by itself, or all but it closed where it is no scope of names; the root for all. */
    only(path: string): void {
      if (path !== ROOT && !scopes.has(path)) {
        const open = new Set(ancestors(graph, path));
        store.set({ collapsed: [...graph.scope.keys()].filter((each) => !open.has(each)) });
        return;
      }
      look(path);
      store.set({ at: path, collapsed: autoCollapse(graph) });
    },
    /** Groups the graph anew if Python has set what it shows. */
    follow(): void {
      if (graph.at !== asked()) look(asked());
      if (boxed !== store.get("boxes")) group(store.get("boxes"));
    },
    /** Shows all if an item is not in what is shown. */
    reach(item: GraphItem): void {
      const isHere =
        item.kind === "node" ? graph.home.has(item.id) : item.kind !== "scope" || graph.scope.has(item.path);
      if (!isHere && graph.at !== ROOT) subject.only(ROOT);
    },
  };
  subject.follow();
  return subject;
}

const storedTurning = (store: Store<GraphTraits>) => ({
  isTurned: () => store.get("orientation") === "right",
  turn: (on: boolean) => store.set({ orientation: on ? "right" : "down" }),
});

/** How the reader chooses: `pick` in the details, `choose` in the picture. */
function choices(
  session: StoredSession,
  way: {
    subject: { reach: (item: GraphItem) => void };
    isClosed: (path: string) => boolean;
    atOnce: () => boolean;
  },
) {
  return {
    pick(item: GraphItem): void {
      // What is not drawn cannot be seen chosen: the scopes around it open.
      way.subject.reach(item);
      const around = item.kind === "scope" ? ancestors(session.graph, item.path).slice(1, -1) : [];
      for (const path of around) if (way.isClosed(path)) session.choose({ kind: "scope", path });
      session.select(item);
    },
    choose(item: GraphItem): void {
      const isNew = item.kind === "scope" && way.isClosed(item.path) && session.scope() !== item.path;
      if (isNew && !way.atOnce()) session.select(item);
      else session.choose(item);
    },
  };
}

function followTools(ctx: Context, store: Store<GraphTraits>, explorer: Explorer): void {
  for (const name of ["selected", "pinned", "search", "colour", "facts", "structures"] as const)
    store.watch(
      [name],
      batched(() => explorer.refresh([name]), ctx.life),
      ctx.life,
    );
  explorer.refresh(["selected"]);
}

export const graphView: Widget<GraphTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record, store.get("boxes"));
  const source = createCodeListing(ctx, graph.record.codes);
  if (record.nodes.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("graph.empty"))], keys: {}, steps: false };
  }
  /** Whether neither Python nor an earlier reader has said which scopes are closed. */
  const isFresh = store.get("collapsed") === null;
  const subject = storedSubject(graph, store);
  let run = runTotals(store);
  const isClosed = (path: string): boolean => session.collapsed().includes(path) || graph.sealed.has(path);
  const details = createDetails(ctx, graph, null, {
    run: () => run,
    isClosed,
    heading: (path) => headingOf(ctx, graph, path),
    choose: (item) => (item.kind === "node" ? explorer.goTo(item.id) : pick(item)),
    act(name, path) {
      if (name === "only") look(path);
      else session.choose({ kind: "scope", path });
    },
  });
  const look = (path: string): void => {
    subject.only(path);
    session.select({ kind: "scope", path: ROOT });
  };
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
    choose(id) {
      subject.reach({ kind: "node", id });
      session.choose({ kind: "node", id });
    },
    load: portions.open,
  });
  details.add(explorer.ways);
  const { pick, choose } = choices(session, { subject, isClosed, atOnce: followOpening(explorer.window) });
  const turning = storedTurning(store);
  const picture = createPicture(ctx, {
    ...session,
    choose,
    marks: null,
    like: null,
    first: isFresh ? { room: { w: 722, h: 607 } } : null,
    turned: turning.isTurned,
    beside: () => store.get("beside") ?? [],
    layer: explorer.layer,
  });
  explorer.begin(picture);
  const outline = createOutline(ctx, { ...session, beside: () => store.get("beside") ?? [] });
  const part = createShownPart(ctx, graph, look);
  function redraw(): void {
    subject.follow();
    picture.redraw();
    outline.redraw();
    part.refresh();
  }
  store.watch(["at", "collapsed", "boxes", "orientation", "beside"], batched(redraw, ctx.life), ctx.life);
  const select = (): void => {
    picture.select(store.get("selected"));
    refresh();
  };
  store.watch(["selected"], batched(select, ctx.life), ctx.life);
  select();
  store.watch(
    ["facts"],
    batched(() => (run = runTotals(store)), ctx.life),
    ctx.life,
  );
  followTools(ctx, store, explorer);
  const inspected = [details.element, ...notices(ctx, record.notices), portions.element];
  const menu = pictureMenu(ctx, picture, { ...session, boxes: subject, turning });
  return createStage(ctx, {
    kind: "explorer-stage",
    subject: part.path,
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

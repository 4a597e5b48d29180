/**
 * What the picture, outline, tools and details of one graph share: which scopes are closed, which node is chosen, which item
 * the reader points at. A session lives in its widget, or in traits that Python sees.
 */
import type { Store } from "../base/store";
import type { Graph } from "../model/graph";
import { collapsedAfterChoice, type GraphItem } from "../model/graph-item";

interface Session {
  graph: Graph;
  title: string;
  /** The scopes that are closed. */
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  /** Opens or closes a scope, or chooses a node. */
  choose: (item: GraphItem) => void;
  /** The reader points at an item or moves the focus to it; null: no longer. */
  look: (item: GraphItem | null) => void;
  /** The subject of the details: the item pointed at, else the chosen node, else the node given here. */
  about: (otherwise?: number | null) => GraphItem | null;
}

export interface LocalSession extends Session {
  chosen: () => number | null;
  isPointing: () => boolean;
  /** Forgets the chosen node. */
  unchoose: () => void;
  /** Forgets the item pointed at, without a refresh. */
  unpoint: () => void;
  /** The drawings to be kept up to date. */
  attach: (
    picture: { redraw: () => void; select: (id: number) => void },
    ...outlines: { redraw: () => void }[]
  ) => void;
}

export interface LocalSessionEvents {
  /** The subject of the details may have changed. */
  refresh: () => void;
  /** Whether a node can be chosen now; always, where nothing is said. */
  canChoose?: () => boolean;
  chose?: (item: GraphItem) => void;
}

/** A session whose state ends with the widget. */
export function localSession(
  graph: Graph,
  title: string,
  closed: string[],
  { refresh, canChoose = () => true, chose }: LocalSessionEvents,
): LocalSession {
  let collapsed = closed;
  let chosen: number | null = null;
  let pointedAt: GraphItem | null = null;
  let attached: Parameters<LocalSession["attach"]> | null = null;
  const session: LocalSession = {
    graph,
    title,
    collapsed: () => collapsed,
    collapse(paths) {
      collapsed = paths;
      for (const drawing of attached ?? []) drawing.redraw();
    },
    choose(item) {
      const next = collapsedAfterChoice(graph, collapsed, item);
      if (next !== collapsed) session.collapse(next);
      if (item.kind === "node" && canChoose()) {
        chosen = item.id;
        attached?.[0].select(item.id);
      }
      session.look(item);
      chose?.(item);
    },
    look(item) {
      pointedAt = item;
      refresh();
    },
    about: (otherwise = null) => pointedAt ?? nodeItem(chosen ?? otherwise),
    chosen: () => chosen,
    isPointing: () => pointedAt !== null,
    unchoose() {
      chosen = null;
      attached?.[0].select(-1);
    },
    unpoint() {
      pointedAt = null;
    },
    attach(...drawings) {
      attached = drawings;
    },
  };
  return session;
}

export interface SessionTraits {
  /** Null until the picture is small enough to be drawn. */
  collapsed: string[] | null;
  selected: number;
}

export interface StoredSessionOptions {
  /** The scopes that are closed at first. */
  closed: () => string[];
  /** The subject of the details may have changed. */
  refresh: () => void;
  /** Fetches a scope that the record leaves out. */
  load?: (path: string) => void;
}

export interface StoredSession extends Session {
  /** Chooses a node or a scope, without opening or closing anything. */
  select: (item: GraphItem) => void;
  /** The chosen scope, if the last choice was one. */
  scope: () => string | null;
}

/** A session whose closed scopes and chosen node are traits: Python and the page speak of the same picture. */
export function storedSession(
  graph: Graph,
  title: string,
  store: Store<SessionTraits>,
  { closed, refresh, load }: StoredSessionOptions,
): StoredSession {
  let pointedAt: GraphItem | null = null;
  let scope: string | null = null;
  const session: StoredSession = {
    graph,
    title,
    scope: () => scope,
    select(item) {
      scope = item.kind === "scope" ? item.path : null;
      store.set({ selected: item.kind === "node" ? item.id : -1 });
      refresh();
    },
    collapsed() {
      if (store.get("collapsed") === null) store.set({ collapsed: closed() });
      return store.get("collapsed") ?? [];
    },
    collapse: (collapsed) => store.set({ collapsed }),
    choose(item) {
      if (load && item.kind === "scope" && graph.sealed.has(item.path)) {
        load(item.path);
        return;
      }
      const before = session.collapsed();
      const collapsed = collapsedAfterChoice(graph, before, item);
      if (collapsed !== before) store.set({ collapsed });
      if (item.kind === "node") session.select(item);
    },
    look(item) {
      pointedAt = item;
      refresh();
    },
    about(otherwise = null) {
      const selected = store.get("selected");
      if (pointedAt) return pointedAt;
      if (graph.node.has(selected)) return nodeItem(selected);
      return scope === null ? nodeItem(otherwise) : { kind: "scope", path: scope };
    },
  };
  return session;
}

const nodeItem = (id: number | null): GraphItem | null => (id === null ? null : { kind: "node", id });

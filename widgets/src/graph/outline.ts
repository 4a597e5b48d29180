/** The graph as a tree of text: the same scopes, nodes and edges as the picture, for readers and screen readers. */

import { h, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { rove } from "../controls/roving-focus";
import { LIMIT, REST, tally, type Visible, visibleGraph } from "../model/collapse";
import { type Graph, ROOT } from "../model/graph";
import { describe, describeEdge, type GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import { EDGE_KINDS, type EdgeRecord } from "../record";

export interface OutlineOptions {
  graph: Graph;
  title: string;
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  choose: (item: GraphItem) => void;
  /** Nodes that the user set beside the graph. */
  beside?: () => number[];
}

export interface Outline {
  element: HTMLElement;
  open: () => void;
  redraw: () => void;
  show: (frame: Frame | null) => void;
  /** Marks the nodes that have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
}

export function createOutline(ctx: Context, options: OutlineOptions): Outline {
  const { graph } = options;
  const tree = h("ul", {
    role: "tree",
    "aria-label": ctx.t("graph.outline_of", { title: options.title }),
    "data-testid": "outline",
  });
  const counts = h("ul", { class: "counts" });
  const element = h("details", { class: "outline" }, h("summary", {}, ctx.t("graph.outline")), counts, tree);
  const opened = new Set<number>();
  let labels: ReadonlyMap<number, HTMLElement> = new Map();
  /** The text that each label has now. */
  const written = new WeakMap<HTMLElement, string>();
  let frame: Frame | null = null;
  let stopped: ReadonlySet<number> = new Set();
  let current = "";
  /** A closed outline is not written: in a large graph it would cost as much as the picture. */
  let isStale = true;

  function redraw(): void {
    isStale = !element.open;
    if (isStale) return;
    const collapsed = new Set(options.collapsed());
    const visible = visibleGraph(graph, collapsed, LIMIT, options.beside?.());
    const sums = tally(graph, visible);
    counts.replaceChildren(
      ...(["nodes", ...EDGE_KINDS] as const).map((what) =>
        h("li", { "data-count": what }, ctx.t(`count.${what}`, { ...sums[what] })),
      ),
    );
    const hadFocus = tree.contains(document.activeElement);
    const made = writeTree(ctx, graph, visible, opened);
    labels = made.labels;
    tree.replaceChildren(...made.items);
    const all = items();
    const at = all.find((each) => keyOf(each) === current) ?? all[0];
    stopAt(at);
    if (hadFocus) at?.focus();
    write();
  }

  const items = (): HTMLElement[] => [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')];

  const keyOf = (item: HTMLElement): string => item.dataset.key ?? "";
  const stopAt = rove(tree, items, (item) => (current = keyOf(item)));
  function focus(to: HTMLElement | undefined): void {
    if (!to) return;
    current = keyOf(to);
    stopAt(to);
    to.focus();
  }

  function toggle(key: string, open: boolean): void {
    current = key;
    const [kind, rest] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
    if (kind === "scope") {
      const others = options.collapsed().filter((path) => path !== rest);
      options.collapse(open ? others : [...others, rest]);
    } else if (kind === "node") {
      if (open) opened.add(Number(rest));
      else opened.delete(Number(rest));
      redraw();
    }
  }

  followUser(tree, { items, focus, toggle, activate });
  function activate(key: string, open: string | null): void {
    if (key.startsWith("node ")) options.choose({ kind: "node", id: Number(key.slice(5)) });
    if (open !== null) toggle(key, open === "false");
  }

  function show(next: Frame | null): void {
    frame = next;
    if (element.open) ctx.panels.draw(element, write);
  }

  function write(): void {
    for (const [id, label] of labels) {
      const as = `${frame?.state.get(id)} ${stopped.has(id)}`;
      if (written.get(label) === as) continue;
      written.set(label, as);
      const words = describe(ctx.t, graph, { kind: "node", id }, frame?.state.get(id));
      setText(label, stopped.has(id) ? `● ${words}` : words);
    }
  }

  element.addEventListener("toggle", () => (isStale ? redraw() : write()));
  return {
    element,
    open() {
      element.open = true;
    },
    redraw,
    show,
    stops(nodes) {
      stopped = nodes;
      write();
    },
  };
}

function treeItem(
  key: string,
  expanded: boolean | null,
  label: HTMLElement,
  children: HTMLElement[],
): HTMLElement {
  const attributes = {
    role: "treeitem",
    tabindex: "-1",
    "data-key": key,
    "aria-expanded": expanded === null ? undefined : String(expanded),
  };
  return h("li", attributes, label, expanded === true && h("ul", { role: "group" }, ...children));
}

/** The tree of what is visible; `labels`: those of the nodes, which their states change. */
function writeTree(
  ctx: Context,
  graph: Graph,
  visible: Visible,
  opened: ReadonlySet<number>,
): { items: HTMLElement[]; labels: Map<number, HTMLElement> } {
  const labels = new Map<number, HTMLElement>();
  function level(path: string): HTMLElement[] {
    const drawn = new Set([...visible.open, ...visible.closed.keys()]);
    const scopes = (graph.children.get(path) ?? [])
      .filter((child) => drawn.has(child))
      .map((child) => {
        const label = h("span", { dir: "auto" }, describe(ctx.t, graph, { kind: "scope", path: child }));
        const open = !visible.closed.has(child);
        return treeItem(`scope ${child}`, open, label, open ? level(child) : []);
      });
    const aside = visible.beside.nodes;
    const own = (graph.scope.get(path)?.nodes ?? []).filter(
      (id) => visible.shownAs.get(id) === id && !aside.includes(id),
    );
    const nodes = [...own, ...(path === ROOT ? aside : [])].map(nodeItem);
    const blocks = graph.record.blocks
      .filter((block) => block.empty && path === ROOT)
      .map(({ id }) =>
        treeItem(`block ${id}`, null, h("span", {}, describe(ctx.t, graph, { kind: "block", id })), []),
      );
    return [...scopes, ...nodes, ...blocks];
  }

  function nodeItem(id: number): HTMLElement {
    const label = h("span", { dir: "auto" });
    labels.set(id, label);
    const inputs = graph.inputs.get(id) ?? [];
    const outputs = graph.node.get(id)?.outputs ?? [];
    const isOpen = opened.has(id);
    // In a large graph, only open entries are created.
    const lines = isOpen
      ? [
          ...inputs.map((edge) => edgeItem(edge)),
          ...outputs.map((output, i) =>
            treeItem(
              `output ${id} ${i}`,
              null,
              h("span", { dir: "auto" }, shorten(`${output.name} ${output.text}`, 200)),
              [],
            ),
          ),
        ]
      : [];
    return treeItem(`node ${id}`, inputs.length + outputs.length > 0 ? isOpen : null, label, lines);
  }

  const edgeItem = (edge: EdgeRecord): HTMLElement =>
    treeItem(`edge ${edge.id}`, null, h("span", { dir: "auto" }, describeEdge(ctx.t, graph, edge)), []);

  const rest = visible.closed.get(REST);
  const words = rest && h("span", {}, ctx.t("badge.rest", { n: rest.nodes }));
  return { items: [...level(ROOT), ...(words ? [treeItem(REST, null, words, [])] : [])], labels };
}

/** What opens, closes and chooses in a tree, by key and by mouse. */
function followUser(
  tree: HTMLElement,
  act: {
    items: () => HTMLElement[];
    focus: (to: HTMLElement | undefined) => void;
    toggle: (key: string, open: boolean) => void;
    activate: (key: string, open: string | null) => void;
  },
): void {
  const { focus, toggle } = act;
  tree.addEventListener("keydown", (event) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
    if (!at) return;
    const all = act.items();
    const key = at.dataset.key ?? "";
    const open = at.getAttribute("aria-expanded");
    const actions: Record<string, () => void> = {
      ArrowRight: () =>
        open === "false" ? toggle(key, true) : open === "true" && focus(all[all.indexOf(at) + 1]),
      ArrowLeft: () =>
        open === "true"
          ? toggle(key, false)
          : focus(at.parentElement?.closest<HTMLElement>('[role="treeitem"]') ?? undefined),
      Enter: () => act.activate(key, open),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  tree.addEventListener("click", (event) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
    if (!at) return;
    focus(at);
    act.activate(at.dataset.key ?? "", at.getAttribute("aria-expanded"));
  });
}

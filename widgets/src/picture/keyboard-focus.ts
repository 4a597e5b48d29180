/** The keyboard in a picture: one tab stop, which arrow keys move along lines and among siblings. */
import { ancestors, type Graph, homeOf, ROOT } from "../model/graph";
import { type GraphItem, itemKey } from "../model/graph-item";
import { type Drawing, endKey, endOf } from "./paint";

export interface Focus {
  /** Takes a new drawing, which `put` puts on the page; the focus stays on its item. */
  draw: (drawn: Drawing, put: () => void) => void;
  move: (key: string) => void;
  /** After another step, moves the tab stop to an item that is visible, if there is one. */
  settle: () => void;
  /** The focused item, while the focus is in the picture. */
  at: () => GraphItem | null;
}

export interface FocusOptions {
  graph: Graph;
  element: HTMLElement;
  /** The focus moved to an item. */
  reach: (item: GraphItem) => void;
  choose: (item: GraphItem) => void;
}

export function createFocus({ graph, element, reach, choose }: FocusOptions): Focus {
  let drawn: Drawing | null = null;
  let current: string | null = null;

  const group = (key: string | null): SVGGElement | undefined => drawn?.marks.get(key ?? "")?.group;
  const hasKey = (key: string): boolean => isThere(drawn?.marks.get(key));
  const keysOf = (): string[] => [...(drawn?.marks.keys() ?? [])];

  function move(key: string): void {
    const next = drawn?.marks.get(key);
    if (!next || !isThere(next)) return;
    group(current)?.setAttribute("tabindex", "-1");
    current = key;
    next.group.setAttribute("tabindex", "0");
    next.group.focus({ preventScroll: true });
    reach(next.item);
  }

  function settle(): void {
    if (current === null || hasKey(current)) return;
    const key = keysOf().find(hasKey);
    if (key === undefined) return;
    if (group(current) === document.activeElement) {
      move(key);
      return;
    }
    group(current)?.setAttribute("tabindex", "-1");
    current = key;
    group(key)?.setAttribute("tabindex", "0");
  }

  function pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || current === null) return;
    const item = drawn?.marks.get(current)?.item;
    if (!item || !drawn) return;
    const now = drawn;
    const moves: Record<string, () => string | null> = {
      ArrowLeft: () => neighbour(graph, now, item, "source"),
      ArrowRight: () => neighbour(graph, now, item, "target"),
      ArrowUp: () => sibling(graph, now, item, -1),
      ArrowDown: () => sibling(graph, now, item, 1),
      Home: () => keysOf().find(hasKey) ?? null,
      End: () => keysOf().findLast(hasKey) ?? null,
    };
    const find = moves[event.key];
    if (find) {
      event.preventDefault();
      const key = find();
      if (key !== null) move(key);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(item);
    }
  }

  return {
    draw(next, put) {
      const hadFocus = element.contains(document.activeElement);
      drawn = next;
      next.svg.addEventListener("keydown", pressed);
      put();
      if (current === null || !next.marks.has(current)) current = keysOf()[0] ?? null;
      group(current)?.setAttribute("tabindex", "0");
      if (hadFocus && current !== null) move(current);
    },
    move,
    settle,
    at: () =>
      element.contains(document.activeElement) ? (drawn?.marks.get(current ?? "")?.item ?? null) : null,
  };
}

type Mark = ReturnType<Drawing["marks"]["get"]>;
/** Whether an item is drawn at this step. */
const isThere = (mark: Mark): boolean => mark?.group.getAttribute("data-state") !== "absent";

/** The item before ("source") or after ("target") an item, along its first line on that side. */
function neighbour(
  graph: Graph,
  { visible, marks }: Drawing,
  item: GraphItem,
  side: "source" | "target",
): string | null {
  if (item.kind === "block") {
    const input = graph.block.get(item.id)?.control_inputs[0];
    const end = input === undefined ? undefined : visible.shownAs.get(input);
    return side === "source" && end !== undefined ? endKey(end) : null;
  }
  if (item.kind === "scope" && visible.open.includes(item.path)) {
    const first = graph.scope.get(item.path)?.nodes[0];
    return side === "target" && first !== undefined ? endKey(first) : null;
  }
  const other = side === "source" ? "target" : "source";
  const line = [...visible.bundles, ...visible.beside.stubs].find(
    (bundle) =>
      bundle[other] === endOf(item) &&
      bundle[side] !== endOf(item) &&
      isThere(marks.get(endKey(bundle[side]))),
  );
  return line ? endKey(line[side]) : null;
}

/** The item before or after an item in its scope. */
function sibling(graph: Graph, { marks }: Drawing, item: GraphItem, by: 1 | -1): string | null {
  const home = homeOfItem(graph, item);
  const family = [...marks]
    .filter(([, other]) => homeOfItem(graph, other.item) === home && isThere(other))
    .map(([key]) => key);
  // Above the first item in a scope is the scope itself, so that every item can be reached.
  const place = family.indexOf(itemKey(item)) + by;
  if (place < 0 && marks.has(`scope ${home}`)) return `scope ${home}`;
  return family[(place + family.length) % family.length] ?? null;
}

function homeOfItem(graph: Graph, item: GraphItem): string {
  if (item.kind === "node") return homeOf(graph, item.id);
  if (item.kind === "scope") return ancestors(graph, item.path).at(-2) ?? "";
  return ROOT;
}

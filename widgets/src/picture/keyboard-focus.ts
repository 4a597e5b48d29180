/** The keyboard in a picture: one tab stop, which arrow keys move along lines and among siblings. */
import { ancestors, type Graph, homeOf, ROOT } from "../model/graph";
import { type Thing, thingKey } from "../model/graph-item";
import { type Drawn, endKey, endOf } from "./paint";

export interface Focus {
  /** A new drawing; the focus stays on what it was on. `put` is called in between: to take the focus lays the page out. */
  draw: (drawn: Drawn, put?: () => void) => void;
  move: (key: string) => void;
  /** The picture shows another moment: the tab stop is on something that is there, where anything is. */
  settle: () => void;
  /** What the focus is on, while it is in the picture. */
  at: () => Thing | null;
}

export interface FocusOptions {
  graph: Graph;
  element: HTMLElement;
  /** The focus came to a thing. */
  reach: (thing: Thing, group: SVGGElement) => void;
  choose: (thing: Thing) => void;
}

export function createFocus({ graph, element, reach, choose }: FocusOptions): Focus {
  let drawn: Drawn | null = null;
  let current: string | null = null;

  const group = (key: string | null): SVGGElement | undefined => drawn?.marks.get(key ?? "")?.group;
  const isThere = (key: string): boolean => group(key)?.getAttribute("data-state") !== "absent";
  const keysOf = (): string[] => [...(drawn?.marks.keys() ?? [])];

  function move(key: string): void {
    const next = drawn?.marks.get(key);
    if (!next || !isThere(key)) return;
    group(current)?.setAttribute("tabindex", "-1");
    current = key;
    next.group.setAttribute("tabindex", "0");
    next.group.focus({ preventScroll: true });
    reach(next.thing, next.group);
  }

  function settle(): void {
    if (current === null || isThere(current)) return;
    const key = keysOf().find(isThere);
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
    const thing = drawn?.marks.get(current)?.thing;
    if (!thing) return;
    const moves: Record<string, () => string | null> = {
      ArrowLeft: () => neighbour(thing, "source"),
      ArrowRight: () => neighbour(thing, "target"),
      ArrowUp: () => sibling(thing, -1),
      ArrowDown: () => sibling(thing, 1),
      Home: () => keysOf().find(isThere) ?? null,
      End: () => keysOf().findLast(isThere) ?? null,
    };
    const find = moves[event.key];
    if (find) {
      event.preventDefault();
      const key = find();
      if (key !== null) move(key);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(thing);
    }
  }

  /** What lies before ("source") or after ("target") a thing along its first line on that side. */
  function neighbour(thing: Thing, side: "source" | "target"): string | null {
    const seen = drawn?.seen;
    if (!seen) return null;
    if (thing.kind === "block") {
      const input = graph.block.get(thing.id)?.control_inputs[0];
      const end = input === undefined ? undefined : seen.stand.get(input);
      return side === "source" && end !== undefined ? endKey(end) : null;
    }
    if (thing.kind === "scope" && seen.open.includes(thing.path)) {
      const first = graph.scope.get(thing.path)?.nodes[0];
      return side === "target" && first !== undefined ? endKey(first) : null;
    }
    const other = side === "source" ? "target" : "source";
    const line = [...seen.bundles, ...seen.beside.stubs].find(
      (bundle) =>
        bundle[other] === endOf(thing) && bundle[side] !== endOf(thing) && isThere(endKey(bundle[side])),
    );
    return line ? endKey(line[side]) : null;
  }

  function sibling(thing: Thing, by: 1 | -1): string | null {
    const home = homeOfThing(thing);
    const family = [...(drawn?.marks ?? [])]
      .filter(([key, other]) => homeOfThing(other.thing) === home && isThere(key))
      .map(([key]) => key);
    // Up from the first thing in a scope is the scope itself, so that nothing is out of reach.
    const place = family.indexOf(thingKey(thing)) + by;
    if (place < 0 && drawn?.marks.has(`scope ${home}`)) return `scope ${home}`;
    return family[(place + family.length) % family.length] ?? null;
  }

  function homeOfThing(thing: Thing): string {
    if (thing.kind === "node") return homeOf(graph, thing.id);
    if (thing.kind === "scope") return ancestors(graph, thing.path).at(-2) ?? "";
    return ROOT;
  }

  return {
    draw(next, put) {
      const hadFocus = element.contains(document.activeElement);
      drawn = next;
      next.svg.addEventListener("keydown", pressed);
      element.replaceChildren(next.sheet);
      put?.();
      if (current === null || !next.marks.has(current)) current = keysOf()[0] ?? null;
      group(current)?.setAttribute("tabindex", "0");
      if (hadFocus && current !== null) move(current);
    },
    move,
    settle,
    at: () =>
      element.contains(document.activeElement) ? (drawn?.marks.get(current ?? "")?.thing ?? null) : null,
  };
}

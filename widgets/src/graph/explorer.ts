/** The tools around the picture of a graph: search, node tools, colours, pins, nodes set beside, and legends.
 *
 * The store holds the state that a notebook keeps; here are the search hits and the traced paths.
 */

import { h } from "../base/dom";
import type { Store } from "../base/store";
import type { Context } from "../context";
import { amountText } from "../explore/amounts";
import { type Colour, type Colouring, colouring, UNCOLOURED } from "../explore/node-classes";
import { sealedOf, standIn } from "../explore/stand-in";
import type { End } from "../model/collapse";
import type { Graph } from "../model/graph";
import { drawStubs } from "../picture/edge-stubs";
import { type ExplorerMarks, NO_MARKS, showExplorerMarks } from "../picture/explorer-marks";
import type { Drawing } from "../picture/paint";
import type { Picture } from "../picture/picture";
import { type Tinted, tint } from "../picture/tint";
import type { RunFactsRecord } from "../record";
import { createColourChooser } from "./colour-chooser";
import { createColourLegend } from "./colour-legend";
import { createLargestList } from "./largest-list";
import { drawnLegend, lineKey } from "./legend";
import { createNodeTools } from "./node-tools";
import { createPins } from "./pins";
import { createSearch } from "./search";
import { createWholeGraph } from "./whole-graph";

export interface ExplorerTraits {
  selected: number;
  pinned: number[];
  beside: number[];
  search: string;
  colour: Colour;
  facts: Partial<RunFactsRecord>;
  structures: [string, number][];
}

export interface Explorer {
  /** Draws the tools' marks on a new drawing. */
  layer: (drawn: Drawing) => void;
  /** The picture exists now. */
  begin: (picture: Picture) => void;
  /** The tools in the head, the window that the picture is in, what stands beside it, and a short and a full key of signs. */
  head: HTMLElement[];
  window: HTMLElement;
  side: HTMLElement;
  key: HTMLElement;
  legend: HTMLElement;
  /** The tools of the chosen node. */
  ways: HTMLElement;
  keys: Record<string, () => void>;
  /** Chooses a node, and shows it once the scopes around it are open. */
  goTo: (id: number) => void;
  /** Marks the chosen scope. */
  markScope: (path: string | null) => void;
  refresh: (changed: readonly string[]) => void;
}

export function createExplorer(
  ctx: Context,
  graph: Graph,
  store: Store<ExplorerTraits>,
  handlers: { choose: (id: number) => void; load: (path: string, then: () => void) => void },
): Explorer {
  const loader = createWholeGraph(ctx, graph);
  let picture: Picture | null = null;
  let drawn: Drawing | null = null;
  let all: Graph = graph;
  const view = h("div", { class: "window" });
  const [pinned, beside] = [idList(store, "pinned"), idList(store, "beside")];
  const key = lineKey(ctx, graph, view);
  const legend = drawnLegend(ctx, view);
  const shownAs = (id: number) => (drawn ? standIn(graph, all, drawn.visible, id) : undefined);
  const wholeGraph = async (): Promise<Graph> => {
    all = await loader.graph();
    return all;
  };
  const marks = createMarks(ctx, pinned.ids(), () => drawn, shownAs, [key, legend]);
  const { goTo, reveal } = createArrival(ctx, {
    sealed: (id) => sealedOf(graph, all, id),
    picture: () => picture,
    ...handlers,
  });

  const search = createSearch(ctx, {
    whole: wholeGraph,
    text: () => store.get("search") ?? "",
    keep: (text) => store.set({ search: text }),
    show: (hits, current) => marks.find({ hits, current }),
    choose: goTo,
    note: ({ id, type }) => colours.amount(id) ?? type,
  });
  const nodeTools = createNodeTools(ctx, {
    whole: wholeGraph,
    show: (from, reach) => marks.find({ from, reach }),
    isBeside: beside.has,
    setBeside: beside.put,
    isPinned: pinned.has,
    pin: pinned.put,
  });
  const pins = createPins(ctx, graph, goTo);
  const colours = createColours(ctx, store, {
    whole: wholeGraph,
    structures: loader.structures,
    known: () => ({ graph, all, drawn, shownAs }),
    goTo,
    tell: (told) => marks.find({ told }),
  });

  function layer(now: Drawing): void {
    drawn = now;
    drawStubs(now);
    marks.draw();
    // The legend reads sizes of the drawing, which has sizes only once it is on the page.
    queueMicrotask(() => {
      if (ctx.life.aborted || drawn !== now) return;
      key.count(now.visible);
      colours.paint();
      reveal();
    });
  }
  return {
    layer,
    begin(created) {
      picture = created;
      view.append(created.element);
      pins.refresh(pinned.ids());
      search.refresh();
      void colours.refresh();
      marks.refresh();
    },
    head: [search.opener, colours.chooser],
    window: h("div", { class: "explorer" }, colours.legend, view, loader.element),
    side: h("div", { class: "explorer-side" }, pins.element, colours.largest.element, search.element),
    key: key.element,
    legend: legend.element,
    ways: nodeTools.element,
    keys: { "/": search.open },
    goTo,
    markScope: (scope) => marks.find({ scope }),
    refresh(changed) {
      if (changed.includes("selected")) {
        nodeTools.refresh(graph.node.has(store.get("selected")) ? store.get("selected") : null);
        colours.largest.select(store.get("selected"));
      }
      if (changed.includes("pinned")) {
        pins.refresh(pinned.ids());
        marks.find({ pins: pinned.ids() });
      }
      if (changed.includes("search")) search.refresh();
      if (["colour", "facts", "structures"].some((name) => changed.includes(name))) void colours.refresh();
    },
  };
}

/** The nodes that the store lists under this name. */
function idList(store: Store<ExplorerTraits>, name: "pinned" | "beside") {
  const ids = (): number[] => store.get(name) ?? [];
  return {
    ids,
    has: (id: number): boolean => ids().includes(id),
    put(id: number, on: boolean): void {
      const others = ids().filter((other) => other !== id);
      store.set({ [name]: on ? [...others, id] : others });
    },
  };
}

/** What the tools mark on the drawing, and the keys that explain the marks. */
function createMarks(
  ctx: Context,
  pins: readonly number[],
  drawing: () => Drawing | null,
  shownAs: (id: number) => End | undefined,
  keys: readonly { refresh: () => void }[],
) {
  let finds: ExplorerMarks = { ...NO_MARKS, pins };
  const draw = (): void => {
    const drawn = drawing();
    if (drawn) showExplorerMarks(ctx, drawn, finds, shownAs);
  };
  const refresh = (): void => {
    draw();
    for (const key of keys) key.refresh();
  };
  const find = (some: Partial<ExplorerMarks>): void => {
    finds = { ...finds, ...some };
    refresh();
  };
  return { draw, refresh, find };
}

/** The way to a node: it is chosen first, and comes into view with the next drawing. */
function createArrival(
  ctx: Context,
  act: {
    /** The sealed scope that holds a node. */
    sealed: (id: number) => { path: string } | null | undefined;
    picture: () => Picture | null;
    choose: (id: number) => void;
    load: (path: string, then: () => void) => void;
  },
) {
  let wanted: number | null = null;
  const reveal = (): void => {
    if (wanted === null || ctx.life.aborted) return;
    act.picture()?.reveal(wanted);
    wanted = null;
  };
  const goTo = (id: number): void => {
    const sealed = act.sealed(id);
    if (sealed) {
      act.load(sealed.path, () => goTo(id));
      return;
    }
    act.choose(id);
    wanted = id;
    // If scopes open on the way, the new drawing comes first.
    setTimeout(() => act.picture()?.element.getAttribute("aria-busy") !== "true" && reveal(), 0);
  };
  return { goTo, reveal };
}

/** The colours of the nodes: their chooser, their legend, and the list of the largest amounts. */
function createColours(
  ctx: Context,
  store: Store<ExplorerTraits>,
  from: {
    whole: () => Promise<Graph>;
    structures: () => Promise<[string, number][]>;
    known: () => {
      graph: Graph;
      all: Graph;
      drawn: Drawing | null;
      shownAs: (id: number) => End | undefined;
    };
    goTo: (id: number) => void;
    tell: (told: ExplorerMarks["told"]) => void;
  },
) {
  let active: Colour = "none";
  let classes: Colouring = UNCOLOURED;
  let tinted: Tinted | null = null;
  const legend = createColourLegend(ctx);
  const largest = createLargestList(ctx, from.goTo);
  const stored = (): Colour => store.get("colour") ?? "none";
  const facts = (): RunFactsRecord | null => {
    const ran = store.get("facts");
    return ran?.nodes ? (ran as RunFactsRecord) : null;
  };
  const chooser = createColourChooser(ctx, {
    colour: stored,
    choose: (colour) => store.set({ colour }),
    hasRun: () => facts() !== null,
  });

  function classify(colour: Colour): void {
    active = colour;
    const { graph, all, drawn } = from.known();
    classes = colouring(ctx.t, colour, {
      graph: all,
      facts: facts(),
      structures: store.get("structures") ?? null,
      groups: graph.record.groups,
      drawn: new Set([...(drawn?.scene.closed.keys() ?? []), ...(drawn?.scene.open.keys() ?? [])]),
    });
  }

  function paint(): void {
    // The classes of structures are those of the drawn scopes.
    if (active === "structure") classify(active);
    const { all, drawn, shownAs } = from.known();
    if (drawn) {
      const before = tinted?.scale ?? null;
      const nodes = all.node.keys();
      tinted = tint(drawn, { t: ctx.t, prefix: ctx.prefix, colouring: classes, nodes, shownAs, before });
      from.tell(tinted.told);
    }
    legend.refresh(classes.classes, tinted);
  }

  async function refresh(): Promise<void> {
    const colour = stored();
    chooser.refresh();
    if (colour !== "none") await from.whole();
    if (colour === "structure" && !(store.get("structures") ?? []).length) {
      // Saved with the notebook: a later reader may have no kernel to ask.
      store.set({ structures: await from.structures() });
    }
    if (ctx.life.aborted || colour !== stored()) return;
    classify(colour);
    tinted = null;
    paint();
    largest.refresh(from.known().all, classes.amounts);
    largest.select(store.get("selected"));
  }
  return {
    chooser: chooser.element,
    legend: legend.element,
    largest,
    /** A node's amount, if the colours show amounts. */
    amount(id: number): string | undefined {
      const amount = classes.amounts?.of.get(id);
      return classes.amounts && amount !== undefined
        ? amountText(ctx.t, classes.amounts.kind, amount)
        : undefined;
    },
    paint,
    refresh,
  };
}

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
  /** The node that comes into view with the next drawing. */
  let wanted: number | null = null;
  let all: Graph = graph;
  let activeColour: Colour = "none";
  let finds: ExplorerMarks = { ...NO_MARKS, pins: store.get("pinned") ?? [] };
  let classes: Colouring = UNCOLOURED;
  let tinted: Tinted | null = null;
  const view = h("div", { class: "window" });
  const key = lineKey(ctx, graph, view);
  const legend = drawnLegend(ctx, view);
  const colourLegend = createColourLegend(ctx);
  const facts = (): RunFactsRecord | null => {
    const stored = store.get("facts");
    return stored?.nodes ? (stored as RunFactsRecord) : null;
  };
  const shownAs = (id: number) => (drawn ? standIn(graph, all, drawn.visible, id) : undefined);
  const wholeGraph = async (): Promise<Graph> => {
    all = await loader.graph();
    return all;
  };
  const find = (some: Partial<ExplorerMarks>): void => {
    finds = { ...finds, ...some };
    refreshFinds();
  };
  const reveal = (): void => {
    if (wanted === null || ctx.life.aborted) return;
    picture?.reveal(wanted);
    wanted = null;
  };
  const goTo = (id: number): void => {
    const sealed = sealedOf(graph, all, id);
    if (sealed) {
      handlers.load(sealed.path, () => goTo(id));
      return;
    }
    handlers.choose(id);
    wanted = id;
    // If scopes open on the way, the new drawing comes first.
    setTimeout(() => picture?.element.getAttribute("aria-busy") !== "true" && reveal(), 0);
  };
  const list = (name: "pinned" | "beside"): number[] => store.get(name) ?? [];
  const put = (name: "pinned" | "beside") => (id: number, on: boolean) => {
    const others = list(name).filter((other) => other !== id);
    store.set({ [name]: on ? [...others, id] : others });
  };

  const search = createSearch(ctx, {
    whole: wholeGraph,
    text: () => store.get("search") ?? "",
    keep: (text) => store.set({ search: text }),
    show: (hits, current) => find({ hits, current }),
    choose: goTo,
    note: ({ id, type }) => {
      const amount = classes.amounts?.of.get(id);
      return classes.amounts && amount !== undefined ? amountText(ctx.t, classes.amounts.kind, amount) : type;
    },
  });
  const nodeTools = createNodeTools(ctx, {
    whole: wholeGraph,
    show: (from, reach) => find({ from, reach }),
    isBeside: (id) => list("beside").includes(id),
    setBeside: put("beside"),
    isPinned: (id) => list("pinned").includes(id),
    pin: put("pinned"),
  });
  const pins = createPins(ctx, graph, goTo);
  const largest = createLargestList(ctx, goTo);
  const colours = createColourChooser(ctx, {
    colour: () => store.get("colour") ?? "none",
    choose: (colour) => store.set({ colour }),
    hasRun: () => facts() !== null,
  });

  function refreshFinds(): void {
    if (drawn) showExplorerMarks(ctx, drawn, finds, shownAs);
    for (const each of [key, legend]) each.refresh();
  }

  function classify(colour: Colour): void {
    activeColour = colour;
    classes = colouring(ctx.t, colour, {
      graph: all,
      facts: facts(),
      structures: store.get("structures") ?? null,
      groups: graph.record.groups,
      drawn: new Set([...(drawn?.scene.closed.keys() ?? []), ...(drawn?.scene.open.keys() ?? [])]),
    });
  }

  function paintAll(): void {
    // The classes of structures are those of the drawn scopes.
    if (activeColour === "structure") classify(activeColour);
    if (drawn) {
      const before = tinted?.scale ?? null;
      const nodes = all.node.keys();
      tinted = tint(drawn, { t: ctx.t, prefix: ctx.prefix, colouring: classes, nodes, shownAs, before });
      find({ told: tinted.told });
    }
    colourLegend.refresh(classes.classes, tinted);
  }

  async function recolour(): Promise<void> {
    const colour = store.get("colour") ?? "none";
    colours.refresh();
    if (colour !== "none") await wholeGraph();
    if (colour === "structure" && !(store.get("structures") ?? []).length) {
      // Saved with the notebook: a later reader may have no kernel to ask.
      store.set({ structures: await loader.structures() });
    }
    if (ctx.life.aborted || colour !== (store.get("colour") ?? "none")) return;
    classify(colour);
    tinted = null;
    paintAll();
    largest.refresh(all, classes.amounts);
    largest.select(store.get("selected"));
  }

  function layer(now: Drawing): void {
    drawn = now;
    drawStubs(now);
    showExplorerMarks(ctx, now, finds, shownAs);
    // The legend measures the drawing, so it must be on the page.
    queueMicrotask(() => {
      if (ctx.life.aborted || drawn !== now) return;
      key.count(now.visible);
      paintAll();
      reveal();
    });
  }
  return {
    layer,
    begin(created) {
      picture = created;
      view.append(created.element);
      pins.refresh(list("pinned"));
      search.refresh();
      void recolour();
      refreshFinds();
    },
    head: [search.opener, colours.element],
    window: h("div", { class: "explorer" }, colourLegend.element, view, loader.element),
    side: h("div", { class: "explorer-side" }, pins.element, largest.element, search.element),
    key: key.element,
    legend: legend.element,
    ways: nodeTools.element,
    keys: { "/": search.open },
    goTo,
    markScope: (scope) => find({ scope }),
    refresh(changed) {
      if (changed.includes("selected")) {
        nodeTools.refresh(graph.node.has(store.get("selected")) ? store.get("selected") : null);
        largest.select(store.get("selected"));
      }
      if (changed.includes("pinned")) {
        pins.refresh(list("pinned"));
        find({ pins: list("pinned") });
      }
      if (changed.includes("search")) search.refresh();
      if (["colour", "facts", "structures"].some((name) => changed.includes(name))) void recolour();
    },
  };
}

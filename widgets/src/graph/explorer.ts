/** The tools round the picture of a graph: search, ways, colours, pins, what stands beside, map and legend, in one place.
 *
 * State is the store's; here is only what no notebook keeps: what was found, and the ways that are shown.
 */

import { h } from "../base/dom";
import type { Store } from "../base/store";
import type { Context } from "../context";
import { type Colour, type Colouring, colouring } from "../explore/node-classes";
import { sealedOf, standIn } from "../explore/stand-in";
import type { Graph } from "../model/graph";
import { drawStubs } from "../picture/edge-stubs";
import { type Finds, NO_FINDS, showFinds } from "../picture/explorer-marks";
import { createHand, createMinimap, type Minimap } from "../picture/minimap";
import type { Drawn } from "../picture/paint";
import type { Picture } from "../picture/picture";
import { classSample, tint } from "../picture/tint";
import type { RunFactsRecord } from "../record";
import { createColours } from "./colour-chooser";
import { drawnLegend } from "./legend";
import { createWays } from "./node-tools";
import { createPins } from "./pins";
import { createSearch } from "./search";
import { createWhole } from "./whole-graph";

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
  /** Draws on the picture what the tools show. */
  layer: (drawn: Drawn) => void;
  /** The picture exists now. */
  begin: (picture: Picture) => void;
  /** Above the picture, around it, below it, and in the details. */
  head: HTMLElement;
  stage: HTMLElement;
  foot: HTMLElement;
  ways: HTMLElement;
  refresh: (changed: readonly string[]) => void;
}

export function createExplorer(
  ctx: Context,
  graph: Graph,
  store: Store<ExplorerTraits>,
  hands: { choose: (id: number) => void; load: (path: string, then: () => void) => void },
): Explorer {
  const whole = createWhole(ctx, graph);
  let picture: Picture | null = null;
  let drawn: Drawn | null = null;
  // What is chosen already is in sight at first.
  let wanted: number | null = graph.node.has(store.get("selected")) ? store.get("selected") : null;
  let all: Graph = graph;
  let used = new Set<number>();
  let shown: Colour = "none";
  let map: Minimap | null = null;
  let finds: Finds = { ...NO_FINDS, pins: store.get("pinned") ?? [] };
  let classes: Colouring = { classes: [], node: () => undefined, scope: () => undefined };
  const stage = h("div", { class: "window" });
  const legend = drawnLegend(ctx, stage);
  const foot = h("div", { class: "foot" }, legend.element);
  const facts = (): RunFactsRecord | null => {
    const told = store.get("facts");
    return told?.nodes ? (told as RunFactsRecord) : null;
  };
  const stand = (id: number) => (drawn ? standIn(graph, all, drawn.seen, id) : undefined);
  const wholeGraph = async (): Promise<Graph> => {
    all = await whole.graph();
    return all;
  };
  const find = (some: Partial<Finds>): void => {
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
      hands.load(sealed.path, () => goTo(id));
      return;
    }
    hands.choose(id);
    wanted = id;
    // Where scopes open on the way, the new drawing comes first.
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
  });
  const ways = createWays(ctx, {
    whole: wholeGraph,
    show: (from, reach) => find({ from, reach }),
    isBeside: (id) => list("beside").includes(id),
    setBeside: put("beside"),
    isPinned: (id) => list("pinned").includes(id),
    pin: put("pinned"),
  });
  const pins = createPins(ctx, graph, goTo);
  const colours = createColours(ctx, {
    colour: () => store.get("colour") ?? "none",
    choose: (colour) => store.set({ colour }),
    hasRun: () => facts() !== null,
  });

  function refreshFinds(): void {
    if (drawn) showFinds(ctx, drawn, finds, stand);
    showLegend(null);
  }

  function showLegend(places: Set<number> | null): void {
    used = places ?? used;
    const more = classes.classes.flatMap(({ letter, words }, place) =>
      used.has(place)
        ? [{ key: `class ${letter}`, sample: classSample(ctx.prefix, place, letter), words }]
        : [],
    );
    legend.refresh(more);
  }

  function classify(colour: Colour): void {
    shown = colour;
    classes = colouring(ctx.t, colour, {
      graph: all,
      facts: facts(),
      structures: store.get("structures") ?? null,
      groups: graph.record.groups,
      drawn: new Set([...(drawn?.scene.closed.keys() ?? []), ...(drawn?.scene.open.keys() ?? [])]),
    });
  }

  function paintAll(): void {
    // These classes are those of the scopes that are drawn.
    if (shown === "structure") classify(shown);
    if (drawn) showLegend(tint(ctx.prefix, drawn, classes, all.node.keys(), stand));
  }

  async function recolour(): Promise<void> {
    const colour = store.get("colour") ?? "none";
    colours.refresh();
    if (colour !== "none") await wholeGraph();
    if (colour === "structure" && !(store.get("structures") ?? []).length) {
      // Saved with the notebook: who reads it later may have no kernel to ask.
      store.set({ structures: await whole.structures() });
    }
    if (ctx.life.aborted || colour !== (store.get("colour") ?? "none")) return;
    classify(colour);
    paintAll();
  }

  function layer(now: Drawn): void {
    drawn = now;
    drawStubs(now);
    showFinds(ctx, now, finds, stand);
    // The map and the legend look at what is on the page.
    queueMicrotask(() => {
      if (ctx.life.aborted || drawn !== now) return;
      map?.draw(now);
      paintAll();
      reveal();
    });
  }
  return {
    layer,
    begin(made) {
      picture = made;
      map = createMinimap(ctx, made.element);
      stage.append(made.element);
      foot.append(map.element);
      createHand(made.element, made.zoom, ctx.life);
      if (drawn) {
        map.draw(drawn);
        reveal();
      }
      pins.refresh(list("pinned"));
      search.refresh();
      void recolour();
      showLegend(null);
    },
    head: h(
      "div",
      { class: "explorer" },
      search.element,
      whole.element,
      h("div", { class: "line" }, colours.element, pins.element),
    ),
    stage,
    foot,
    ways: ways.element,
    refresh(changed) {
      if (changed.includes("selected"))
        ways.refresh(graph.node.has(store.get("selected")) ? store.get("selected") : null);
      if (changed.includes("pinned")) {
        pins.refresh(list("pinned"));
        find({ pins: list("pinned") });
      }
      if (changed.includes("search")) search.refresh();
      if (["colour", "facts", "structures"].some((name) => changed.includes(name))) void recolour();
    },
  };
}

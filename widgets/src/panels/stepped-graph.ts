/** A graph in steps in which nothing runs: its picture, outline, details and transport, all showing one step. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { createTransport, type Transport } from "../controls/transport";
import { createDetails } from "../graph/details";
import { edgeLegend, gradientEntry } from "../graph/legend";
import { createOutline } from "../graph/outline";
import { pictureTools } from "../graph/picture-tools";
import { autoCollapse } from "../model/collapse";
import type { Graph } from "../model/graph";
import { foldedAfter, type Thing } from "../model/graph-item";
import type { Frame } from "../model/replay";
import { createPicture, type Picture } from "../picture/picture";

export interface StillOptions {
  graph: Graph;
  title: string;
  /** How many steps there are after the first picture. */
  total: number;
  step: () => number;
  move: (step: number) => void;
  words: (step: number) => string;
  frame: (step: number) => Frame;
  /** The reader looks at a thing, or at what the step is about. */
  look: (thing: Thing | null) => void;
  legend: HTMLElement;
}

export interface Still {
  transport: Transport;
  picture: HTMLElement[];
  details: HTMLElement;
  outline: HTMLElement;
  show: () => Frame;
  keys: Record<string, () => void>;
}

export function createStill(ctx: Context, options: StillOptions): Still {
  const { graph, title, total } = options;
  let collapsed = autoCollapse(graph);
  let frame = options.frame(options.step());
  let looked: Thing | null = null;
  let chosen: Thing | null = null;
  let picture: Picture | null = null;
  const details = createDetails(ctx, graph, null);
  const about = (): Thing | null =>
    looked ?? chosen ?? (frame.last ? { kind: "node", id: frame.last.node } : null);
  const refresh = (): void => {
    details.show(about(), null);
    options.look(about());
  };
  const collapse = (paths: string[]): void => {
    collapsed = paths;
    picture?.redraw();
    outline.redraw();
  };
  const choose = (thing: Thing): void => {
    const folded = foldedAfter(graph, collapsed, thing);
    if (folded !== collapsed) collapse(folded);
    if (thing.kind === "node") {
      chosen = thing;
      picture?.select(thing.id);
    }
    looked = thing;
    refresh();
  };
  const shared = { graph, title, collapsed: () => collapsed, collapse, choose };
  const outline = createOutline(ctx, shared);
  const look = (thing: Thing | null): void => {
    looked = thing;
    refresh();
  };
  const drawn = createPicture(ctx, { ...shared, marks: null, values: new Map(), like: null, look });
  picture = drawn;
  const transport = createTransport(ctx, {
    runs: [total],
    position: () => ({ run: 0, step: options.step() }),
    move: (to) => options.move(to.step),
    more: [],
    words: options.words,
  });
  const more = graph.gradientOf.size > 0 ? [gradientEntry(ctx)] : [];
  return {
    transport,
    picture: [pictureTools(ctx, drawn, shared), drawn.element, edgeLegend(ctx, more), options.legend],
    details: details.element,
    outline: outline.element,
    show() {
      // A step is news: it takes the details back from what was chosen before.
      if (frame.step !== options.step()) {
        chosen = null;
        drawn.select(-1);
      }
      frame = options.frame(options.step());
      transport.show();
      looked = null;
      drawn.show(frame);
      outline.show(frame);
      ctx.panels.draw(details.element, (most) => details.draw(about(), null, most));
      options.look(about());
      return frame;
    },
    keys: { ".": () => transport.by(1), ",": () => transport.by(-1), " ": transport.togglePlay },
  };
}

/** The live line: one paragraph a sentence, written only where it changed. */
export function createSaid(): { element: HTMLElement; say: (sentences: string[]) => void } {
  const element = h("div", {
    class: "live",
    role: "status",
    "aria-live": "polite",
    "data-testid": "status",
  });
  let before = "";
  return {
    element,
    say(sentences) {
      const now = sentences.join("\n");
      if (now === before) return;
      before = now;
      element.replaceChildren(...sentences.map((text) => h("p", {}, text)));
    },
  };
}

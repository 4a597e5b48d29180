/** A graph in steps without a run: its picture, outline, details and transport, all at one step. */

import type { Context } from "../context";
import { createTransport, type Transport } from "../controls/transport";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeLegend, gradientEntry } from "../graph/legend";
import { createOutline } from "../graph/outline";
import { pictureTools } from "../graph/picture-tools";
import { autoCollapse } from "../model/collapse";
import type { Graph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/replay";
import { plainLane } from "../model/track";
import { createPicture } from "../picture/picture";

export interface SteppedGraphOptions {
  graph: Graph;
  title: string;
  /** How many steps follow the first picture. */
  total: number;
  step: () => number;
  move: (step: number) => void;
  words: (step: number) => string;
  frame: (step: number) => Frame;
  /** The subject of the details changed: the item pointed at, the chosen node, or the step's node. */
  look: (item: GraphItem | null) => void;
  legend: HTMLElement;
}

export interface SteppedGraph {
  transport: Transport;
  picture: HTMLElement[];
  details: HTMLElement;
  outline: HTMLElement;
  show: () => Frame;
  keys: Record<string, () => void>;
}

export function createSteppedGraph(ctx: Context, options: SteppedGraphOptions): SteppedGraph {
  const { graph, title, total } = options;
  let frame = options.frame(options.step());
  const details = createDetails(ctx, graph, null);
  const about = (): GraphItem | null => session.about(frame.last?.node);
  const session = localSession(graph, title, autoCollapse(graph), {
    refresh() {
      details.show(about(), null);
      options.look(about());
    },
  });
  const outline = createOutline(ctx, session);
  const picture = createPicture(ctx, { ...session, marks: null, like: null });
  session.attach(picture, outline);
  const lanes = [plainLane([total])];
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position: () => ({ run: 0, step: options.step() }),
    move: (to) => options.move(to.step),
    words: options.words,
  });
  const more = graph.gradientOf.size > 0 ? [gradientEntry(ctx)] : [];
  return {
    transport,
    picture: [pictureTools(ctx, picture, session), picture.element, edgeLegend(ctx, more), options.legend],
    details: details.element,
    outline: outline.element,
    show() {
      // A new step takes the details back from the chosen node.
      if (frame.step !== options.step()) session.unchoose();
      frame = options.frame(options.step());
      transport.show();
      session.unpoint();
      picture.show(frame);
      outline.show(frame);
      ctx.panels.draw(details.element, (most) => details.draw(about(), null, most));
      options.look(about());
      return frame;
    },
    keys: transport.keys,
  };
}

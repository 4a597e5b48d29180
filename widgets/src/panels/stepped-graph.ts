/** A graph in steps without a run: its picture, outline, details and transport, all at one step. */

import type { Context } from "../context";
import { createTransport, type Transport } from "../controls/transport";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeKey, edgeKinds } from "../graph/legend";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { fitButton, pictureMenu } from "../graph/picture-tools";
import { autoCollapse } from "../model/collapse";
import type { Graph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import { plainLane } from "../model/steps/track";
import { cameraKeys, createPicture } from "../picture/picture";
import type { Drawer } from "../stage/drawers";
import { createStage } from "../stage/stage";
import type { WidgetParts } from "../widget";

/** The room of the picture beside a column, in pixels. */
const ROOM = { w: 650, h: 491 };

export interface SteppedGraphOptions {
  graph: Graph;
  title: string;
  /** How many steps follow the first picture. */
  total: number;
  step: () => number;
  move: (step: number) => void;
  position: (step: number) => string;
  frame: (step: number) => Frame;
  /** The subject of the details changed: the item pointed at, the chosen node, or the step's node. */
  look: (item: GraphItem | null) => void;
  chose?: (item: GraphItem) => void;
  /** Whether a chosen node opens the drawer with its details; by default it does. */
  opens?: () => boolean;
  /** The scopes that are closed at first. */
  closed?: string[];
  /** The direction of values that is preferred, if the picture is readable in it: to the right, or down. */
  turned?: boolean;
  /** The nodes that the steps make: where the whole picture is too small to be read, they get their places with the first step. */
  later?: ReadonlySet<number>;
  /** The nodes that are no subject of the steps, and whether a scope stays open at first. */
  idle?: ReadonlySet<number>;
  keeps?: (path: string) => boolean;
  /** The signs of these steps, for the help. */
  legend: HTMLElement;
  /** The column beside the picture, and its name. */
  column: HTMLElement;
  words: string;
  sentence: HTMLElement;
  /** More drawers. */
  drawers?: Drawer[];
}

export interface SteppedGraph {
  transport: Transport;
  /** Shows the current step. */
  show: () => void;
  parts: WidgetParts;
}

export function createSteppedGraph(ctx: Context, options: SteppedGraphOptions): SteppedGraph {
  const { graph, title, total, turned = false } = options;
  let frame = options.frame(options.step());
  const details = createDetails(ctx, graph, null, {
    isClosed: (path) => session.collapsed().includes(path),
  });
  const about = (): GraphItem | null => session.about(frame.last?.node);
  const session = localSession(graph, title, options.closed ?? autoCollapse(graph), {
    refresh() {
      details.show(about(), null);
      options.look(about());
    },
    chose: (item) => {
      if (options.opens?.() ?? true) drawers.open("inspect");
      options.chose?.(item);
    },
  });
  const outline = createOutline(ctx, session);
  const none: ReadonlySet<number> = new Set();
  const picture = createPicture(ctx, {
    ...session,
    marks: null,
    like: null,
    ...(options.idle && { idle: options.idle }),
    first: { room: ROOM, directions: [turned, !turned], ...(options.keeps && { keeps: options.keeps }) },
    follows: true,
    later: () => (options.step() === 0 ? (options.later ?? none) : none),
  });
  session.attach(picture, outline);
  const lanes = [plainLane([total])];
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position: () => ({ run: 0, step: options.step() }),
    move: (to) => options.move(to.step),
    words: options.position,
  });
  const { parts, drawers } = createStage(ctx, {
    kind: "stepped",
    code: options.column,
    codeWords: options.words,
    picture: picture.element,
    sentence: options.sentence,
    transport: transport.element,
    foot: edgeKey(ctx, edgeKinds(graph.record)),
    tools: [fitButton(ctx, picture)],
    menu: [...pictureMenu(ctx, picture, session)],
    drawers: [
      { id: "inspect", words: ctx.t("stage.inspect"), element: details.element, key: "i" },
      ...(options.drawers ?? []),
    ],
    outline: outline.element,
    notes: notices(ctx, graph.record.notices),
    keys: { ...transport.keys, ...cameraKeys(() => [picture]) },
    steps: true,
    legend: options.legend,
  });
  return {
    transport,
    parts,
    show() {
      // A new step takes the details back from the chosen node.
      if (frame.step !== options.step()) session.unchoose();
      frame = options.frame(options.step());
      transport.show();
      session.unpoint();
      picture.show(frame);
      outline.show(frame);
      ctx.panels.draw(details.element, () => details.show(about(), null));
      options.look(about());
    },
  };
}

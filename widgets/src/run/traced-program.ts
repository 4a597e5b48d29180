/** One traced program: its picture, queue, table and details, all at one position. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createCodeListing, creatingLines, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { createOutline } from "../graph/outline";
import { boxSwitch, pictureMenu } from "../graph/picture-tools";
import type { Size } from "../layout/geometry";
import { autoCollapse, idleScopes, LIMIT } from "../model/collapse";
import { type Graph, indexGraph, outerBoxes } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import { createNodeValues, withRoomOf } from "../model/node-values";
import { type Frame, frameAt, type Position, positionOf, runLengths, toOffset } from "../model/steps/replay";
import { createPicture, type Picture } from "../picture/picture";
import type { MarksRecord, TraceRecord } from "../record";
import { createReadyQueue } from "./ready-queue";
import { createStateColumn } from "./state-column";
import { createStepTable } from "./step-table";
import { createThisStep, type ThisStep } from "./this-step";

export interface TracedProgram {
  graph: Graph;
  picture: Picture;
  tools: HTMLElement;
  details: HTMLElement;
  queue: HTMLElement;
  table: HTMLElement;
  state: HTMLElement;
  step: ThisStep;
  source: HTMLElement;
  outline: HTMLElement;
  show: (at: Position) => Frame | null;
  /** The chosen node, or else the node of the last step. */
  chosen: () => number | null;
  /** The node that the user chose, and how to choose one. */
  picked: () => number | null;
  choose: (node: number) => void;
  /** Marks the nodes that have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
  /** The scopes that are closed. */
  closed: () => string[];
}

export interface TracedProgramOptions {
  /** The picture whose arrangement this one adopts. */
  like?: Picture | null;
  /** The programs beside this one: nodes of the same names have the same sizes. */
  beside?: readonly TraceRecord[];
  /** The scopes that are closed at first; by default as many as make the picture readable in its room. */
  closed?: string[];
  /** The room of the picture at the design width, in pixels. */
  room?: Size;
  /** The user chose an item. */
  chose?: () => void;
}

/** The position after the next step of a node that a line created; after the last the first. */
function nextOfLine(trace: TraceRecord, label: string, frame: Frame | null): Position | undefined {
  const created = trace.graph.nodes.filter(({ site }) => site?.label === label);
  const there = created.map(({ id }) => frame && positionOf(trace, id, frame)).filter((at) => at !== null);
  const runs = runLengths(trace);
  const now = frame ? toOffset(runs, frame) : 0;
  const order = there.toSorted((a, b) => toOffset(runs, a) - toOffset(runs, b));
  return order.find((at) => toOffset(runs, at) > now) ?? order[0];
}

const turnAfter = (trace: TraceRecord, node: number | null, frame: Frame | null): Position | null =>
  node === null || !frame ? null : positionOf(trace, node, frame);

/** The room of a picture between the code and the state of a run. */
const ROOM: Size = { w: 446, h: 491 };

const prunedNodes = (trace: TraceRecord): Set<number> => new Set(trace.pruned.map(({ node }) => node));

/** What a reader is to see: what is fetched, the nodes of a branch that is not taken, and the differences. */
function markedNodes(trace: TraceRecord, marks: MarksRecord | null): Set<number> {
  const steps = trace.runs.flatMap((run) => run.steps);
  const dead = steps.filter((step) => step.outputs.some((value) => value.dead)).map(({ node }) => node);
  return new Set([...trace.fetches.map(({ node }) => node), ...dead, ...(marks?.nodes ?? [])]);
}

function closedAtFirst(graph: Graph, trace: TraceRecord, marks: MarksRecord | null): string[] {
  const idle = idleScopes(graph, prunedNodes(trace), new Set(marks?.nodes));
  return autoCollapse(graph, LIMIT, [...idle, ...outerBoxes(graph)]);
}

const runToButton = (ctx: Context, act: () => void): HTMLButtonElement =>
  button({ testid: "run-to", icon: "target", words: ctx.t("action.run_to"), wide: true, act });

export function createTracedProgram(
  ctx: Context,
  trace: TraceRecord,
  title: string,
  marks: MarksRecord | null,
  move: (to: Position) => void,
  { like = null, beside = [], closed, room = ROOM, chose }: TracedProgramOptions = {},
): TracedProgram {
  const graph = indexGraph(trace.graph);
  const startClosed = (): string[] => closedAtFirst(graph, trace, marks);
  let frame: Frame | null = null;
  const session = localSession(graph, title, closed ?? startClosed(), {
    refresh() {
      tell();
      mark();
    },
    ...(chose && { chose }),
  });
  const details = createDetails(ctx, graph, trace, {
    isClosed: (path) => session.collapsed().includes(path),
  });
  const go = (to: Position | null | undefined): void => {
    if (to) move(to);
  };
  const source = createCodeListing(ctx, trace.graph.codes, {
    go: (label) => go(nextOfLine(trace, label, frame)),
    steps: creatingLines(graph),
  });
  /** The position after the next step of the chosen node. */
  const nextTurn = (): Position | null => turnAfter(trace, session.chosen(), frame);
  const runTo = runToButton(ctx, () => go(nextTurn()));
  details.add(runTo);

  const boxes = boxSwitch(graph, session.collapse, startClosed);
  const picture = createPicture(ctx, {
    ...session,
    marks,
    values: withRoomOf(createNodeValues(graph, trace), graph, beside),
    like,
    idle: prunedNodes(trace),
    first: closed ? null : { room, marked: markedNodes(trace, marks), directions: [false, true] },
  });
  const outline = createOutline(ctx, session);
  session.attach(picture, outline);
  const queue = createReadyQueue(ctx, graph, session.look);
  const table = createStepTable(ctx, graph, trace, move);
  const state = createStateColumn(ctx, graph, trace);
  const step = createThisStep(ctx, graph);

  const about = (): GraphItem | null => session.about(frame?.last?.node);

  function tell(): void {
    runTo.toggleAttribute("hidden", nextTurn() === null);
    details.show(about(), frame);
  }
  const mark = (): void => source.mark({ just: lineOf(graph, about()) });

  return {
    graph,
    picture,
    tools: h("div", { class: "tools" }, ...pictureMenu(ctx, picture, { ...session, boxes })),
    details: details.element,
    queue: queue.element,
    table: table.element,
    state: state.element,
    step,
    source: source.element,
    outline: outline.element,
    show(at) {
      const moved = frame !== null && (at.run !== frame.run || at.step !== frame.step);
      const forward = frame !== null && at.run === frame.run && at.step === frame.step + 1;
      frame = frameAt(trace, at);
      // A new step takes the details back from the chosen node, but not from the item pointed at.
      if (moved && !session.isPointing()) session.unchoose();
      picture.show(frame);
      if (frame) {
        state.show(frame, forward, picture.from);
        step.show(frame);
      }
      outline.show(frame);
      ctx.panels.draw(details.element, tell);
      ctx.panels.draw(queue.element, () => queue.show(frame));
      ctx.panels.draw(source.element, mark);
      table.show(at);
      return frame;
    },
    chosen: () => session.chosen() ?? frame?.last?.node ?? null,
    picked: session.chosen,
    choose(id) {
      session.choose({ kind: "node", id });
      // Nothing points at the node after the click.
      session.unpoint();
    },
    stops(nodes) {
      picture.stops(nodes);
      outline.stops(nodes);
    },
    closed: session.collapsed,
  };
}

/** One traced program on the screen: its picture, its queue, its tape and its details, all showing one position. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createDetails } from "../graph/details";
import { createOutline } from "../graph/outline";
import { pictureTools } from "../graph/picture-tools";
import { createSource } from "../graph/source-lines";
import { autoCollapse, idleScopes, LIMIT } from "../model/collapse";
import { type Graph, indexGraph, outerBoxes, regroup } from "../model/graph";
import { foldedAfter, type Thing } from "../model/graph-item";
import { type Frame, frameAt, lengths, type Position, positionOf, toOffset } from "../model/replay";
import { createPicture, type Picture } from "../picture/picture";
import type { MarksRecord, TraceRecord } from "../record";
import { createQueue } from "./ready-queue";
import { createTape } from "./tape";

export interface Side {
  graph: Graph;
  picture: Picture;
  tools: HTMLElement;
  details: HTMLElement;
  queue: HTMLElement;
  tape: HTMLElement;
  source: HTMLElement;
  outline: HTMLElement;
  show: (at: Position) => Frame | null;
  /** The node that the reader chose, or else the one that the last step was about. */
  chosen: () => number | null;
  /** Which nodes have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
  /** The scopes that are closed. */
  closed: () => string[];
}

export interface SideMore {
  /** The picture beside which, or after which, this one is looked at. */
  like?: Picture | null;
  /** The scopes that are closed at first. */
  closed?: string[];
  /** The reader chose another node. */
  chose?: () => void;
}

/** The widest value that each variable's node will show in these runs. */
function widestValues(graph: Graph, trace: TraceRecord): Map<number, string> {
  const widest = new Map<string, string>();
  const take = (name: string, text: string): void => {
    const short = `= ${shorten(text, 18)}`;
    if (short.length > (widest.get(name)?.length ?? 0)) widest.set(name, short);
  };
  for (const run of trace.runs) {
    for (const [name, text] of run.start.variables) take(name, text);
    for (const step of run.steps) for (const [name, , after] of step.writes) take(name, after);
  }
  return new Map(graph.record.variables.map(({ node, name }) => [node, widest.get(name) ?? "= –"]));
}

export function createSide(
  ctx: Context,
  trace: TraceRecord,
  title: string,
  marks: MarksRecord | null,
  move: (to: Position) => void,
  { like = null, closed, chose }: SideMore = {},
): Side {
  const graph = indexGraph(trace.graph);
  const idle = new Set(trace.pruned.map(({ node }) => node));
  const startClosed = (): string[] =>
    autoCollapse(graph, LIMIT, [...idleScopes(graph, idle, new Set(marks?.nodes)), ...outerBoxes(graph)]);
  let collapsed = closed ?? startClosed();
  let frame: Frame | null = null;
  let selected: number | null = null;
  let looked: Thing | null = null;

  const collapse = (paths: string[]): void => {
    collapsed = paths;
    picture?.redraw();
    outline?.redraw();
  };
  const details = createDetails(ctx, graph, trace);
  const source = createSource(ctx, graph, (label) => {
    const made = trace.graph.nodes.filter(({ site }) => site?.label === label);
    const there = made.map(({ id }) => frame && positionOf(trace, id, frame)).filter((at) => at !== null);
    const runs = lengths(trace);
    const now = frame ? toOffset(runs, frame) : 0;
    // The next of them, and after the last the first.
    const order = there.toSorted((a, b) => toOffset(runs, a) - toOffset(runs, b));
    const to = order.find((at) => toOffset(runs, at) > now) ?? order[0];
    if (to) move(to);
  });
  const runTo = button({
    testid: "run-to",
    icon: "target",
    words: ctx.t("action.run_to"),
    wide: true,
    act: () => {
      const to = selected === null || !frame ? null : positionOf(trace, selected, frame);
      if (to) move(to);
    },
  });
  details.add(runTo);

  const look = (thing: Thing | null): void => {
    looked = thing;
    refresh();
  };
  const choose = (thing: Thing): void => {
    const folded = foldedAfter(graph, collapsed, thing);
    if (folded !== collapsed) collapse(folded);
    if (thing.kind === "node") {
      selected = thing.id;
      picture?.select(thing.id);
    }
    looked = thing;
    refresh();
    chose?.();
  };
  const shared = { graph, title, collapsed: () => collapsed, collapse, choose };
  let boxed = false;
  const boxes = {
    shown: () => boxed,
    show: (on: boolean): void => {
      boxed = on;
      regroup(graph, on);
      collapse(startClosed());
    },
  };
  let picture: Picture | null = null;
  let outline: ReturnType<typeof createOutline> | null = null;
  const drawn = createPicture(ctx, { ...shared, marks, values: widestValues(graph, trace), like, look });
  picture = drawn;
  outline = createOutline(ctx, shared);
  const queue = createQueue(ctx, graph, look);
  const tape = createTape(ctx, graph, trace);

  const chosen = (): number | null => selected ?? frame?.last?.node ?? null;
  function about(): Thing | null {
    const id = chosen();
    return looked ?? (id === null ? null : { kind: "node", id });
  }

  function tell(most: number): boolean {
    const to = selected === null || !frame ? null : positionOf(trace, selected, frame);
    runTo.hidden = to === null;
    return details.draw(about(), frame, most);
  }

  function refresh(): void {
    tell(Number.POSITIVE_INFINITY);
    ctx.panels.settle(details.element);
    source.show(about());
  }

  return {
    graph,
    picture: drawn,
    tools: pictureTools(ctx, drawn, { ...shared, boxes }),
    details: details.element,
    queue: queue.element,
    tape: tape.element,
    source: source.element,
    outline: outline.element,
    show(at) {
      const moved = frame !== null && (at.run !== frame.run || at.step !== frame.step);
      frame = frameAt(trace, at);
      // A step is news: it takes the details back from what was chosen before, but not from what is pointed at.
      if (moved && looked === null) {
        selected = null;
        drawn.select(-1);
      }
      drawn.show(frame);
      outline?.show(frame);
      ctx.panels.draw(details.element, tell);
      ctx.panels.draw(queue.element, (most) => queue.show(frame, most));
      ctx.panels.draw(source.element, () => source.show(about()));
      ctx.panels.draw(tape.element, (most) => frame !== null && tape.show(frame, most));
      return frame;
    },
    chosen,
    stops(nodes) {
      drawn.stops(nodes);
      outline?.stops(nodes);
    },
    closed: () => collapsed,
  };
}

/** A column with a title, for a program that stands beside another one. */
export function column(title: string, tools: HTMLElement, ...children: HTMLElement[]): HTMLElement {
  const words = shorten(title, 80);
  const heading = h("h4", { class: "side-title", dir: "auto" }, words);
  return h(
    "section",
    { class: "side", "aria-label": words },
    h("div", { class: "bar" }, heading, tools),
    ...children,
  );
}

/** StepThrough: the runs of one program, forward and back, with breakpoints and forks. */

import { h, setAttribute } from "../base/dom";
import { batched, type Store } from "../base/store";
import { inline } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createLiveLine } from "../controls/live-line";
import { createTransport } from "../controls/transport";
import { edgeKey, edgeKinds, stateLegend } from "../graph/legend";
import { notices } from "../graph/notices";
import type { Graph } from "../model/graph";
import type { Frame } from "../model/steps/replay";
import type { Timeline } from "../model/steps/timelines";
import { cameraKeys, type Picture } from "../picture/picture";
import type { BreakRecord, EdgeKind, LeavesRecord, TraceRecord } from "../record";
import { createBreakpoints, hitsAt } from "../run/breakpoints";
import { createForks } from "../run/forks";
import { changeText, printedText, sentence } from "../run/step-sentences";
import { createTimelineEnds } from "../run/timeline-ends";
import { laneName, stepTitle } from "../run/timeline-lanes";
import type { Drawer } from "../stage/drawers";
import { createStage, type Surroundings } from "../stage/stage";
import type { Widget, WidgetParts } from "../widget";
import { createTimelines, type StepTraits, type Timelines } from "./step-timelines";
import { createViews, type Views } from "./step-views";

/** What a step did, for the sentence: of a fork first what it changed, and the breakpoints that it hit. */
function sentences(
  ctx: Context,
  { trace, branch, number }: Timeline,
  graph: Graph,
  frame: Frame,
  hits: readonly BreakRecord[],
): (string | Node[])[] {
  const { now, after } = sentence(ctx, graph, trace, frame);
  // The first step of a fork is where the reader came to it.
  const isFork = branch && frame.run === branch.run && frame.step === branch.step + 1;
  const fork = isFork ? ctx.t("live.timeline", { number, change: changeText(ctx.t, branch.change) }) : "";
  const texts = hits.map(({ text }) => inline(text));
  const hit = texts.length > 0 ? ctx.t("break.live", { texts: texts.join(", ") }) : "";
  return [now, fork || after, hit];
}

/** The focused node in the picture or the outline. */
function focusedNode(): number | null {
  const at = document.activeElement;
  const named =
    at?.closest("g.node")?.getAttribute("data-id") ?? at?.closest("[data-key]")?.getAttribute("data-key");
  const focused = /^(?:node )?(\d+)$/.exec(named ?? "")?.[1];
  return focused === undefined ? null : Number(focused);
}

/** `asked`: what Python answers questions about. */
function stepDrawers(
  ctx: Context,
  timelines: Timelines,
  { rooms, current }: Views,
  asked: { change: HTMLElement[]; breaks: HTMLElement } | null,
): Drawer[] {
  const change = (elements: HTMLElement[]): Drawer => ({
    id: "change",
    words: ctx.t("stage.change"),
    element: h("div", {}, ...elements),
    count: () => timelines.all().length - 1,
  });
  const stops = (element: HTMLElement): Drawer => ({
    id: "breakpoints",
    words: ctx.t("stage.breakpoints"),
    element,
    count: () => timelines.breakpoints().length,
  });
  return [
    { id: "inspect", words: ctx.t("stage.inspect"), element: rooms.inspect, key: "i" },
    {
      id: "queue",
      words: ctx.t("stage.queue"),
      element: rooms.queue,
      key: "q",
      count: () => current()?.frame?.ready ?? 0,
    },
    ...(asked ? [change(asked.change), stops(asked.breaks)] : []),
    { id: "table", words: ctx.t("stage.table"), element: rooms.table, key: "t" },
  ];
}

/** Sets a breakpoint on the chosen node, or takes it away. */
function breakButton(ctx: Context, act: () => void) {
  const element = button({ testid: "break-node", words: ctx.t("break.node"), wide: true, act });
  return {
    element,
    show(node: number | null, stopped: ReadonlySet<number>): void {
      setAttribute(element, "aria-pressed", String(node !== null && stopped.has(node)));
      setAttribute(element, "aria-disabled", String(node === null));
    },
  };
}

/** The kinds of edge that a picture can show: a fork can add an order. */
const keyKinds = ({ graph }: TraceRecord, forks: boolean): Set<EdgeKind> =>
  forks ? edgeKinds(graph).add("control") : edgeKinds(graph);

const withoutRuns = (ctx: Context): WidgetParts => ({
  body: [h("p", { class: "hint" }, ctx.t("steps.none"))],
  keys: {},
  steps: false,
});

export const stepThrough: Widget<StepTraits> = (ctx, store, title) => createSteps(ctx, store, title);

export function createSteps(
  ctx: Context,
  store: Store<StepTraits>,
  title: string,
  { lead, drawers: around = [] }: Surroundings = {},
): WidgetParts {
  const first = store.get("record");
  if (first.runs.length === 0) return withoutRuns(ctx);
  // Inside another widget, Python answers no questions about forks and breakpoints.
  const answered = store.get("branches") !== undefined;
  const timelines = createTimelines(store);
  const { breakpoints, place, stopped } = timelines;
  const views = createViews(ctx, title, timelines, () => {
    drawers.open("inspect");
    present();
    ctx.panels.settle(forks.element);
  });
  const { rooms } = views;
  const breaks = createBreakpoints(ctx, timelines.move);
  const toggle = (): void => {
    const node = focusedNode() ?? views.current()?.side.chosen();
    if (node != null) breaks.toggle(node);
  };
  const forks = createForks(ctx, first);
  const leaves = createTimelineEnds(ctx, (timeline) => store.set({ branch: timeline }));
  const transport = createTransport(ctx, {
    lanes: timelines.lanes,
    position: place,
    move: timelines.go,
    name: ({ number }) => laneName(ctx, timelines.all(), number),
    printed: (run) => printedText(timelines.current().trace, run),
    step: (at) => stepTitle(ctx, views.take().side.graph, timelines.all(), at, hitsAt(breakpoints(), at)),
  });
  const live = createLiveLine();
  const onNode = breakButton(ctx, toggle);
  breaks.element.prepend(onNode.element);

  /** Updates what depends on the chosen node. */
  function present(): void {
    const { side, frame } = views.current() ?? {};
    onNode.show(side?.chosen() ?? null, stopped());
    const { number, trace } = timelines.current();
    if (side && frame) forks.show({ timeline: number, trace, graph: side.graph, frame, node: side.chosen() });
  }

  function show(): void {
    if (timelines.gather()) views.current()?.side.stops(stopped());
    const before = views.current();
    transport.show();
    const view = views.take();
    const { side, loops } = view;
    const at = place();
    const frame = side.show(at);
    if (!frame) return;
    view.frame = frame;
    loops.show(frame);
    breaks.show(breakpoints(), at);
    present();
    const hits = hitsAt(breakpoints(), at);
    const say = (): void => live.say(sentences(ctx, timelines.current(), side.graph, frame, hits));
    ctx.panels.tell(live.element, say);
    const record = store.get("leaves");
    leaves.show(record?.leaves ? (record as LeavesRecord) : null, timelines.all(), at.timeline);
    drawers.refresh();
    // The panels of another timeline are at the position where it was left.
    if (view !== before) ctx.panels.settle();
  }

  const asked = answered ? { change: [forks.element, leaves.element], breaks: breaks.element } : null;
  const picture = (): Picture | undefined => views.current()?.side.picture;
  const fit = (): void => picture()?.fit();
  const { parts, drawers } = createStage(ctx, {
    kind: "steps",
    code: lead?.element ?? rooms.code,
    ...(lead && { codeWords: lead.words }),
    picture: rooms.picture,
    side: rooms.side,
    sentence: live.element,
    line: rooms.line,
    transport: transport.element,
    foot: edgeKey(ctx, keyKinds(first, answered)),
    tools: [rooms.chooser, button({ testid: "fit", icon: "fit", words: ctx.t("action.fit"), act: fit })],
    menu: [rooms.tools],
    drawers: [
      ...around,
      ...(lead ? [{ id: "source", words: ctx.t("stage.code"), element: rooms.code }] : []),
      ...stepDrawers(ctx, timelines, views, asked),
    ],
    outline: rooms.outline,
    notes: notices(ctx, first.graph.notices),
    legend: stateLegend(ctx, timelines.lanes()[0]?.clocks !== undefined),
    keys: { ...transport.keys, ...cameraKeys(() => [picture()]), ...(answered && { b: toggle }) },
    steps: true,
    forks: answered,
  });
  store.watch(["run", "step", "branch", "branches", "leaves", "breaks"], batched(show, ctx.life), ctx.life);
  show();
  return parts;
}

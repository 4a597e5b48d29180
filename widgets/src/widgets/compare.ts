/** Compare: two programs side by side under one scrubber, with their differences and their output. */

import { h, section } from "../base/dom";
import { batched, localStore, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createLiveLine } from "../controls/live-line";
import { createTransport } from "../controls/transport";
import { edgeKey, edgeKinds, markEntry } from "../graph/legend";
import { notices } from "../graph/notices";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { clamp, type Position, runLengths } from "../model/steps/replay";
import { jointLane } from "../model/steps/track";
import { cameraKeys, shareCamera } from "../picture/picture";
import type { CompareRecord, MarksRecord, TraceRecord } from "../record";
import { createPrintedSlots } from "../run/printed-slots";
import { printedText, sentence } from "../run/step-sentences";
import { createTracedProgram, type TracedProgram } from "../run/traced-program";
import { createStage, type Surroundings } from "../stage/stage";
import type { Widget, WidgetParts } from "../widget";

export interface CompareTraits {
  record: CompareRecord;
  run: number;
  step: number;
}

/** The steps of the scrubber's runs: those of the longer side; the other one waits at its end. */
export function jointLengths(traces: TraceRecord[]): number[] {
  const all = traces.map(runLengths);
  const runs = Math.max(0, ...all.map((own) => own.length));
  return Array.from({ length: runs }, (_, run) => Math.max(...all.map((own) => own[run] ?? 0)));
}

/** What only this side has, one line each. */
function differences(ctx: Context, graph: Graph, marks: MarksRecord): string[] {
  const edges = marks.edges.flatMap((id) => graph.edge.get(id) ?? []);
  return [
    ...marks.nodes.map((id) =>
      ctx.t("compare.node", { name: nodeName(graph, id), type: graph.node.get(id)?.type ?? "" }),
    ),
    ...edges.map((edge) =>
      ctx.t(`compare.${edge.kind}`, {
        source: nodeName(graph, edge.source),
        target: nodeName(graph, edge.target),
      }),
    ),
    ...marks.blocks.map((id) => {
      const where = graph.block.get(id)?.site?.label ?? ctx.t("block.unknown_site");
      return ctx.t("compare.empty_block", { where });
    }),
  ];
}

/** Each side is a program of its own, and its picture has highlights of its own. */
const sideContext = (ctx: Context, side: number): Context => ({
  ...ctx,
  program: ctx.program === null ? null : ctx.program + side,
  highlights: localStore({ path: [], races: ctx.highlights.get("races") }),
});

/** With more differences it is another program. */
const LISTED = 12;

export const compare: Widget<CompareTraits> = (ctx, store) => createComparison(ctx, store);

export function createComparison(
  ctx: Context,
  store: Store<CompareTraits>,
  { lead, drawers: around = [] }: Surroundings = {},
): WidgetParts {
  const { sides } = store.get("record");
  const runs = jointLengths(sides.map(({ trace }) => trace));
  if (runs.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("steps.none"))], keys: {}, steps: false };
  }
  const position = (): Position => clamp(runs, store.get("run"), store.get("step"));
  const traces = sides.map(({ trace }) => trace);
  const lanes = [jointLane(traces, runs)];
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position,
    move: ({ run, step }) => store.set({ run, step }),
    printed: (run) => traces.map((trace) => printedText(trace, run)).join(" | "),
  });
  // The larger picture is drawn first, and the other one adopts its arrangement, so that common items are in the same place.
  const size = (side: number): number => sides[side]?.trace.graph.nodes.length ?? 0;
  const first = sides.reduce((best, _, i) => (size(i) > size(best) ? i : best), 0);
  const drawn = new Map<number, TracedProgram>();
  for (const i of [first, ...sides.keys()]) {
    const side = sides[i];
    if (!side || drawn.has(i)) continue;
    const like = drawn.get(first)?.picture ?? null;
    drawn.set(
      i,
      createTracedProgram(sideContext(ctx, i), side.trace, side.title, side.marks, (to) => store.set(to), {
        like,
        room: { w: 490, h: 377 },
        beside: traces.filter((trace) => trace !== side.trace),
        chose: () => drawers.open("inspect"),
      }),
    );
  }
  const views = [...drawn]
    .sort(([a], [b]) => a - b)
    .map(([i, own]) => createSide(ctx, i, own, sides[i] as SideRecord));
  const show = (): void => {
    transport.show();
    for (const view of views) view.show(position());
  };
  store.watch(["run", "step"], batched(show, ctx.life), ctx.life);
  show();
  const each = (part: (own: TracedProgram) => HTMLElement[]): HTMLElement =>
    h(
      "div",
      {},
      ...views.flatMap(({ own, title }) => [h("h5", {}, h("code", { dir: "auto" }, title)), ...part(own)]),
    );
  shareCamera(views.map(({ own }) => own.picture));
  const fit = (): void => views[0]?.own.picture.fit();
  const pair = h("div", { class: "sides" }, ...views.map(({ element }) => element));
  const { parts, drawers } = createStage(ctx, {
    kind: "compare",
    ...(lead && { code: lead.element, codeWords: lead.words }),
    picture: pair,
    transport: transport.element,
    foot: edgeKey(ctx, edgeKinds(...traces.map(({ graph }) => graph)), [markEntry(ctx)]),
    tools: [
      sideSwitch(
        ctx,
        pair,
        views.map(({ title }) => title),
      ),
      button({ testid: "fit", icon: "fit", words: ctx.t("action.fit"), act: fit }),
    ],
    menu: [...views.map(({ own }) => own.tools)],
    drawers: [
      ...around,
      {
        id: "differences",
        words: ctx.t("stage.differences"),
        element: h("div", {}, ...views.map(({ listed }) => listed)),
        count: () => views.reduce((sum, view) => sum + view.differences, 0),
      },
      { id: "inspect", words: ctx.t("stage.inspect"), element: each((own) => [own.details]), key: "i" },
      { id: "queue", words: ctx.t("stage.queue"), element: each((own) => [own.queue]), key: "q" },
      { id: "table", words: ctx.t("stage.table"), element: each((own) => [own.table]), key: "t" },
    ],
    outline: each((own) => [own.outline]),
    notes: views.flatMap((view) => view.notices),
    keys: { ...transport.keys, ...cameraKeys(() => [views[0]?.own.picture]) },
    steps: true,
  });
  return parts;
}

type SideRecord = CompareRecord["sides"][number];

/** One side: its picture, what it printed, what the step did, and what only it has. */
function createSide(ctx: Context, i: number, own: TracedProgram, record: SideRecord) {
  const { title, trace, marks } = record;
  const line = createLiveLine();
  const printed = createPrintedSlots(ctx, trace);
  const show = (at: Position): void => {
    const here = clamp(runLengths(trace), at.run, at.step);
    const frame = own.show(here);
    if (!frame) return;
    const { now, after } = sentence(ctx, own.graph, trace, frame);
    // Past its own end a side repeats no step; it says that it is over.
    line.say(at.step > frame.total ? [after] : [now, after]);
    printed.show(frame);
  };
  const only = differences(ctx, own.graph, marks);
  const words = shorten(title, 80);
  const element = section(
    { class: "side", "aria-label": words, "data-side": i },
    h("h4", { class: "side-title", dir: "auto" }, h("code", {}, words)),
    h("div", { class: "side-picture" }, own.picture.element),
    h("div", { class: "printed-box" }, h("h5", {}, ctx.t("compare.printed")), printed.element),
    line.element,
  );
  const listed = section(
    { class: "difference" },
    h("h5", {}, h("code", { dir: "auto" }, words)),
    h("p", { class: "hint" }, ctx.t(only.length > 0 ? "compare.difference" : "compare.no_difference")),
    h(
      "ul",
      {},
      ...only.slice(0, LISTED).map((words) => h("li", { dir: "auto" }, words)),
      only.length > LISTED && h("li", {}, ctx.t("compare.more", { n: only.length - LISTED })),
    ),
  );
  return {
    own,
    title: words,
    element,
    show,
    listed,
    differences: only.length,
    notices: notices(ctx, trace.graph.notices),
  };
}

/** Chooses the side that a narrow frame shows. */
function sideSwitch(ctx: Context, sides: HTMLElement, titles: string[]): HTMLElement {
  const show = (chosen: number): void => {
    for (const [i, side] of [...sides.children].entries()) side.toggleAttribute("data-aside", i !== chosen);
    for (const [i, choice] of choices.entries()) choice.setAttribute("aria-pressed", String(i === chosen));
  };
  const choices = titles.map((title, i) =>
    h(
      "button",
      { type: "button", "data-testid": `side-${i}`, click: () => show(i) },
      h("code", { dir: "auto" }, shorten(title, 20)),
    ),
  );
  show(0);
  return h("div", { class: "side-switch", role: "group", "aria-label": ctx.t("stage.side") }, ...choices);
}

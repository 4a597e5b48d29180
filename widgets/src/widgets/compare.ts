/** Compare: two programs side by side under one scrubber, with their differences and their output. */

import { h, setText } from "../base/dom";
import { batched, localStore } from "../base/store";
import { oneLine } from "../base/text";
import type { Context } from "../context";
import { liveRegion } from "../controls/live-line";
import { createTransport } from "../controls/transport";
import { edgeLegend, markEntry } from "../graph/legend";
import { notices } from "../graph/notices";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { clamp, type Position, runLengths } from "../model/replay";
import type { CompareRecord, MarksRecord, TraceRecord } from "../record";
import { endSentence, stepSentence } from "../run/step-sentences";
import { column, createTracedProgram, type TracedProgram } from "../run/traced-program";
import type { Widget } from "../widget";

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

export const compare: Widget<CompareTraits> = (ctx, store) => {
  const { sides } = store.get("record");
  const runs = jointLengths(sides.map(({ trace }) => trace));
  if (runs.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("steps.none"))], keys: {}, steps: false };
  }
  const position = (): Position => clamp(runs, store.get("run"), store.get("step"));
  const transport = createTransport(ctx, { runs, position, move: (to) => store.set(to), more: [] });
  const live = liveRegion();
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
      }),
    );
  }
  const views = [...drawn]
    .sort(([a], [b]) => a - b)
    .map(([i, own]) => {
      const { title, trace, marks } = sides[i] as CompareRecord["sides"][number];
      const line = h("p");
      live.append(line);
      const printed = h("ol", { class: "printed", "data-testid": "printed" });
      const show = (at: Position): void => {
        const here = clamp(runLengths(trace), at.run, at.step);
        const frame = own.show(here);
        if (!frame) return;
        // Past its own end a side repeats no step; it says that it is over.
        const over = at.step >= frame.total ? endSentence(ctx.t, trace, frame) : null;
        const text = over && at.step > frame.total ? over : stepSentence(ctx.t, own.graph, trace, frame);
        setText(line, ctx.t("live.side", { title, text }));
        const lines = trace.runs.flatMap((record, run) => {
          if (run > here.run || (run === here.run && here.step < record.steps.length)) return [];
          const value = record.error ?? record.fetched.map((fetched) => fetched.text).join(", ");
          const words = h("li", { dir: "auto", "data-run": run, "data-value": value });
          words.append(ctx.t("compare.printed_run", { run: run + 1, value: oneLine(value) }));
          return [words];
        });
        printed.replaceChildren(
          ...(lines.length > 0 ? lines : [h("li", { class: "none" }, ctx.t("tape.later"))]),
        );
      };
      const only = differences(ctx, own.graph, marks);
      const element = column(
        title,
        own.tools,
        own.picture.element,
        h("div", { class: "printed-box" }, h("h5", {}, ctx.t("compare.printed")), printed),
        h(
          "div",
          { class: "difference" },
          h("h5", {}, ctx.t(only.length > 0 ? "compare.difference" : "compare.no_difference")),
          h(
            "ul",
            {},
            ...only.slice(0, LISTED).map((words) => h("li", { dir: "auto" }, words)),
            only.length > LISTED && h("li", {}, ctx.t("compare.more", { n: only.length - LISTED })),
          ),
        ),
        own.queue,
        own.tape,
        own.details,
        own.outline,
      );
      return { element, show, notices: notices(ctx, trace.graph.notices) };
    });
  const show = (): void => {
    transport.show();
    for (const view of views) view.show(position());
  };
  store.watch(["run", "step"], batched(show, ctx.life), ctx.life);
  show();
  return {
    body: [
      ...views.flatMap((view) => view.notices),
      transport.element,
      live,
      h("div", { class: "sides" }, ...views.map(({ element }) => element)),
      edgeLegend(ctx, [markEntry(ctx)]),
    ],
    keys: { ".": () => transport.by(1), ",": () => transport.by(-1), " ": transport.togglePlay },
    steps: true,
  };
};

/** PipelineView: elements flow through the stages of one dataset, or of two on the same clock, one move a step. */

import { h, section } from "../base/dom";
import { batched } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { createLiveLine } from "../controls/live-line";
import { createTransport } from "../controls/transport";
import type { Key } from "../i18n";
import { momentsAt, movesOf } from "../model/pipeline-state";
import { plainLane } from "../model/steps/track";
import { createPipelineClock } from "../panels/pipeline-clock";
import { moveSentences } from "../panels/pipeline-sentences";
import { createPipelineStages } from "../panels/pipeline-stages";
import { createFindings, createStageCard, createTimes } from "../panels/pipeline-times";
import type { PipelineRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface PipelineTraits {
  record: PipelineRecord;
  step: number;
}

export const pipelineView: Widget<PipelineTraits> = (ctx, store) => {
  const record = store.get("record");
  const moves = movesOf(record);
  const total = moves.length;
  const all = Math.max(...record.pipes.map((pipe) => pipe.total));
  const found = [record.differs, ...record.pipes.map((pipe) => pipe.findings)].flat().length;
  const step = (): number => Math.max(0, Math.min(total, Math.trunc(store.get("step")) || 0));
  const time = (at: number): number => (at === total ? all : (moves[at - 1]?.moment.time ?? 0));
  const card = createStageCard(ctx);
  const motion = h("div", { class: "pipe-motion", "aria-hidden": "true" });
  const views = record.pipes.map((pipe) => {
    const stages = createPipelineStages(ctx, pipe, motion, (id) => {
      card.show(pipe, id);
      drawers.open("inspect");
    });
    const clock = createPipelineClock(ctx, pipe, all);
    const title = record.pipes.length > 1 && h("h4", { dir: "auto" }, shorten(pipe.title, 80));
    const element = section(
      { class: "pipe", "aria-label": ctx.t("pipeline.one", { title: shorten(pipe.title, 60) }) },
      title,
      stages.element,
      stages.received,
      clock.element,
    );
    return { stages, clock, element };
  });
  const lanes = [plainLane([total])];
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position: () => ({ run: 0, step: step() }),
    move: (to) => store.set({ step: to.step }),
    words: (at) => ctx.t("pipeline.position", { step: at, total, time: time(at), all }),
  });
  const live = createLiveLine();
  const { parts, drawers } = createStage(ctx, {
    kind: "pipeline",
    picture: h(
      "div",
      { class: "pipes", "data-two": views.length > 1 },
      ...views.map(({ element }) => element),
      motion,
    ),
    sentence: live.element,
    transport: transport.element,
    drawers: [
      { id: "inspect", words: ctx.t("stage.inspect"), element: card.element, key: "i" },
      { id: "times", words: ctx.t("pipeline.times"), element: createTimes(ctx, record), key: "t" },
      // Closed at first: the learner steps, and then reads what there was to see.
      {
        id: "findings",
        words: ctx.t("pipeline.findings"),
        element: createFindings(ctx, record),
        count: () => found,
        key: "o",
      },
    ],
    keys: transport.keys,
    steps: true,
    help: help(ctx),
  });
  let before = step();
  const show = (): void => {
    const at = step();
    const last = moves[at - 1];
    motion.replaceChildren();
    for (const [pipe, { stages, clock }] of views.entries()) {
      const acts = last?.pipe === pipe;
      stages.show(momentsAt(moves, pipe, at), acts, acts && at === before + 1);
      clock.show(time(at));
    }
    before = at;
    transport.show();
    live.say(sentences(ctx, record, moves, at));
  };
  store.watch(["step"], batched(show, ctx.life), ctx.life);
  show();
  return parts;
};

function sentences(
  ctx: Context,
  { pipes }: PipelineRecord,
  moves: ReturnType<typeof movesOf>,
  at: number,
): string[] {
  const last = moves[at - 1];
  const pipe = last && pipes[last.pipe];
  if (!pipe) return [ctx.t("pipeline.live.ready", { n: moves.length })];
  const [first = "", ...others] = moveSentences(ctx, pipe, last.number + 1);
  const name = shorten(pipe.title, 60);
  return [pipes.length > 1 ? ctx.t("track.lane", { name, position: first }) : first, ...others];
}

function help(ctx: Context): HTMLElement[] {
  const keys: [string[], Key][] = [
    [[".", ","], "help.step"],
    [["Space"], "help.space"],
    [["Home", "End"], "help.ends"],
    [["←", "→"], "pipeline.help.arrows"],
    [["i"], "stage.inspect"],
    [["t"], "pipeline.times"],
    [["o"], "pipeline.findings"],
    [["?"], "help.question"],
    [["Esc"], "help.escape"],
  ];
  const signs: Key[] = [
    "pipeline.help.chip",
    "pipeline.help.epoch",
    "pipeline.help.slot",
    "pipeline.help.pace",
  ];
  return [
    h("h5", {}, ctx.t("help.keys")),
    h(
      "dl",
      { class: "keys" },
      ...keys.flatMap(([marks, words]) => [
        h("dt", {}, ...marks.map((mark) => h("kbd", {}, mark))),
        h("dd", {}, ctx.t(words)),
      ]),
    ),
    h("h5", {}, ctx.t("legend.title")),
    h("ul", {}, ...signs.map((words) => h("li", {}, ctx.t(words)))),
  ];
}

/** How the stages of pipelines spend the time, what was found out about order and pace, and one stage in detail. */

import { h } from "../base/dom";
import { inline, passage, shorten } from "../base/text";
import type { Context } from "../context";
import type { PipelineRecord, PipeRecord, SentenceRecord } from "../record";
import { breakableName, findingText, stageName } from "./pipeline-sentences";

const COLUMNS = ["stage", "busy", "starved", "idle", "made"] as const;

/** The name of a pipeline beside another one. */
const heading = (record: PipelineRecord, pipe: PipeRecord) =>
  record.pipes.length > 1 && h("h4", { dir: "auto" }, shorten(pipe.title, 60));

export function createFindings(ctx: Context, record: PipelineRecord): HTMLElement {
  const list = (found: readonly SentenceRecord[]) =>
    found.length > 0 && h("ul", {}, ...found.map((each) => h("li", {}, findingText(ctx, each))));
  const pipes = record.pipes.flatMap((pipe) => [
    heading(record, pipe),
    list(pipe.findings),
    !pipe.ended && pipe.error === null && h("p", { class: "hint" }, ctx.t("pipeline.goes_on")),
  ]);
  return h("div", { class: "findings", "data-testid": "findings" }, list(record.differs), ...pipes);
}

export function createTimes(ctx: Context, record: PipelineRecord): HTMLElement {
  return h(
    "div",
    { class: "rows pipe-times" },
    ...record.pipes.flatMap((pipe) => [
      heading(record, pipe),
      h(
        "table",
        { "data-testid": "times" },
        h(
          "thead",
          {},
          h("tr", {}, ...COLUMNS.map((name) => h("th", { scope: "col" }, ctx.t(`pipeline.time.${name}`)))),
        ),
        h(
          "tbody",
          {},
          ...pipe.stages.map(({ id, busy, starved, idle, made }) => {
            const stage = stageName(ctx, pipe, id);
            const name = id === pipe.bottleneck ? ctx.t("pipeline.time.pace", { stage }) : stage;
            const cells = [busy, starved, idle, made].map((number) => h("td", {}, String(number)));
            return h("tr", {}, h("th", { scope: "row" }, ...breakableName(name)), ...cells);
          }),
        ),
      ),
      h("p", { class: "hint" }, ctx.t("pipeline.time.unit", { total: pipe.total })),
    ]),
  );
}

export interface StageCard {
  element: HTMLElement;
  show: (pipe: PipeRecord, id: number) => void;
}

export function createStageCard(ctx: Context): StageCard {
  const element = h(
    "div",
    { class: "stage-card", "data-testid": "stage-card" },
    ctx.t("pipeline.card.choose"),
  );
  return {
    element,
    show(pipe, id) {
      const stage = pipe.stages[id];
      if (!stage) return;
      const { site, capacity, lanes, inner, busy, starved, idle, made, cost } = stage;
      const sentences = [
        capacity !== null && ctx.t(capacity < 0 ? "pipeline.card.any" : "pipeline.card.buffer", { capacity }),
        lanes > 1 && ctx.t("pipeline.card.lanes", { n: lanes }),
        inner && ctx.t("pipeline.card.inner"),
        stage.label.includes(").repeat(") && ctx.t("pipeline.card.joined"),
        ctx.t(stage.kind === "consumer" ? "pipeline.card.takes" : "pipeline.card.made", { n: made, cost }),
        ctx.t("pipeline.card.times", { busy, starved, idle }),
        id === pipe.bottleneck && ctx.t("pipeline.card.pace"),
      ];
      element.replaceChildren(
        h("h5", {}, h("code", {}, inline(stage.label, 90) || ctx.t("pipeline.consumer"))),
        ...(site
          ? [
              h("p", { class: "hint", dir: "auto" }, shorten(site.label, 120)),
              h("pre", { dir: "ltr" }, passage(site.source, 400)),
            ]
          : []),
        ...sentences.filter((words) => words !== false).map((words) => h("p", {}, words)),
      );
    },
  };
}

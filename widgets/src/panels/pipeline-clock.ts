/** Who works when: a line for each lane of a pipeline, on the simulated clock. */

import { h, s } from "../base/dom";
import { watchSize } from "../base/element-size";
import type { Context } from "../context";
import { lanesOf } from "../model/pipeline-state";
import type { PipeRecord } from "../record";
import { stageName } from "./pipeline-sentences";

export interface PipelineClock {
  element: HTMLElement;
  show: (time: number) => void;
}

/** `total`: the time that the width stands for. */
export function createPipelineClock(ctx: Context, pipe: PipeRecord, total: number): PipelineClock {
  const lines = lanesOf(pipe).map(({ stage, lane }) => {
    const path = pipe.work
      .filter((work) => work.stage === stage && work.lane === lane)
      .map(({ start, end }) => `M${start} 0H${end}V10H${start}Z`)
      .join("");
    const bars = (name: string): SVGSVGElement =>
      s(
        "svg",
        { class: name, viewBox: `0 0 ${total || 1} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
        s("path", { d: path }),
      );
    const name = stageName(ctx, pipe, stage);
    const several = (pipe.stages[stage]?.lanes ?? 1) > 1;
    const short = name.split("(")[0] ?? name;
    const words = several ? ctx.t("pipeline.lane", { stage: name, n: lane + 1 }) : name;
    return h(
      "div",
      { class: "work-lane" },
      h("span", { class: "lane-name", title: words }, several ? `${short} ${lane + 1}` : short),
      h("span", { class: "lane-work" }, bars("to-come"), bars("done")),
    );
  });
  const ends = h("div", { class: "work-ends" }, h("span", {}, "0 ms"), h("span", {}, `${total} ms`));
  const element = h(
    "div",
    { class: "pipe-clock", role: "img", "aria-label": ctx.t("pipeline.clock"), "data-testid": "clock" },
    h("div", { class: "work-lanes" }, ...lines),
    ends,
  );
  // More lanes than there is room for are scrolled to, by keyboard, too.
  watchSize(element, ctx.life, () => {
    element.tabIndex = element.scrollHeight > element.clientHeight + 1 ? 0 : -1;
  });
  return {
    element,
    show(time) {
      element.style.setProperty("--now", `${(total ? (100 * time) / total : 0).toFixed(2)}%`);
    },
  };
}

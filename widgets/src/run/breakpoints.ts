/** The breakpoints: a list with the hits of each, and a field for another one. Python finds the hits. */

import { h, section } from "../base/dom";
import { inline } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { createTextField } from "../controls/text-field";
import type { Place } from "../controls/timeline";
import { noticeText } from "../graph/notices";
import type { Position } from "../model/steps/replay";
import type { BreakRecord } from "../record";

const LISTED = 8;

export interface Breakpoints {
  element: HTMLElement;
  /** Sets a breakpoint on a node, or removes it. */
  toggle: (node: number) => void;
  show: (breaks: readonly BreakRecord[], at: Place) => void;
}

export const hitsAt = (breaks: readonly BreakRecord[], { timeline, run, step }: Place): BreakRecord[] =>
  breaks.filter(({ hits }) =>
    hits.some((hit) => hit.timeline === timeline && hit.run === run && hit.steps.includes(step)),
  );

export function createBreakpoints(ctx: Context, move: (to: Position) => void): Breakpoints {
  const answer = createQuestionStatus(ctx);
  const list = h("ul", { "data-testid": "breaks" });
  const field = createTextField({
    id: `${ctx.prefix}-break`,
    testid: "break-field",
    label: ctx.t("break.field"),
    words: ctx.t("break.add"),
    describedby: `${ctx.prefix}-break-hint`,
    act(text) {
      if (text === "") return;
      answer.ask("break", { text }, () => {
        field.input.value = "";
      });
    },
  });
  const element = section(
    { class: "breaks" },
    field.element,
    h("p", { class: "hint", id: `${ctx.prefix}-break-hint` }, ctx.t("break.hint")),
    answer.element,
    list,
  );
  let known: readonly BreakRecord[] | null = null;
  let of = -1;

  function item(breakpoint: BreakRecord, timeline: number): HTMLElement {
    const hits = breakpoint.hits
      .filter((hit) => hit.timeline === timeline)
      .flatMap(({ run, steps }) => steps.map((step) => ({ run, step })));
    const places = hits
      .slice(0, LISTED)
      .map((hit) =>
        h(
          "button",
          { type: "button", click: () => move(hit) },
          ctx.t("leaf.at", { run: hit.run + 1, step: hit.step }),
        ),
      );
    const remove = button({
      testid: "unbreak",
      icon: "cross",
      words: ctx.t("break.remove", { text: inline(breakpoint.text) }),
      act: () => answer.ask("unbreak", { number: breakpoint.number }, () => {}),
    });
    return h(
      "li",
      { "data-kind": breakpoint.kind },
      h(
        "div",
        { class: "bar" },
        h("span", { dir: "auto" }, ctx.t("break.hits", { text: inline(breakpoint.text), n: hits.length })),
        remove,
      ),
      h("div", { class: "actions" }, ...places),
      hits.length > LISTED && h("p", { class: "hint" }, ctx.t("break.more", { n: hits.length - LISTED })),
      breakpoint.note !== null &&
        h("p", { class: "hint" }, noticeText(ctx, `break.note.${breakpoint.note.code}`, breakpoint.note)),
    );
  }

  return {
    element,
    toggle: (node) => answer.ask("break", { node }, () => {}),
    show(breaks, at) {
      if (breaks === known && at.timeline === of) return;
      known = breaks;
      of = at.timeline;
      list.replaceChildren(
        ...(breaks.length > 0
          ? breaks.map((breakpoint) => item(breakpoint, at.timeline))
          : [h("li", { class: "hint" }, ctx.t("break.none"))]),
      );
    },
  };
}

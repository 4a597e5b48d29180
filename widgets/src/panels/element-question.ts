/** A question about an element: its value, or the elements that it reads; a reason, the button to commit, and then the answer. */

import { h, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { QuestionStatus } from "../controls/question-status";
import { elementName, type Place } from "../model/element-links";
import type { ElementAnswerRecord, QuestionForm, ReadsRecord } from "../record";

export interface ElementDraft {
  value?: string;
  reason?: string;
  picked?: [number, number][];
}

export interface ElementQuestion {
  element: HTMLElement;
  /** Asks the record's question; `answer`: shows this answer instead. */
  show: (record: ReadsRecord, draft: ElementDraft, answer: ElementAnswerRecord | null) => void;
}

export interface ElementQuestionOptions {
  status: QuestionStatus;
  draft: () => ElementDraft;
  keep: (draft: ElementDraft) => void;
  /** The user has read an answer, and goes on. */
  next: () => void;
}

export function createElementQuestion(
  ctx: Context,
  { status, draft, keep, next }: ElementQuestionOptions,
): ElementQuestion {
  const [valueId, reasonId] = [`${ctx.prefix}-answer`, `${ctx.prefix}-why`];
  const number = h("p", { class: "hint" });
  const asked = h("label", { for: valueId, class: "asked" });
  const field = (
    id: string,
    testid: string,
    words: string,
    changed: (text: string) => void,
  ): HTMLInputElement => {
    const input: HTMLInputElement = h("input", {
      type: "text",
      id,
      autocomplete: "off",
      spellcheck: "false",
      dir: "auto",
      "data-testid": testid,
      "aria-label": words || null,
      placeholder: words || null,
      input: () => changed(input.value),
      keydown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        if (input === value) reason.focus();
        else send();
      },
    });
    return input;
  };
  const value = field(valueId, "element-answer", "", (text) => keep({ ...draft(), value: text }));
  const reason = field(reasonId, "reason", ctx.t("reads.why_label"), (text) =>
    keep({ ...draft(), reason: text }),
  );
  const count = h("span", { class: "count", "data-testid": "picked" });
  const problem = h("p", { class: "problem", role: "alert", "data-testid": "problem" });
  const commit = button({
    testid: "commit",
    words: ctx.t("action.commit"),
    wide: true,
    primary: true,
    act: () => send(),
  });
  const form = h(
    "div",
    { class: "element-form posed" },
    h("div", { class: "question" }, asked, number),
    value,
    count,
    reason,
    commit,
    problem,
  );
  const verdict = createVerdict(ctx, next);
  let asks: QuestionForm = "value";

  function send(): void {
    const { value: given = "", reason: why = "", picked = [] } = draft();
    const isMissing = asks === "value" ? given.trim() === "" : picked.length === 0;
    setText(
      problem,
      isMissing ? ctx.t(asks === "value" ? "reads.missing_value" : "reads.missing_reads") : "",
    );
    if (isMissing) {
      if (asks === "value") value.focus();
      return;
    }
    status.ask("answer", { value: asks === "value" ? given : "", picked, reason: why }, () =>
      verdict.focus(),
    );
  }

  return {
    element: h("div", { class: "element-question" }, form, verdict.element),
    show(record, { value: given = "", reason: why = "", picked = [] }, answer) {
      const { question } = record;
      form.hidden = answer !== null || question === null;
      verdict.show(record, answer);
      if (!question) return;
      asks = question.form;
      const element = elementName(record, question);
      setText(asked, ctx.t(`reads.asked.${question.form}`, { element }));
      setText(
        number,
        question.total > 1 ? ctx.t("reads.number", { number: question.number, total: question.total }) : "",
      );
      value.hidden = question.form !== "value";
      count.hidden = question.form === "value";
      setText(count, ctx.t("reads.picked", { n: picked.length }));
      if (value.value !== given) value.value = given;
      if (reason.value !== why) reason.value = why;
    },
  };
}

/** What an answer is worth, and the button that goes on. */
function createVerdict(ctx: Context, next: () => void) {
  const verdict = h("p", { class: "verdict", tabindex: "-1", "data-testid": "verdict" });
  const told = h("p", { class: "told", dir: "auto" });
  const words = h("span");
  const on = button({ testid: "next", words: "", wide: true, primary: true, act: next });
  on.replaceChildren(words);
  const element = h("div", { class: "element-form answered" }, h("div", {}, verdict, told), on);
  return {
    element,
    focus: () => verdict.focus(),
    show(record: ReadsRecord, answer: ElementAnswerRecord | null): void {
      element.hidden = answer === null;
      if (!answer) return;
      const [first, ...more] = answerSentences(ctx, record, answer);
      const sign = answer.correct ? "✓ " : hasAnswer(answer) ? "✗ " : "";
      setText(verdict, `${sign}${first ?? ""}`);
      verdict.className = `verdict ${answer.correct ? "right" : sign && "wrong"}`;
      setText(told, more.join(" "));
      setText(words, ctx.t(record.question ? "reads.next" : "reads.go_on"));
    },
  };
}

const hasAnswer = ({ given, picked }: ElementAnswerRecord): boolean => given !== "" || picked.length > 0;

/** What is said of an answer: whether it is right, the wrong idea, and what the user wrote. */
function answerSentences(ctx: Context, record: ReadsRecord, answer: ElementAnswerRecord): string[] {
  const place: Place = answer;
  const params = { element: elementName(record, place), value: answer.actual, given: answer.given };
  const reason = answer.reason.trim();
  const wrote = reason ? [ctx.t("predict.you_wrote", { reason: shorten(reason, 200) })] : [];
  if (answer.form === "value") {
    const first = !answer.given ? "reads.told" : answer.correct ? "reads.right_value" : "reads.wrong_value";
    const idea = answer.idea ? [ctx.t(`reads.idea.${answer.idea}`, { other: answer.other })] : [];
    return [ctx.t(first, params), ...idea, ...wrote];
  }
  const n = record.tensors[answer.tensor]?.elements[answer.at]?.reads.length ?? 0;
  if (!hasAnswer(answer)) return [ctx.t("reads.computed", { element: params.element, n })];
  return answer.correct
    ? [ctx.t("reads.right_reads", { element: params.element, n }), ...wrote]
    : [ctx.t("reads.wrong_reads", { missed: answer.missed.length, extra: answer.extra.length }), ...wrote];
}

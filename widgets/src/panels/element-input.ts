/** The field that changes an element of an input, and the button that takes changes back. */

import { h, setText } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { QuestionStatus } from "../controls/question-status";
import { elementName, type Place } from "../model/element-links";
import type { ReadsRecord } from "../record";

export interface ElementInput {
  element: HTMLElement;
  show: (record: ReadsRecord, place: Place | null, isChanged: boolean) => void;
  /** Moves the keyboard to the field; `typed` replaces what is in it. */
  type: (typed: string) => void;
}

/** `left`: the user leaves the field for the picture. */
export function createElementInput(ctx: Context, status: QuestionStatus, left: () => void): ElementInput {
  let place: Place | null = null;
  let shown = "";
  const id = `${ctx.prefix}-element`;
  const label = h("label", { for: id });
  const field = h("input", {
    type: "text",
    id,
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "element-value",
    keydown: (event: KeyboardEvent) => {
      if (event.key === "Escape") left();
      else if (event.key === "Enter" && !event.isComposing) send();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  const send = (): void => {
    if (!place || field.value.trim() === "") return;
    status.ask("change", { ...place, text: field.value }, () => left());
  };
  const set = button({ testid: "set", words: ctx.t("reads.set"), wide: true, primary: true, act: send });
  const restore = button({
    testid: "restore",
    words: ctx.t("reads.restore"),
    wide: true,
    act: () => status.ask("restore", {}, () => left()),
  });
  const form = h("div", { class: "element-form" }, label, field, set);
  const hint = h("p", { class: "hint" }, ctx.t("reads.choose_input"));
  return {
    element: h("div", { class: "element-input" }, form, hint, restore),
    show(record, next, isChanged) {
      const tensor = next && record.tensors[next.tensor];
      const isInput = tensor?.part === "input";
      form.hidden = !isInput;
      hint.hidden = isInput;
      restore.hidden = !isChanged;
      place = isInput ? next : null;
      if (!isInput || !next) return;
      setText(label, ctx.t("reads.change", { element: elementName(record, next) }));
      const key = `${next.tensor}:${next.at}:${tensor.elements[next.at]?.text ?? ""}`;
      if (key === shown) return;
      shown = key;
      field.value = tensor.elements[next.at]?.text ?? "";
    },
    type(typed) {
      if (form.hidden) return;
      field.focus();
      if (typed) field.value = typed;
      else field.select();
    },
  };
}

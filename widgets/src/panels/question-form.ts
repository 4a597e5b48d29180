/** A question: its programs side by side, the slots for what they print, the learner's reason, and the button to commit. */

import { h, setText } from "../base/dom";
import type { Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createCodeListing, lineLabel } from "../graph/code-listing";
import { differingLines } from "../model/differing-lines";
import type { CodeRecord, PredictRecord, PredictResult } from "../record";
import { createSlots, type Slots } from "./question-slots";

/** A prompt of so many characters fits without scrolling. */
const LONG = 300;

export interface QuestionTraits {
  record: PredictRecord;
  draft: Record<string, string[]>;
  reason: string;
  committed: boolean;
  result: PredictResult | Record<string, never>;
}

export interface QuestionForm {
  element: HTMLElement;
  /** Where the reason is asked for, and later the answer is told. */
  low: HTMLElement;
  show: (committed: boolean, result: PredictResult | null) => void;
  /** Whether the learner has committed since the page was opened. */
  justCommitted: () => boolean;
}

/** The texts of the fields: one for each run of each target. */
export function fieldTexts(record: PredictRecord, draft: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    record.targets.map(({ key }) => [
      key,
      Array.from({ length: record.runs }, (_, run) => draft[key]?.[run] ?? ""),
    ]),
  );
}

export function createQuestionForm(ctx: Context, store: Store<QuestionTraits>): QuestionForm {
  const record = store.get("record");
  let own = false;
  const draft = fieldTexts(record, store.get("draft") ?? {});
  const slots = record.targets.map((target) =>
    createSlots(ctx, target, draft[target.key] ?? [], (texts) => {
      draft[target.key] = texts;
      store.set({ draft: structuredClone(draft) });
    }),
  );
  const reason = h("textarea", {
    dir: "auto",
    placeholder: ctx.t("predict.why_hint"),
    "data-testid": "reason",
    "data-slot": "",
    id: `${ctx.prefix}-reason`,
    input: () => store.set({ reason: reason.value }),
  });
  reason.value = store.get("reason") ?? "";
  const problem = h("p", { class: "problem", role: "alert", "data-testid": "problem" });
  const commit = button({
    testid: "commit",
    words: ctx.t("action.commit"),
    wide: true,
    primary: true,
    act: () => {
      const missing = slots.map((each) => each.missing()).find((field) => field);
      const words = missing?.type === "radio" ? "predict.choose_first" : "predict.missing";
      setText(problem, missing ? ctx.t(words) : "");
      if (missing) {
        missing.focus();
        return;
      }
      own = true;
      store.set({ draft: structuredClone(draft), reason: reason.value, committed: true });
    },
  });
  const asking = h(
    "div",
    { class: "why-form" },
    h("div", {}, h("label", { for: reason.id }, ctx.t("predict.why")), reason, problem),
    commit,
  );
  const low = h("div", { class: "low" }, asking);
  const element = h(
    "div",
    { class: "question-form" },
    // A long prompt scrolls, also by keyboard.
    record.prompt &&
      h(
        "p",
        { class: "prompt", dir: "auto", tabindex: record.prompt.length > LONG ? "0" : null },
        record.prompt,
      ),
    programs(ctx, record, slots),
    low,
  );
  // Enter goes on to the next field and never submits; while an input method composes it belongs to that.
  element.addEventListener("keydown", (event) => {
    const fields = [...slots.flatMap(({ fields }) => fields.filter(({ type }) => type === "text")), reason];
    const at = fields.indexOf(event.target as HTMLInputElement);
    const next = fields[at + 1];
    if (event.key !== "Enter" || at < 0 || !next || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    next.focus();
  });
  return {
    element,
    low,
    justCommitted: () => own,
    show(committed, result) {
      element.toggleAttribute("data-committed", committed);
      asking.hidden = committed;
      for (const [i, each] of slots.entries()) {
        each.lock(committed);
        each.reveal(result?.targets.find(({ key }) => key === record.targets[i]?.key) ?? null);
      }
    },
  };
}

/** Each program with the slots of its targets under it; one program for all targets stands beside their slots. */
function programs(ctx: Context, record: PredictRecord, slots: Slots[]): HTMLElement {
  const listings = codeListings(ctx, record.programs);
  const answers = record.targets.map(({ label }, i) =>
    h("div", { class: "answers" }, h("h4", { dir: "auto" }, shorten(label, 80)), slots[i]?.element),
  );
  // Of many short answers, what was printed stands at the right of the field: so all are seen at once.
  const isMany =
    record.runs === 1 &&
    record.targets.length > 2 &&
    record.targets.every(({ choices }) => choices.length === 0);
  const columns =
    listings.length > 1
      ? listings.map((listing, i) => h("div", { class: "column" }, listing, answers[i]))
      : [
          ...listings.map((listing) => h("div", { class: "column" }, listing)),
          h("div", { class: "column beside", "data-many": isMany ? "" : null }, ...answers),
        ];
  return h("div", { class: "programs", "data-columns": columns.length }, ...columns);
}

/** The listings of the programs; of two, the lines in which they differ are marked. */
function codeListings(ctx: Context, all: CodeRecord[][]): HTMLElement[] {
  const listings = all.map((codes) => createCodeListing(ctx, codes));
  const [one, other] = all;
  if (all.length === 2 && one && other) {
    const flat = (codes: CodeRecord[]): { text: string; label: string }[] =>
      codes.flatMap((code) => code.lines.map((text, i) => ({ text, label: lineLabel(code, i) })));
    const sides = [flat(one), flat(other)] as const;
    const [differ, otherDiffer] = differingLines(
      sides[0].map(({ text }) => text),
      sides[1].map(({ text }) => text),
    );
    for (const [i, lines] of [differ, otherDiffer].entries()) {
      const labels = [...lines].flatMap((at) => sides[i as 0 | 1][at]?.label ?? []);
      listings[i]?.mark({ differs: new Set(labels) });
    }
  }
  return listings.map(({ element }) => {
    element.setAttribute("aria-label", ctx.t("predict.code"));
    element.tabIndex = 0;
    return element;
  });
}

/** Reads: which element of a small graph of tensors reads which; inputs can be changed, and elements asked for. */

import { h } from "../base/dom";
import { batched, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { createQuestionStatus } from "../controls/question-status";
import { createCodeListing } from "../graph/code-listing";
import type { Key } from "../i18n";
import { changedPlaces, linksOf, type Place, placeKey } from "../model/element-links";
import { createElementFormulas } from "../panels/element-formulas";
import { createElementGrids } from "../panels/element-grids";
import { createElementInput } from "../panels/element-input";
import { marksOf } from "../panels/element-marks";
import { createElementQuestion, type ElementDraft } from "../panels/element-question";
import { createElementWords } from "../panels/element-words";
import type { ElementAnswerRecord, ReadsRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface ReadsTraits {
  record: ReadsRecord;
  /** Tensor and element that are chosen; empty at first. */
  chosen: number[];
  /** What the user has typed and chosen for the question. */
  draft: ElementDraft;
  /** How many answers the user has read. */
  seen: number;
  /** Whether an input has another value than at first. */
  changed: boolean;
}

export const reads: Widget<ReadsTraits> = (ctx, store) => {
  let record = store.get("record");
  let links = linksOf(record);
  let pointed: Place | null = null;
  let number: Place | null = null;
  let changed = new Set<string>();
  const user = createUser(store);
  const status = createQuestionStatus(ctx);
  const back = (): void => grids.focus(user.place());
  const grids = createElementGrids(ctx, {
    choose(place) {
      changed = new Set();
      store.set({ chosen: [place.tensor, place.at] });
    },
    point(place) {
      if (place && pointed && placeKey(place) === placeKey(pointed)) return;
      pointed = place;
      look();
    },
    act(place, typed, clicked) {
      if (user.isPicking()) user.pick(place);
      else if (!clicked && record.question === null) input.type(typed);
    },
  });
  const words = createElementWords(ctx, (place) => {
    number = place;
    mark();
  });
  const input = createElementInput(ctx, status, back);
  const question = createElementQuestion(ctx, {
    status,
    draft: user.draft,
    keep: (draft) => store.set({ draft }),
    next() {
      user.next();
      back();
    },
  });
  const formulas = createElementFormulas();
  const parts = stageOf(ctx, record, {
    picture: grids.element,
    sentence: words.element,
    transport: [question.element, input.element, status.element],
    formulas: formulas.element,
  });

  function mark(): void {
    const place = pointed ?? user.place();
    const answer = pointed ? null : user.answer();
    const picked = user.isPicking() ? (user.draft().picked ?? []) : [];
    grids.mark(marksOf(record, links, { place, picked, answer, changed, number }));
  }
  function look(): void {
    mark();
    words.show(record, links, pointed ?? user.place(), changed.size);
  }
  function show(): void {
    const before = record;
    record = store.get("record");
    if (record !== before) {
      links = linksOf(record);
      const isChange = before.answers.length === record.answers.length;
      changed = isChange ? changedPlaces(before, record) : new Set();
      grids.show(record);
      formulas.show(record);
    }
    const answer = user.answer();
    question.show(record, user.draft(), answer);
    input.element.hidden = answer !== null || record.question !== null;
    input.show(record, user.place(), store.get("changed") ?? false);
    grids.stop(user.place());
    look();
  }
  grids.show(record);
  formulas.show(record);
  store.watch(["record", "chosen", "draft", "seen", "changed"], batched(show, ctx.life), ctx.life);
  show();
  return parts;
};

/** What the user has chosen, entered and read. */
function createUser(store: Store<ReadsTraits>) {
  const record = (): ReadsRecord => store.get("record");
  const draft = (): ElementDraft => store.get("draft") ?? {};
  const seen = (): number => store.get("seen") ?? 0;
  const answer = (): ElementAnswerRecord | null => record().answers[seen()] ?? null;
  const place = (): Place => {
    const told = answer();
    const { tensors, question, example } = record();
    const [tensor, at] = store.get("chosen") ?? [];
    if (told) return { tensor: told.tensor, at: told.at };
    if (tensor !== undefined && at !== undefined && tensors[tensor]?.elements[at]) return { tensor, at };
    return question ?? { tensor: tensors.length - 1, at: example };
  };
  return {
    draft,
    /** The answer that is shown, until the user goes on. */
    answer,
    place,
    /** Whether a click chooses an element for the question. */
    isPicking: (): boolean => record().question?.form === "reads" && answer() === null,
    pick({ tensor, at }: Place): void {
      if (tensor === record().question?.tensor) return;
      const before = draft().picked ?? [];
      const picked = before.filter(([other, of]) => other !== tensor || of !== at);
      if (picked.length === before.length) picked.push([tensor, at]);
      store.set({ draft: { ...draft(), picked } });
    },
    next(): void {
      const { tensor, at } = place();
      store.set({ seen: seen() + 1, draft: {}, chosen: record().question ? [] : [tensor, at] });
    },
  };
}

interface Parts {
  picture: HTMLElement;
  sentence: HTMLElement;
  transport: HTMLElement[];
  formulas: HTMLElement;
}

function stageOf(ctx: Context, record: ReadsRecord, { picture, sentence, transport, formulas }: Parts) {
  const { line, prompt, codes } = record;
  const source = { id: "source", words: ctx.t("stage.code"), element: createCodeListing(ctx, codes).element };
  const { parts } = createStage(ctx, {
    kind: "reads",
    picture: h(
      "div",
      { class: "reads-picture" },
      prompt && h("p", { class: "prompt", dir: "auto" }, shorten(prompt, 400)),
      picture,
    ),
    subject: line ? h("code", { class: "line-read", dir: "ltr", title: line }, shorten(line, 80)) : null,
    sentence,
    transport: h("div", { class: "transport" }, ...transport),
    foot: key(ctx),
    drawers: [
      { id: "formulas", words: ctx.t("reads.formulas"), element: formulas, key: "t" },
      ...(codes.length > 0 ? [source] : []),
    ],
    help: help(ctx),
    keys: {},
    steps: false,
  });
  return parts;
}

/** The signs of the picture, in one line. */
function key(ctx: Context): HTMLElement {
  const signs: [string, Key][] = [
    ["read", "reads.key.read"],
    ["reader", "reads.key.reader"],
    ["outside", "reads.key.outside"],
    ["slope", "reads.key.slope"],
  ];
  return h(
    "ul",
    { class: "legend key", "aria-label": ctx.t("legend.title"), "data-testid": "legend" },
    ...signs.map(([sign, words]) =>
      h(
        "li",
        {},
        h("span", { class: `sign-${sign}`, "aria-hidden": "true" }, sign === "slope" ? "×2" : ""),
        h("span", {}, ctx.t(words)),
      ),
    ),
  );
}

function help(ctx: Context): HTMLElement[] {
  const keys: [string[], Key][] = [
    [["←", "→", "↑", "↓"], "reads.keys.arrows"],
    [["PgUp", "PgDn"], "reads.keys.tensors"],
    [["Enter"], "reads.keys.enter"],
    [["0", "…", "9"], "reads.keys.digits"],
    [["t"], "reads.formulas"],
    [["?"], "help.question"],
  ];
  return [
    h("h5", {}, ctx.t("help.keys")),
    h(
      "dl",
      { class: "keys" },
      ...keys.flatMap(([signs, words]) => [
        h("dt", {}, ...signs.map((sign) => h("kbd", {}, sign))),
        h("dd", {}, ctx.t(words)),
      ]),
    ),
  ];
}

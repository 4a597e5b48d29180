/** Predict: asks first and shows after. The user's answer is compared with those of known mental models. */

import { h, setText } from "../base/dom";
import { batched, localStore, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { isKey } from "../i18n";
import type { PredictRecord, PredictResult } from "../record";
import type { Widget, WidgetParts } from "../widget";
import { compare } from "./compare";
import { stepThrough } from "./step-through";

export interface PredictTraits {
  record: PredictRecord;
  draft: Record<string, string[]>;
  reason: string;
  committed: boolean;
  result: PredictResult | Record<string, never>;
}

/** Milliseconds: long enough for a slow program, short enough for a user who waits in vain. */
const PATIENCE_MS = 8000;

type Target = PredictResult["targets"][number];
type Model = Target["models"][number];
type Go = (run: number, step: number) => void;

/** The texts of the fields: one for each run of each target. */
export function fieldTexts(record: PredictRecord, draft: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    record.targets.map(({ key }) => [
      key,
      Array.from({ length: record.runs }, (_, run) => draft[key]?.[run] ?? ""),
    ]),
  );
}

export const predict: Widget<PredictTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const keys: WidgetParts["keys"] = {};
  const after = h("div", { class: "after" });
  const questions = form(ctx, store);
  let drawn: unknown = null;
  let inner = new AbortController();
  ctx.life.addEventListener("abort", () => inner.abort());
  let timer: ReturnType<typeof setTimeout> | undefined;
  ctx.life.addEventListener("abort", () => clearTimeout(timer));

  const show = (): void => {
    const result = store.get("result");
    const committed = store.get("committed");
    questions.lock(committed);
    if (!committed) {
      after.replaceChildren();
      drawn = null;
      return;
    }
    if (!("targets" in result)) {
      const waiting = h(
        "p",
        { class: "hint", role: "status", "data-testid": "waiting" },
        ctx.t("predict.waiting"),
      );
      clearTimeout(timer);
      timer = setTimeout(
        () => waiting.isConnected && setText(waiting, ctx.t("predict.no_kernel")),
        PATIENCE_MS,
      );
      after.replaceChildren(waiting);
      return;
    }
    if (drawn === result) return;
    drawn = result;
    inner.abort();
    inner = new AbortController();
    const watch = watchable({ ...ctx, life: inner.signal }, result as PredictResult, title);
    Object.assign(keys, watch.shown?.keys);
    const heading = h("h4", { tabindex: "-1" }, ctx.t("predict.result"));
    const reason = store.get("reason").trim();
    after.replaceChildren(
      heading,
      ...(result as PredictResult).targets.map((target) => {
        const label = record.targets.find(({ key }) => key === target.key)?.label ?? target.key;
        return verdict(ctx, label, target, watch.go);
      }),
      ...(reason
        ? [
            h(
              "blockquote",
              { dir: "auto" },
              h("h5", {}, ctx.t("predict.your_reason")),
              h("p", {}, shorten(reason, 2000)),
            ),
          ]
        : []),
      ...(watch.shown ? [h("h4", {}, ctx.t("predict.watch")), ...watch.shown.body] : []),
    );
    if (questions.justCommitted()) heading.focus();
  };
  store.watch(["committed", "result"], batched(show, ctx.life), ctx.life);
  show();
  return {
    body: [
      ...(record.prompt ? [h("p", { class: "prompt", dir: "auto" }, record.prompt)] : []),
      ...(record.code ? [program(ctx, record.code)] : []),
      questions.element,
      after,
    ],
    keys,
    steps: true,
  };
};

function program(ctx: Context, code: string): HTMLElement {
  const label = ctx.t("predict.code");
  return h(
    "section",
    { class: "program", "aria-label": label },
    h("pre", { tabindex: "0", role: "group", "aria-label": label }, h("code", {}, code)),
  );
}

interface Form {
  element: HTMLElement;
  lock: (committed: boolean) => void;
  justCommitted: () => boolean;
}

function form(ctx: Context, store: Store<PredictTraits>): Form {
  const record = store.get("record");
  const fields: HTMLInputElement[] = [];
  let own = false;
  const draft = fieldTexts(record, store.get("draft") ?? {});
  const sync = (): void => store.set({ draft: structuredClone(draft) });
  const head = h("tr", {}, h("td"));
  for (let run = 0; run < record.runs; run += 1) {
    head.append(h("th", { scope: "col" }, ctx.t("predict.run", { run: run + 1 })));
  }
  const choices = record.targets.flatMap((target) =>
    target.choices.length > 0 ? [choice(ctx, target, draft, sync)] : [],
  );
  const written = record.targets.filter((target) => target.choices.length === 0);
  const rows = written.map(({ key, label }) => {
    const row = h("tr", {}, h("th", { scope: "row", dir: "auto" }, shorten(label, 80)));
    for (let run = 0; run < record.runs; run += 1) {
      const field = h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: "false",
        dir: "auto",
        "aria-label": ctx.t("predict.field", { target: label, run: run + 1 }),
        "data-testid": `predict-${key}-${run}`,
        input: () => {
          const list = draft[key] ?? [];
          list[run] = field.value;
          field.removeAttribute("aria-invalid");
          sync();
        },
        keydown: (event: KeyboardEvent) => {
          // Enter goes on to the next field and never submits; while an input method composes it belongs to that.
          if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          (fields[fields.indexOf(field) + 1] ?? reason).focus();
        },
      });
      field.value = draft[key]?.[run] ?? "";
      fields.push(field);
      row.append(h("td", {}, field));
    }
    return row;
  });
  const hintId = `${ctx.prefix}-reason-hint`;
  const reason = h("textarea", {
    rows: 2,
    dir: "auto",
    "aria-describedby": hintId,
    "data-testid": "reason",
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
      const empty = fields.filter((field) => field.value.trim() === "");
      for (const field of empty) field.setAttribute("aria-invalid", "true");
      const open = choices.find((each) => !each.radios.some(({ checked }) => checked));
      const first = open?.radios[0] ?? empty[0];
      setText(problem, first ? ctx.t(open ? "predict.choose_first" : "predict.missing") : "");
      if (first) {
        first.focus();
        return;
      }
      own = true;
      store.set({ draft: structuredClone(draft), reason: reason.value, committed: true });
    },
  });
  const once = h("p", { class: "hint" }, ctx.t("predict.once"));
  const actions = h("div", { class: "actions" }, commit, once);
  const question = ctx.t(written.length > 0 ? "predict.ask" : "predict.choose");
  const element = h(
    "div",
    { class: "form", role: "group", "aria-label": question },
    h("p", { class: "ask" }, question),
    written.length > 0 &&
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))),
    ...choices.map((each) => each.element),
    h("label", { for: reason.id }, ctx.t("predict.reason")),
    reason,
    h("p", { class: "hint", id: hintId }, ctx.t("predict.reason_hint")),
    problem,
    actions,
  );
  return {
    element,
    justCommitted: () => own,
    lock(committed) {
      for (const field of [...fields, reason]) field.readOnly = committed;
      for (const radio of choices.flatMap(({ radios }) => radios)) radio.disabled = committed;
      actions.hidden = committed;
      element.toggleAttribute("data-committed", committed);
    },
  };
}

interface Choice {
  element: HTMLElement;
  radios: HTMLInputElement[];
}

/** One answer out of several, each of which a mental model predicts, with one value for each run. */
function choice(
  ctx: Context,
  { key, label, choices }: PredictRecord["targets"][number],
  draft: Record<string, string[]>,
  sync: () => void,
): Choice {
  const chosen = JSON.stringify(draft[key]);
  const radios = choices.map((texts) => {
    const radio = h("input", {
      type: "radio",
      name: `${ctx.prefix}-choice-${key}`,
      "data-testid": `choice-${key}`,
      change: () => {
        draft[key] = [...texts];
        sync();
      },
    });
    radio.checked = JSON.stringify(texts) === chosen;
    return radio;
  });
  const options = choices.map((texts, i) =>
    h("label", {}, radios[i], h("code", { dir: "auto" }, shorten(texts.join(", "), 300))),
  );
  const element = h(
    "fieldset",
    { class: "choices" },
    h("legend", { dir: "auto" }, shorten(label, 80)),
    ...options,
  );
  return { element, radios };
}

/** The Compare or StepThrough of the answer, with a function that jumps to one of its steps. */
function watchable(
  ctx: Context,
  result: PredictResult,
  title: string,
): { shown: WidgetParts | null; go: Go | null } {
  if (result.compare) {
    const store = localStore({ record: result.compare, run: 0, step: 0 });
    return { shown: compare(ctx, store, title), go: (run, step) => store.set({ run, step }) };
  }
  if (result.trace) {
    const store = localStore({ record: result.trace, run: 0, step: 0 });
    return { shown: stepThrough(ctx, store, title), go: (run, step) => store.set({ run, step }) };
  }
  return { shown: null, go: null };
}

function verdict(ctx: Context, label: string, target: Target, go: Go | null): HTMLElement {
  const values = (list: string[]): string => list.map((text) => text || ctx.t("predict.empty")).join(", ");
  const cell = (text: string): HTMLElement =>
    h("td", {}, h("code", { dir: "auto" }, shorten(text || ctx.t("predict.empty"), 80)));
  const head = h("tr", {}, h("td"));
  const you = h("tr", {}, h("th", { scope: "row" }, ctx.t("predict.you")));
  const engine = h("tr", {}, h("th", { scope: "row" }, ctx.t("predict.engine")));
  target.actual.forEach((actual, run) => {
    const written = target.predicted[run] ?? "";
    head.append(h("th", { scope: "col" }, ctx.t("predict.run", { run: run + 1 })));
    you.append(cell(written));
    engine.append(cell(actual));
  });
  const matching = target.models.filter(({ matches }) => matches);
  const others = target.models.filter(({ matches }) => !matches);
  const cards = matching.map((model) => modelCard(ctx, model, values, go));
  const intro = target.correct
    ? "predict.model_lucky"
    : matching.length > 0
      ? "predict.model_match"
      : "predict.model_none";
  return h(
    "section",
    { class: "verdict", "data-testid": `verdict-${target.key}`, "data-correct": String(target.correct) },
    h(
      "p",
      { class: target.correct ? "right" : "wrong" },
      h("span", { "aria-hidden": "true" }, target.correct ? "✓ " : "✕ "),
      ctx.t(target.correct ? "predict.correct" : "predict.wrong", { target: label }),
    ),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, you, engine))),
    ...(target.correct && matching.length === 0 ? [] : [h("p", {}, ctx.t(intro))]),
    ...cards,
    others.length > 0
      ? h(
          "details",
          {},
          h("summary", {}, ctx.t("predict.model_other")),
          ...others.map((model) => modelCard(ctx, model, values, go)),
        )
      : null,
  );
}

function modelCard(
  ctx: Context,
  model: Model,
  values: (list: string[]) => string,
  go: Go | null,
): HTMLElement {
  const title = `model.${model.model}`;
  const why = `${title}.why`;
  const { diverges } = model;
  const jump =
    diverges && go
      ? button({
          testid: "show-step",
          icon: "target",
          words: ctx.t("predict.show_step"),
          wide: true,
          act: () => go(diverges.run, diverges.step),
        })
      : null;
  return h(
    "article",
    { class: "model", "data-model": model.model, "data-matches": String(model.matches) },
    h("h5", {}, isKey(title) ? ctx.t(title) : shorten(model.model, 80)),
    isKey(why) ? h("p", {}, ctx.t(why)) : null,
    h("p", {}, ctx.t("predict.model_predicts", { values: values(model.predicts) })),
    diverges
      ? h(
          "p",
          { dir: "auto" },
          ctx.t("predict.diverges", {
            run: diverges.run + 1,
            step: diverges.step,
            node: diverges.name,
            model_value: diverges.model_value,
            engine_value: diverges.engine_value,
          }),
        )
      : h("p", {}, ctx.t("predict.same_here")),
    jump,
  );
}

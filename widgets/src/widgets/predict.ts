/** Predict: asks first and shows after. The user's answer is compared with those of known mental models. */

import { h, setAttribute, setText } from "../base/dom";
import { goToStep, waitingFor } from "../base/page-links";
import { batched, localStore } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { isKey } from "../i18n";
import { createQuestionForm, type QuestionTraits } from "../panels/question-form";
import type { PredictResult } from "../record";
import { createStage } from "../stage/stage";
import type { Widget, WidgetParts } from "../widget";
import { compare } from "./compare";
import { stepThrough } from "./step-through";

export interface PredictTraits extends QuestionTraits {
  question: string;
  /** Why there is no answer; empty while there may be one. */
  failure?: string;
}

/** Milliseconds: long enough for a slow program, short enough for a user who waits in vain. */
const PATIENCE_MS = 8000;

type Target = PredictResult["targets"][number];
type Model = Target["models"][number];
type Go = (run: number, step: number) => void;

const PHASES = ["predict", "see", "watch"] as const;
type Phase = (typeof PHASES)[number];

export const predict: Widget<PredictTraits> = (ctx, store, title) => {
  const form = createQuestionForm(ctx, store);
  const told = h("div", { class: "answer-told", hidden: true });
  form.low.append(told);
  const ideas = h("div", { class: "ideas" });
  const phases = createPhases(ctx, (phase) => turnTo(phase));
  const watching = h("div", { class: "watching", hidden: true });
  const innerTools = h("div", { class: "room" });
  const { parts, drawers } = createStage(ctx, {
    kind: "question",
    picture: form.element,
    drawers: [],
    extra: [{ id: "ideas", words: ctx.t("predict.other_ideas"), element: ideas }],
    tools: [phases.element, innerTools],
    keys: {},
    steps: true,
  });
  let drawn: unknown = null;
  let inner = new AbortController();
  let watch: Watch | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  ctx.life.addEventListener("abort", () => {
    inner.abort();
    clearTimeout(timer);
  });

  function turnTo(phase: Phase): void {
    const inside = watch?.shown ?? null;
    const isWatching = phase === "watch" && inside !== null;
    phases.show(phase, watch !== null);
    watching.hidden = !isWatching;
    for (const band of parts.body) if (band !== watching) band.hidden = isWatching;
    innerTools.replaceChildren(...(isWatching ? (inside.tools ?? []) : []));
    for (const key of Object.keys(inside?.keys ?? {})) delete parts.keys[key];
    if (isWatching) Object.assign(parts.keys, inside.keys);
    if (phase === "watch" && !inside) watch?.go(0, 0);
  }

  function show(): void {
    const committed = store.get("committed");
    const found = store.get("result");
    const result = committed && "targets" in found ? (found as PredictResult) : null;
    const failure = store.get("failure") ?? "";
    if (drawn === (result ?? (failure || committed))) return;
    drawn = result ?? (failure || committed);
    clearTimeout(timer);
    form.show(committed, result);
    told.hidden = !committed;
    inner.abort();
    if (!result) {
      if (!committed) phases.show("predict", false);
      const waiting = h(
        "p",
        { class: "hint", role: "status", "data-testid": "waiting" },
        failure ? ctx.t("ask.failed", { error: failure }) : ctx.t("predict.waiting"),
      );
      if (!failure) timer = setTimeout(() => setText(waiting, ctx.t("predict.no_kernel")), PATIENCE_MS);
      told.replaceChildren(...(committed ? [waiting] : []));
      return;
    }
    inner = new AbortController();
    watch = watchable(ctx, inner.signal, result, title, store.get("question"));
    watching.replaceChildren(...(watch.shown?.body ?? []));
    const go: Go = (run, step) => {
      drawers.close();
      turnTo("watch");
      watch?.go(run, step);
    };
    const labels = new Map(store.get("record").targets.map(({ key, label }) => [key, label]));
    const idea = tell(ctx, result, store.get("reason").trim(), watch.can() ? go : null, () =>
      drawers.open("ideas"),
    );
    told.replaceChildren(...idea);
    ideas.replaceChildren(
      ...result.targets.flatMap((target) => [
        ...(target.models.length > 0
          ? [h("h5", { dir: "auto" }, shorten(labels.get(target.key) ?? "", 80))]
          : []),
        ...target.models.map((model) => modelCard(ctx, model, watch?.can() ? go : null)),
      ]),
    );
    turnTo("see");
    if (form.justCommitted()) {
      (idea[0] as HTMLElement).focus({ preventScroll: true });
      if (!ctx.calm()) comeOut(form.element, told, store.get("record").runs);
    }
  }
  store.watch(["committed", "result", "failure"], batched(show, ctx.life), ctx.life);
  show();
  parts.body.push(watching);
  const close = parts.close;
  return { ...parts, close: () => [close, watch?.shown?.close].some((closes) => closes?.()) };
};

/** Milliseconds from one run to the next. */
const RUN_MS = 400;

/** The runs come out one at a time, then the verdicts, then what they mean. */
function comeOut(form: HTMLElement, told: HTMLElement, runs: number): void {
  const hidden: Keyframe = { opacity: 0, transform: "translateY(6px)" };
  const unmarked: Keyframe = { borderColor: "var(--edge-line)", background: "var(--panel)" };
  const after = (element: Element, delay: number, from = hidden): void => {
    element.animate?.([from, {}], { duration: 240, delay, easing: "ease-out", fill: "backwards" });
  };
  for (const out of form.querySelectorAll<HTMLElement>(".printed-row .slot, .slot-table .sign")) {
    const run = Array.from(out.closest("tr")?.children ?? []).indexOf(out.closest("td") as Element) - 1;
    after(out, run * RUN_MS);
    const answer = out.matches(".sign") && out.parentElement?.querySelector("input, .slot");
    if (answer) after(answer, run * RUN_MS, unmarked);
  }
  for (const verdict of form.querySelectorAll(".verdict")) after(verdict, runs * RUN_MS);
  after(told, runs * RUN_MS + 200);
}

/** The three steps of a question in the head; those that are open are buttons. */
function createPhases(
  ctx: Context,
  go: (phase: Phase) => void,
): { element: HTMLElement; show: (now: Phase, canWatch: boolean) => void } {
  const buttons = PHASES.map((phase) =>
    button({
      testid: `phase-${phase}`,
      words: ctx.t(`predict.phase.${phase}`),
      wide: true,
      act: () => buttons[PHASES.indexOf(phase)]?.ariaDisabled !== "true" && go(phase),
    }),
  );
  const items = buttons.map((each) => h("li", {}, each));
  return {
    element: h("ol", { class: "phases", "aria-label": ctx.t("predict.steps") }, ...items),
    show(now, canWatch) {
      for (const [i, each] of buttons.entries()) {
        const isOpen = now === "predict" ? i === 0 : i === 1 || (i === 2 && canWatch);
        setAttribute(each, "aria-disabled", String(!isOpen));
        each.toggleAttribute("data-done", i === 0 && now !== "predict");
        if (PHASES[i] === now) each.setAttribute("aria-current", "step");
        else each.removeAttribute("aria-current");
      }
    },
  };
}

interface Watch {
  /** The Compare or StepThrough of the answer, if the question has it; else a widget below has the runs. */
  shown: WidgetParts | null;
  can: () => boolean;
  go: Go;
}

function watchable(
  ctx: Context,
  life: AbortSignal,
  result: PredictResult,
  title: string,
  question: string,
): Watch {
  const own: Context = { ...ctx, life, prefix: `${ctx.prefix}-watch` };
  if (result.compare) {
    const store = localStore({ record: result.compare, run: 0, step: 0 });
    return {
      shown: compare(own, store, title),
      can: () => true,
      go: (run, step) => store.set({ run, step }),
    };
  }
  if (result.trace) {
    const store = localStore({ record: result.trace, run: 0, step: 0 });
    return {
      shown: stepThrough(own, store, title),
      can: () => true,
      go: (run, step) => store.set({ run, step }),
    };
  }
  return {
    shown: null,
    can: () => waitingFor(question) !== null,
    go(run, step) {
      const below = waitingFor(question);
      if (below) goToStep(below, run, step);
    },
  };
}

/** What the answer says: the wrong idea that it follows from, the learner's reason, and the one way on. */
function tell(
  ctx: Context,
  { targets }: PredictResult,
  reason: string,
  go: Go | null,
  more: () => void,
): HTMLElement[] {
  const wrong = targets.find(({ correct }) => !correct);
  const target = wrong ?? targets.find(({ models }) => models.some(({ matches }) => matches));
  const model = target?.models.find(({ matches }) => matches);
  const name = model ? `model.${model.model}` : "";
  const [think, fact, words] = [`${name}.think`, `${name}.fact`, isKey(name) ? ctx.t(name) : name];
  const first = wrong
    ? isKey(think)
      ? ctx.t(think)
      : ctx.t("predict.no_idea")
    : model
      ? ctx.t("predict.lucky", { idea: words })
      : ctx.t("predict.all_right");
  const run = Math.max(0, wrong?.right.indexOf(false) ?? 0);
  const at = (wrong && model?.diverges) || { run, step: 0 };
  const others = targets.reduce((sum, each) => sum + each.models.length, 0);
  const idea = h(
    "div",
    { class: "idea", tabindex: "-1", "data-testid": "idea", "data-model": model?.model ?? null },
    h("p", {}, h("strong", {}, first), " ", isKey(fact) ? ctx.t(fact) : null),
    reason
      ? h(
          "blockquote",
          { dir: "auto", "data-testid": "your-reason" },
          ctx.t("predict.you_wrote", { reason: shorten(reason, 2000) }),
        )
      : null,
  );
  const on = h(
    "div",
    { class: "on" },
    go &&
      button({
        testid: "watch",
        icon: "target",
        words: ctx.t(wrong && targets.length > 1 ? "predict.watch_parting" : "predict.watch"),
        wide: true,
        primary: true,
        act: () => go(at.run, at.step),
      }),
    wrong && model?.diverges
      ? h("p", { class: "hint" }, ctx.t("predict.first_wrong", { run: at.run + 1, step: at.step }))
      : null,
    others > 0 &&
      button({ testid: "other-ideas", words: ctx.t("predict.other_ideas"), wide: true, act: more }),
  );
  return [idea, on];
}

function modelCard(ctx: Context, model: Model, go: Go | null): HTMLElement {
  const [title, fact] = [`model.${model.model}`, `model.${model.model}.fact`];
  const values = model.predicts.map((text) => text || ctx.t("predict.empty")).join(", ");
  const { diverges } = model;
  return h(
    "article",
    { class: "model", "data-model": model.model, "data-matches": String(model.matches) },
    h("h5", {}, isKey(title) ? ctx.t(title) : shorten(model.model, 80)),
    isKey(fact) ? h("p", {}, ctx.t(fact)) : null,
    h("p", {}, ctx.t("predict.model_predicts", { values })),
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
    diverges && go
      ? button({
          testid: "show-step",
          icon: "target",
          words: ctx.t("predict.phase.watch"),
          wide: true,
          act: () => go(diverges.run, diverges.step),
        })
      : null,
  );
}

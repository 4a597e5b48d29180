/** The state beside a picture: each variable with its value in every run, and what the runs printed. */

import { h, renew } from "../base/dom";
import { watchSize } from "../base/element-size";
import { oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { fetchLabels } from "../model/node-values";
import { programName, variableName } from "../model/program-names";
import { type Frame, frameAt } from "../model/steps/replay";
import { TIMES } from "../picture/motion";
import type { TraceRecord } from "../record";
import { createLoopRows } from "./loop-rows";
import { createPrintedSlots, listedRuns, RUNS } from "./printed-slots";

export interface StateColumn {
  element: HTMLElement;
  /** `from`: the place of a node's value in the picture. */
  show: (frame: Frame, forward: boolean, from: (node: number) => DOMRect | null) => void;
}

/** How many variables have a card with all their runs, if they are the only ones; more have a row each. */
const CARDS = 2;
/** The longest title, in characters. */
const LONG = 400;

/** A value that rolls from the old text to the new one. `most`: how many characters of it are shown. */
function createRoll(
  ctx: Context,
  most: number,
): {
  element: HTMLElement;
  show: (value: string | undefined, roll: boolean) => void;
} {
  const element = h("div", { class: "roll", dir: "auto" }, h("span", {}));
  let text = "";
  let shown: string | undefined | null = null;
  return {
    element,
    show(value, roll) {
      // Most variables keep their value at most steps.
      if (value === shown) {
        element.removeAttribute("data-written");
        return;
      }
      const before = text;
      shown = value;
      text = value === undefined ? ctx.t("stage.unset") : shorten(oneLine(value), most);
      for (const running of element.getAnimations?.({ subtree: true }) ?? []) running.cancel();
      element.replaceChildren(h("span", {}, text));
      element.title = text;
      // Without motion, a frame marks the new value until the next step.
      element.toggleAttribute("data-written", roll && ctx.calm());
      if (!roll || ctx.calm() || !element.animate) return;
      const old = h("span", { class: "old", "aria-hidden": "true" }, before);
      element.append(old);
      // As in the picture: the number changes when the inputs have come.
      const speed = ctx.pace.speed();
      const timing: KeyframeAnimationOptions = {
        duration: TIMES.roll / speed,
        delay: TIMES.glide / speed,
        easing: "ease-out",
        fill: "backwards",
      };
      old.animate(
        [
          { transform: "none", opacity: 1 },
          { transform: "translateY(-100%)", opacity: 0 },
        ],
        timing,
      ).onfinish = () => old.remove();
      element.firstElementChild?.animate([{ transform: "translateY(100%)" }, { transform: "none" }], timing);
      element.animate([{ background: "var(--mark-ground)", boxShadow: "inset 0 0 0 2px var(--mark)" }, {}], {
        duration: TIMES.flash / speed,
        delay: TIMES.glide / speed,
      });
    },
  };
}

/** The values of a variable: at the start, and after each run up to a frame. */
function valuesOf(trace: TraceRecord, frame: Frame, name: string): string[] {
  const start = new Map(trace.runs[0]?.start.variables).get(name) ?? "";
  const ends = trace.runs.map((run, i) => {
    if (i > frame.run) return "";
    if (i === frame.run) return frame.step > 0 ? (frame.variables.get(name) ?? "") : "";
    return frameAt(trace, { run: i, step: run.steps.length })?.variables.get(name) ?? "";
  });
  return [start, ...ends];
}

/** What holds state between the steps: a variable, or another node that keeps something under its name, such as a queue. */
interface Holder {
  name: string;
  node: number;
  isVariable: boolean;
}

/** The holders that the trace starts with, reads or writes, the variables first. */
function touchedHolders(graph: Graph, trace: TraceRecord): Holder[] {
  const touched = new Set(
    trace.runs.flatMap(({ start, steps }) => [
      ...start.variables.map(([name]) => name),
      ...steps.flatMap(({ reads, writes }) => [...reads, ...writes].map(([name]) => name)),
    ]),
  );
  const variables = graph.record.variables.flatMap(({ name, node }) =>
    touched.has(name) ? [{ name, node, isVariable: true }] : [],
  );
  const known = new Set(variables.map(({ name }) => name));
  const others = graph.record.nodes.flatMap(({ id, name }) =>
    touched.has(name) && !known.has(name) ? [{ name, node: id, isVariable: false }] : [],
  );
  return [...variables, ...others];
}

/** The card of a holder, or its row where there are many. `hasHistory`: with the values of all runs. */
function createCard(ctx: Context, graph: Graph, holder: Holder, isWide: boolean, hasHistory: boolean) {
  const { name, node, isVariable } = holder;
  const history = hasHistory && isVariable ? h("dl", { class: "history" }) : null;
  const roll = createRoll(ctx, isVariable ? 40 : 96);
  const called = (!isVariable && programName(graph, node)) || variableName(graph, name);
  const maker = graph.node.get(node);
  const kind = isVariable ? maker?.outputs[0]?.dtype.replace(/_ref$/, "") : maker?.type;
  const element = h(
    "div",
    {
      class: isWide ? "variable card" : "variable",
      "data-variable": name,
      "data-held": !isVariable || null,
      title: shorten(name, LONG),
    },
    h(
      "div",
      { class: "top" },
      h("code", { dir: "auto" }, shorten(called, isWide ? 24 : 12)),
      isWide && kind !== called && h("span", { class: "hint" }, shorten(kind ?? "", 16)),
    ),
    roll.element,
    history,
  );
  return { name, roll, history, element };
}

/** Lists a variable's values in the runs up to a frame. */
function showHistory(
  ctx: Context,
  history: HTMLElement,
  trace: TraceRecord,
  frame: Frame,
  name: string,
): void {
  const { t } = ctx;
  const values = valuesOf(trace, frame, name);
  const [first, end] = listedRuns(trace.runs.length, frame.run);
  const entries = [
    ...(first === 0 ? [[t("stage.start"), values[0] ?? ""]] : []),
    ...values.slice(first + 1, end + 1).map((value, i) => [t("stage.run", { n: first + i + 1 }), value]),
  ].slice(-RUNS);
  renew(
    history,
    entries.map(([label, value]) =>
      h(
        "div",
        {},
        h("dt", {}, label),
        h(
          "dd",
          { dir: "auto", title: value ? shorten(value, LONG) : null },
          shorten(oneLine(value || "·"), 9),
        ),
      ),
    ),
  );
}

export function createStateColumn(ctx: Context, graph: Graph, trace: TraceRecord): StateColumn {
  const { t } = ctx;
  const holders = touchedHolders(graph, trace);
  const isWide = holders.length <= CARDS;
  const hasHistory = isWide && trace.runs.length > 1;
  const cards = holders.map((holder) => createCard(ctx, graph, holder, isWide, hasHistory));
  const cardOf = new Map(cards.map((card) => [card.name, card]));
  /** The holders that the step that is shown wrote. */
  let marked = new Set<string>();
  const loopRows = createLoopRows(ctx, trace);
  const printed = createPrintedSlots(ctx, trace);
  const labels = [...fetchLabels(graph, trace).values()].join(", ");
  const title = holders.every(({ isVariable }) => isVariable) ? "stage.variables" : "stage.state";
  const variables = h(
    "div",
    { class: isWide ? "variables" : "variables many", tabindex: isWide ? null : "0" },
    ...cards.map((card) => card.element),
  );
  // On a phone, cards that are higher than their place are scrolled to, by keyboard, too.
  if (isWide) {
    watchSize(variables, ctx.life, () => {
      variables.tabIndex = variables.scrollHeight > variables.clientHeight + 1 ? 0 : -1;
    });
  }
  const element = h(
    "div",
    { class: "state" },
    holders.length > 0 && h("h4", {}, t(title)),
    variables,
    ...(loopRows?.parts ?? []),
    h(
      "h4",
      { class: "printed-by" },
      t("stage.printed"),
      " ",
      h("code", { title: shorten(labels, LONG) }, `session.run(${shorten(labels, 18)})`),
    ),
    printed.element,
  );

  return {
    element,
    show(frame, forward, from) {
      const writes = new Set(frame.last?.writes.map(([name]) => name));
      // A step changes few of many holders.
      for (const name of forward ? new Set([...marked, ...writes]) : cardOf.keys()) {
        const card = cardOf.get(name);
        card?.roll.show(frame.variables.get(name), forward && writes.has(name));
        card?.element.toggleAttribute("data-now", writes.has(name));
      }
      marked = writes;
      for (const { history, name } of cards) if (history) showHistory(ctx, history, trace, frame, name);
      loopRows?.show(frame);
      // The result comes out of the picture when the run is over.
      const fetched = forward && frame.step === frame.total ? trace.fetches[0] : undefined;
      printed.show(frame, fetched && from(fetched.node));
    },
  };
}

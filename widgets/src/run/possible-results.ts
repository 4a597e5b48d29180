/** The possible results, each with an order that gives it, to copy, to play, and to compare with another. */

import { h, section, setText } from "../base/dom";
import { passage, shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { iterationText } from "../model/loops/loop-iterations";
import type { BeforeRecord, OutcomesRecord, WayRecord } from "../record";
import { drawLane, sharedParts } from "./outcome-lanes";

const LONG = 300;

/** Actions on an order, by its name: "0" is the order of the first result, "0.1" the second order of the first race. */
export interface OrderActions {
  play: (name: string) => void;
  beside: (name: string) => void;
}

export interface OrderPart {
  element: HTMLElement;
  /** Which orders are shown now. */
  show: (playing: string, beside: string) => void;
  /** An order that the record left out; Python sends it. */
  tell: (name: string, way: WayRecord) => void;
}

/** A, B, …, Z, A1, B1, … */
export const letter = (at: number): string =>
  `${String.fromCharCode(65 + (at % 26))}${at < 26 ? "" : Math.floor(at / 26)}`;

/** An order in words, one line for each run. */
function orderTexts(ctx: Context, graph: Graph, way: WayRecord): string[] {
  const named = (id: number, iteration: string): string => {
    const node = nodeName(graph, id);
    if (!iteration) return node;
    return ctx.t("outcomes.in_iteration", {
      node,
      iteration: iterationText(iteration.split(".").map(Number)),
    });
  };
  const pair = ({ first, second, first_iteration, second_iteration }: BeforeRecord): string =>
    ctx.t("outcomes.before", {
      first: named(first, first_iteration),
      second: named(second, second_iteration),
    });
  return way.schedules.map((schedule, run) => {
    const pairs = way.before[run] ?? [];
    const listed = schedule === "creation" ? "outcomes.creation" : "outcomes.listed";
    const text = pairs.length > 0 ? pairs.map(pair).join("; ") : ctx.t(listed);
    return way.schedules.length > 1 ? ctx.t("outcomes.first_run", { run: run + 1, text }) : text;
  });
}

/** One order: in words if `worded`, as schedules to copy, and with buttons that play or compare it. */
export function orderPart(
  ctx: Context,
  graph: Graph,
  name: string,
  way: WayRecord,
  actions: OrderActions,
  worded: boolean,
): OrderPart {
  const play = button({
    testid: `play-${name}`,
    icon: "play",
    words: ctx.t("outcomes.play"),
    wide: true,
    act: () => actions.play(name),
  });
  const beside = button({
    testid: `beside-${name}`,
    words: ctx.t("outcomes.beside"),
    wide: true,
    act: () => actions.beside(name),
  });
  const lines = h("div");
  const tell = (of: string, record: WayRecord): void => {
    if (of !== name) return;
    const words = worded ? orderTexts(ctx, graph, record) : [];
    lines.replaceChildren(
      ...words.map((text) => h("p", { dir: "auto" }, text)),
      ...scheduleLines(ctx, record.schedules),
    );
  };
  tell(name, way);
  return {
    element: h("div", {}, lines, h("div", { class: "actions" }, play, beside)),
    show(playing, other) {
      play.setAttribute("aria-pressed", String(playing === name));
      beside.setAttribute("aria-pressed", String(other === name));
      beside.hidden = playing === name;
    },
    tell,
  };
}

/** Joins elements in one. */
export function joinElements(element: HTMLElement, parts: OrderPart[]): OrderPart {
  return {
    element,
    show(playing, beside) {
      for (const part of parts) part.show(playing, beside);
    },
    tell(name, way) {
      for (const part of parts) part.tell(name, way);
    },
  };
}

/** Schedules as a session takes them, each with a button that copies it. */
function scheduleLines(ctx: Context, schedules: string[]): HTMLElement[] {
  const status = h("span", { class: "hint", role: "status" });
  const copy = (text: string): void => {
    const done = (words: string): void => setText(status, words);
    // An insecure page has no clipboard: the text can be selected.
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => done(ctx.t("outcomes.copied")),
      () => done(ctx.t("outcomes.copy_failed")),
    );
  };
  const lines = schedules.map((schedule) => {
    const text = `schedule="${schedule}"`;
    return h(
      "p",
      { class: "schedule" },
      h("code", { dir: "ltr" }, passage(text, LONG)),
      button({ testid: "copy", icon: "copy", words: ctx.t("outcomes.copy"), act: () => copy(text) }),
    );
  });
  lines[0]?.append(status);
  return lines;
}

export function createPossibleResults(
  ctx: Context,
  graph: Graph,
  record: OutcomesRecord,
  actions: OrderActions,
): OrderPart {
  const parts: OrderPart[] = [];
  const shared = sharedParts(record.results);
  const items = record.results.map(({ values, error, way }, at) => {
    const part = orderPart(ctx, graph, String(at), way, actions, true);
    parts.push(part);
    const what = [...values, ...(error === null ? [] : [error])];
    return h(
      "li",
      { class: "result", "data-testid": `result-${at}`, "data-failed": error !== null },
      record.results.length > 1 && drawLane(shared, at),
      h(
        "p",
        { class: "value" },
        h("span", { class: "letter" }, letter(at)),
        h("code", { dir: "auto" }, shorten(what.join(" → "), LONG)),
      ),
      // A single result is played already.
      record.results.length > 1 && part.element,
    );
  });
  const more = record.more_results;
  const element = section(
    { class: "panel results" },
    h("h4", {}, ctx.t("outcomes.results")),
    h("ol", { "data-testid": "results" }, ...items),
    more > 0 && h("p", { class: "hint" }, ctx.t("outcomes.more", { count: more })),
  );
  return joinElements(element, parts);
}

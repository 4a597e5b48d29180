/** Step, back, play, and one scrubber over the steps of all runs. */

import { h, setAttribute } from "../base/dom";
import type { Context } from "../context";
import { drawIcon } from "../draw/icon";
import { clamp, fromOffset, lastOffset, type Position, toOffset } from "../model/replay";
import { button } from "./button";

const PACE_MS = 900;
/** The font of the position, as in the style sheet. */
const POSITION = { size: 13, weight: 400 };

export interface TransportOptions {
  /** The number of steps of each run; `changed` tells when they change. */
  runs: number[] | (() => number[]);
  position: () => Position;
  move: (to: Position) => void;
  more: HTMLElement[];
  /** The words of a position; by default they name run and step. */
  words?: (step: number, total: number) => string;
}

export interface Transport {
  element: HTMLElement;
  show: () => void;
  by: (steps: number) => void;
  togglePlay: () => void;
}

export function createTransport(ctx: Context, options: TransportOptions): Transport {
  const runs = (): number[] => (typeof options.runs === "function" ? options.runs() : options.runs);
  const last = (): number => lastOffset(runs());
  let timer: ReturnType<typeof setInterval> | undefined;
  const here = (): number => {
    const { run, step } = options.position();
    return toOffset(runs(), clamp(runs(), run, step));
  };
  const go = (offset: number): void =>
    options.move(fromOffset(runs(), Math.max(0, Math.min(last(), offset))));
  const by = (steps: number): void => {
    stop();
    go(here() + steps);
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    show();
  };
  const togglePlay = (): void => {
    if (timer !== undefined) {
      stop();
      return;
    }
    go(here() === last() ? 0 : here() + 1);
    timer = setInterval(() => (here() < last() ? go(here() + 1) : stop()), PACE_MS);
    show();
  };
  ctx.life.addEventListener("abort", () => clearInterval(timer));

  const start = button({
    testid: "start",
    icon: "start",
    words: ctx.t("action.start"),
    act: () => by(-last() - 1),
  });
  const back = button({ testid: "back", icon: "back", words: ctx.t("action.back"), act: () => by(-1) });
  const step = button({
    testid: "step",
    icon: "step",
    words: ctx.t("action.step"),
    wide: true,
    primary: true,
    act: () => by(1),
  });
  const play = button({ testid: "play", icon: "play", words: ctx.t("action.play"), act: togglePlay });
  const end = button({ testid: "end", icon: "end", words: ctx.t("action.end"), act: () => by(last() + 1) });
  const scrub = h("input", {
    type: "range",
    min: 0,
    max: last(),
    step: 1,
    "aria-label": ctx.t("action.scrub"),
    "data-testid": "scrub",
    input: () => {
      // Read first: stopping shows the old position again.
      const to = Number(scrub.value);
      stop();
      go(to);
    },
  });
  const position = new Text();
  const where = h("div", { class: "position", "data-testid": "position" }, position);
  const marks = h("div", { class: "run-marks", "aria-hidden": "true" });
  const wordsOf = (run: number, step: number): string => {
    const { length, [run]: total = 0 } = runs();
    const key = step === total ? "steps.done" : "steps.position";
    return options.words?.(step, total) ?? ctx.t(key, { run: run + 1, runs: length, step, total });
  };
  /** Room for the widest text of a run; all digits have the same width. */
  const roomFor = (run: number, total: number): number => {
    const widths = [total - 1, total].map((step) =>
      ctx.width(wordsOf(run, step).replace(/\d/g, "0"), POSITION),
    );
    return Math.ceil(Math.max(...widths)) + 2;
  };
  let marked = "";
  const mark = (): void => {
    const now = runs();
    if (marked === now.join()) return;
    marked = now.join();
    scrub.max = String(last());
    const signs = now.map((_, run) => {
      const at = last() === 0 ? 0 : (100 * toOffset(now, { run, step: 0 })) / last();
      const sign = h("span", {}, String(run + 1));
      sign.style.left = `${at}%`;
      return sign;
    });
    marks.replaceChildren(...(now.length > 1 ? signs : []));
    // A text of the widget's own may have any length.
    if (options.words) return;
    where.classList.add("steady");
    where.style.width = `${Math.max(...now.map((total, run) => roomFor(run, total)))}px`;
  };
  const element = h(
    "div",
    { class: "transport", role: "group", "aria-label": ctx.t("action.scrub") },
    h("div", { class: "buttons" }, start, back, step, play, end),
    h("div", { class: "scrubber" }, scrub, marks),
    h("div", {}, where),
    ...options.more,
  );

  function show(): void {
    const all = runs();
    const { run, step: steps } = clamp(all, options.position().run, options.position().step);
    mark();
    const words = wordsOf(run, steps);
    if (position.data !== words) position.data = words;
    const now = here();
    scrub.value = String(now);
    scrub.setAttribute("aria-valuetext", words);
    const plays = String(timer !== undefined);
    if (play.getAttribute("aria-pressed") !== plays) {
      const label = ctx.t(timer === undefined ? "action.play" : "action.pause");
      play.setAttribute("aria-label", label);
      play.title = label;
      play.setAttribute("aria-pressed", plays);
      play.replaceChildren(drawIcon(timer === undefined ? "play" : "pause"));
    }
    // Not `disabled`: a button that loses the focus while pressed throws the keyboard out of the widget.
    for (const [control, off] of [
      [start, now === 0],
      [back, now === 0],
      [step, now === last()],
      [end, now === last()],
    ] as const) {
      setAttribute(control, "aria-disabled", String(off));
    }
  }

  show();
  return { element, show, by, togglePlay };
}

/** The transport: step, back, play, the timeline, and how fast and how far a step goes. One for every widget with steps. */

import { h, setAttribute, setText } from "../base/dom";
import type { Context } from "../context";
import { drawIcon } from "../draw/icon";
import { amountText } from "../explore/amounts";
import { clamp, fromOffset, lastOffset, type Position, toOffset } from "../model/steps/replay";
import { timeAt } from "../model/steps/run-clock";
import { type Lane, nextStep, nextStop } from "../model/steps/track";
import { button } from "./button";
import { createTimeline, type Place } from "./timeline";

/** The time for one step, at speed 1. */
const PACE_MS = 850;

export interface TransportOptions {
  /** One lane, or the lanes of all timelines. */
  lanes: () => readonly Lane[];
  position: () => Position & { timeline?: number };
  move: (to: Place) => void;
  /** The words of a position, which then stand above the timeline; by default they name run and step. */
  words?: (step: number, total: number) => string;
  /** The name of a timeline, what a run printed, and a step in words. */
  name?: (lane: Lane) => string;
  printed?: (run: number) => string;
  step?: (at: Place) => string;
}

export interface Transport {
  element: HTMLElement;
  show: () => void;
  /** The keys of stepping, for the whole widget. */
  keys: Record<string, () => void>;
}

/** Where the reader stands, and the ways to go on from there: by a step, by a run, to an end, and by itself. */
function createStepper(ctx: Context, options: TransportOptions, changed: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unit: "node" | "iteration" = "node";
  const lane = (timeline = options.position().timeline ?? 0): Lane => {
    const lanes = options.lanes();
    return lanes.find(({ number }) => number === timeline) ?? (lanes[0] as Lane);
  };
  const place = (): Place => {
    const at = options.position();
    return { timeline: at.timeline ?? 0, ...clamp(lane(at.timeline).runs, at.run, at.step) };
  };
  const here = (): number => toOffset(lane().runs, place());
  const last = (): number => lastOffset(lane().runs);
  const go = (offset: number): void =>
    options.move({ timeline: lane().number, ...fromOffset(lane().runs, offset) });
  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    changed();
  }
  /** Takes a step, and another one after a while, up to the end or a breakpoint. */
  function play(): void {
    timer = undefined;
    go(nextStep(lane(), here(), 1, unit));
    if (here() !== last() && !lane().hits.includes(here())) wait();
    changed();
  }
  function wait(): void {
    timer = setTimeout(play, PACE_MS / ctx.pace.speed());
  }
  ctx.life.addEventListener("abort", () => clearTimeout(timer));
  const to = (find: () => number) => (): void => {
    stop();
    go(find());
  };
  return {
    lane,
    place,
    move(at: Place): void {
      stop();
      options.move(at);
    },
    by: (steps: 1 | -1) => to(() => nextStep(lane(), here(), steps, unit)),
    run: (runs: 1 | -1) => to(() => nextStop(lane(), here(), runs)),
    home: to(() => 0),
    end: to(last),
    toggle(): void {
      if (timer !== undefined) stop();
      else if (here() < last()) play();
      else {
        go(0);
        wait();
        changed();
      }
    },
    nextUnit(): void {
      unit = unit === "node" ? "iteration" : "node";
    },
    state: () => ({ unit, plays: timer !== undefined, isFirst: here() === 0, isLast: here() === last() }),
  };
}

export function createTransport(ctx: Context, options: TransportOptions): Transport {
  const stepper = createStepper(ctx, options, () => show());
  const { lane, by, run } = stepper;
  const words = (): string => {
    const { timeline, run, step } = stepper.place();
    const { runs } = lane(timeline);
    const total = runs[run] ?? 0;
    const at = { run: run + 1, runs: runs.length, step, total };
    const position =
      options.words?.(step, total) ?? ctx.t(step === total ? "steps.done" : "steps.position", at);
    const clock = lane(timeline).clocks?.[run];
    const text = clock
      ? ctx.t("track.at_time", { position, time: amountText(ctx.t, "time", timeAt(clock, step)) })
      : position;
    return options.lanes().length > 1 && options.name
      ? ctx.t("track.lane", { name: options.name(lane(timeline)), position: text })
      : text;
  };
  const timeline = createTimeline(ctx, {
    lanes: options.lanes,
    place: stepper.place,
    move: stepper.move,
    words,
    title: options.words ? words : null,
    name: options.name ?? (() => ""),
    printed: options.printed ?? (() => ""),
    step: options.step ?? (() => ""),
    keys: {
      ArrowLeft: by(-1),
      ArrowDown: by(-1),
      ArrowRight: by(1),
      ArrowUp: by(1),
      Home: stepper.home,
      End: stepper.end,
      PageUp: run(1),
      PageDown: run(-1),
    },
  });
  const back = button({ testid: "back", icon: "back", words: ctx.t("action.back"), act: by(-1) });
  const step = button({
    testid: "step",
    icon: "step",
    words: ctx.t("action.step"),
    wide: true,
    primary: true,
    act: by(1),
  });
  const playing = button({ testid: "play", icon: "play", words: ctx.t("action.play"), act: stepper.toggle });
  const units = changing("unit", stepper.nextUnit);
  const speed = changing("speed", ctx.pace.next);
  const element = h(
    "div",
    { class: "transport", role: "group", "aria-label": ctx.t("track.title") },
    h("div", { class: "track-steps" }, back, step, playing),
    timeline.element,
    h("div", { class: "track-paces" }, units, speed),
  );

  /** A button that shows what its setting is, and goes to the next one. */
  function changing(testid: string, next: () => void): HTMLButtonElement {
    const act = (): void => {
      next();
      show();
    };
    return h("button", { type: "button", class: "quiet", "data-testid": testid, click: act });
  }

  function show(): void {
    const { unit, plays, isFirst, isLast } = stepper.state();
    timeline.show();
    units.toggleAttribute("hidden", lane().iterations.length === 0);
    setText(units, ctx.t(`track.by_${unit}`));
    setText(speed, `${ctx.pace.speed() === 0.5 ? "½" : ctx.pace.speed()}×`);
    setAttribute(speed, "aria-label", ctx.t("track.speed", { speed: ctx.pace.speed() }));
    if (playing.getAttribute("aria-pressed") !== String(plays)) {
      const label = ctx.t(plays ? "action.pause" : "action.play");
      for (const name of ["aria-label", "title"]) playing.setAttribute(name, label);
      playing.setAttribute("aria-pressed", String(plays));
      playing.replaceChildren(drawIcon(plays ? "pause" : "play"));
    }
    // Not `disabled`: a button that loses the focus while pressed throws the keyboard out of the widget.
    setAttribute(back, "aria-disabled", String(isFirst));
    setAttribute(step, "aria-disabled", String(isLast));
  }

  show();
  return {
    element,
    show,
    keys: { ".": by(1), ",": by(-1), ">": run(1), "<": run(-1), " ": stepper.toggle },
  };
}

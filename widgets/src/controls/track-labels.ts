/** The texts of the timeline: the segments' names, how far each is or what it printed, and the lanes' names. */

import { h, setText } from "../base/dom";
import type { Context } from "../context";
import { amountText, unitOf } from "../explore/amounts";
import { fromOffset } from "../model/steps/replay";
import { timeAt } from "../model/steps/run-clock";
import { type Lane, type Segment, segmentAt } from "../model/steps/track";
import type { Scene } from "./track-scene";

export interface LabelOptions {
  /** What stands in the place of a segment's name, as in a film. */
  title: (() => string) | null;
  /** The name of a lane. */
  name: (lane: Lane) => string;
  /** What a run printed. */
  printed: (run: number) => string;
}

/** The font of the labels, as in the style sheet. */
const FONT = { size: 12, weight: 600 };

export function createLabels(ctx: Context, options: LabelOptions) {
  const titles = h("div", { class: "track-labels" });
  const names = h("div", { class: "lane-names" });

  function segmentName({ kind, number }: Segment, i: number): string {
    if (kind === "run") return ctx.t("track.run", { run: number + 1 });
    if (kind !== "iteration") return ctx.t(`track.${kind}`);
    // Said once, the word is understood of the next ones.
    return i < 2 ? ctx.t("track.iteration", { n: number }) : String(number);
  }

  /** The simulated time in the current run. */
  function timeOf({ clocks }: Lane, i: number, cell: number): string {
    const clock = clocks?.[i];
    if (!clock) return "";
    const unit = unitOf("time", clock.total);
    const text = (time: number): string => amountText(ctx.t, "time", time, unit);
    return ctx.t("track.time", { time: text(timeAt(clock, cell)), total: text(clock.total) });
  }

  /** The position in the current segment, and what a segment's run printed: the first text that has room. */
  function stateOf(lane: Lane, i: number, at: number, offset: number, room: number): string {
    const segment = lane.segments[i];
    if (!segment || i > at) return "";
    const { run, step } = fromOffset(lane.runs, i === at ? offset : segment.to);
    const total = lane.runs[run] ?? 0;
    if (lane.clocks && i === at) return timeOf(lane, i, step);
    const fits = (text: string): boolean => ctx.width(text, FONT) <= room;
    const printed = step === total ? options.printed(run) : "";
    if (step === total || i !== at) return fits(printed) ? printed : "";
    const forms = [
      (now: number): string => ctx.t("track.step", { step: now, total }),
      (now: number): string => `${now}/${total}`,
    ];
    // The last step has the longest text: the form is the same for all steps.
    return forms.find((form) => fits(form(total)))?.(step) ?? "";
  }

  return {
    titles,
    names,
    /** Makes room for the columns and rows in view. */
    draw(scene: Scene): void {
      const isTree = scene.rows().length > 1;
      titles.replaceChildren(
        ...scene.columns().map(([i, { left, width }]) => {
          const label = h(
            "div",
            { "data-column": i },
            h("span", { class: "title", dir: "auto" }),
            h("span", { dir: "auto" }),
          );
          label.style.left = `${left}px`;
          label.style.width = `${width}px`;
          return label;
        }),
      );
      names.replaceChildren(
        ...(isTree ? scene.rows() : []).map(({ lane, y, words }) => {
          const own = words ?? options.name(lane);
          const name = h("div", { dir: "auto", title: own, "data-line": words ? null : lane.number }, own);
          name.style.top = `${y - 8}px`;
          return name;
        }),
      );
    },
    show(lane: Lane, offset: number): void {
      const at = segmentAt(lane, offset).segment;
      for (const label of titles.children as Iterable<Element> & HTMLCollection) {
        const i = Number(label.getAttribute("data-column"));
        const segment = lane.segments[i];
        const [title, state] = label.children;
        if (!title || !state) continue;
        const words = !segment ? "" : (options.title?.() ?? segmentName(segment, i));
        setText(title, words);
        const room = Number.parseFloat((label as HTMLElement).style.width) - ctx.width(words, FONT) - 8;
        setText(state, options.title ? "" : stateOf(lane, i, at, offset, room));
        label.toggleAttribute("data-now", i === at);
        if (i === at) label.setAttribute("data-testid", "position");
        else label.removeAttribute("data-testid");
      }
      for (const name of names.children)
        name.toggleAttribute("data-now", name.getAttribute("data-line") === String(lane.number));
    },
  };
}

/** What the runs printed: a place for each run from the start, so that nothing moves when its result comes. */

import { h, setText } from "../base/dom";
import { oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import type { Frame } from "../model/steps/replay";
import { TIMES } from "../picture/motion";
import type { TraceRecord } from "../record";

/** How many runs are listed: the last ones that began, and those to come. */
export const RUNS = 4;
/** The longest title, in characters. */
const LONG = 400;

/** The first of the runs that are listed, and the one after the last. */
export function listedRuns(count: number, run: number): [number, number] {
  const first = Math.max(0, Math.min(run - RUNS + 2, count - RUNS));
  return [first, Math.min(count, first + RUNS)];
}

export interface PrintedSlots {
  element: HTMLElement;
  /** `from`: where the result of a run that is over now comes from, if it is to be seen coming. */
  show: (frame: Pick<Frame, "run" | "step" | "total">, from?: DOMRect | null) => void;
}

/** A result on its way from its node to its place; the returned function takes it there at once. */
function land(ctx: Context, from: DOMRect, value: HTMLElement): () => void {
  const words = value.textContent ?? "";
  const passing = h("div", { class: "landing", popover: "manual", "aria-hidden": "true" }, words);
  // A column that is hidden, or not on the page, has no place to go to.
  const hasPlace = value.getClientRects().length > 0;
  if (!hasPlace || !passing.showPopover || !passing.animate) return () => {};
  value.parentElement?.append(passing);
  passing.showPopover();
  const [start, own, to] = [from, passing.getBoundingClientRect(), value.getBoundingClientRect()];
  const at = ({ left, top, width, height }: DOMRect): string =>
    `translate(${left + (width - own.width) / 2}px, ${top + (height - own.height) / 2}px)`;
  const speed = ctx.pace.speed();
  const timing = { duration: TIMES.glide / speed, delay: TIMES.glide / speed };
  const moves = [
    passing.animate([{ transform: at(start) }, { transform: at(to) }], { ...timing, easing: "ease-in-out" }),
    value.animate([{ opacity: 0 }, { opacity: 0 }], { ...timing, fill: "backwards" }),
  ];
  const end = (): void => {
    for (const move of moves) move.cancel();
    passing.remove();
  };
  if (moves[0]) moves[0].onfinish = end;
  return end;
}

export function createPrintedSlots(ctx: Context, trace: TraceRecord): PrintedSlots {
  const element = h("ol", { class: "slots", "data-testid": "printed" });
  const [, count] = listedRuns(trace.runs.length, 0);
  const places = Array.from({ length: count }, () => {
    const value = h("strong", { dir: "auto" });
    const name = h("span", {});
    const slot = h("li", { class: "slot" }, value, name);
    element.append(slot);
    return { slot, value, name };
  });
  let arrive = (): void => {};
  let shown = "";
  return {
    element,
    show(frame, from) {
      arrive();
      const as = `${frame.run} ${frame.step === frame.total}`;
      if (as === shown) return;
      shown = as;
      const [first] = listedRuns(trace.runs.length, frame.run);
      for (const [i, { slot, value, name }] of places.entries()) {
        const run = first + i;
        const record = trace.runs[run];
        const isOver = run < frame.run || (run === frame.run && frame.step === frame.total);
        const text =
          (isOver && (record?.error ?? record?.fetched.map((fetch) => oneLine(fetch.text)).join(", "))) || "";
        setText(value, isOver ? shorten(text, 120) : "·");
        setText(name, ctx.t("stage.run", { n: run + 1 }));
        slot.title = shorten(text, LONG);
        slot.toggleAttribute("data-over", isOver);
        slot.toggleAttribute("data-error", isOver && record?.error != null);
        slot.dataset.run = String(run);
        if (from && isOver && run === frame.run && !ctx.calm()) arrive = land(ctx, from, value);
        if (isOver) slot.dataset.value = shorten(text, LONG);
        else delete slot.dataset.value;
      }
    },
  };
}

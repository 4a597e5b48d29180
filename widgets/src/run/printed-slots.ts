/** What the runs printed: a place for each run from the start, so that nothing moves when its result comes. */

import { h, setText } from "../base/dom";
import { oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import type { Frame } from "../model/replay";
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
  show: (frame: Pick<Frame, "run" | "step" | "total">) => void;
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
  return {
    element,
    show(frame) {
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
        if (isOver) slot.dataset.value = shorten(text, LONG);
        else delete slot.dataset.value;
      }
    },
  };
}

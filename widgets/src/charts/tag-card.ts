/** The card of one tag of a training: its heading, and the name of a run in it. */
import { section } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { Axis } from "../model/curve-series";
import type { TrainingRecord } from "../record";

/** How the user wants to see a training. */
export interface View {
  record: TrainingRecord;
  axis: Axis;
  smoothing: number;
  log: boolean;
  bands: boolean;
  /** The numbers of the runs that are drawn. */
  runs: Set<number>;
}

export interface Card<T> {
  element: HTMLElement;
  show: (series: T, view: View) => void;
}

export function tagCard(tag: string, ...children: Element[]): HTMLElement {
  return section({ class: "tag-card", "data-tag": tag.slice(0, 400) }, ...children);
}

export function runName(ctx: Context, view: View, run: number): string {
  const name = view.record.runs[run]?.name ?? ".";
  return name === "." ? ctx.t("training.root") : shorten(name, 60);
}

/** The heading of a series of one run, which names the run if there are several. */
export function seriesTitle(ctx: Context, view: View, tag: string, run: number): string {
  if (view.record.runs.length < 2) return shorten(tag, 80);
  return ctx.t("training.of_run", { tag, run: runName(ctx, view, run) });
}

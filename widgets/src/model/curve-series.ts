/** The series of a training: the base record merged with the news since, and its curves as lines. Pure functions. */
import type { CurveRecord, Odd, TrainingRecord } from "../record";

export type Axis = "step" | "relative" | "wall";

/** One drawn sample: its x, step, time and value. */
export interface Sample {
  x: number;
  step: number;
  time: number;
  value: number;
  odd: Odd | null;
  /** The smoothed value; only the last sample of a piece has one. */
  smooth: number | null;
  /** Whether the line from the previous sample ends here: after a value that is not finite, or where steps restart. */
  breaks: boolean;
}

export interface CurveLine {
  run: number;
  total: number;
  odd: number;
  samples: Sample[];
}

interface Part {
  run: number;
  tag: string;
  at: number;
}

/** Appends the news of each series to the base; `items` names the field that holds a series' entries. */
function joined<P extends Part, K extends keyof P>(base: P[], news: P[], items: K): P[] {
  const merged = new Map(base.map((part) => [`${part.run} ${part.tag}`, part]));
  for (const part of news) {
    const key = `${part.run} ${part.tag}`;
    const before = (merged.get(key)?.[items] ?? []) as unknown[];
    merged.set(key, {
      ...part,
      at: 0,
      [items]: [...before.slice(0, part.at), ...(part[items] as unknown[])],
    });
  }
  return [...merged.values()];
}

/** The record with the news merged in. */
export function overlay(base: TrainingRecord, news: TrainingRecord): TrainingRecord {
  return {
    ...base,
    runs: news.runs.length > 0 ? news.runs : base.runs,
    curves: joined(base.curves, news.curves, "pieces"),
    histograms: joined(base.histograms, news.histograms, "items"),
    images: joined(base.images, news.images, "items"),
    texts: joined(base.texts, news.texts, "items"),
    others: news.others.length > 0 ? news.others : base.others,
    notices: news.notices.length > 0 ? news.notices : base.notices,
  };
}

/** The x of a sample; times in seconds, those of the relative axis since the start of the run. */
export function xOf(axis: Axis, step: number, time: number, start: number): number {
  return axis === "step" ? step : axis === "wall" ? time : time - start;
}

/**
 * The samples of a curve in order. The smoothed value is the mean of all samples so far, each weighing `smoothing` times as
 * much as the next one; a piece counts as its samples, all equal to their mean.
 */
export function lineOf(curve: CurveRecord, axis: Axis, start: number, smoothing: number): CurveLine {
  const samples: Sample[] = [];
  let sum = 0;
  let weight = 0;
  let last: Sample | null = null;
  for (const piece of curve.pieces) {
    const numbers: Omit<Sample, "x" | "smooth" | "breaks">[] = [
      ...piece.points.map(([step, time, value]) => ({ step, time, value, odd: null })),
      ...piece.odd.map(([step, time, odd]) => ({ step, time, value: Number.NaN, odd })),
    ];
    if (piece.odd.length > 0) numbers.sort((a, b) => a.step - b.step);
    for (const number of numbers) {
      const begins: boolean = axis === "step" && last !== null && number.step < last.step;
      const breaks: boolean = last === null || number.odd !== null || last.odd !== null || begins;
      last = { ...number, x: xOf(axis, number.step, number.time, start), smooth: null, breaks };
      samples.push(last);
    }
    if (piece.mean === null) continue;
    const fades = smoothing ** piece.count;
    sum = sum * fades + piece.mean * (1 - fades);
    weight = weight * fades + (1 - fades);
    const end = samples.findLast(({ odd }) => odd === null);
    if (end) end.smooth = sum / weight;
  }
  return { run: curve.run, total: curve.total, odd: curve.odd, samples };
}

/** The x of all samples that can be read, sorted. */
export function allX(lines: CurveLine[]): number[] {
  // A typed array sorts several times as fast.
  const all = Float64Array.from(lines.flatMap(({ samples }) => samples.map(({ x }) => x))).sort();
  return Array.from(all.filter((x, i) => i === 0 || x !== all[i - 1]));
}

/** The sample of a line nearest to x; of two samples at the same x, the later one. */
export function nearest(line: CurveLine, x: number): Sample | null {
  let best: Sample | null = null;
  for (const sample of line.samples) {
    if (best === null || Math.abs(sample.x - x) <= Math.abs(best.x - x)) best = sample;
  }
  return best;
}

/** The index of the value nearest to x. */
export function nearestIndex(sorted: number[], x: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [sorted[low - 1], sorted[low]];
  return before !== undefined && after !== undefined && x - before < after - x ? low - 1 : low;
}

/** At most `most` entries, evenly chosen, including the first and the last. */
export function evenly<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))] as T);
}

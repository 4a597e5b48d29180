/** Times and sizes of a run as readable numbers, and the scale of five steps by which they colour a picture. */
import type { Translate } from "../i18n";
import type { NodeFactsRecord } from "../record";

export type AmountKind = "time" | "memory";

/** The units of each kind, the largest first, with their sizes in nanoseconds or bytes. */
const UNITS = {
  time: [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
  ],
  memory: [
    ["GiB", 1 << 30],
    ["MiB", 1 << 20],
    ["KiB", 1 << 10],
    ["B", 1],
  ],
} as const;

type Unit = (typeof UNITS)[AmountKind][number];

/** The unit in which the largest of some amounts has at least one digit before the point; all are written in it. */
export function unitOf(kind: AmountKind, largest: number): Unit {
  const units: readonly Unit[] = UNITS[kind];
  return units.find(([, size]) => largest >= size) ?? (units.at(-1) as Unit);
}

/** A number of two digits at least, without its unit. */
export function amountNumber(amount: number, [name, size]: Unit): string {
  const n = amount / size;
  if (n === 0 || name === "B") return String(Math.round(n));
  if (n < 0.005) return "<0.01";
  return n.toFixed(n >= 9.95 ? 0 : n >= 0.995 ? 1 : 2);
}

/** The limit of a step: a short number. */
export const limitNumber = (limit: number, [, size]: Unit): string =>
  String(Number((limit / size).toPrecision(limit < 100 * size ? 2 : 3)));

export function amountText(
  t: Translate,
  kind: AmountKind,
  amount: number,
  unit = unitOf(kind, amount),
): string {
  return t("amount.text", { n: amountNumber(amount, unit), unit: unit[0] });
}

/** How much of a whole, in percent. */
export function shareText(t: Translate, part: number, whole: number): string {
  const percent = whole > 0 ? (part / whole) * 100 : 0;
  return t("amount.share", { n: percent > 0 && percent < 1 ? "<1" : Math.round(percent) });
}

export interface Scale {
  kind: AmountKind;
  unit: Unit;
  /** The largest amount of each step; the last is the largest there is. */
  limits: number[];
}

/** Of the largest amount, how much the steps before the last go up to. */
const PARTS = [200, 50, 10, 2];

/** The scale up to the largest of some amounts: each limit but the last is 1, 2 or 5 times a power of ten. */
export function scaleUpTo(kind: AmountKind, largest: number): Scale {
  const unit = unitOf(kind, largest);
  const round = (amount: number): number => {
    const n = amount / unit[1];
    const power = 10 ** Math.floor(Math.log10(n));
    return [5, 2, 1].map((digit) => digit * power).find((nice) => nice <= n * 1.001) ?? power;
  };
  const limits = PARTS.map((part) => (largest > 0 ? round(largest / part) * unit[1] : 0));
  return { kind, unit, limits: [...limits, largest] };
}

/** The step of an amount, from 0 to 4. */
export function stepOf({ limits }: Scale, amount: number): number {
  const step = limits.findIndex((limit) => amount <= limit);
  return step < 0 ? limits.length - 1 : step;
}

/** What a run took at each node. */
export interface Amounts {
  kind: AmountKind;
  /** Of nodes that ran, and of fed ones, which took nothing. */
  of: Map<number, number>;
  total: number;
}

export function amountsOf(kind: AmountKind, facts: readonly NodeFactsRecord[]): Amounts {
  const of = new Map<number, number>();
  for (const each of facts) {
    if (each.outcome === "fed") of.set(each.node, 0);
    else if (each.outcome === "ran") of.set(each.node, kind === "time" ? each.nanoseconds : each.bytes);
  }
  return { kind, of, total: [...of.values()].reduce((sum, amount) => sum + amount, 0) };
}

/** The nodes that took most, the largest first; none that took nothing. */
export function largest({ of }: Amounts, count: number): [id: number, amount: number][] {
  return [...of]
    .filter(([, amount]) => amount > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, count);
}

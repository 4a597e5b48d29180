/** Scales of charts: the place of a value, the values of ticks, and the texts of numbers and times. Pure functions. */

export interface Scale {
  /** The place of a value; null if it has none (zero and less on a logarithmic scale). */
  at: (value: number) => number | null;
  ticks: number[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** The distances of ticks on a clock, in seconds. */
const CLOCK = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];

/** About `count` ticks, 1, 2 or 5 times a power of ten apart; on a clock at round times. */
function linearTicks(low: number, high: number, count: number, clock: boolean): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const wides =
    clock && rough > 1 && rough <= 24 * HOUR ? CLOCK : [1, 2, 5, 10].map((factor) => factor * power);
  const step = wides.find((wide) => wide >= rough * 0.999) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const ticks = Array.from({ length: count + 2 }, (_, i) => (first + i) * step);
  // (first + i) * step is not an exact decimal; its text is rounded.
  return ticks.map((tick) => Number(tick.toPrecision(12))).filter((tick) => tick <= high + step * 1e-9);
}

function logTicks(low: number, high: number, count: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((to - from) / count));
  const powers: number[] = [];
  for (let power = from; power <= to; power += every) powers.push(10 ** power);
  const ticks = to - from > 2 ? powers : powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** Maps values in [low, high] to places in [from, to]. */
export function scale(
  low: number,
  high: number,
  from: number,
  to: number,
  { log = false, clock = false, count = 5 } = {},
): Scale {
  const of = log ? Math.log10 : (value: number): number => value;
  // A single value, or values closer than their last digit, are put in the middle of a wider range.
  const room = Math.max(Math.abs(low), Math.abs(high), 1e-300) * 1e-9;
  let [bottom, top] = log && low <= 0 ? [1, 10] : [low, high];
  if (!(top - bottom > room)) {
    const pad = log ? 0 : Math.abs(low) * 0.1 || 1;
    [bottom, top] = log ? [bottom / 2, top * 2] : [low - pad, high + pad];
  }
  const [a, b] = [of(bottom), of(top)];
  return {
    at: (value) => (log && value <= 0 ? null : from + ((of(value) - a) / (b - a)) * (to - from)),
    ticks: log ? logTicks(bottom, top, count) : linearTicks(bottom, top, count, clock),
  };
}

/** A number with at most `digits` significant digits. */
export function numberText(value: number, digits = 5): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e6 || size < 1e-4)) {
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  }
  return String(Number(value.toPrecision(digits)));
}

/** A count with separators for thousands. */
export function countText(count: number, lang: string): string {
  return count.toLocaleString(lang);
}

/** A duration: 4.2 s, 3:07 min, 2:05:09 h. */
export function spanText(seconds: number): string {
  if (Math.abs(seconds) < 60) return `${numberText(seconds, 3)} s`;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)} h`;
}

/** The time of day, with the date if `long`. */
export function clockText(seconds: number, lang: string, long: boolean): string {
  const time = new Date(seconds * 1000);
  return long ? time.toLocaleString(lang) : time.toLocaleTimeString(lang, { hour12: false });
}

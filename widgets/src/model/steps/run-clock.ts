/** The simulated clock of a run on several devices, as the timeline shows it: a row for each device. */
import type { ClockRecord, SpanRecord } from "../../record";

export interface ClockSpan extends Pick<SpanRecord, "begin" | "end" | "bytes"> {
  /** The row of the device that computes or sends, and to which device it sends. */
  row: number;
  to: string | null;
  /** How many steps of the run are done at its end. */
  step: number;
}

export interface RunClock {
  devices: string[];
  spans: ClockSpan[];
  byStep: ReadonlyMap<number, ClockSpan>;
  /** When the last span ends, in nanoseconds. */
  total: number;
}

const known = new WeakMap<ClockRecord, RunClock>();

export function runClock(record: ClockRecord): RunClock {
  const made = known.get(record);
  if (made) return made;
  const devices = [...new Set(record.lanes.map(({ device }) => device))];
  const spans = record.spans.map(({ lane, step, begin, end, bytes }): ClockSpan => {
    const { device = "", to = null } = record.lanes[lane] ?? {};
    return { row: devices.indexOf(device), to, step: step + 1, begin, end, bytes };
  });
  const clock: RunClock = {
    devices,
    spans,
    byStep: new Map(spans.map((span) => [span.step, span])),
    total: Math.max(0, ...spans.map(({ end }) => end)),
  };
  known.set(record, clock);
  return clock;
}

/** The devices that compute during a span of another one. */
export function busyBeside({ devices, spans }: RunClock, { row, begin, end }: ClockSpan): string[] {
  const busy = new Set(
    spans.flatMap((other) => {
      const isBeside = other.row !== row && other.to === null && other.begin < end && other.end > begin;
      return isBeside && other.end > other.begin ? [other.row] : [];
    }),
  );
  return devices.filter((_, at) => busy.has(at));
}

/** The time after a step: when its node ends; of a step that no device takes, such as a feed, when the one before ends. */
export function timeAt({ byStep }: RunClock, step: number): number {
  for (let at = step; at > 0; at -= 1) {
    const span = byStep.get(at);
    if (span) return span.end;
  }
  return 0;
}

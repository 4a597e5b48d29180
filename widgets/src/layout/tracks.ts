/** Lines that run far sideways in the gap between two rows: each gets a track of its own there. */
import type { Point } from "./geometry";

/** A line that goes further sideways than this many times its way down turns twice; else it is one smooth bend. */
const STEEP = 2;
/** The room of a turn at either end of a gap, and of an arrow head at its end. */
const TURN = 9;
const HEAD = 16;
/** The least distance between two tracks, where there is room for it. */
const APART = 6;

interface Run {
  points: Point[];
  from: Point;
  to: Point;
  track: number;
}

const low = ({ from, to }: Run): number => Math.min(from.x, to.x);
const high = ({ from, to }: Run): number => Math.max(from.x, to.x);

/** Whether a part of a line runs so far sideways that it needs a track. */
export const isWide = (from: Point, to: Point): boolean =>
  Math.abs(to.x - from.x) > STEEP * Math.abs(to.y - from.y);

/** Puts the wide parts of lines on tracks: two points more in each. */
export function layTracks(lines: Point[][]): void {
  const gaps = new Map<string, Run[]>();
  for (const points of lines) {
    for (const [i, from] of points.entries()) {
      const to = points[i + 1];
      if (!to || Math.abs(to.y - from.y) < 2 || !isWide(from, to)) continue;
      const key = `${Math.round(from.y)} ${Math.round(to.y)}`;
      const run = { points, from, to, track: 0 };
      const known = gaps.get(key);
      if (known) known.push(run);
      else gaps.set(key, [run]);
    }
  }
  for (const runs of gaps.values()) {
    const count = assignTracks(runs);
    for (const { points, from, to, track } of runs) {
      const gap = Math.abs(to.y - from.y);
      // In a low gap, several tracks share half of it.
      const room = Math.max(0, gap - TURN - HEAD, count > 1 ? Math.min(gap / 2, APART * count) : 0);
      const down = Math.min(TURN, (gap - room) / 2) + (room * (track + 0.5)) / count;
      const y = from.y + Math.sign(to.y - from.y) * Math.min(down, gap / 2 + room / 2);
      points.splice(points.indexOf(to), 0, { x: from.x, y }, { x: to.x, y });
    }
  }
}

/** Numbers the tracks from above; lines of one direction are nested, so that they do not cross. Returns their number. */
function assignTracks(runs: Run[]): number {
  const rightwards = runs.filter(({ from, to }) => from.x < to.x).sort((a, b) => b.from.x - a.from.x);
  const leftwards = runs.filter(({ from, to }) => from.x >= to.x).sort((a, b) => a.from.x - b.from.x);
  const laid: Run[] = [];
  let count = 0;
  for (const same of [rightwards, leftwards]) {
    const before: Run[] = [];
    for (const run of same) {
      const meets = (other: Run): boolean => low(other) < high(run) + TURN && low(run) < high(other) + TURN;
      let track = Math.max(-1, ...before.filter(meets).map((other) => other.track)) + 1;
      while (laid.some((other) => other.track === track && meets(other))) track += 1;
      run.track = track;
      before.push(run);
      laid.push(run);
      count = Math.max(count, track + 1);
    }
  }
  return count;
}

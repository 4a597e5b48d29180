/** How fast a widget plays and moves. */
const SPEEDS = [1, 2, 4, 0.5] as const;

export interface Pace {
  /** A time at speed 1 is to be divided by this. */
  speed(): number;
  /** Takes the next speed of the cycle. */
  next(): void;
}

export function createPace(): Pace {
  let at = 0;
  return {
    speed: () => SPEEDS[at] ?? 1,
    next() {
      at = (at + 1) % SPEEDS.length;
    },
  };
}

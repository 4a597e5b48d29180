/** What things had from which step of a run on: any step can be asked for, forward and back, and nothing is copied. */

/** A map as it was at one step; it never changes. */
export interface Told<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  keys(): Iterable<K>;
}

export interface Track<K, V> {
  /** What a key has now, at the last step that was told. */
  get(key: K): V | undefined;
  /** Tells what a key has from the present step on; undefined for nothing any more. */
  set(key: K, value: V | undefined): void;
  keys(): Iterable<K>;
  at(step: number): Told<K, V>;
}

interface Past<V> {
  steps: number[];
  values: (V | undefined)[];
}

/** `first` is what there is before the first step; `step` tells which one is told now. */
export function createTrack<K, V>(step: () => number, first: ReadonlyMap<K, V> = new Map()): Track<K, V> {
  const past = new Map<K, Past<V>>();
  function* keys(has: (key: K) => boolean): Generator<K> {
    for (const key of first.keys()) if (has(key)) yield key;
    for (const key of past.keys()) if (!first.has(key) && has(key)) yield key;
  }
  const get = (key: K): V | undefined => {
    const own = past.get(key);
    return own ? own.values.at(-1) : first.get(key);
  };
  return {
    get,
    set(key, value) {
      const own = past.get(key);
      if (!own) past.set(key, { steps: [step()], values: [value] });
      else if (own.steps.at(-1) === step()) own.values[own.values.length - 1] = value;
      else {
        own.steps.push(step());
        own.values.push(value);
      }
    },
    keys: () => keys((key) => get(key) !== undefined),
    at(now) {
      const then = (key: K): V | undefined => {
        const own = past.get(key);
        const count = own ? countUpTo(own.steps, now) : 0;
        return own && count > 0 ? own.values[count - 1] : first.get(key);
      };
      const has = (key: K): boolean => then(key) !== undefined;
      return { get: then, has, keys: () => keys(has) };
    },
  };
}

/** How many of these steps, which stand in their order, are no later than one. */
export function countUpTo(steps: readonly number[], step: number): number {
  let [low, high] = [0, steps.length];
  if ((steps[high - 1] ?? Number.POSITIVE_INFINITY) <= step) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How a map changes over the steps of a run: any step can be read, forward or back, without copies. */

/** A map as of one step; it never changes. */
export interface MapAtStep<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  keys(): Iterable<K>;
}

export interface StepHistory<K, V> {
  /** The value of a key at the last recorded step. */
  get(key: K): V | undefined;
  /** Sets the value of a key from the current step on; undefined removes it. */
  set(key: K, value: V | undefined): void;
  keys(): Iterable<K>;
  at(step: number): MapAtStep<K, V>;
}

interface Past<V> {
  steps: number[];
  values: (V | undefined)[];
}

/** `first`: the values before the first step; `step` returns the step that is being recorded. */
export function createStepHistory<K, V>(
  step: () => number,
  first: ReadonlyMap<K, V> = new Map(),
): StepHistory<K, V> {
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

/** How many of these sorted steps are no later than `step`. */
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

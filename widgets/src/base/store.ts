/** The traits that Python sees, behind one interface. A picture inside another widget gets a local store. */
import type { AnyModel } from "@anywidget/types";
import { unpack } from "./unpacking";

export interface Store<T extends object> {
  get<K extends keyof T & string>(name: K): T[K];
  /** Sets some values and syncs them together. */
  set(values: Partial<T>): void;
  /** Calls `then` after each change, whoever made it, until `life` ends. */
  watch(names: (keyof T & string)[], then: () => void, life: AbortSignal): void;
}

/** Long records come packed; each is unpacked once. */
const opened = new WeakMap<object, unknown>();

function plain(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("packed" in value)) return value;
  const record = opened.get(value) ?? unpack(value);
  opened.set(value, record);
  return record;
}

/** The traits of a Python widget. */
export function modelStore<T extends object>(model: AnyModel): Store<T> {
  return {
    get: (name) => plain(model.get(name)) as never,
    set(values) {
      for (const [name, value] of Object.entries(values)) model.set(name, value);
      model.save_changes();
    },
    watch(names, then, life) {
      for (const name of names) {
        model.on(`change:${name}`, then);
        life.addEventListener("abort", () => model.off(`change:${name}`, then));
      }
    },
  };
}

/** Plain values with the same changes and events. */
export function localStore<T extends object>(values: T): Store<T> {
  const now = { ...values };
  const listeners = new Map<string, Set<() => void>>();
  return {
    get: (name) => now[name],
    set(values) {
      const changed = (Object.keys(values) as (keyof T & string)[]).filter(
        (name) => !Object.is(now[name], values[name]),
      );
      Object.assign(now, values);
      for (const name of changed) for (const then of [...(listeners.get(name) ?? [])]) then();
    },
    watch(names, then, life) {
      for (const name of names) {
        const all = listeners.get(name) ?? new Set();
        listeners.set(name, all.add(then));
        life.addEventListener("abort", () => all.delete(then));
      }
    },
  };
}

/** Joins many changes into one call, in the next microtask. */
export function batched(then: () => void, life: AbortSignal): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      if (!life.aborted) then();
    });
  };
}

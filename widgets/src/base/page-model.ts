/** The model of a widget on a page without Python: traits that live as long as the page. */
import type { AnyModel } from "@anywidget/types";

type Told = (message?: unknown) => void;

/** noPython: the answer to each question. */
export function pageModel(traits: Record<string, unknown>, noPython: string): AnyModel {
  const listeners = new Map<string, Set<Told>>();
  const tell = (name: string, message?: unknown): void => {
    for (const told of [...(listeners.get(name) ?? [])]) told(message);
  };
  const model = {
    get: (name: string) => traits[name],
    set(name: string, value: unknown) {
      traits[name] = value;
      tell(`change:${name}`);
    },
    save_changes() {},
    on(name: string, told: Told) {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(told));
    },
    off(name: string, told: Told) {
      listeners.get(name)?.delete(told);
    },
    send({ ask }: { ask?: number }) {
      if (ask !== undefined) queueMicrotask(() => tell("msg:custom", { answer: ask, error: noPython }));
    },
  };
  return model as unknown as AnyModel;
}

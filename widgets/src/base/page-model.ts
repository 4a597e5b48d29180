/** Widgets on a page without a kernel: their model, whose traits live as long as the page, and how one is shown. */
import type { AnyModel, Initialize, Render } from "@anywidget/types";

type Told = (message?: unknown) => void;
type Traits = Record<string, unknown>;

export interface PageModelOptions {
  /** The answer to a question that nothing answers. */
  noPython: string;
  /** Answers a question, where the page's server has its Python. */
  answer?: (question: object) => Promise<object>;
  /** Hears of each trait that the widget sets. */
  heard?: (name: string, value: unknown) => void;
}

export function pageModel(traits: Traits, { noPython, answer, heard }: PageModelOptions): AnyModel {
  const listeners = new Map<string, Set<Told>>();
  const tell = (name: string, message?: unknown): void => {
    for (const told of [...(listeners.get(name) ?? [])]) told(message);
  };
  const model = {
    get: (name: string) => traits[name],
    set(name: string, value: unknown) {
      traits[name] = value;
      tell(`change:${name}`);
      heard?.(name, value);
    },
    save_changes() {},
    on(name: string, told: Told) {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(told));
    },
    off(name: string, told: Told) {
      listeners.get(name)?.delete(told);
    },
    async send({ ask, ...question }: { ask?: number }) {
      if (ask === undefined) return;
      const reply = await answer?.(question).catch(() => undefined);
      tell("msg:custom", { answer: ask, ...(reply ?? { error: noPython }) });
    },
  };
  return model as unknown as AnyModel;
}

interface FrontEnd {
  initialize: Initialize;
  render: Render;
}

export interface ShownOnPage {
  model: AnyModel;
  /** Takes the widget away. */
  end: () => void;
}

/** Shows a widget with these traits in a place of the page. */
export function showOnPage(
  front: FrontEnd,
  place: HTMLElement,
  traits: Traits,
  options: PageModelOptions,
): ShownOnPage {
  const model = pageModel(traits, options);
  const life = new AbortController();
  const experimental = { invoke: () => Promise.reject(new Error(options.noPython)) };
  const props = { model, experimental, signal: life.signal };
  front.initialize(props as unknown as Parameters<Initialize>[0]);
  const end = front.render({ ...props, el: place } as unknown as Parameters<Render>[0]) as () => void;
  return {
    model,
    end() {
      life.abort();
      end();
    },
  };
}

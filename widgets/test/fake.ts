/** A model like anywidget's without a kernel: it stores values, emits changes, and records what was synced. */
import type { AnyModel } from "@anywidget/types";
import { vi } from "vitest";
import bundle from "../src";
import type { Frame } from "../src/model/steps/replay";
import type { MapAtStep } from "../src/model/steps/step-history";
import type { Params } from "../src/record";

export class FakeModel {
  readonly listeners = new Map<string, Set<(content?: unknown) => void>>();
  /** The open questions to Python. */
  asked: { ask: number; question: string; args: Record<string, unknown> }[] = [];
  synced: Record<string, unknown> = {};
  private dirty = new Set<string>();

  constructor(readonly values: Record<string, unknown>) {}

  get(name: string): unknown {
    return this.values[name];
  }
  set(name: string, value: unknown): void {
    if (Object.is(this.values[name], value)) return;
    this.values[name] = value;
    this.dirty.add(name);
    for (const then of [...(this.listeners.get(`change:${name}`) ?? [])]) then();
  }
  save_changes(): void {
    for (const name of this.dirty) this.synced[name] = structuredClone(this.values[name]);
    this.dirty.clear();
  }
  send(content: { ask: number; question: string; args: Record<string, unknown> }): void {
    this.asked.push(content);
  }
  /** Replies to the oldest open question, as Python would. */
  reply(content: { value?: unknown; error?: string; code?: string; params?: Params }): void {
    const { ask } = this.asked.shift() ?? { ask: -1 };
    for (const then of [...(this.listeners.get("msg:custom") ?? [])]) then({ answer: ask, ...content });
  }
  on(event: string, then: (content?: unknown) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(then));
  }
  off(event: string, then: (content?: unknown) => void): void {
    this.listeners.get(event)?.delete(then);
  }
  /** How many listeners are left. */
  count(): number {
    return [...this.listeners.values()].reduce((sum, all) => sum + all.size, 0);
  }
}

const DEFAULTS = {
  lang: "en",
  title: "",
  locked: false,
  collapsed: null,
  selected: -1,
  boxes: false,
  pinned: [],
  beside: [],
  search: "",
  colour: "none",
  facts: {},
  structures: [],
  run: 0,
  step: 0,
  branch: 0,
  branches: 0,
  leaves: {},
  breaks: {},
  draft: {},
  reason: "",
  committed: false,
  result: {},
};

export interface WidgetOnPage {
  model: FakeModel;
  root: HTMLElement;
  /** The element with a test id. */
  at: (testid: string) => HTMLElement;
  close: () => void;
}

/** Prefers reduced motion, so that tests need not wait for any. */
function calm(): void {
  const matches = (query: string): boolean => query.includes("prefers-reduced-motion");
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), { matches: matches(query) }) as MediaQueryList;
}

/** Shows a widget on the page, as a notebook does. */
export function show(kind: string, record: unknown, traits: Record<string, unknown> = {}): WidgetOnPage {
  calm();
  const model = new FakeModel({ ...structuredClone(DEFAULTS), kind, record, ...traits });
  const el = document.createElement("div");
  document.body.append(el);
  const props = { model: model as unknown as AnyModel, el, signal: new AbortController().signal };
  const close = bundle.render(props as never) as () => void;
  const root = el.querySelector<HTMLElement>(".tfedu");
  if (!root) throw new Error("no widget was drawn");
  const at = (testid: string): HTMLElement => {
    const element = root.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
    if (!element) throw new Error(`nothing here is called ${testid}`);
    return element;
  };
  return { model, root, at, close };
}

/** The outline's tree, after its details are opened; a closed outline is empty. */
export function openedOutline({ at }: WidgetOnPage): HTMLElement {
  const tree = at("outline");
  const details = tree.closest("details") as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  return tree;
}

/** A map of a frame as a Map that can be compared. */
export function listed<K, V>(told: MapAtStep<K, V> | undefined): Map<K, V> {
  return new Map([...(told?.keys() ?? [])].map((key) => [key, told?.get(key) as V]));
}

/** A frame as plain data. */
export function plain(frame: Frame | null): object | null {
  if (!frame) return null;
  const { state, pending, tokens, iterations, variables, ran, ...rest } = frame;
  const told = { pending, tokens, iterations, variables, ran };
  const maps = Object.entries(told).map(([name, each]) => [
    name,
    listed(each as MapAtStep<unknown, unknown>),
  ]);
  return { ...rest, state: listed(state), ...Object.fromEntries(maps) };
}

/** Runs batched work, and draws all waiting panels, as printing does. */
export async function settle(): Promise<void> {
  await new Promise((done) => setTimeout(done, 0));
  window.dispatchEvent(new Event("beforeprint"));
}

/** Stubs the browser's observer of that name; calling the result reports changes to it. */
export function observer(name: string): (changes: readonly object[]) => void {
  const observers: ((changes: readonly object[]) => void)[] = [];
  vi.stubGlobal(
    name,
    class {
      constructor(then: (changes: readonly object[]) => void) {
        observers.push(then);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  return (changes) => {
    for (const each of observers) each(changes);
  };
}

export function press(target: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

export function type(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Repeatable numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

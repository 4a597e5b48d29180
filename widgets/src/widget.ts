/** What a widget is: it gets the shared context and a store, and gives its elements and its keys. */

import type { Store } from "./base/store";
import type { Context } from "./context";

export interface Shown {
  body: HTMLElement[];
  /** Keys that work anywhere in the widget but in text fields. */
  keys: Record<string, () => void>;
  /** Whether it has steps, which the help then explains. */
  steps: boolean;
  /** Whether it has timelines and breakpoints. */
  forks?: boolean;
  /** What the help says instead of keys and signs of graphs. */
  help?: HTMLElement[];
  /** What the help shows instead of the signs of a run. */
  legend?: HTMLElement;
}

export type Widget<T extends object> = (ctx: Context, store: Store<T>, title: string) => Shown;

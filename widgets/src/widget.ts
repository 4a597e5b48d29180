/** A widget is a function: it takes the shared context and a store, and returns its elements and keys. */

import type { Store } from "./base/store";
import type { Context } from "./context";

export interface WidgetParts {
  body: HTMLElement[];
  /** Keys that work everywhere in the widget except in text fields. */
  keys: Record<string, () => void>;
  /** Whether the widget has steps; the help then explains them. */
  steps: boolean;
  /** Whether the widget has timelines and breakpoints. */
  forks?: boolean;
  /** Replaces the keys and signs of graphs in the help. */
  help?: HTMLElement[];
  /** Replaces the signs of a run in the help. */
  legend?: HTMLElement;
  /** What stands after the title in the head. */
  subject?: HTMLElement | null;
  /** Controls in the head, and items of the menu behind "…". */
  tools?: HTMLElement[];
  menu?: HTMLElement[];
  /** Whether the widget is a stage: one frame of fixed height (stage/stage.ts). */
  framed?: boolean;
  /** Closes what is open over the widget; false if nothing was. */
  close?: () => boolean;
}

export type Widget<T extends object> = (ctx: Context, store: Store<T>, title: string) => WidgetParts;

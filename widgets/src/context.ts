/** What every part of one widget shares. */

import type { Panels } from "./base/panel-schedule";
import type { Ask } from "./base/questions";
import type { Lang, Translate } from "./i18n";
import type { PointedStore } from "./model/highlights";
import type { CompareRecord } from "./record";

export interface Font {
  size: number;
  weight: number;
}

export interface Stage {
  element: HTMLElement;
  /** Shows what a program gave, and what it gives with a change that was tried on a copy. */
  compare: (record: CompareRecord) => void;
}

export interface Context {
  t: Translate;
  lang: Lang;
  /** Begins every id of this widget. */
  prefix: string;
  /** Ends when the widget is taken away or drawn anew. */
  life: AbortSignal;
  width(text: string, font: Font, mono?: boolean): number;
  /** Asks Python, where a kernel runs. */
  ask: Ask;
  /** Which of Python's programs is shown, for questions about its nodes; null where Python has none. */
  program: number | null;
  /** What the pictures point at besides the run. */
  pointed: PointedStore;
  /** Where an answer that needs room is shown. */
  stage: Stage;
  /** Draws what is beside the picture, when there is time. */
  panels: Panels;
  /** Whether the reader wants things to change without moving. */
  calm(): boolean;
}

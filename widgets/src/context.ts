/** What all parts of one widget share. */

import type { Pace } from "./base/pace";
import type { Panels } from "./base/panel-schedule";
import type { Ask } from "./base/questions";
import type { Lang, Translate } from "./i18n";
import type { HighlightStore } from "./model/highlights";
import type { CompareRecord } from "./record";

export interface Font {
  size: number;
  weight: number;
}

export interface TriedChange {
  element: HTMLElement;
  /** Compares what a program gives with what a changed copy of it gives. */
  compare: (record: CompareRecord) => void;
  /** Removes the comparison; false if there is none. */
  close: () => boolean;
}

export interface Context {
  t: Translate;
  lang: Lang;
  /** The prefix of every id in this widget. */
  prefix: string;
  /** Aborts when the widget is removed or redrawn. */
  life: AbortSignal;
  width(text: string, font: Font, mono?: boolean): number;
  /** Asks Python, if a kernel runs. */
  ask: Ask;
  /** Which of Python's programs is shown, for questions about its nodes; null if Python holds none. */
  program: number | null;
  /** What pictures highlight besides the run. */
  highlights: HighlightStore;
  /** The sheet over the widget for long answers. */
  triedChange: TriedChange;
  /** Schedules the drawing of panels beside the picture. */
  panels: Panels;
  /** The speed of play and of all motion. */
  pace: Pace;
  /** Whether the user prefers reduced motion. */
  calm(): boolean;
}

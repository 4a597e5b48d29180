/** What every part of one widget shares. */

import type { Lang, Translate } from "../i18n";
import type { PointedStore } from "../model/highlights";
import type { Stage } from "../panels/tried-change";
import type { Panels } from "./panel-schedule";
import type { Ask } from "./questions";

export interface Font {
  size: number;
  weight: number;
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

/** What every part of one widget shares. */
import type { Lang, Translate } from "./i18n";

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
  /** Whether the reader wants things to change without moving. */
  calm(): boolean;
}

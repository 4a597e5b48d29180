/** What a page sees of the elements: their attributes, properties and events. */

export type ElementTheme = "light" | "dark";

/** Where a widget opens: each element takes the names that its README row lists. */
export type ElementView = Record<string, unknown>;

/** A reader has moved to another step. Elements without runs have the step alone. */
export interface PositionDetail {
  run?: number;
  step: number;
}

/** A learner has committed a prediction. */
export interface AnsweredDetail {
  correct: boolean;
  /** Of each value that was asked for: its name in the record, the learner's texts and whether each is right. */
  targets: { key: string; predicted: string[]; right: boolean[] }[];
}

/** The state of a widget has changed: the new values, by the names of Python's traits. */
export type ChangedDetail = Record<string, unknown>;

/** A record is shown, or why it is not. */
export interface ShownDetail {
  /** "" for a record that is shown, else the code of the problem that the element tells. */
  problem: string;
}

export interface TfeduElementEvents {
  "tfedu-shown": CustomEvent<ShownDetail>;
  "tfedu-position": CustomEvent<PositionDetail>;
  "tfedu-answered": CustomEvent<AnsweredDetail>;
  "tfedu-changed": CustomEvent<ChangedDetail>;
}

/** An element that shows one kind of record. Each property but `record` is an attribute, too. */
export interface TfeduElementApi {
  /** The record itself, as `JSON.parse` gives it; it comes before a script element inside and before `src`. */
  record: unknown;
  /** The address of a JSON file on the page's own origin. */
  src: string;
  /** The title of the widget; without it that of its kind. */
  heading: string;
  /** "en", "ko" or "zh"; without it the language of the page around, else the browser's. */
  lang: string;
  /** Without it the widget follows the page. */
  theme: ElementTheme | "";
  /** A CSS length such as "600px", or a number of pixels; without it the widget has the height that it needs. */
  height: string;
  /** Where it opens; as an attribute it is JSON. Setting it again moves what is shown. */
  view: ElementView | string | null;
}

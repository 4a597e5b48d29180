/** What the pictures of a widget highlight besides the run: the path that an explanation names, and racing nodes. */
import type { Store } from "../base/store";

/** Two racing nodes, and the text on the line between them. */
export interface RacePair {
  first: number;
  second: number;
  words: string;
}

export interface Highlights {
  /** The nodes of a path, each of which needs the next. */
  path: readonly number[];
  races: readonly RacePair[];
}

export type HighlightStore = Store<Highlights>;

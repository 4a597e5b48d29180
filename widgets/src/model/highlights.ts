/** What the pictures of a widget show besides a run: the way that an explanation speaks of, and nodes that race. */
import type { Store } from "../base/store";

/** Two nodes that race, and the words on the line between them. */
export interface Tie {
  first: number;
  second: number;
  words: string;
}

export interface Pointed {
  /** Nodes of which each asks for the next one. */
  path: readonly number[];
  races: readonly Tie[];
}

export type PointedStore = Store<Pointed>;

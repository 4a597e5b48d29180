/** The changes of a node between two graphs, and their signs, as in Python's text of a difference. */
import type { Change } from "../record";

export const CHANGES: readonly Change[] = ["added", "removed", "renamed", "rewired", "changed"];
export const CHANGE_SIGNS: Record<Change, string> = {
  added: "+",
  removed: "−",
  renamed: "≈",
  rewired: "↷",
  changed: "≠",
};

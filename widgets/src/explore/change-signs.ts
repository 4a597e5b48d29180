/** What can become of a node, and the sign of each: the same as in Python's text of it. */
import type { Change } from "../record";

export const CHANGES: readonly Change[] = ["added", "removed", "renamed", "rewired", "changed"];
export const CHANGE_SIGNS: Record<Change, string> = {
  added: "+",
  removed: "−",
  renamed: "≈",
  rewired: "↷",
  changed: "≠",
};

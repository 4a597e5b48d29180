/** Draws an element of a pipeline: its number, its value, and the pass over the source that it came from. */
import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { FlowingRecord } from "../record";

/** How many borders tell passes apart; the number does where they come again. */
const BORDERS = 4;

/** `epochs`: whether there are several passes. */
export function drawFlowChip(
  id: number,
  { index, text, epoch }: FlowingRecord,
  epochs: boolean,
): HTMLElement {
  const pass = epochs ? epoch : null;
  return h(
    "span",
    { class: "flow-chip", "data-element": id, "data-pass": pass === null ? null : pass % BORDERS },
    h("small", {}, `#${index}`),
    h("strong", { dir: "auto" }, shorten(text, 14)),
    pass !== null && h("small", {}, `↻${pass + 1}`),
  );
}

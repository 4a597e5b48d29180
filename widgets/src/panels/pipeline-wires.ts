/** The ways of elements from one column of stages to the next: a line from each stage to the one that asks it. */

import { h, s } from "../base/dom";
import type { PipelineStageRecord } from "../record";

/** The height of the middle of a stage in its column, in hundredths. */
const middle = (at: number, count: number): number => (100 * (at + 0.5)) / count;

/** `from`: the stages of a column; `to`: those of the next one. */
export function drawPipelineWires(
  from: readonly PipelineStageRecord[],
  to: readonly PipelineStageRecord[],
): HTMLElement {
  const ends = new Set<number>();
  const lines = from.flatMap(({ id }, at) => {
    const asks = to.findIndex(({ inputs }) => inputs.includes(id));
    if (asks < 0) return [];
    const [start, end] = [middle(at, from.length), middle(asks, to.length)];
    ends.add(end);
    return `M0 ${start}H6V${end}H12`;
  });
  const heads = [...ends].map((end) => {
    const head = s("svg", { class: "head", viewBox: "0 0 6 8" }, s("path", { d: "M0 0 6 4 0 8z" }));
    head.style.top = `${end}%`; // a strict policy of the page forbids the attribute
    return head;
  });
  return h(
    "span",
    { class: "pipe-wires", "aria-hidden": "true" },
    s(
      "svg",
      { class: "lines", viewBox: "0 0 16 100", preserveAspectRatio: "none" },
      s("path", { d: lines.join("") }),
    ),
    ...heads,
  );
}

/** The axes of a chart: a line at each tick, and its value beside it. */
import { s } from "../base/dom";
import type { Scale } from "../model/chart-scale";

export const CHART = { width: 440, height: 230, left: 58, right: 426, top: 12, bottom: 202 } as const;

function words(x: number, y: number, anchor: string, content: string): SVGTextElement {
  const text = s("text", { class: "tick", x, y, "text-anchor": anchor });
  text.textContent = content;
  return text;
}

export function drawAxes(
  across: Scale,
  acrossText: (value: number) => string,
  up: Scale | null,
  upText: (value: number) => string,
): SVGGElement {
  const { left, right, top, bottom } = CHART;
  const group = s("g", { class: "axes" });
  for (const tick of up?.ticks ?? []) {
    const y = up?.at(tick);
    if (y === null || y === undefined) continue;
    group.append(
      s("path", { class: "grid", d: `M${left} ${y}H${right}` }),
      words(left - 6, y + 4, "end", upText(tick)),
    );
  }
  for (const [i, tick] of across.ticks.entries()) {
    const x = across.at(tick);
    if (x === null) continue;
    // Outermost labels stay inside the picture, however long they are.
    const anchor = x > right - 30 && i > 0 ? "end" : x < left + 12 ? "start" : "middle";
    group.append(
      s("path", { class: "grid", d: `M${x} ${bottom}v5` }),
      words(x, bottom + 18, anchor, acrossText(tick)),
    );
  }
  group.append(s("path", { class: "frame", d: `M${left} ${top}V${bottom}H${right}` }));
  return group;
}

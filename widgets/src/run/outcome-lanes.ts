/** The orders of a program as branching lanes: each parts from the first one at a step, and ends in its result. */

import { s } from "../base/dom";
import { firstTurnDifference } from "../model/steps/schedule-difference";
import type { ResultRecord } from "../record";

/** The width of a lane, and the distance of its line from the top of its row, in pixels. */
const WIDTH = 84;
const LINE = 14;
const LEFT = 4;

/** For each result, the part of the first order that its own order shares, from 0 to 1; null if its runs are not known. */
export function sharedParts(results: readonly ResultRecord[]): (number | null)[] {
  const first = results[0]?.way.runs ?? [];
  const total = first.reduce((sum, { steps }) => sum + steps.length, 0);
  return results.map(({ way }, i) => {
    if (i === 0) return 0;
    if (way.runs.length === 0 || total === 0) return null;
    const part = firstTurnDifference(first, way.runs);
    if (!part) return 1;
    const before = first.slice(0, part.run).reduce((sum, { steps }) => sum + steps.length, 0);
    return Math.min(1, (before + part.step - 1) / total);
  });
}

/** The row of one result: its own lane, and the lanes of later results on their way down. */
export function drawLane(shared: readonly (number | null)[], row: number): SVGSVGElement {
  const at = (part: number): number => LEFT + part * (WIDTH - 24);
  const svg = s("svg", { class: "outcome-lane", width: WIDTH, "aria-hidden": "true" });
  const line = (x1: number, y1: number | string, x2: number, y2: number | string, known = true): void => {
    svg.append(s("line", { x1, y1, x2, y2, "data-known": String(known) }));
  };
  for (const [later, part] of shared.entries()) {
    if (later > row) line(at(part ?? 0), row === 0 ? LINE : 0, at(part ?? 0), "100%", part !== null);
  }
  const own = shared[row] ?? null;
  const from = at(own ?? 0);
  if (row > 0) line(from, 0, from, LINE, own !== null);
  line(from, LINE, WIDTH - 8, LINE, own !== null);
  svg.append(
    s("circle", { class: "parts", cx: from, cy: LINE, r: 3 }),
    s("circle", { class: "ends", cx: WIDTH - 6, cy: LINE, r: 4 }),
  );
  return svg;
}

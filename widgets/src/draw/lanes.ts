/** Draws what an overview has besides scopes, nodes and lines: grounds of lanes, ties to gradients, counts of edges. */
import { s } from "../base/dom";
import type { Box, Point } from "../layout/geometry";
import type { Overview, OverviewLane } from "../layout/scene-types";
import { tag } from "./badge";

type Width = (words: string) => number;

export const drawBands = (bands: Overview["bands"], title: (lane: OverviewLane) => string): SVGGElement[] =>
  bands.map(({ lane, box }) => {
    const text = s("text", { class: "title", x: box.x + 12, y: box.y + 13, dy: "0.35em" });
    text.textContent = title(lane);
    const area = s("rect", { class: "area", x: box.x, y: box.y, width: box.w, height: box.h, rx: 12 });
    return s("g", { class: "lane-ground", "data-lane": lane }, area, text);
  });

const RADIUS = 8;

/** A path of straight pieces with round corners. */
function rounded(points: Point[]): string {
  const toward = (from: Point, to: Point): string => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const part = Math.min(RADIUS, length / 2) / length;
    return `${from.x + (to.x - from.x) * part} ${from.y + (to.y - from.y) * part}`;
  };
  return points
    .map((point, i) => {
      const [before, after] = [points[i - 1], points[i + 1]];
      if (!before) return `M${point.x} ${point.y}`;
      return after
        ? `L${toward(point, before)}Q${point.x} ${point.y} ${toward(point, after)}`
        : `L${point.x} ${point.y}`;
    })
    .join("");
}

/** A dotted line down from a scope to its gradient. */
export const drawTies = (ties: Overview["ties"], width: Width): SVGGElement[] =>
  ties.map(({ points, label, count }) => {
    const words = `×${count}`;
    const mark = count > 1 && tag("edge-text", label.x, label.y, width(words), words);
    return s("g", { class: "gradient-tie" }, s("path", { d: rounded(points) }), mark);
  });

/** The count of edges that arrive at a node or an open scope without a line. */
export const drawArriving = (box: Box, words: string, width: Width): SVGGElement =>
  tag("edge-text arriving", box.x + box.w - width(words) / 2, box.y + box.h, width(words), words);

/** Draws an edge. Kinds differ by dash, by arrow head and by colour, so that no reader depends on colour. */
import type { Bundle } from "../collapse";
import { s } from "../dom";
import type { Line, Point } from "../layout/scene";
import type { EdgeKind } from "../record";
import { curve } from "./curve";

const HEAD = 9;

/** The tip of a line: a filled arrow for data, an open one for control, a square for a reference. */
function head(kind: EdgeKind, tip: Point, from: Point): SVGElement {
  const down = tip.y >= from.y ? 1 : -1;
  const { x, y } = tip;
  const back = y - down * HEAD;
  if (kind === "data")
    return s("path", { class: "head", d: `M${x} ${y}L${x - 4.5} ${back}L${x + 4.5} ${back}Z` });
  if (kind === "control") {
    return s("path", { class: "head open", d: `M${x - 5} ${back}L${x} ${y}L${x + 5} ${back}` });
  }
  return s("rect", { class: "head", x: x - 4.5, y: down > 0 ? y - 9 : y, width: 9, height: 9 });
}

/** A line of one kind from point to point: also the sample in the legend. */
export function strokes(kind: EdgeKind, points: Point[]): SVGElement[] {
  const tip = points.at(-1) ?? { x: 0, y: 0 };
  const from = points.at(-2) ?? tip;
  // The line ends inside its head, else its blunt end would show at the tip.
  const inset = kind === "control" ? 1 : 6;
  const end = { x: tip.x, y: tip.y - Math.sign(tip.y - from.y) * inset };
  const d = curve([...points.slice(0, -1), end]);
  const lines = [s("path", { class: "line", d })];
  // A double line: a broad one with a narrow one in the ground's colour on it.
  if (kind === "reference") lines.push(s("path", { class: "line core", d }));
  return [...lines, head(kind, tip, from)];
}

export interface EdgeMark {
  group: SVGGElement;
  hit: SVGPathElement;
}

export function drawEdge(line: Line, bundle: Bundle, marked: boolean): EdgeMark {
  const d = curve(line.points);
  const hit = s("path", { class: "hit", d });
  const group = s(
    "g",
    {
      class: "edge",
      "data-kind": bundle.kind,
      "data-edge": bundle.edges.map((edge) => edge.id).join(" "),
      "data-count": bundle.edges.length,
      "data-marked": marked || undefined,
    },
    marked && s("path", { class: "halo", d }),
    marked && s("path", { class: "halo", d }),
    ...strokes(bundle.kind, line.points),
    hit,
  );
  return { group, hit };
}

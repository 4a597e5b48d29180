/** Draws an edge. The kinds differ by dash, arrow head and colour, so that no reader depends on colour. */

import { s } from "../base/dom";
import type { Point } from "../layout/geometry";
import type { Line } from "../layout/scene";
import { type Bundle, bundled } from "../model/collapse";
import type { EdgeKind } from "../record";
import { curve } from "./edge-path";

const HEAD = 9;

/** The direction in which a line arrives: along its last part, or with the flow if that part bends. */
function direction(tip: Point, from: Point, turned: boolean): [number, number] {
  const isAcross = Math.abs(tip.y - from.y) < 0.5 || (turned && Math.abs(tip.x - from.x) >= 0.5);
  return isAcross ? [tip.x >= from.x ? 1 : -1, 0] : [0, tip.y >= from.y ? 1 : -1];
}

/** The arrow head: filled for data, open for control, a square for a reference. */
function head(kind: EdgeKind, tip: Point, [dx, dy]: [number, number]): SVGElement {
  // A point `back` from the tip and `aside` from the line.
  const at = (back: number, aside: number): string =>
    `${tip.x - dx * back + dy * aside} ${tip.y - dy * back + dx * aside}`;
  if (kind === "data")
    return s("path", { class: "head", d: `M${at(0, 0)}L${at(HEAD, -4.5)}L${at(HEAD, 4.5)}Z` });
  if (kind === "control")
    return s("path", { class: "head open", d: `M${at(HEAD, -5)}L${at(0, 0)}L${at(HEAD, 5)}` });
  const middle = { x: tip.x - dx * 4.5, y: tip.y - dy * 4.5 };
  return s("rect", { class: "head", x: middle.x - 4.5, y: middle.y - 4.5, width: 9, height: 9 });
}

/** The line of one kind between two points; also the sample in the legend. */
export function strokes(kind: EdgeKind, points: Point[], turned = false): SVGElement[] {
  const tip = points.at(-1) ?? { x: 0, y: 0 };
  const from = points.at(-2) ?? tip;
  // The line ends inside its head; its blunt end would show at the tip.
  const inset = kind === "control" ? 1 : 6;
  const [dx, dy] = direction(tip, from, turned);
  const end = { x: tip.x - dx * inset, y: tip.y - dy * inset };
  const d = curve([...points.slice(0, -1), end], turned);
  const lines = [s("path", { class: "line", d })];
  // A double line: a broad one, and on it a narrow one in the background's colour.
  if (kind === "reference") lines.push(s("path", { class: "line core", d }));
  return [...lines, head(kind, tip, [dx, dy])];
}

export function drawEdge(line: Line, bundle: Bundle, marked: boolean): SVGGElement {
  const halo = () => s("path", { class: "halo", d: curve(line.points, line.turned) });
  return s(
    "g",
    {
      class: "edge",
      "data-kind": bundle.kind,
      "data-edge": bundle.edges.map((edge) => edge.id).join(" "),
      "data-count": bundled(bundle),
      "data-marked": marked || undefined,
    },
    ...(marked ? [halo(), halo()] : []),
    ...strokes(bundle.kind, line.points, line.turned),
  );
}

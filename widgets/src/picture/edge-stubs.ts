/** Draws the edges of nodes set beside the graph: a stub at each end, both with the same number. */

import { s } from "../base/dom";
import { circle } from "../draw/badge";
import { strokes } from "../draw/edge";
import { curve } from "../draw/edge-path";
import { createStubPlaces } from "../explore/beside";
import type { Point } from "../layout/geometry";
import { bundled } from "../model/collapse";
import type { EdgeKind } from "../record";
import { boxOf, type Drawing } from "./paint";

/** The line of a stub without a head, at the source of an edge. */
function plain(kind: EdgeKind, points: Point[]): SVGElement[] {
  const lines = [s("path", { class: "line", d: curve(points) })];
  return kind === "reference" ? [...lines, s("path", { class: "line core", d: curve(points) })] : lines;
}

export function drawStubs(drawn: Drawing): void {
  const { beside } = drawn.visible;
  const place = createStubPlaces(beside.stubs, (end) => boxOf(drawn, end));
  const layer = s("g", { class: "edges stubs", "aria-hidden": "true" });
  beside.stubs.forEach((stub, i) => {
    const from = place(stub.source, "source");
    const to = place(stub.target, "target");
    if (!from || !to) return;
    const start = [
      { x: from.x, y: from.near },
      { x: from.x, y: from.far },
    ];
    const end = [
      { x: to.x, y: to.far },
      { x: to.x, y: to.near },
    ];
    const many = bundled(stub) > 1 ? `${i + 1}×${bundled(stub)}` : `${i + 1}`;
    const group = s(
      "g",
      { class: "edge stub", "data-kind": stub.kind, "data-count": bundled(stub) },
      ...plain(stub.kind, start),
      ...strokes(stub.kind, end),
      circle("number", from.x, from.far, many),
      circle("number", to.x, to.far, many),
    );
    group.setAttribute("data-edge", stub.edges.map(({ id }) => id).join(" "));
    drawn.lines.set(stub.key, {
      line: { bundle: stub, points: start, label: null, turned: false, cable: null },
      group,
    });
    drawn.items.set(group, { kind: "edge", bundle: stub });
    layer.append(group);
  });
  drawn.svg.append(layer);
}

/** Marks the differences of two graphs on their picture: a sign at each node and line, and counts on closed scopes. */

import { s } from "../base/dom";
import { circle, pill } from "../draw/badge";
import { pointAlong } from "../draw/edge-path";
import { CHANGE_SIGNS, CHANGES } from "../explore/change-signs";
import type { End } from "../model/collapse";
import { push } from "../model/graph";
import type { Change, GraphDiffRecord } from "../record";
import { boxOf, type Drawing } from "./paint";

export function showDiffMarks(drawn: Drawing, record: GraphDiffRecord): void {
  const layer = drawn.finds;
  layer.replaceChildren();
  const inside = new Map<End, Change[]>();
  for (const { node, changes } of record.nodes) {
    const end = drawn.visible.shownAs.get(node);
    if (end !== undefined) for (const change of changes) push(inside, end, change);
  }
  for (const [end, changes] of inside) {
    const box = boxOf(drawn, end);
    const key = typeof end === "number" ? `node ${end}` : `scope ${end}`;
    const group = drawn.marks.get(key)?.group;
    if (!box || !group) continue;
    const ownChanges = CHANGES.filter((change) => changes.includes(change));
    group.setAttribute("data-change", ownChanges.join(" "));
    layer.append(
      s("rect", {
        class: `change-ring ${ownChanges[0]}`,
        x: box.x - 5,
        y: box.y - 5,
        width: box.w + 10,
        height: box.h + 10,
        rx: 10,
      }),
    );
    let x = box.x + 3;
    for (const change of ownChanges) {
      const many = changes.filter((each) => each === change).length;
      const words = typeof end === "string" ? `${CHANGE_SIGNS[change]}${many}` : CHANGE_SIGNS[change];
      const width = drawn.words.text(words);
      layer.append(pill(change, x, box.y - 2, words, width));
      x += Math.max(18, width + 10) + 3;
    }
  }
  const edges = new Map(record.edges.map(({ edge, change }) => [edge, change]));
  for (const { line, group } of drawn.lines.values()) {
    const all = line.bundle.edges.map(({ id }) => edges.get(id));
    const ownChanges = (["added", "removed"] as const).filter((change) => all.includes(change));
    const [first] = ownChanges;
    if (!first) continue;
    // A bundle is new or gone only if all its edges are.
    if (all.every((change) => change === first)) group.setAttribute("data-change", first);
    const { x, y } = pointAlong(line.points, 0.6, line.turned);
    ownChanges.forEach((change, i) => {
      const many = all.filter((each) => each === change).length;
      const words = many > 1 ? `${CHANGE_SIGNS[change]}${many}` : CHANGE_SIGNS[change];
      const className = `edge-${change}`;
      layer.append(
        many > 1
          ? pill(className, x, y + 20 * i, words, drawn.words.text(words))
          : circle(className, x, y + 20 * i, words),
      );
    });
  }
  for (const { block, change } of record.blocks) {
    const box = drawn.scene.blocks.get(block);
    if (box) layer.append(circle(change, box.x + 3, box.y + 2, CHANGE_SIGNS[change]));
  }
}

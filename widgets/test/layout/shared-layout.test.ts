import { expect, test } from "vitest";
import shared from "../../../tests/golden/layout.json";
import { layoutScene, type Sizes } from "../../src/layout/scene";
import { visibleGraph } from "../../src/model/collapse";
import { indexGraph } from "../../src/model/graph";
import type { GraphRecord } from "../../src/record";

const sizes: Sizes = {
  node: () => ({ w: 80, h: 40 }),
  closed: () => ({ w: 120, h: 80 }),
  block: () => ({ w: 240, h: 70 }),
  title: () => ({ w: 60, h: 18 }),
  label: () => null,
};

// The static layout in Python passes the same check on the same file.
test.each(Object.entries(shared))("%s: every node is below its inputs", (_, data) => {
  const record = data as unknown as GraphRecord;
  const graph = indexGraph(record);
  const scene = layoutScene(graph, visibleGraph(graph, new Set()), sizes);
  for (const edge of record.edges) {
    const ends = [scene.nodes.get(edge.source), scene.nodes.get(edge.target)];
    // A loop is cut at its back edge.
    const [above, below] = graph.node.get(edge.source)?.type === "NextIteration" ? ends.reverse() : ends;
    if (!above || !below) throw new Error("a node is not placed");
    expect(above.y + above.h).toBeLessThan(below.y);
  }
});

import { describe, expect, test } from "vitest";
import recorded from "../../../tests/golden/portions.json";
import { unpack } from "../../src/base/unpacking";
import type { Box } from "../../src/layout/geometry";
import { layoutScene, ROOM, type Scene } from "../../src/layout/scene";
import { afterOpening, autoCollapse, tally, visibleGraph } from "../../src/model/collapse";
import { type Graph, indexGraph } from "../../src/model/graph";
import type { GraphRecord, PartRecord } from "../../src/record";
import { random } from "../fake";
import { makeGraph, type NodeSpec } from "../fixtures/make";
import { sizes } from "../fixtures/sizes";

/** A network of so many layers, with variables, gradients, an optimizer and initializers in their parts. */
function network(layers: number): GraphRecord {
  const specs: NodeSpec[] = [{ name: "x", type: "Placeholder", role: "placeholder" }];
  const parts: PartRecord[] = [
    { path: ":variables", kind: "variables", of: "" },
    { path: "gradients", kind: "gradients", of: "" },
    { path: "Adam", kind: "optimizer", of: "" },
    { path: ":init", kind: "init", of: "" },
  ];
  let before = "x";
  for (let k = 0; k < layers; k += 1) {
    const own = [":variables/l", "l", "gradients/l", "Adam/l", ":init/l"].map((path) => `${path}${k}`);
    const [variable, layer, gradient, step, init] = own as [string, string, string, string, string];
    specs.push({ name: `${variable}/w`, type: "VariableV2", role: "variable" });
    specs.push({ name: `${layer}/MatMul`, type: "MatMul", inputs: [before, `${variable}/w`] });
    specs.push({ name: `${layer}/Relu`, type: "Relu", inputs: [`${layer}/MatMul`] });
    specs.push({ name: `${gradient}/MatMul`, type: "MatMul", inputs: [`${layer}/Relu`] });
    specs.push({
      name: `${step}/Apply`,
      type: "ApplyAdam",
      inputs: [`${gradient}/MatMul`, `&${variable}/w`],
    });
    specs.push({ name: `${init}/Assign`, type: "Assign", inputs: [`&${variable}/w`] });
    parts.push(
      { path: variable, kind: "variable", of: layer },
      { path: gradient, kind: "gradient", of: layer },
    );
    before = `${layer}/Relu`;
  }
  return { ...makeGraph(specs), parts };
}

const graphs: [string, GraphRecord][] = [
  ["a training", unpack(recorded.first as unknown as GraphRecord)],
  ...[1, 3, 6].map((layers): [string, GraphRecord] => [`a network of ${layers} layers`, network(layers)]),
];

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w - 0.01 && b.x < a.x + a.w - 0.01 && a.y < b.y + b.h - 0.01 && b.y < a.y + a.h - 0.01;

function draw(graph: Graph, closed: string[]): Scene {
  const visible = visibleGraph(graph, new Set(closed));
  for (const { drawn, folded, total } of Object.values(tally(graph, visible)))
    expect(drawn + folded).toBe(total);
  return layoutScene(graph, visible, sizes);
}

describe.each(graphs)("%s", (_, record) => {
  const graph = indexGraph(record);

  test("the first view fits its room at a readable scale, and no two items overlap", () => {
    const scene = draw(graph, autoCollapse(graph));
    expect(Math.min(ROOM.w / scene.w, ROOM.h / scene.h)).toBeGreaterThan(0.7);
    const solid = [...scene.nodes.values(), ...scene.closed.values()];
    for (const [i, a] of solid.entries())
      for (const b of solid.slice(i + 1)) expect(overlap(a, b)).toBe(false);
  });

  test("whatever opens, each item is in the picture and every edge is drawn or counted", () => {
    const next = random(5);
    let closed = autoCollapse(graph);
    for (let i = 0; i < 12; i += 1) {
      const doors = closed.filter((path) => !graph.sealed.has(path));
      const path = doors[Math.floor(next() * doors.length)];
      if (path === undefined) break;
      closed = afterOpening(graph, closed, path);
      const scene = draw(graph, closed);
      for (const { x, y, w, h } of [...scene.nodes.values(), ...scene.closed.values()])
        expect(x >= 0 && y >= 0 && x + w <= scene.w + 0.01 && y + h <= scene.h + 0.01).toBe(true);
    }
  });
});

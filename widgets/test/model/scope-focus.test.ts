/** One scope by itself: the same records as in Python, a way out, and pictures that hide nothing. */
import { expect, test } from "vitest";
import expected from "../../../tests/golden/focus.json";
import shared from "../../../tests/golden/layout.json";
import { tally, visibleGraph } from "../../src/model/collapse";
import { indexGraph, refocus } from "../../src/model/graph";
import { focusable, focused, scopeSubject } from "../../src/model/scope-focus";
import type { GraphRecord } from "../../src/record";
import { settle, show } from "../fake";
import { makeGraph } from "../fixtures/make";

const records = shared as unknown as Record<string, GraphRecord>;
const cases = Object.entries(expected).flatMap(([name, scopes]) =>
  Object.entries(scopes).map(([at, short]) => [name, at, short] as const),
);

test.each(cases)("%s, %s: Python finds the same", (name, at, short) => {
  const { record, outside } = focused(records[name] as GraphRecord, at);
  const { scopes, groups, boxes, layers } = record;
  const found = {
    nodes: record.nodes.map(({ id, scope }) => [id, scope]),
    edges: record.edges.map(({ id }) => id),
    outside: [...outside].sort((a, b) => a - b),
    scopes,
    groups,
    boxes,
    layers,
  };
  expect(found).toEqual(short);
});

test("the scopes that can be looked at are the same as in Python", () => {
  for (const [name, scopes] of Object.entries(expected))
    expect([...focusable(records[name] as GraphRecord)].sort()).toEqual(Object.keys(scopes).sort());
});

test("what a scope by itself draws and folds is all that it has", () => {
  const graph = indexGraph(records.mlp as GraphRecord);
  refocus(graph, scopeSubject("layer1"));
  for (const closed of [[], ["layer1/weights"], [...graph.scope.keys()]]) {
    const { nodes, data } = tally(graph, visibleGraph(graph, new Set(closed)));
    expect(nodes.drawn + nodes.folded).toBe(graph.record.nodes.length);
    expect(data.drawn + data.folded).toBe(data.total);
  }
  refocus(graph);
  expect(graph.record).toBe(records.mlp);
});

const net = (): GraphRecord =>
  makeGraph([
    { name: "x", type: "Placeholder", role: "placeholder" },
    { name: "net/layer/w", type: "VariableV2", role: "variable", out: "float32_ref (2, 2)" },
    { name: "net/layer/MatMul", type: "MatMul", inputs: ["x", "net/layer/w"] },
    { name: "net/out", type: "Relu", inputs: ["net/layer/MatMul"] },
    { name: "loss", type: "Mean", inputs: ["net/out"] },
    { name: "rest", type: "NoOp", role: "noop" },
  ]);

const steps = (root: HTMLElement): string[] =>
  (root.querySelector('[data-testid="scope-path"]')?.textContent ?? "").split(" › ");
const drawn = (root: HTMLElement): string[] =>
  [...root.querySelectorAll(".viewport g.node")].map((node) => node.getAttribute("data-name") ?? "").sort();

test("a view opens at a scope, says so, and its way leads out", async () => {
  const { root, model } = show("graph-view", net(), { at: "net/layer" });
  await settle();
  expect(drawn(root)).toEqual(["net/layer/MatMul", "net/layer/w", "net/out", "x"]);
  const outside = [...root.querySelectorAll(".viewport g.node[data-outside]")];
  expect(outside.map((node) => node.getAttribute("data-name")).sort()).toEqual(["net/out", "x"]);
  expect(outside.every((node) => node.getAttribute("aria-label")?.endsWith("outside"))).toBe(true);
  expect(root.querySelector(".details h4")?.textContent).toContain(
    "4 of 6 nodes: net/layer and its neighbours",
  );
  expect(steps(root)).toEqual(["The whole graph", "net", "layer"]);
  root.querySelector<HTMLElement>('[data-path="net"]')?.click();
  await settle();
  expect(model.get("at")).toBe("net");
  expect(steps(root)).toEqual(["The whole graph", "net"]);
  root.querySelector<HTMLElement>('[data-path=""]')?.click();
  await settle();
  expect(model.get("at")).toBe("");
  expect(drawn(root)).toHaveLength(6);
  expect(root.querySelector<HTMLElement>('[data-testid="scope-path"]')?.hidden).toBe(true);
  expect(root.querySelector(".details h4")?.textContent).toBe("The whole graph");
});

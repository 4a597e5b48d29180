import { describe, expect, test } from "vitest";
import recorded from "../../../tests/golden/portions.json";
import { unpack } from "../../src/base/unpacking";
import {
  afterOpening,
  autoCollapse,
  bundled,
  LIMIT,
  READABLE,
  tally,
  visibleGraph,
} from "../../src/model/collapse";
import { extend, type Graph, indexGraph, nodesUnder, ROOT } from "../../src/model/graph";
import { EDGE_KINDS, type GraphRecord } from "../../src/record";
import { random, settle, show } from "../fake";
import { makeGraph } from "../fixtures/make";

const first = (): GraphRecord => unpack(structuredClone(recorded.first) as unknown as GraphRecord);
const more = recorded.more.map(({ path, message }) => ({
  path,
  record: unpack(message as unknown as GraphRecord),
}));

/** Checks that drawn and counted nodes and edges make the total, with each edge counted once. */
function expectAll(graph: Graph, collapsed: Iterable<string>): void {
  const seen = visibleGraph(graph, new Set(collapsed));
  const sums = tally(graph, seen);
  expect(sums.nodes.total).toBe(recorded.nodes);
  for (const kind of EDGE_KINDS) expect(sums[kind].total).toBe(recorded.edges[kind]);
  for (const { drawn, folded, total } of Object.values(sums)) expect(drawn + folded).toBe(total);
  const edges = seen.bundles.flatMap((bundle) => bundle.edges.map(({ id }) => id));
  expect(new Set(edges).size).toBe(edges.length);
}

test("nodes and edges outside the record are counted, in every state of the picture", () => {
  const graph = indexGraph(first());
  expect(graph.sealed.size).toBeGreaterThan(2);
  const next = random(3);
  const paths = [...graph.scope.keys()].filter((path) => path !== ROOT);
  expectAll(graph, []);
  expectAll(graph, autoCollapse(graph));
  for (let i = 0; i < 40; i += 1)
    expectAll(
      graph,
      paths.filter(() => next() < i / 40),
    );
});

test("opening every portion gives the whole graph, and no state on the way hides anything", () => {
  const graph = indexGraph(first());
  let closed = autoCollapse(graph);
  for (const { path, record } of more) {
    expect(graph.sealed.has(path)).toBe(true);
    extend(graph, path, record);
    expect(graph.sealed.has(path)).toBe(false);
    closed = afterOpening(graph, closed, path);
    expectAll(graph, closed);
    expectAll(graph, []);
  }
  expect(graph.sealed.size).toBe(0);
  expect(graph.record.bundles).toEqual([]);
  expect(graph.record.nodes.length).toBe(recorded.nodes);
});

test("opening a sealed scope asks Python; without an answer the picture stays as it was", async () => {
  const { root, model, close } = show("graph-view", recorded.first, { collapsed: [] });
  await settle();
  const path = recorded.more[0]?.path ?? "";
  const scope = (): Element | undefined =>
    [...root.querySelectorAll("g.scope")].find((group) => group.getAttribute("data-scope") === path);
  const before = root.querySelectorAll('[data-testid="picture"] g.node[data-id]').length;
  // The first click chooses it, the second opens it.
  for (let i = 0; i < 2; i += 1) scope()?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await settle();
  expect(model.asked.at(-1)).toMatchObject({ question: "portion", args: { path, opened: [] } });
  expect(root.querySelectorAll('[data-testid="picture"] g.node[data-id]').length).toBe(before);
  model.reply({ value: recorded.more[0]?.message });
  await settle();
  // The lanes of an overview show what is in it.
  const inside = [...root.querySelectorAll("g.scope")].filter((group) =>
    group.getAttribute("data-scope")?.startsWith(`${path}/`),
  );
  expect(inside.length).toBeGreaterThan(0);
  close();
});

describe("a repeated block", () => {
  const repeated = (): GraphRecord => {
    const specs = Array.from({ length: 12 }, (_, i) => [
      { name: `layer_${i}/a`, type: "MatMul", inputs: [i === 0 ? "x" : `layer_${i - 1}/b`] },
      { name: `layer_${i}/b`, type: "Relu", inputs: [`layer_${i}/a`] },
    ]).flat();
    const chain = Array.from({ length: 20 }, (_, i) => ({
      name: `t${i}`,
      type: "Tanh",
      inputs: [i === 0 ? "layer_11/b" : `t${i - 1}`],
    }));
    const record = makeGraph([{ name: "x", type: "Placeholder" }, ...specs, ...chain]);
    const id = (name: string): number => record.nodes.find((node) => node.name === name)?.id ?? -1;
    const scopes = Array.from({ length: 12 }, (_, i) => `layer_${i}`);
    return {
      ...record,
      groups: [
        { path: "layer_0…layer_11", parent: "", kind: "repeat", scopes, nodes: [] },
        { path: "t0…t19", parent: "", kind: "series", scopes: [], nodes: chain.map(({ name }) => id(name)) },
      ],
    };
  };

  test("is one box with its number, which opens to all of it", async () => {
    const { root, model, close } = show("graph-view", repeated());
    await settle();
    const titles = [...root.querySelectorAll('[data-testid="picture"] .scope.closed .title')].map(
      (title) => title.textContent,
    );
    expect(titles).toEqual(["layer_0 … layer_11 ×12", "t0 … t19 ×20"]);
    expect(root.querySelectorAll('[data-testid="picture"] g.node[data-id]').length).toBe(1);
    model.set("collapsed", ["t0…t19"]);
    await settle();
    expect(root.querySelectorAll('[data-testid="picture"] g.node[data-id]').length).toBe(25);
    expect(root.querySelectorAll('[data-testid="picture"] .scope.open').length).toBe(13);
    close();
  });

  test("takes its place by creation order, hides nothing, and leaves no node behind", () => {
    const graph = indexGraph(repeated());
    expect(graph.children.get("layer_0…layer_11")?.[10]).toBe("layer_10");
    expect(nodesUnder(graph, ROOT).length).toBe(45);
    for (const closed of [
      [],
      ["layer_0…layer_11"],
      ["t0…t19"],
      ["layer_0…layer_11", "t0…t19"],
      ["layer_3"],
    ]) {
      const sums = tally(graph, visibleGraph(graph, new Set(closed)));
      for (const { drawn, folded, total } of Object.values(sums)) expect(drawn + folded).toBe(total);
    }
  });
});

describe("a graph too large to draw", () => {
  const large = (): GraphRecord =>
    makeGraph(
      Array.from({ length: 3000 }, (_, i) => ({
        name: `s${i % 30}/t${i % 7}/n${i}`,
        type: "Add",
        inputs: i > 30 ? [`s${(i - 30) % 30}/t${(i - 30) % 7}/n${i - 30}`] : [],
      })),
    );

  test("begins with few items, and an opened scope closes its inner scopes", () => {
    const graph = indexGraph(large());
    let closed = autoCollapse(graph);
    const things = (): number => {
      const seen = visibleGraph(graph, new Set(closed));
      return seen.nodes.length + seen.closed.size;
    };
    expect(things()).toBeLessThanOrEqual(READABLE);
    closed = afterOpening(graph, closed, "s3");
    expect(visibleGraph(graph, new Set(closed)).closed.has("s3/t2")).toBe(true);
  });

  test("never shows more than the limit: opening a scope closes others, and the latest one stays open", () => {
    const graph = indexGraph(large());
    let closed = autoCollapse(graph);
    for (let i = 0; i < 30; i += 1) {
      closed = afterOpening(graph, closed, `s${i}`);
      for (let t = 0; t < 7; t += 1) {
        closed = afterOpening(graph, closed, `s${i}/t${t}`);
        const seen = visibleGraph(graph, new Set(closed), Infinity);
        expect(seen.nodes.length + seen.closed.size).toBeLessThanOrEqual(LIMIT);
        expect(seen.open).toContain(`s${i}/t${t}`);
        expect(seen.bundles.map(bundled).every((count) => count > 0)).toBe(true);
      }
    }
  });
});

test("portions that the record already holds are named in the next question", async () => {
  const { root, model, close } = show("graph-view", recorded.first, { collapsed: [], loaded: ["a", "b/c"] });
  await settle();
  const path = recorded.more[0]?.path ?? "";
  const scope = [...root.querySelectorAll("g.scope")].find(
    (group) => group.getAttribute("data-scope") === path,
  );
  for (let i = 0; i < 2; i += 1) scope?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await settle();
  expect(model.asked.at(-1)).toMatchObject({ question: "portion", args: { path, opened: ["a", "b/c"] } });
  close();
});

import { describe, expect, test } from "vitest";
import { autoCollapse, idleScopes, LIMIT, REST, tally, visibleGraph } from "../../src/model/collapse";
import { indexGraph, ROOT } from "../../src/model/graph";
import { collapsedAfterChoice } from "../../src/model/graph-item";
import { EDGE_KINDS, type GraphRecord } from "../../src/record";
import { settle, show } from "../fake";
import { counterGraph } from "../fixtures/counter";
import { makeGraph } from "../fixtures/make";
import { randomGraph } from "../fixtures/random";

/** Every set of closed scopes of a small graph. */
function* states(record: GraphRecord): Generator<Set<string>> {
  const paths = record.scopes.map((scope) => scope.path);
  for (let mask = 0; mask < 2 ** paths.length; mask += 1) {
    yield new Set(paths.filter((_, i) => (mask >> i) & 1));
  }
}

const graphs: [string, GraphRecord][] = [
  ["the counter without identity", counterGraph(false)],
  ["the counter with identity", counterGraph(true)],
  ...[1, 2, 3, 4, 5].map((seed): [string, GraphRecord] => [`random graph ${seed}`, randomGraph(seed)]),
];

describe.each(graphs)("%s", (_, record) => {
  const graph = indexGraph(record);

  test("drawn and folded make the total, for nodes and each kind of edge, however the scopes are closed", () => {
    let seen = 0;
    for (const collapsed of states(record)) {
      const now = visibleGraph(graph, collapsed);
      for (const { drawn, folded, total } of Object.values(tally(graph, now)))
        expect(drawn + folded).toBe(total);
      seen += 1;
    }
    expect(seen).toBeGreaterThanOrEqual(4);
  });

  test("every edge is in exactly one line or inside one closed scope", () => {
    for (const collapsed of states(record)) {
      const now = visibleGraph(graph, collapsed);
      const drawn = now.bundles.flatMap((bundle) => bundle.edges.map((edge) => edge.id));
      expect(new Set(drawn).size).toBe(drawn.length);
      for (const edge of record.edges) {
        const [source, target] = [now.shownAs.get(edge.source), now.shownAs.get(edge.target)];
        expect(drawn.includes(edge.id)).toBe(source !== target || typeof source === "number");
      }
    }
  });

  test("an empty block is drawn in every state", () => {
    const empty = record.blocks.filter((block) => block.empty).map((block) => block.id);
    for (const collapsed of states(record)) expect(visibleGraph(graph, collapsed).blocks).toEqual(empty);
  });
});

test("around a node that is chosen every scope opens, also one that an outer scope closes as it opens", () => {
  // The outer scope is large: what is in it closes as it opens.
  const nodes = ["a", "b", "c"].flatMap((inner) =>
    Array.from({ length: LIMIT }, (_, i) => `s/${inner}/n${i}`),
  );
  const graph = indexGraph(makeGraph(nodes.map((name) => ({ name, type: "NoOp" }))));
  const chosen = graph.record.nodes.findIndex((node) => node.name === "s/b/n3");
  const left = collapsedAfterChoice(graph, ["s"], { kind: "node", id: chosen });
  expect(left).not.toContain("s");
  expect(left).not.toContain("s/b");
  expect(left).toContain("s/c");
});

test("the picture shows what the tally counts: elements and badges in the page make the total too", {
  timeout: 60_000,
}, async () => {
  for (const seed of [6]) {
    const record = randomGraph(seed);
    const { root, model, close } = show("graph-view", record);
    for (const collapsed of states(record)) {
      model.set("collapsed", [...collapsed]);
      await settle();
      const badge = (word: string): number =>
        [...root.querySelectorAll(".scope.closed .count")]
          .map((text) => new RegExp(`^${word} (\\d+)$`).exec(text.textContent ?? "")?.[1] ?? 0)
          .reduce((sum: number, n) => sum + Number(n), 0);
      expect(root.querySelectorAll("g.node[data-id]").length + badge("nodes")).toBe(record.nodes.length);
      for (const kind of EDGE_KINDS) {
        const drawn = [...root.querySelectorAll(`g.edge[data-kind=${kind}][data-count]`)];
        const lines = drawn.reduce((sum, edge) => sum + Number(edge.getAttribute("data-count")), 0);
        const bundled = drawn.filter((edge) => Number(edge.getAttribute("data-count")) > 1);
        for (const edge of bundled) {
          expect(edge.querySelector(".tag text")?.textContent).toBe(`×${edge.getAttribute("data-count")}`);
        }
        expect(lines + badge(kind)).toBe(record.edges.filter((edge) => edge.kind === kind).length);
      }
    }
    close();
  }
});

test("in a large graph scopes in which nothing runs are closed, unless they contain the difference", () => {
  const specs = Array.from({ length: 30 }, (_, i) => ({
    name: `${i < 20 ? "idle/deep" : "busy"}/n${i}`,
    type: "Add",
  }));
  const graph = indexGraph(makeGraph(specs));
  const idle = new Set(Array.from({ length: 20 }, (_, i) => i));
  expect(idleScopes(graph, idle, new Set())).toEqual(["idle"]);
  expect(idleScopes(graph, idle, new Set([3]))).toEqual([]);
  expect(idleScopes(indexGraph(counterGraph(false)), new Set([4, 5]), new Set())).toEqual([]);
});

test("a closed scope hides inner scopes, and opening it shows them as they were", () => {
  const graph = indexGraph(randomGraph(3));
  const now = visibleGraph(graph, new Set(["a", "a/b"]));
  expect(now.closed.has("a")).toBe(true);
  expect(now.closed.has("a/b")).toBe(false);
  expect(visibleGraph(graph, new Set(["a/b"])).closed.has("a/b")).toBe(true);
});

test("a graph too large to draw, without scopes, sets nodes aside and counts them", () => {
  const specs = Array.from({ length: 1300 }, (_, i) => ({
    name: `n${i}`,
    type: "Add",
    inputs: i > 0 ? [`n${i - 1}`, `^n${Math.floor(i / 2)}`] : [],
  }));
  const record = makeGraph(specs);
  const graph = indexGraph(record);
  const now = visibleGraph(graph, new Set(autoCollapse(graph)));
  expect(now.nodes.length).toBe(LIMIT);
  expect(now.closed.get(REST)?.nodes).toBe(800);
  for (const { drawn, folded, total } of Object.values(tally(graph, now))) expect(drawn + folded).toBe(total);
});

test("a graph too large to draw closes its own scopes until it is small enough", () => {
  const specs = Array.from({ length: 2000 }, (_, i) => ({ name: `s${i % 40}/n${i}`, type: "Add" }));
  const graph = indexGraph(makeGraph(specs));
  const now = visibleGraph(graph, new Set(autoCollapse(graph)));
  expect(now.nodes.length + now.closed.size).toBeLessThanOrEqual(500);
  expect(tally(graph, now).nodes.total).toBe(2000);
});

test("a node whose scope is not in the record is drawn in the root", () => {
  const record = counterGraph(true);
  const graph = indexGraph({ ...record, scopes: [] });
  expect(graph.scope.get(ROOT)?.nodes.length).toBe(record.nodes.length);
});

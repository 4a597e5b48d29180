/** Two graphs as one picture: each change has a sign, a word and a line, and a list leads to it. */
import { expect, test } from "vitest";
import { CHANGE_SIGNS } from "../../src/explore/change-signs";
import type { GraphDiffRecord } from "../../src/record";
import { press, settle, show } from "../fake";
import { makeGraph } from "../fixtures/make";

function diff(): GraphDiffRecord {
  const graph = makeGraph([
    { name: "x", type: "Placeholder", role: "placeholder" },
    { name: "net/w", type: "Const", role: "constant" },
    { name: "net/mul", type: "Mul", inputs: ["x", "net/w"] },
    { name: "drop/new", type: "Dropout", inputs: ["net/mul"] },
    { name: "out", type: "Neg", inputs: ["drop/new"] },
    { name: "<script>alert(1)</script>", type: "Identity", inputs: ["net/mul"] },
  ]);
  const none = { inputs: [], attrs: [] };
  return {
    version: 1,
    kind: "graph-diff",
    graph,
    nodes: [
      {
        node: 1,
        changes: ["renamed", "changed"],
        before: "net/c",
        after: "net/w",
        inputs: [],
        attrs: [["value", "1", "2"]],
      },
      { node: 3, changes: ["added"], before: "", after: "drop/new", ...none },
      {
        node: 4,
        changes: ["rewired"],
        before: "out",
        after: "out",
        inputs: [{ kind: "data", input: 0, before: "net/mul:0", after: "drop/new:0" }],
        attrs: [],
      },
      { node: 5, changes: ["removed"], before: "<script>alert(1)</script>", after: "", ...none },
    ],
    edges: [
      { edge: 2, change: "added" },
      { edge: 3, change: "added" },
      { edge: 4, change: "removed" },
    ],
    blocks: [],
    same: 2,
  };
}

test("each changed node and line has its sign, and the legend has exactly these", async () => {
  const { root, at, close } = show("graph-diff", diff());
  await settle();
  const signs = [...root.querySelectorAll(".viewport .finds .badge")].map((badge) => badge.textContent);
  expect(signs.sort()).toEqual(["+", "+", "+", "−", "−", "↷", "≈", "≠"].sort());
  expect(root.querySelectorAll('.viewport .edge[data-change="added"]')).toHaveLength(2);
  expect(root.querySelectorAll('.viewport .edge[data-change="removed"]')).toHaveLength(1);
  const legend = [...at("legend").querySelectorAll<HTMLElement>("li")].map((item) => item.dataset.sign);
  for (const sign of ["added", "removed", "renamed", "rewired", "changed", "edge-added", "edge-removed"])
    expect(legend).toContain(sign);
  expect(at("counts").textContent).toBe(
    "Nodes: 1 added, 1 removed, 1 renamed, 1 rewired, 1 changed, 2 as before",
  );
  close();
});

test("a closed scope counts its changes of each kind", async () => {
  const record = diff();
  const { root, close } = show("graph-diff", record, { collapsed: ["net", "drop"] });
  await settle();
  const signs = [...root.querySelectorAll(".viewport .finds .badge:is(.added, .renamed, .changed)")].map(
    (b) => b.textContent,
  );
  expect(signs.sort()).toEqual(["+1", "≈1", "≠1"].sort());
  close();
});

test("the list has every change in words and leads to its node, by keyboard too", async () => {
  const { root, at, model, close } = show("graph-diff", diff(), { collapsed: ["drop"] });
  await settle();
  const items = [...at("changes").querySelectorAll<HTMLElement>("button")];
  expect(items).toHaveLength(4);
  expect(items[0]?.textContent).toContain("net/w (Const) was called net/c");
  expect(items[0]?.textContent).toContain("value: 1 → 2");
  expect(items[2]?.textContent).toContain("input 0: net/mul:0 → drop/new:0");
  expect(items.map((item) => item.tabIndex)).toEqual([0, -1, -1, -1]);
  items[0]?.focus();
  press(items[0] as Element, "ArrowDown");
  expect(document.activeElement).toBe(items[1]);
  items[1]?.click();
  await settle();
  expect(model.get("collapsed")).toEqual([]);
  expect(model.get("selected")).toBe(3);
  expect(items[1]?.getAttribute("aria-current")).toBe("true");
  expect(root.querySelectorAll("script")).toHaveLength(0);
  close();
});

test("in a larger graph scopes without a change are closed at first", async () => {
  const specs = ["a", "b", "c"].flatMap((scope) =>
    Array.from({ length: 10 }, (_, i) => ({ name: `${scope}/n${i}`, type: "Add" })),
  );
  const record: GraphDiffRecord = {
    ...diff(),
    graph: makeGraph(specs),
    nodes: [{ node: 12, changes: ["added"], before: "", after: "b/n2", inputs: [], attrs: [] }],
    edges: [],
  };
  const { model, root, close } = show("graph-diff", record, { collapsed: null });
  await settle();
  expect(model.get("collapsed")).toEqual(["a", "c"]);
  expect(root.querySelectorAll('.viewport .node[data-change="added"]')).toHaveLength(1);
  close();
});

test("equal graphs are reported as equal", async () => {
  const { at, root, close } = show("graph-diff", { ...diff(), nodes: [], edges: [], blocks: [] });
  await settle();
  expect(at("counts").textContent).toBe("The two graphs are the same.");
  expect(root.querySelector<HTMLElement>(".changes")?.hidden).toBe(true);
  for (const sign of Object.values(CHANGE_SIGNS)) expect(at("legend").textContent).not.toContain(sign);
  close();
});

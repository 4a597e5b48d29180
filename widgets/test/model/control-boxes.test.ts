import { expect, test } from "vitest";
import recorded from "../../../tests/golden/branch_trace.json";
import { tally, visibleGraph } from "../../src/model/collapse";
import { indexGraph, outerBoxes, regroup } from "../../src/model/graph";
import type { TraceRecord } from "../../src/record";
import { settle, show } from "../fake";

// A nested cond, and a loop that fills a TensorArray; `take` is False.
const trace = recorded as unknown as TraceRecord;
const graphRecord = { ...trace.graph, version: 1, kind: "graph" } as const;
const steps = trace.runs[0]?.steps ?? [];
const step = (name: string): number =>
  1 + steps.findIndex(({ node }) => trace.graph.nodes.find(({ id }) => id === node)?.name === name);

const click = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new Event("click", { bubbles: true }));
};
const titles = (root: HTMLElement, which: string): (string | null | undefined)[] =>
  [...root.querySelectorAll(`.viewport .scope.${which}`)].map(
    (group) => group.querySelector(".title")?.textContent,
  );

test("drawn and folded make the total with boxes too, however they are closed", () => {
  const graph = indexGraph(trace.graph);
  regroup(graph, true);
  const paths = trace.graph.boxes.map(({ path }) => path);
  for (let seed = 1; seed < 200; seed += 1) {
    const closed = new Set(paths.filter((_, i) => (seed * 2654435761) & (1 << (i % 31))));
    for (const { drawn, folded, total } of Object.values(tally(graph, visibleGraph(graph, closed))))
      expect(drawn + folded).toBe(total);
  }
  regroup(graph, false);
  expect([...graph.scope.keys()].sort()).toEqual(["", ...trace.graph.scopes.map(({ path }) => path)].sort());
});

test("the outer boxes are the cond and the loop, without their inner boxes", () => {
  const graph = indexGraph(trace.graph);
  expect(outerBoxes(graph)).toEqual([]);
  regroup(graph, true);
  expect(outerBoxes(graph)).toEqual(["cond", "while"]);
});

test("a cond becomes one box, opens to its branches, and becomes Switch and Merge again", async () => {
  const { at, model, root, close } = show("graph-view", graphRecord);
  const drawn = (): (string | null)[] =>
    [...root.querySelectorAll(".viewport [data-id], .viewport [data-scope]")].map((group) =>
      group.getAttribute("aria-label"),
    );
  const before = drawn();
  expect(at("boxes").getAttribute("aria-pressed")).toBe("false");
  click(at("boxes"));
  await settle();
  expect(at("boxes").getAttribute("aria-pressed")).toBe("true");
  expect(titles(root, "closed")).toEqual(expect.arrayContaining(["If take", "Loop while"]));
  expect(root.querySelector('.scope.closed[data-kind="cond"] path.card')).not.toBeNull();
  expect([model.synced.boxes, model.synced.collapsed]).toEqual([true, ["cond", "while"]]);
  for (let i = 0; i < 2; i += 1) click(root.querySelector('[data-scope="cond"]'));
  await settle();
  expect(titles(root, "open")).toEqual(expect.arrayContaining(["If take", "True", "False", "If Greater"]));
  expect(root.querySelector('[data-scope="cond"] .handle')?.getAttribute("aria-label")).toContain("take");
  click(at("boxes"));
  await settle();
  expect(model.synced.boxes).toBe(false);
  expect(drawn()).toEqual(before);
  close();
});

test("Python may ask for boxes from the start", () => {
  const { root, close } = show("graph-view", graphRecord, { boxes: true, collapsed: ["cond", "while"] });
  expect(titles(root, "closed")).toEqual(expect.arrayContaining(["If take", "Loop while"]));
  close();
});

test("without a cond or loop there is no switch for boxes", () => {
  const { root, close } = show("graph-view", { ...graphRecord, boxes: [] });
  expect(root.querySelector('[data-testid="boxes"]')).toBeNull();
  close();
});

test("the branch not taken is struck through, and its nodes give the reason", async () => {
  const at = step("cond/cond/add");
  const { root, at: part, close } = show("step-through", trace, { run: 0, step: at });
  const reason = "it lies in the branch that is taken where take:0 is True; here it is False";
  expect(part("status").textContent).toBe("cond/cond/add is dead: take:0 is False.Its branch needs True.");
  expect(part("details").textContent).toContain(`dead: ${reason}`);
  click(part("boxes"));
  await settle();
  click(root.querySelector('[data-scope="cond"]'));
  await settle();
  const state = (path: string): string | null | undefined =>
    root.querySelector(`.scope[data-scope="${path}"]`)?.getAttribute("data-state");
  expect(state("cond/True")).toBe("dead");
  expect(state("cond/False")).toBeNull();
  // A branch in which only a node of an inner scope is dead is dead, too.
  expect(state("cond/True/cond/True")).toBe("dead");
  close();
});

test("at the end of a loop its condition is the reason", () => {
  const last = steps.findLastIndex(({ death }) => death?.code === "ended") + 1;
  const { at, close } = show("step-through", trace, { run: 0, step: last });
  expect(at("status").textContent).toContain("is dead: while/LoopCond is False.The loop ends.");
  close();
});

test("the table says what a step writes to an element of an array", async () => {
  const { at, model, close } = show("step-through", trace, { run: 0, step: 1 });
  const rows = (): string[] =>
    [...at("rows").querySelectorAll("code")].flatMap(({ textContent: text }) =>
      text.startsWith("TensorArray[") ? [text] : [],
    );
  model.set("step", steps.length);
  await settle();
  expect(rows()).toEqual(["TensorArray[1]: – → 1.0"]);
  close();
});

/** The drawings of a loop in StepThrough, on Python's record of a nested loop: tests/golden/loop_trace.json. */
import { expect, test } from "vitest";
import loop from "../../../tests/golden/loop_trace.json";
import type { TraceRecord } from "../../src/record";
import { press, settle, show, type WidgetOnPage } from "../fake";

const trace = loop as unknown as TraceRecord;
const steps = trace.runs[0]?.steps ?? [];
const idOf = (name: string): number => trace.graph.nodes.find((node) => node.name === name)?.id ?? -1;
/** The step after the turn of a node in an iteration. */
const after = (name: string, iteration: number[]): number =>
  steps.findIndex((step) => step.node === idOf(name) && String(step.iteration) === String(iteration)) + 1;
const at = (step: number): WidgetOnPage => show("step-through", trace, { run: 0, step });
const boxes = (root: Element): Element[] => [...root.querySelectorAll(".loop-lanes g.node")];
const choose = (page: WidgetOnPage, testid: string): void => (page.at(testid) as HTMLInputElement).click();

test("the lanes have a column for each iteration and a lane for each variable, and count what they do not draw", () => {
  const { root, at: part, close } = at(after("outer/add", [1]));
  const texts = (query: string): string[] =>
    [...root.querySelectorAll(query)].map((each) => each.textContent ?? "");
  expect(texts(".loop-lanes .title")).toEqual(["Iteration 0", "Iteration 1", "Iteration 2"]);
  expect(texts(".loop-names .lane")).toEqual(["i", "total"]);
  expect(root.querySelectorAll(".loop-ground[data-now]")).toHaveLength(1);
  const [total, drawn, counted] = (part("loop-counts").textContent ?? "").match(/\d+/g)?.map(Number) ?? [];
  expect(total).toBe(trace.graph.nodes.length);
  expect((drawn ?? 0) + (counted ?? 0)).toBe(total);
  const active = root.querySelector('.loop-lanes g.node[data-state="active"]');
  expect(active?.getAttribute("aria-label")).toBe("add 1 + 1, Iteration 1, 2");
  expect(texts(".loop-lanes .chip")).toContain("2");
  close();
});

test("before the first step nothing has a value, and at the end the result leaves", () => {
  const before = at(0);
  expect(boxes(before.root).every((box) => box.getAttribute("data-state") === "waiting")).toBe(true);
  expect(before.root.querySelector(".loop-lanes .chip")).toBeNull();
  before.close();
  const end = at(steps.length);
  expect(end.root.querySelector(".loop-lanes .exit")?.getAttribute("aria-label")).toBe(
    "Exit_1 out, Iteration 2, 1.0",
  );
  expect(end.root.querySelector(".loop-lanes .fetch-flag")?.textContent).toBe("total");
  expect([...end.root.querySelectorAll(".decided")].map((each) => each.textContent)).toEqual([
    "True",
    "True",
    "False",
  ]);
  end.close();
});

test("the arrow keys walk from box to box, one of which is in the order of the tab key, and Enter selects its node", async () => {
  const page = at(after("outer/add", [0]));
  const inOrder = (): Element[] => boxes(page.root).filter((box) => box.getAttribute("tabindex") === "0");
  expect(inOrder()).toHaveLength(1);
  const [start] = inOrder();
  (start as SVGGElement).focus();
  press(start as Element, "ArrowLeft");
  const value = document.activeElement;
  expect(value?.getAttribute("data-id")).toBe(String(idOf("outer/Merge")));
  expect(inOrder()).toEqual([value]);
  press(value as Element, "Enter");
  await settle();
  expect(document.activeElement?.getAttribute("data-key")).toBe(`${idOf("outer/Merge")} 0`);
  expect(document.activeElement?.getAttribute("aria-pressed")).toBe("true");
  expect(page.at("details").textContent).toContain("outer/Merge");
  page.close();
});

test("another loop has lanes of its own, in the latest iteration around it", async () => {
  const page = at(steps.length);
  const select = page.at("loop-frame") as HTMLSelectElement;
  expect([...select.options].map(({ text }) => text)).toEqual(["outer", "outer/inner"]);
  select.selectedIndex = 1;
  select.dispatchEvent(new Event("change"));
  await settle();
  expect([...page.root.querySelectorAll(".loop-names .lane")].map((each) => each.textContent)).toEqual([
    "j",
    "t",
  ]);
  expect(page.root.querySelector(".loop-lanes .title")?.textContent).toBe("Iteration 2.0");
  page.close();
});

test("the cycle is the picture, with nodes named by their variables, and the frames have the variables' values", async () => {
  const page = at(after("outer/add", [1]));
  choose(page, "loop-cycle");
  expect(page.root.querySelector(".loops")?.hasAttribute("hidden")).toBe(true);
  const merge = page.root.querySelector(`.viewport g.node[data-id="${idOf("outer/Merge")}"]`);
  expect(merge?.querySelector(".name")?.textContent).toBe("i");
  expect(page.root.querySelector(".state .loop-now")?.textContent).toBe("outer: iteration 1");
  choose(page, "loop-frames");
  await settle();
  expect(page.at("frames").textContent).toContain("i = 1");
  page.close();
});

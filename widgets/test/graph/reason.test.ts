import { expect, test } from "vitest";
import flowJson from "../../../tests/golden/gradient_flow.json";
import lintJson from "../../../tests/golden/lint.json";
import shared from "../../../tests/golden/outcomes.json";
import passesJson from "../../../tests/golden/passes.json";
import type { OutcomesRecord, Params, ReasonRecord, TraceRecord } from "../../src/record";
import { press, settle, show, type WidgetOnPage } from "../fake";
import { counterCompare, counterGraph, counterTrace } from "../fixtures/counter";

const race = shared.race as unknown as OutcomesRecord;
const trace: TraceRecord = { ...race.trace, runs: race.results[0]?.way.runs ?? [] };

const click = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new Event("click", { bubbles: true }));
};

async function chosen(name: string, of: TraceRecord = trace): Promise<WidgetOnPage> {
  const widget = show("step-through", of, { explains: true });
  click(widget.root.querySelector(`g.node[data-name="${name}"]`));
  await settle();
  return widget;
}

test("the reason is shown without a kernel, and its path in the picture", async () => {
  const { at, root, model, close } = await chosen("a/read");
  expect(at("why").textContent).toContain("Why does it run?");
  expect(at("why-reason").textContent).toContain("c needs its value");
  expect(root.querySelectorAll(".viewport .badge.way")).toHaveLength(0);
  click(at("why-path"));
  await settle();
  const way = [...root.querySelectorAll(".viewport .node[data-way]")].map((node) =>
    node.getAttribute("data-name"),
  );
  expect(way.sort()).toEqual(["a/read", "c"]);
  expect([...root.querySelectorAll(".badge.way")].map((badge) => badge.textContent)).toEqual(["1", "2"]);
  expect(root.querySelectorAll(".viewport .edge[data-way]")).toHaveLength(1);
  expect(model.asked).toHaveLength(0);
  click(at("why-path"));
  await settle();
  expect(root.querySelector(".viewport [data-way]")).toBeNull();
  close();
});

test("of a pruned node the question is why it does not run", async () => {
  const { at, close } = await chosen("a/Assign");
  expect(at("why").textContent).toContain("Why does it not run?");
  expect(at("why-path").hidden).toBe(true);
  close();
});

test("Python answers with changes, and a change tried on a copy is compared with the original", async () => {
  const { at, root, model, close } = await chosen("c");
  const node = shared.reason.node;
  click(at("why-ask"));
  expect(model.asked[0]).toMatchObject({ question: "why", args: { node, program: 0 } });
  model.reply({ value: shared.reason });
  await settle();
  expect(at("why-changes").textContent).toContain("would keep it from running");
  expect(at("why-changes").textContent).toContain(
    "feed c:0, for example with the value that it has now: 3.0",
  );
  expect(at("why-ask").hidden).toBe(true);
  click(at("why-try"));
  expect(model.asked[0]).toMatchObject({ question: "try", args: { node, change: 0, program: 0 } });
  model.reply({ value: shared.tried });
  await settle();
  const stage = at("stage");
  expect(stage.textContent).toContain("Tried on a copy");
  expect(stage.textContent).toContain("as it is: 5.0, 3.0");
  expect(stage.textContent).toContain("with the change: 5.0, 3.0");
  expect(stage.querySelectorAll(".side")).toHaveLength(2);
  expect(document.activeElement?.textContent).toContain("Tried on a copy");
  expect(stage.querySelector("[data-testid=why-ask]:not([hidden])")).toBeNull();
  click(at("stage-close"));
  expect(stage.hidden).toBe(true);
  expect(stage.querySelector(".side")).toBeNull();
  expect(root.contains(stage)).toBe(true);
  close();
});

test("a change that needs a feed says so and is not tried", async () => {
  const { at, model, root, close } = await chosen("c");
  click(at("why-ask"));
  model.reply({ value: shared.needing });
  await settle();
  expect(at("why-changes").textContent).toContain("p:0");
  expect(root.querySelector("[data-testid=why-try]")).toBeNull();
  close();
});

test("each side of a comparison asks about its own program", async () => {
  const { root, model, close } = show("compare", counterCompare(), { explains: true });
  const sides = [...root.querySelectorAll(".side")];
  for (const [i, side] of sides.entries()) {
    click(side.querySelector('g.node[data-name="AssignAdd"]'));
    await settle();
    click([...root.querySelectorAll("[data-testid=why-ask]")][i] as HTMLElement);
    expect(model.asked.at(-1)).toMatchObject({ args: { program: i } });
  }
  expect(sides).toHaveLength(2);
  close();
});

test("a node that waits after a failure names the failed node", async () => {
  const failed = structuredClone(counterTrace(true));
  const [run] = failed.runs;
  if (!run) throw new Error("no run");
  failed.runs = [run];
  run.steps = run.steps.slice(0, 3);
  const last = run.steps[2];
  if (last) Object.assign(last, { outcome: "error", error: "out of order", outputs: [], produced: [] });
  run.error = "out of order";
  const { at, root, close } = show("step-through", failed, { run: 0, step: 3 });
  click(root.querySelector('g.node[data-name="Identity"]'));
  await settle();
  expect(at("why").textContent).toContain("Why does it not run?");
  expect(at("why-reason").textContent).toContain("fails before it. out of order");
  close();
});

/** Python's reason of a node whose path lies outside of the picture. */
const reasonOf = (node: number, params: Params): ReasonRecord => ({
  version: 1,
  kind: "reason",
  node,
  why: { code: "data", params, path: [9000, 9001, node] },
  around: [],
  flips: "stop",
  changes: [],
});

test.each([
  ["lint", lintJson, { rule: "", chosen: 0 }],
  ["gradient-flow", flowJson, { step: 7, ask: false }],
  ["passes", passesJson, { step: 0 }],
])("%s answers why from a click, and by the keyboard alone", async (kind, record, traits) => {
  const { at, root, model, close } = show(kind, record, { ...traits, explains: true });
  at("picture").querySelector<SVGGElement>('[tabindex="0"]')?.focus();
  press(document.activeElement ?? root, "Home");
  while (!document.activeElement?.matches("g.node")) press(document.activeElement ?? root, "ArrowDown");
  const node = document.activeElement;
  press(node, "Enter");
  await settle();
  const ask = at("why-ask");
  expect(ask.textContent).toBe("Does it run, and why?");
  ask.focus();
  click(ask);
  const id = Number(node.getAttribute("data-id"));
  expect(model.asked[0]).toMatchObject({ question: "why", args: { node: id, program: 0 } });
  model.reply({ value: reasonOf(id, { consumer: "far_away", path: "fetched → far_away → it" }) });
  await settle();
  expect(at("why-reason").textContent).toContain(
    "far_away needs its value. From the fetch: fetched → far_away → it.",
  );
  expect(document.activeElement).toBe(at("why-reason"));
  close();
  const silent = show(kind, record, { ...traits, explains: false });
  click(silent.root.querySelector(".viewport g.node"));
  await settle();
  expect(silent.at("why").hidden).toBe(true);
  silent.close();
});

test("lint says which run the reasons refer to", () => {
  const run = { code: "last", params: { fetches: "loss:0", where: "Cell In[3], line 2" } };
  const { at, close } = show("lint", { ...lintJson, run }, { rule: "", chosen: 0, explains: true });
  expect(at("lint-run").textContent).toBe(
    "Questions why a node runs or does not refer to the newest run of the program: loss:0 (Cell In[3], line 2).",
  );
  close();
});

test("a graph without a run has reasons only if Python knows the fetches", async () => {
  const plain = show("graph-view", counterGraph(true), { selected: 2 });
  await settle();
  expect(plain.at("why").hidden).toBe(true);
  plain.close();
  const { at, model, close } = show("graph-view", counterGraph(true), { selected: 2, explains: true });
  await settle();
  expect(at("why").hidden).toBe(false);
  expect(at("why-ask").textContent).toBe("Does it run, and why?");
  click(at("why-ask"));
  expect(model.asked[0]).toMatchObject({ question: "why", args: { node: 2, program: 0 } });
  close();
});

test("what a run that was given up would have done is not known", async () => {
  const [run] = trace.runs;
  if (!run) throw new Error("no run");
  const unfinished = { code: "unfinished" as const, params: { turns: 1, loops: "while" }, path: [] };
  const steps = run.steps.slice(0, 1);
  const ended: TraceRecord = { ...trace, runs: [{ ...run, steps, error: "The run was ended", unfinished }] };
  const { at, model, close } = await chosen("c", ended);
  expect(at("why-reason").textContent).toContain("c runs because");
  model.set("step", steps.length);
  await settle();
  expect(at("why").textContent).toContain("Does it run, and why?");
  expect(at("why-reason").textContent).toContain("It is not known whether c ever computes");
  close();
});

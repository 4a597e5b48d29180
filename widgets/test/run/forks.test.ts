/** Forks, breakpoints, timelines and step table of StepThrough, on Python's record: tests/golden/forked_race.json. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import forked from "../../../tests/golden/forked_race.json";
import loop from "../../../tests/golden/loop_trace.json";
import { PATIENCE } from "../../src/base/questions";
import { frameAt, fromOffset, lastOffset, runLengths } from "../../src/model/steps/replay";
import { asTree, isOwn, timelinesOf } from "../../src/model/steps/timelines";
import type { BranchRecord, BreakRecord, StepRecord, TraceRecord } from "../../src/record";
import { lanesOf } from "../../src/run/timeline-lanes";
import { listed, openedOutline, plain, press, random, settle, show, type, type WidgetOnPage } from "../fake";

const record = forked.record as unknown as TraceRecord;
const branches = [forked.branch_1, forked.branch_2, forked.branch_3] as unknown as BranchRecord[];
const nameOf = (id: number): string => record.graph.nodes.find((node) => node.id === id)?.name ?? "";
const idOf = (name: string): number => record.graph.nodes.find((node) => node.name === name)?.id ?? -1;
const click = (element: Element | null | undefined): void => {
  if (!element) throw new Error("nothing to click");
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const textOf = (element: Element): string => element.textContent ?? "";
const enter = (field: Element): void => {
  press(field, "Enter");
};

describe("timelines", () => {
  const lines = timelinesOf(record, branches);
  const names = (line: number, run: number): string[] =>
    (lines[line]?.trace.runs[run]?.steps ?? []).map(({ node, outcome }) => `${outcome} ${nameOf(node)}`);

  test("a fork shares the steps before it, and then has its own", () => {
    expect(lines).toHaveLength(4);
    for (const { branch, trace } of lines.slice(1)) {
      const parent = lines[branch?.parent ?? 0]?.trace;
      const { run = 0, step = 0 } = branch ?? {};
      for (let i = 0; i < step; i += 1) expect(trace.runs[run]?.steps[i]).toBe(parent?.runs[run]?.steps[i]);
      for (let i = 0; i < run; i += 1) expect(trace.runs[i]).toBe(parent?.runs[i]);
    }
    expect(names(2, 0)).toEqual([
      "ran a",
      "ran a/read",
      "ran c/y",
      "ran update/value",
      "ran update",
      "ran c",
    ]);
    expect(lines.map(({ trace }) => trace.runs[0]?.fetched[1]?.text)).toEqual(["3.0", "3.0", "7.0", "3.0"]);
  });

  test("an added edge is in its timeline's graph alone, and delays its target from there on", () => {
    const edges = (line: number) =>
      lines[line]?.trace.graph.edges.filter(({ kind }) => kind === "control") ?? [];
    const [added] = edges(3).slice(-1);
    expect(edges(3)).toHaveLength(edges(0).length + 1);
    expect([nameOf(added?.source ?? -1), nameOf(added?.target ?? -1)]).toEqual(["update", "c"]);
    expect(names(3, 1)).toContain("changed c");
    const at = { run: 1, step: names(3, 1).indexOf("changed c") };
    const trace = lines[3]?.trace as TraceRecord;
    expect(frameAt(trace, at)?.state.get(idOf("c"))).toBe("ready");
    const after = frameAt(trace, { ...at, step: at.step + 1 });
    expect([after?.state.get(idOf("c")), after?.pending.get(idOf("c"))]).toEqual(["waiting", 1]);
    const end = frameAt(trace, { run: 1, step: names(3, 1).length });
    expect(listed(end?.tokens).size).toBe(0);
  });

  test("the tree has each fork below its parent, the earliest fork first", () => {
    expect(asTree(lines).map(({ line, depth }) => [line.number, depth])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 2],
    ]);
    const [, one] = lines;
    expect(one && [isOwn(one, { run: 0, step: 3 }), isOwn(one, { run: 0, step: 4 })]).toEqual([false, true]);
  });
});

test.each([
  ["a loop", loop as unknown as TraceRecord],
  ["a fork", timelinesOf(record, branches)[3]?.trace as TraceRecord],
  ["a long run", long(1500)],
])("%s: a moment is the same however one comes to it", (_, trace) => {
  const runs = runLengths(trace);
  const next = random(11);
  for (let i = 0; i < 40; i += 1) {
    const at = fromOffset(runs, Math.floor(next() * (lastOffset(runs) + 1)));
    expect(plain(frameAt(trace, at))).toEqual(plain(frameAt(structuredClone(trace), at)));
  }
});

/** One node that runs again and again. */
function long(steps: number): TraceRecord {
  const longTrace = structuredClone(record);
  const run = longTrace.runs[0];
  if (!run) throw new Error("no run");
  const [first] = run.steps;
  run.steps = Array.from({ length: steps }, (_, i) => ({
    ...(first as StepRecord),
    writes: [["a", String(i), String(i + 1)]],
  }));
  return { ...longTrace, runs: [run] };
}

describe("the widget", () => {
  let widget: WidgetOnPage;
  const { record: _, ...traits } = forked;
  const place = (): unknown[] => ["branch", "run", "step"].map((name) => widget.model.get(name));
  const spoken = (): string => widget.at("status").textContent ?? "";

  beforeEach(() => {
    widget = show("step-through", record, { ...traits, step: 3 });
  });
  afterEach(() => widget.close());

  test("every timeline has a lane that begins where it forks, and the chosen one is done up to its position", async () => {
    const lanes = (): string[] => [...widget.root.querySelectorAll(".lane-names > *")].map(textOf);
    expect(lanes()).toEqual(["Timeline 0", "1 · update/value next", "2 · update next"]);
    const lines = widget.root.querySelectorAll(".track line.to-come");
    // Two runs in the first lane and in each fork of its first run.
    expect(lines).toHaveLength(6);
    const start = (i: number): number => Number(lines[i]?.getAttribute("x1"));
    expect(start(0)).toBe(0);
    expect([start(2) > start(0), start(4) > start(2)]).toEqual([true, true]);
    expect(widget.root.querySelectorAll(".track .way")).toHaveLength(2);
    // A lane that is out of view is scrolled into it.
    widget.model.set("branch", 3);
    widget.model.set("run", 1);
    await settle();
    expect(lanes()).toEqual(["1 · update/value next", "2 · update next", "3 · c after update"]);
    expect(widget.root.querySelector(".lane-names > [data-now]")?.textContent).toBe("3 · c after update");
  });

  test("the arrows step and change the timeline; a click goes to a step of any timeline", async () => {
    const track = widget.at("scrub");
    press(track, "ArrowRight");
    expect(place()).toEqual([0, 0, 4]);
    press(track, "ArrowDown");
    await settle();
    expect(place()).toEqual([1, 0, 4]);
    expect(spoken()).toContain("You see timeline 1: update/value runs next.");
    expect(track.getAttribute("aria-valuetext")).toBe("1 · update/value next: Run 1 of 2 · step 4 of 6");
    press(track, "ArrowDown");
    press(track, "End");
    await settle();
    expect(place()).toEqual([2, 1, 6]);
    expect(widget.at("printed").textContent).toBe("5.0, 7.0run 15.0, 7.0run 2");
    press(track, "ArrowUp");
    press(track, "Home");
    await settle();
    expect(place()).toEqual([1, 0, 0]);
    click(widget.root.querySelector('[data-line="2"]'));
    await settle();
    expect(place()).toEqual([2, 0, 0]);
    // The second lane, in the middle of its second run.
    const point = { clientX: 400, clientY: 40, button: 0, bubbles: true };
    widget.root.querySelector(".track-field")?.dispatchEvent(new MouseEvent("pointerdown", point));
    await settle();
    expect(place()).toEqual([1, 1, 5]);
    // A segment's name is its beginning.
    const name = { ...point, clientY: 4 };
    widget.root.querySelector(".track-field")?.dispatchEvent(new MouseEvent("pointerdown", name));
    await settle();
    expect(place()).toEqual([1, 1, 0]);
  });

  test("an added control edge is drawn on its timeline, and on no other", async () => {
    const edges = (): number => widget.root.querySelectorAll('.viewport .edge[data-kind="control"]').length;
    const before = edges();
    widget.model.set("branch", 3);
    await settle();
    expect(edges()).toBe(before + 1);
    widget.model.set("branch", 0);
    await settle();
    expect(edges()).toBe(before);
  });

  test("each ready node but the next is a button that forks there", async () => {
    const buttons = [...widget.at("choose").querySelectorAll("button")];
    expect(widget.at("choose").textContent).toContain("c runs next here");
    expect(buttons.map((button) => button.textContent)).toEqual(["Run update/value next"]);
    click(buttons[0]);
    expect(widget.model.asked[0]).toMatchObject({
      question: "fork",
      args: { code: "choose", node: idOf("update/value"), run: 0, step: 3, timeline: 0 },
    });
    widget.model.reply({ value: { timeline: 4 } });
    await settle();
    expect(widget.root.querySelector(".forks [data-testid=asked]")?.hasAttribute("hidden")).toBe(true);
  });

  test("a value is changed in place, and Python's refusal is shown in its words", async () => {
    const what = widget.at("fork-what") as HTMLSelectElement;
    expect([...what.options].map(({ value }) => value)).toEqual([`${idOf("c/y")}:0`, "=a"]);
    what.value = "=a";
    what.dispatchEvent(new Event("change"));
    type(widget.at("fork-value") as HTMLInputElement, "many");
    click(widget.at("fork-value-send"));
    expect(widget.model.asked[0]?.args).toMatchObject({ code: "variable", name: "a", value: "many" });
    widget.model.reply({ error: "a holds float32, and 'many' is none." });
    await settle();
    expect(widget.root.querySelector(".forks [data-testid=asked]")?.textContent).toBe(
      "Python says: a holds float32, and 'many' is none.",
    );
    expect((widget.at("fork-value") as HTMLInputElement).value).toBe("many");
    click(widget.at("fork-value-send"));
    widget.model.reply({
      error: "a holds float32, and 'many' is none.",
      code: "fork.dtype",
      params: { name: "a", dtype: "float32", value: "'many'" },
    });
    await settle();
    expect(widget.root.querySelector(".forks [data-testid=asked]")?.textContent).toBe(
      "a holds float32, and 'many' is none.",
    );
    what.value = `${idOf("c/y")}:0`;
    click(widget.at("fork-value-send"));
    expect(widget.model.asked[0]?.args).toMatchObject({ code: "value", node: idOf("c/y"), output: 0 });
  });

  test("without a kernel the page says so and stays usable", async () => {
    vi.useFakeTimers();
    click(widget.at("choose").querySelector("button"));
    vi.advanceTimersByTime(PATIENCE + 1);
    expect(widget.root.querySelector(".forks [data-testid=asked]")?.textContent).toContain("No answer yet");
    vi.useRealTimers();
    click(widget.at("step"));
    await settle();
    expect(place()).toEqual([0, 0, 4]);
  });

  test("control edges of the chosen node can be cut, and new ones added by name", async () => {
    widget.model.set("branch", 3);
    widget.model.set("run", 1);
    widget.model.set("step", 4);
    await settle();
    click(widget.root.querySelector(`g.node[data-id="${idOf("c")}"]`));
    expect(widget.at("fork-waits").textContent).toBe("c waits for updateCut");
    click(widget.at(`cut-${idOf("update")}`));
    expect(widget.model.asked[0]?.args).toMatchObject({
      code: "cut",
      first: idOf("update"),
      node: idOf("c"),
      timeline: 3,
      run: 1,
      step: 4,
    });
    type(widget.at("fork-first") as HTMLInputElement, "update/value");
    enter(widget.at("fork-first"));
    expect(widget.model.asked[1]?.args).toMatchObject({
      code: "add",
      first: "update/value",
      node: idOf("c"),
    });
  });

  test("a fork is shown by its number as soon as Python has made it, in whatever order its traits come", async () => {
    widget.close();
    widget = show("step-through", record, {});
    expect(widget.root.querySelectorAll(".lane-names > *")).toHaveLength(0);
    expect(widget.root.querySelector(".leaves")?.hasAttribute("hidden")).toBe(true);
    widget.model.set("leaves", traits.leaves);
    await settle();
    for (const [name, value] of Object.entries(traits)) widget.model.set(name, value);
    widget.model.set("branch", 2);
    await settle();
    expect(widget.root.querySelectorAll(".lane-names > *")).toHaveLength(3);
    const heads = [...widget.root.querySelectorAll(".lines button")].map(textOf);
    expect(heads.map((head) => head.slice(0, 10))).toEqual([0, 1, 2, 3].map((n) => `Timeline ${n}`));
  });

  test("the table of the ends marks differences in words and by a sign", () => {
    const of = (text: string): { sign: string | null | undefined; values: string[] } => {
      const body = [...widget.at("leaves").querySelectorAll("tbody")].find((each) =>
        each.querySelector("[scope=rowgroup]")?.textContent?.includes(text),
      );
      return {
        sign: body?.querySelector('[role="img"]')?.getAttribute("aria-label"),
        values: [...(body?.querySelectorAll("tr") ?? [])].slice(1).map(textOf),
      };
    };
    expect(of("run 1: c:0")).toEqual({ sign: "differs", values: ["0, 1, 33.0", "27.0"] });
    expect(of("run 1: update:0")).toEqual({ sign: "equal everywhere", values: ["5.0"] });
    expect([...widget.root.querySelectorAll(".lines li")].map(textOf)).toEqual([
      "Timeline 0",
      "Timeline 1: update/value runs nextrun 1, step 4",
      "Timeline 2: update runs nextrun 1, step 4",
      "Timeline 3: c waits for updaterun 1, step 4",
    ]);
  });

  test("keys lead to the next breakpoint or the end of the run, and the live line names it", async () => {
    const track = widget.at("scrub");
    const hits: [string, number[], string][] = [
      [">", [0, 0, 6], "Breakpoint: update"],
      [">", [0, 1, 4], "Breakpoint: > 6"],
      [">", [0, 1, 6], "Breakpoint: update"],
      ["<", [0, 1, 4], "Breakpoint: > 6"],
      ["<", [0, 1, 0], ""],
      ["<", [0, 0, 6], "Breakpoint: update"],
      ["<", [0, 0, 0], ""],
      ["<", [0, 0, 0], ""],
    ];
    for (const [key, at, hit] of hits) {
      press(track, key);
      await settle();
      expect(place()).toEqual(at);
      expect(spoken()).toContain(hit);
    }
    expect(widget.root.querySelectorAll(".sign-stop").length).toBeGreaterThan(0);
  });

  test("play stops at a breakpoint, at twice the speed in half the time", async () => {
    vi.useFakeTimers();
    click(widget.at("speed"));
    expect(widget.at("speed").textContent).toBe("2×");
    click(widget.at("play"));
    expect(place()).toEqual([0, 0, 4]);
    vi.advanceTimersByTime(425);
    expect(place()).toEqual([0, 0, 5]);
    vi.advanceTimersByTime(5_000);
    expect(place()).toEqual([0, 0, 6]);
    expect(widget.at("play").getAttribute("aria-pressed")).toBe("false");
    vi.useRealTimers();
  });

  test("a breakpoint is set by key and button, shown in picture and outline, listed with its hits, and removed", async () => {
    const node = widget.root.querySelector(`g.node[data-id="${idOf("update")}"]`);
    expect(node?.querySelector(".badge.stop")).not.toBeNull();
    expect(node?.getAttribute("aria-description")).toBe("Breakpoint on this node");
    openedOutline(widget);
    expect(widget.root.querySelector(`[data-key="node ${idOf("update")}"]`)?.textContent).toContain("●");
    const list = widget.at("breaks");
    expect([...list.children].map((item) => item.querySelector("span")?.textContent)).toEqual([
      "update: hits on this timeline: 2",
      "> 6: hits on this timeline: 1",
    ]);
    click(list.querySelectorAll(".actions button")[1]);
    await settle();
    expect(place()).toEqual([0, 1, 6]);
    click(widget.root.querySelector(`g.node[data-id="${idOf("c")}"]`));
    expect(widget.at("break-node").getAttribute("aria-pressed")).toBe("false");
    press(widget.root, "b");
    expect(widget.model.asked.at(-1)).toMatchObject({ question: "break", args: { node: idOf("c") } });
    const item = widget.root.querySelector<HTMLElement>(`[data-key="node ${idOf("a/read")}"]`);
    item?.focus();
    press(item ?? widget.root, "b");
    expect(widget.model.asked.at(-1)).toMatchObject({ question: "break", args: { node: idOf("a/read") } });
    click(list.querySelector('[data-testid="unbreak"]'));
    expect(widget.model.asked.at(-1)).toMatchObject({ question: "unbreak", args: { number: 1 } });
    widget.model.set("breaks", { ...forked.breaks, breaks: forked.breaks.breaks.slice(1) });
    await settle();
    expect(node?.querySelector(".badge.stop")).toBeNull();
    expect(list.children).toHaveLength(1);
  });

  test("a breakpoint in words is sent to Python; a refused one stays in the field", async () => {
    const field = widget.at("break-field") as HTMLInputElement;
    type(field, " > 10 ");
    enter(field);
    expect(widget.model.asked[0]).toMatchObject({ question: "break", args: { text: "> 10" } });
    widget.model.reply({ error: "no node has that name" });
    await settle();
    expect(field.value).toBe(" > 10 ");
    press(field, "b");
    expect(widget.model.asked).toHaveLength(0);
    enter(field);
    widget.model.reply({ value: 3 });
    await settle();
    expect(field.value).toBe("");
  });

  test("the table of steps follows the position, and leads anywhere", async () => {
    click(widget.at("tab-table"));
    const rows = widget.at("rows");
    expect(rows.querySelectorAll("tbody tr")).toHaveLength(6);
    expect(rows.querySelector('[aria-current="step"]')?.getAttribute("data-step")).toBe("3");
    click(rows.querySelector('[data-step="6"] button'));
    await settle();
    expect(place()).toEqual([0, 0, 6]);
    const cells = [...(rows.querySelector('[aria-current="step"]')?.children ?? [])].map(textOf);
    expect(cells).toEqual(["6", "update", "a: 1.0 → 5.0from ≡ a, 5.0"]);
  });

  test("a source line leads to the next step of its nodes, and the line of the step is marked", async () => {
    const line = (n: number): Element | undefined => widget.at("source").querySelectorAll(".ln")[n - 1];
    click(line(3));
    await settle();
    expect(place()).toEqual([0, 0, 5]);
    expect(line(3)?.getAttribute("aria-current")).toBe("step");
    click(line(2));
    await settle();
    expect(place()).toEqual([0, 1, 3]);
    expect(line(2)?.getAttribute("aria-current")).toBe("step");
  });

  test("stepping syncs the position and nothing else", async () => {
    widget.model.synced = {};
    for (const key of [".", ".", ",", ">"]) press(widget.at("scrub"), key);
    press(widget.at("scrub"), "ArrowDown");
    await settle();
    expect(Object.keys(widget.model.synced).sort()).toEqual(["branch", "step"]);
  });
});

test("a run of 50,000 steps is one bar with few signs, and a step redraws none of them", async () => {
  const { at, root, close } = show("step-through", long(50_000), { step: 25_000 });
  const marks = (): Element[] => [...root.querySelectorAll(".track svg *")];
  expect(marks().length).toBeLessThan(20);
  expect(root.querySelector(".sign-write")?.getAttribute("d")?.match(/M/g)?.length).toBeLessThan(100);
  const before = marks();
  press(at("scrub"), "ArrowRight");
  await settle();
  expect(marks().every((mark, i) => mark === before[i])).toBe(true);
  expect(at("position").textContent).toContain("step 25001 of 50000");
  expect(root.querySelectorAll('[data-testid="rows"] tr').length).toBeLessThan(80);
  close();
});

test("of many runs those around the current one are drawn", async () => {
  const trace = structuredClone(record);
  const [run] = trace.runs;
  if (run) trace.runs = Array.from({ length: 200 }, (_, index) => ({ ...run, index }));
  const { at, model, root, close } = show("step-through", trace);
  const named = (): string[] => [...root.querySelectorAll(".track-labels .title")].map(textOf);
  expect(named()[0]).toBe("Run 1");
  expect(named().length).toBeLessThan(12);
  for (const to of [150, 199, 3]) {
    model.set("run", to);
    await settle();
    expect(named()).toContain(`Run ${to + 1}`);
    expect(named().length).toBeLessThan(12);
    expect(at("position").textContent).toContain(`Run ${to + 1}`);
  }
  close();
});

test("a program with one run and a loop has a segment for each iteration, and may be stepped by them", async () => {
  const { at, model, root, close } = show("step-through", loop);
  expect([...root.querySelectorAll(".track-labels .title")].map(textOf)).toEqual([
    "Start",
    "Iteration 0",
    "1",
    "2",
  ]);
  expect(root.querySelectorAll(".sign-dead").length).toBeGreaterThan(0);
  click(at("unit"));
  expect(at("unit").textContent).toBe("by iteration");
  const ends: unknown[] = [];
  for (let i = 0; i < 4; i += 1) {
    click(at("step"));
    await settle();
    ends.push(model.get("step"));
  }
  const [{ steps = [] } = {}] = loop.runs;
  const last = (n: number): number => steps.findLastIndex(({ iteration }) => iteration[0] === n) + 1;
  expect(ends).toEqual([steps.findIndex(({ frame }) => frame !== ""), last(0), last(1), last(2)]);
  press(root, ",");
  await settle();
  expect(model.get("step")).toBe(last(1));
  close();
});

test("hits of all breakpoints on one timeline are one list, in order", () => {
  const breaks = forked.breaks.breaks as unknown as BreakRecord[];
  expect(lanesOf(timelinesOf(record, branches), breaks)[0]?.hits).toEqual([6, 11, 13]);
});

import { expect, test, vi } from "vitest";
import shared from "../../../tests/golden/outcomes.json";
import { zigzagPath } from "../../src/draw/race-sign";
import { firstTurnDifference, firstValueDifference } from "../../src/model/steps/schedule-difference";
import type { OutcomesRecord, RunRecord } from "../../src/record";
import { press, settle, show, type WidgetOnPage } from "../fake";
import { HOSTILE } from "../fixtures/hostile";

const race = shared.race as unknown as OutcomesRecord;
const fixed = shared.fixed as unknown as OutcomesRecord;
const runs = (at: number): RunRecord[] => race.results[at]?.way.runs ?? [];

const click = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new Event("click", { bubbles: true }));
};

function opened(record = race, traits: Record<string, unknown> = {}): WidgetOnPage {
  return show("outcomes", record, { playing: "0", beside: "", explains: true, ...traits });
}

test("every result is listed with an order that gives it, and their number is stated", () => {
  const { at, close } = opened();
  expect(at("count").textContent).toContain("2 results are possible, and no others");
  expect(at("result-0").textContent).toContain("[5.0, 3.0]");
  expect(at("result-0").textContent).toContain("the default order");
  expect(at("result-1").textContent).toContain("[5.0, 7.0]");
  expect(at("result-1").textContent).toContain("write before c");
  expect(at("result-1").textContent).toMatch(/schedule="\d+<\d+"/);
  close();
});

test("a schedule is copied; without a clipboard a message says so", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const { at, close } = opened();
  const copy = at("result-1").querySelector("[data-testid=copy]");
  click(copy);
  await settle();
  expect(writeText).toHaveBeenCalledWith(`schedule="${race.results[1]?.way.schedules[0]}"`);
  expect(at("result-1").textContent).toContain("Copied");
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  click(copy);
  await settle();
  expect(at("result-1").textContent).toContain("did not allow");
  close();
});

test("stepping through each result's order ends in that result", async () => {
  const { at, model, close } = opened();
  for (const [name, value] of [
    ["0", "3.0"],
    ["1", "7.0"],
    ["0.0", "3.0"],
    ["0.1", "7.0"],
  ]) {
    click(at(`play-${name}`));
    await settle();
    expect(model.get("playing")).toBe(name);
    expect(at(`play-${name}`).getAttribute("aria-pressed")).toBe("true");
    press(at("scrub"), "End");
    await settle();
    expect(at("status").textContent).toContain(`Run 1 prints 5.0, ${value}.`);
  }
  close();
});

test("two orders are compared, with the first step and the first value that differ", async () => {
  const { at, model, root, close } = opened();
  click(at("beside-1"));
  await settle();
  expect(root.querySelectorAll(".sides .side")).toHaveLength(2);
  expect(at("parting").textContent).toContain("They first differ in run 1 at step");
  expect(at("parting").textContent).toContain("that of c: 3.0 in Result A, 7.0 in Result B");
  click(at("go-parting"));
  await settle();
  expect(model.get("step")).toBe(firstTurnDifference(runs(0), runs(1))?.step);
  click(at("beside-1"));
  await settle();
  expect(root.querySelectorAll(".sides .side")).toHaveLength(0);
  close();
});

test("the first difference of two orders is computed from their steps alone", () => {
  const [one, other] = [runs(0), runs(1)];
  const at = firstTurnDifference(one, other);
  const steps = (of: RunRecord[]): number[] => (of[0]?.steps ?? []).map(({ node }) => node);
  const first = steps(one).findIndex((node, i) => node !== steps(other)[i]);
  expect([at?.step, at?.one?.node, at?.other?.node]).toEqual([
    first + 1,
    steps(one)[first],
    steps(other)[first],
  ]);
  expect(firstTurnDifference(one, one)).toBeNull();
  expect(firstValueDifference(one, one)).toBeNull();
  expect(firstTurnDifference(one, [])).toMatchObject({ run: 0, step: 1, other: null });
});

test("a race has a sign between its nodes, and a description with both orders and the line", () => {
  const { at, root, close } = opened();
  expect(root.querySelectorAll(".viewport .race path")).toHaveLength(2);
  expect(root.querySelector(".viewport .race-tag")?.textContent).toBe("race 1: a");
  expect(root.querySelectorAll(".viewport [data-racing]")).toHaveLength(2);
  expect(at("legend").textContent).toContain("race");
  expect(at("race-0").textContent).toContain("c reads a, write writes it");
  expect(at("witness-0-0").textContent).toContain("c before write: [5.0, 3.0]");
  expect(at("witness-0-1").textContent).toContain("write before c: [5.0, 7.0]");
  expect(at("race-0").textContent).toContain('with tf.control_dependencies(["c"]):');
  close();
});

test("the fix is tried on a copy, which can be explored and left again", async () => {
  const { at, model, root, close } = opened();
  click(at("try-fix"));
  const [first, second] = [race.races[0]?.first, race.races[0]?.second];
  expect(model.asked[0]).toMatchObject({ question: "fixed", args: { fixes: [[first, second]] } });
  model.reply({ value: fixed });
  await settle();
  expect(at("after-fix").textContent).toContain("Every legal order gives the same");
  expect(at("after-fix").textContent).toContain("[5.0, 3.0]");
  click(at("open-fix"));
  await settle();
  expect(at("on-copy").textContent).toContain("c → write");
  expect(at("ordered").textContent).toContain("In every order c reads a before write writes it");
  expect(at("ordered").textContent).toContain("write waits until c has run");
  expect(root.querySelector(".viewport .race")).toBeNull();
  expect(root.querySelector("[data-testid=why-ask]:not([hidden])")).toBeNull();
  click(at("back-to-graph"));
  await settle();
  expect(at("count").textContent).toContain("2 results");
  close();
});

test("without a kernel the fix says so, and the rest stays usable", async () => {
  const { at, model, close } = opened();
  click(at("try-fix"));
  model.reply({ error: "there is no kernel" });
  await settle();
  expect(at("asked").textContent).toContain("there is no kernel");
  click(at("play-1"));
  await settle();
  expect(at("playing").textContent).toBe("Result B");
  close();
});

test("an incomplete list says so, and what helps", () => {
  const { at, close } = opened({ ...race, exact: false, turns: 50_001, more_results: 7, races: [] });
  expect(at("count").textContent).toContain("Possible results, at least: 9");
  expect(at("count").textContent).toContain("50001 turns");
  expect(at("limits").textContent).toContain("budget=");
  expect(at("results").parentElement?.textContent).toContain("and 7 more");
  close();
  const py = opened({ ...race, exact: false, outside: [0] });
  expect(py.at("limits").textContent).toContain("cannot be undone");
  py.close();
});

test("a run that the record leaves out is requested when it is played", async () => {
  const short = structuredClone(race);
  const result = short.results[1];
  const left = race.results[1]?.way;
  if (result) result.way = { schedules: [], before: [], runs: [] };
  const { at, model, close } = opened(short);
  click(at("play-1"));
  await settle();
  expect(model.asked[0]).toMatchObject({ question: "way", args: { fixes: [], name: "1" } });
  model.reply({ value: left });
  await settle();
  expect(at("result-1").textContent).toContain("write before c");
  press(at("scrub"), "End");
  await settle();
  expect(at("status").textContent).toContain("Run 1 prints 5.0, 7.0.");
  close();
});

test("keys step through the playing order", async () => {
  const { root, model, close } = opened();
  press(root, ".");
  await settle();
  expect(model.get("step")).toBe(1);
  close();
});

test("the list of results stays beside two orders, and its button keeps the focus", async () => {
  const { at, model, root, close } = opened();
  at("beside-1").focus();
  for (const beside of ["1", ""]) {
    click(at("beside-1"));
    await settle();
    expect(model.get("beside")).toBe(beside);
    expect(root.querySelector(".stage-code")?.contains(at("results"))).toBe(true);
    expect(document.activeElement).toBe(at("beside-1"));
  }
  close();
});

test("a zigzag begins and ends at its two places", () => {
  const path = zigzagPath({ x: 0, y: 0 }, { x: 90, y: 0 }, { x: 45, y: 40 });
  expect(path.startsWith("M0.0 0.0")).toBe(true);
  expect(path.endsWith("L90.0 0.0")).toBe(true);
  expect(path.split("L").length).toBeGreaterThan(8);
});

test.each(HOSTILE)("%s is text in every list", async (name) => {
  const record = structuredClone(race);
  for (const node of record.trace.graph.nodes) node.name = name;
  for (const each of record.races) Object.assign(each, { variable: name, line: name });
  for (const { way } of record.results) way.schedules = [name];
  for (const result of record.results) Object.assign(result, { values: [name], error: name });
  const { root, at, close } = opened(record);
  click(at("beside-1"));
  await settle();
  expect(root.querySelector("script, img, iframe, a, b, form, use, foreignObject")).toBeNull();
  close();
});

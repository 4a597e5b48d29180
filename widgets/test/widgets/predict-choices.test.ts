import { expect, test } from "vitest";
import type { PredictRecord } from "../../src/record";
import { settle, show, type } from "../fake";
import { counterCompare, counterPredict, counterResult } from "../fixtures/counter";

const offered = [
  ["0.0", "0.0", "0.0"],
  ["1.0", "2.0", "3.0"],
];
const choosing: PredictRecord = {
  ...counterPredict,
  targets: counterPredict.targets.map((target) => ({ ...target, choices: offered })),
};
const click = (element: Element): void => {
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const radios = (root: Element, key: string): HTMLInputElement[] => [
  ...root.querySelectorAll<HTMLInputElement>(`[data-testid="choice-${key}"]`),
];
const choices = (root: Element, key: string): (string | null)[][] =>
  radios(root, key).map((radio) =>
    [...(radio.closest("tr")?.querySelectorAll(".slot") ?? [])].map((slot) => slot.textContent),
  );
const choose = (radio: HTMLInputElement | undefined): void => {
  if (!radio) throw new Error("nothing to choose");
  radio.checked = true;
  radio.dispatchEvent(new Event("change"));
};

test("each answer is a choice with one value for each run, and there is no text field", () => {
  const { root, at, close } = show("predict", choosing);
  expect(choices(root, "without")).toEqual(offered);
  expect(radios(root, "without")[1]?.getAttribute("aria-label")).toBe("without identity: 1.0, 2.0, 3.0");
  expect(root.querySelectorAll("input[type=text]").length).toBe(0);
  expect(new Set([...root.querySelectorAll("input")].map(({ name }) => name)).size).toBe(2);
  expect(at("commit").textContent).toContain("Commit");
  close();
});

test("a choice is synced as the prediction", async () => {
  const { root, model, at, close } = show("predict", choosing);
  choose(radios(root, "without")[0]);
  click(at("commit"));
  expect(model.get("committed")).toBe(false);
  expect(at("problem").textContent).toContain("Choose an answer first");
  expect(document.activeElement).toBe(radios(root, "with")[0]);
  choose(radios(root, "with")[1]);
  click(at("commit"));
  await settle();
  expect(model.synced.committed).toBe(true);
  expect(model.synced.draft).toEqual({ without: offered[0], with: offered[1] });
  expect(radios(root, "with").every((radio) => radio.disabled)).toBe(true);
  close();
});

test("a choice is there again after a reload", () => {
  const draft = { without: offered[1], with: offered[0] };
  const { root, close } = show("predict", choosing, { draft, committed: true, result: counterResult() });
  expect(radios(root, "without").map(({ checked }) => checked)).toEqual([false, true]);
  expect(radios(root, "with").map(({ checked }) => checked)).toEqual([true, false]);
  close();
});

test("a question may offer choices for one target and ask for numbers of another", async () => {
  const mixed = { ...choosing, targets: choosing.targets.map((t, i) => (i ? t : { ...t, choices: [] })) };
  const { root, model, at, close } = show("predict", mixed);
  choose(radios(root, "with")[1]);
  click(at("commit"));
  expect(at("problem").textContent).toContain("Fill in every run first");
  for (const run of [0, 1, 2]) type(at(`predict-without-${run}`) as HTMLInputElement, "0");
  click(at("commit"));
  await settle();
  expect(model.synced.draft).toEqual({ without: ["0", "0", "0"], with: offered[1] });
  close();
});

test("a locked widget leads to the first open field of its question, and the answer to a step of that widget", async () => {
  const traits = { question: "q1", draft: { without: ["0", "0", "0"] } };
  Element.prototype.scrollIntoView = () => {};
  const asked = show("predict", counterPredict, traits);
  const waits = show("compare", {}, { question: "q1", locked: true });
  click(waits.at("to-question"));
  expect(document.activeElement).toBe(asked.at("predict-with-0"));
  waits.model.set("record", counterCompare());
  waits.model.set("locked", false);
  asked.model.set("committed", true);
  asked.model.set("result", { ...counterResult(), compare: null });
  await settle();
  click(asked.at("watch"));
  await settle();
  expect([waits.model.get("run"), waits.model.get("step")]).toEqual([0, 1]);
  expect(document.activeElement).toBe(waits.root);
  waits.close();
  asked.close();
});

test("the runs come out one at a time for the learner who has just committed, and at once for others", async () => {
  const delays: number[] = [];
  Element.prototype.animate = ((_: unknown, { delay }: { delay: number }) => delays.push(delay)) as never;
  const draft = { without: ["1", "2", "3"], with: ["1", "2", "3"] };
  const again = show("predict", counterPredict, { draft, committed: true, result: counterResult() });
  expect(delays).toEqual([]);
  again.close();
  const calm = show("predict", counterPredict, { draft });
  window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as unknown as MediaQueryList;
  click(calm.at("commit"));
  calm.model.set("result", counterResult());
  await settle();
  expect([...new Set(delays)].sort((a, b) => a - b)).toEqual([0, 400, 800, 1200, 1400]);
  expect(document.activeElement).toBe(calm.at("idea"));
  calm.close();
  Reflect.deleteProperty(Element.prototype, "animate");
});

test("an answer that Python cannot give is told in its words, and not as a kernel that is gone", async () => {
  const { at, model, close } = show("predict", counterPredict, { draft: {}, committed: true });
  expect(at("waiting").textContent).toContain("running");
  model.set("failure", "Cannot assign a device for operation r");
  await settle();
  expect(at("waiting").textContent).toBe("Python says: Cannot assign a device for operation r");
  close();
});

import { expect, test } from "vitest";
import fixture from "../../../tests/golden/played.json";
import { press, settle, show } from "../fake";

const { game, plays } = fixture;
const begin = plays[0];
const node = (root: HTMLElement, name: string): Element => {
  const element = root.querySelector(`.viewport g.node[data-name="${name}"]`);
  if (!element) throw new Error(`no node ${name}`);
  return element;
};
const id = (name: string): number => game.graph.nodes.find((element) => element.name === name)?.id ?? -1;

test("a click asks Python, by mouse and by key; the page does not decide what is legal", async () => {
  const { root, model, close } = show("be-the-executor", game, { played: begin });
  node(root, "c").dispatchEvent(new Event("click", { bubbles: true }));
  expect(model.asked.at(-1)).toMatchObject({ question: "take", args: { node: id("c") } });
  press(document.activeElement ?? root, "Enter");
  expect(model.asked).toHaveLength(2);
  const states = [...root.querySelectorAll(".viewport g.node")].map((group) =>
    group.getAttribute("data-state"),
  );
  expect(new Set(states)).toEqual(new Set(["waiting"]));
  expect(root.querySelectorAll(".viewport .badge")).toHaveLength(0);
  close();
});

test("the replies are shown in words, and the score counts them", async () => {
  const { model, at: find, close } = show("be-the-executor", game, { played: begin });
  for (const [i, played] of plays.entries()) {
    model.set("played", played);
    await settle();
    const words = fixture.words[i] ?? "";
    // The front end adds the value of a node that ran.
    if (played.move?.code === "ran") expect(find("reply").textContent).toContain(words.replace(/\.$/, ""));
    else expect(find("reply").textContent).toBe(words);
  }
  expect(find("score").textContent).toContain("Right: 6");
  expect(find("score").textContent).toContain("Values right: 1");
  close();
});

test.each([
  ["ran", true, "true"],
  ["data", false, "false"],
  ["wrong", true, "false"],
  ["over", false, ""],
  ["answer_first", false, ""],
  ["which", true, ""],
] as const)("the answer %s has the mark that its click has in the score", (code, legal, mark) => {
  const params = { node: "c", waits: "b", value: "1", asked: "c", loop: "while" };
  const played = { ...plays[1], move: { node: id("c"), code, params, legal } };
  const { at: find, close } = show("be-the-executor", game, { played });
  expect(find("reply").dataset.legal).toBe(mark);
  close();
});

test("ready nodes are shown only after a hint", async () => {
  const {
    root,
    at: find,
    close,
  } = show("be-the-executor", game, { played: plays.find(({ hints }) => hints > 0) });
  expect(find("hinted").textContent).toContain("Ready now:");
  expect(root.querySelectorAll('.viewport g.node[data-state="ready"]').length).toBeGreaterThan(0);
  close();
});

test("the question for a value has its own field", async () => {
  const {
    model,
    at: find,
    close,
  } = show("be-the-executor", game, { played: plays.find(({ asked }) => asked !== null) });
  const field = find("value") as HTMLInputElement;
  expect(field.closest("[hidden]")).toBeNull();
  field.value = "7";
  press(field, "Enter", { isComposing: true });
  expect(model.asked).toHaveLength(0);
  press(field, "Enter");
  expect(model.asked.at(-1)).toMatchObject({ question: "tell", args: { value: "7" } });
  close();
});

test("the end says whether it was a race, and the order can be stepped through", async () => {
  const { root, at: find, close } = show("be-the-executor", game, { played: plays.at(-1) });
  expect(find("tab-end").getAttribute("aria-expanded")).toBe("true");
  expect(find("end").textContent).toContain("c = 7.0. The default order gives change = 5.0, c = 3.0");
  expect(find("found").textContent).toBe(
    "Legal orders can give 2 different results. You have reached 1 of them.",
  );
  expect(find("end").textContent).toContain(`schedule="${plays.at(-1)?.end?.schedules[0]}"`);
  find("show-replay").click();
  expect(find("replay").hidden).toBe(false);
  expect(root.querySelectorAll('[data-testid="step"]')).toHaveLength(1);
  close();
});

test("without a kernel the widget says so and goes on showing the game", async () => {
  const { root, model, at: find, close } = show("be-the-executor", game, { played: plays[2] });
  node(root, "c").dispatchEvent(new Event("click", { bubbles: true }));
  model.reply({ error: "the kernel is gone" });
  await settle();
  expect(find("asked").textContent).toBe("Python says: the kernel is gone");
  expect(find("reply").textContent).toBe(fixture.words[2]);
  close();
});

test("after the end a chosen node shows its details and is not run", async () => {
  const over = plays.find(({ end }) => end !== null);
  if (!over) throw new Error("no game is over");
  const { root, at, model, close } = show("be-the-executor", game, { played: over, explains: true });
  const chosen = node(root, "c");
  chosen.dispatchEvent(new Event("click", { bubbles: true }));
  at("picture").querySelector("svg")?.dispatchEvent(new Event("focusout"));
  await settle();
  expect(model.asked).toEqual([]);
  at("why-ask").dispatchEvent(new Event("click", { bubbles: true }));
  expect(model.asked[0]).toMatchObject({ question: "why", args: { node: id("c") } });
  close();
});

test("of several ready iterations of a node one is chosen, the oldest by Enter alone", async () => {
  const asks = {
    ...begin,
    move: { node: id("c"), code: "which", params: { node: "c", loop: "while" }, legal: true },
    choices: [[1, 0], [2]],
  };
  const { root, at, model, close } = show("be-the-executor", game, { played: begin });
  node(root, "c").dispatchEvent(new Event("click", { bubbles: true }));
  model.reply({ value: null });
  model.set("played", asks);
  await settle();
  expect(at("reply").textContent).toContain("c is ready in more than one iteration of the loop while.");
  const widget = [...at("iterations").querySelectorAll("button")];
  expect(widget.map(({ textContent }) => textContent)).toEqual(["Iteration 1.0, the oldest", "Iteration 2"]);
  expect(document.activeElement).toBe(widget[0]);
  widget[1]?.dispatchEvent(new Event("click", { bubbles: true }));
  expect(model.asked).toMatchObject([{ question: "take", args: { node: id("c"), iteration: [2] } }]);
  const turn = { ...plays.at(-1)?.runs[0]?.steps[0], node: id("c"), frame: "while", iteration: [2] };
  model.set("played", {
    ...begin,
    move: { node: id("c"), code: "dead", params: { node: "c" }, legal: true },
    runs: [{ ...begin?.runs[0], steps: [turn] }],
  });
  await settle();
  expect(at("iterations").hidden).toBe(true);
  expect(at("reply").textContent).toContain("passes that on. That was in iteration 2 of while.");
  expect((document.activeElement as SVGElement).dataset.name).toBe("c");
  close();
});

test("a hint gives the number of ready iterations of a node", async () => {
  const ready = [id("c"), id("change"), id("c")];
  const runs = [{ ...begin?.runs[0], start: { ...begin?.runs[0]?.start, ready } }];
  const { at, close } = show("be-the-executor", game, { played: { ...begin, runs } });
  expect(at("hinted").textContent).toBe("Ready now: c ×2, change. Each of them is right.");
  close();
});

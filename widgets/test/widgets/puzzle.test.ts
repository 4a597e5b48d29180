import { expect, test } from "vitest";
import fixture from "../../../tests/golden/puzzle.json";
import { press, settle, show, type WidgetOnPage } from "../fake";

const { puzzle, states, names } = fixture;
const id = (name: string): number => puzzle.pieces.find((piece) => piece.name === name)?.id ?? -1;
const open = (state: keyof typeof states, kind = "parsons"): WidgetOnPage =>
  show(kind, puzzle, { arranged: structuredClone(states[state]) });
const node = (root: HTMLElement, name: string): Element => {
  const group = root.querySelector(`.canvas g.node[data-name="${name}"]`);
  if (!group) throw new Error(`no piece ${name}`);
  return group;
};
const click = (element: Element): void => {
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const pick = (select: HTMLElement, label: string): void => {
  const field = select as HTMLSelectElement;
  const option = [...field.options].find((one) => one.textContent === label);
  if (!option) throw new Error(`no ${label}`);
  field.value = option.value;
  field.dispatchEvent(new Event("change"));
};
const drag = async (from: Element, to: Element): Promise<void> => {
  const at = (target: EventTarget, what: string, x: number): void => {
    target.dispatchEvent(new PointerEvent(what, { bubbles: true, clientX: x, clientY: 0, button: 0 }));
  };
  at(from, "pointerdown", 0);
  at(from, "pointermove", 40);
  at(to, "pointermove", 80);
  at(to, "pointerup", 80);
  await settle();
};

test("loose pieces are in the tray, and a press asks Python to place one", () => {
  const { at, root, model, close } = open("first");
  const loose = [...at("tray").querySelectorAll("button")].map((button) => button.textContent);
  expect(loose).toHaveLength(puzzle.pieces.length - 2);
  expect(loose).toContain("up = tf.assign_add(□, 1)");
  expect(root.querySelectorAll(".canvas g.node")).toHaveLength(2);
  click(at(`put-${id("up")}`));
  expect(model.asked.at(-1)).toMatchObject({ question: "put", args: { piece: id("up") } });
  close();
});

test("every edge can be drawn by controls alone: inputs of holes and control inputs", () => {
  const { at, root, model, close } = open("wrong");
  click(node(root, names.wrong));
  expect(at("piece").textContent).toContain(`${names.wrong} = □`);
  pick(at("hole-0"), "up");
  expect(model.asked.at(-1)?.args).toEqual({ source: id("up"), output: 0, target: id(names.wrong), hole: 0 });
  pick(at("hole-0"), "(open)");
  expect(model.asked.at(-1)).toMatchObject({ question: "detach", args: { source: id("x"), hole: 0 } });
  pick(at("wait"), "x");
  expect(model.asked.at(-1)?.args).toEqual({
    source: id("x"),
    output: 0,
    target: id(names.wrong),
    hole: null,
  });
  click(at(`unwait-${id("up")}`));
  expect(model.asked.at(-1)).toMatchObject({ question: "detach", args: { source: id("up"), hole: null } });
  click(at("take-out"));
  expect(model.asked.at(-1)).toMatchObject({ question: "take_out", args: { piece: id(names.wrong) } });
  close();
});

test("an edge is drawn from piece to piece, by key and by mouse, and the user chooses what it carries", async () => {
  const { at, root, model, close } = open("way");
  click(node(root, "x"));
  click(at("connect"));
  expect(at("linking").textContent).toContain("An edge from x");
  node(root, "up").dispatchEvent(new Event("click", { bubbles: true }));
  expect(at("chooser").textContent).toContain("An edge from x to up. What does it carry?");
  expect(document.activeElement).toBe(at("into-0-0"));
  click(at("order-only"));
  expect(model.asked.at(-1)?.args).toEqual({ source: id("x"), output: 0, target: id("up"), hole: null });
  await drag(node(root, "up"), node(root, "return"));
  click(at("into-0-0"));
  expect(model.asked.at(-1)?.args).toEqual({ source: id("up"), output: 0, target: id("return"), hole: 0 });
  await drag(node(root, "x"), node(root, "return"));
  press(at("into-0-0"), "Escape");
  expect(at("chooser").hidden).toBe(true);
  expect(document.activeElement).toBe(node(root, "x"));
  close();
});

test("no edge can begin at a piece without outputs", async () => {
  const { root, at, close } = open("wrong");
  click(node(root, "return"));
  expect(() => at("connect")).toThrow();
  expect(() => at("take-out")).toThrow();
  await drag(node(root, "return"), node(root, "x"));
  expect(at("chooser").querySelectorAll("button")).toHaveLength(1);
  close();
});

test("the current code is shown, with the chosen piece marked", () => {
  const { root, at, close } = open("right");
  const text = [...at("code").querySelectorAll("code")].map((line) => line.textContent).join("\n");
  expect(text).toContain("    with tf.control_dependencies([up]):\n");
  expect(text).toContain(`        ${names.right} = tf.identity(x)`);
  click(node(root, names.right));
  expect(at("code").querySelector("[data-just] code")?.textContent?.trim()).toBe(
    `${names.right} = tf.identity(x)`,
  );
  close();
});

test("the grade is shown in words, with the mental model in which the program would be right", () => {
  const wrong = open("wrong");
  expect(wrong.at("mark").dataset.grade).toBe("fail");
  expect(wrong.at("result").textContent).toContain("The runs give 0.0, 0.0, 0.0.");
  expect(wrong.at("result").textContent).toContain("The with block also holds what was made before it");
  expect(wrong.at("result").textContent).toContain("A name for an old tensor makes no node.");
  expect(wrong.at("tab-result").textContent).toBe("Result2");
  wrong.close();
  const right = open("right");
  expect(right.at("mark").textContent).toContain("✓ Passed");
  right.close();
});

test("the graph that the code builds is a picture of its own, drawn when it is opened", () => {
  const { root, at, close } = open("wrong");
  const built = at("built");
  expect(root.querySelectorAll(".viewport")).toHaveLength(1);
  click(at("tab-built"));
  expect(root.querySelectorAll(".viewport")).toHaveLength(2);
  expect(built.querySelectorAll(".viewport .block")).toHaveLength(1);
  close();
});

test("a refusal of Python is shown, and without a kernel the widget stays usable", async () => {
  const { at, model, close } = open("circle", "repair");
  expect(at("said").textContent).toContain("That would close a cycle");
  click(at("check"));
  model.reply({ error: "the kernel is gone" });
  await settle();
  expect(at("asked").textContent).toBe("Python says: the kernel is gone");
  close();
});

test("an answer redraws the picture and keeps the focus", async () => {
  const { at, root, model, close } = open("way");
  (node(root, "up") as unknown as HTMLElement).dispatchEvent(new Event("click", { bubbles: true }));
  (at("wait") as HTMLSelectElement).focus();
  pick(at("wait"), "x");
  model.set("arranged", structuredClone(states.right));
  await settle();
  expect(document.activeElement).toBe(at("wait"));
  close();
});

test("what is missing comes up after a check, and what was not attempted is no fault", async () => {
  const { at, model, close } = open("first", "repair");
  expect(at("said").textContent).toContain("Drag from one piece to another");
  expect(at("drawer").hidden).toBe(true);
  model.set("arranged", structuredClone(states.wrong));
  await settle();
  expect(at("drawer").hidden).toBe(true);
  click(at("check"));
  model.set("arranged", structuredClone(states.wrong));
  await settle();
  expect([at("drawer").hidden, at("result").closest("[hidden]")]).toEqual([false, null]);
  const untouched = {
    ...structuredClone(states.wrong),
    mark: { ...states.wrong.mark, grade: "not_attempted", missed: [], models: [] },
  };
  model.set("arranged", untouched);
  await settle();
  expect(at("mark").dataset.grade).toBe("not_attempted");
  expect(at("mark").textContent).toBe("Not attempted yet: everything is as it was at first.");
  expect(at("tab-result").querySelector(".n")?.textContent).toBe("");
  close();
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { openedOutline, press, type ShownWidget, settle, show } from "../fake";
import { counterCompare, counterGraph, counterTrace } from "../fixtures/counter";

let shown: ShownWidget;
let leaked: string[];
const listen = (event: Event): void => void leaked.push((event as KeyboardEvent).key);

beforeEach(() => {
  leaked = [];
  document.addEventListener("keydown", listen);
});
afterEach(() => {
  document.removeEventListener("keydown", listen);
  shown.close();
});

const node = (name: string): SVGGElement => {
  const found = [...shown.root.querySelectorAll<SVGGElement>("g.node")].find((g) => g.dataset.name === name);
  if (!found) throw new Error(`no node ${name}`);
  return found;
};
const picture = (): Element => shown.at("picture");
const stops = (): Element[] => [...picture().querySelectorAll('[tabindex="0"]')];
const focused = (): string | undefined => (document.activeElement as SVGElement | null)?.dataset.name;

test("the picture is one tab stop, wherever the focus goes", () => {
  shown = show("graph-view", counterGraph(true));
  expect(stops()).toHaveLength(1);
  node("AssignAdd").dispatchEvent(new Event("click", { bubbles: true }));
  expect(stops()).toEqual([node("AssignAdd")]);
  press(node("AssignAdd"), "ArrowRight");
  expect(stops()).toHaveLength(1);
});

test("left goes to what a node waits for, right to what waits for it", () => {
  shown = show("graph-view", counterGraph(true));
  node("AssignAdd").dispatchEvent(new Event("click", { bubbles: true }));
  press(node("AssignAdd"), "ArrowRight");
  expect(focused()).toBe("Identity");
  press(node("Identity"), "ArrowLeft");
  expect(focused()).toBe("Variable/read");
  press(node("Variable/read"), "ArrowLeft");
  expect(focused()).toBe("Variable");
});

test("up and down reach every node and every scope", () => {
  shown = show("graph-view", counterGraph(false));
  const reached = new Set<string>();
  const walk = (): void => {
    const at = document.activeElement as SVGElement;
    reached.add(at.getAttribute("aria-label") ?? "");
  };
  for (const start of picture().querySelectorAll<SVGElement>("[role=button]")) {
    start.dispatchEvent(new Event("click", { bubbles: true }));
    if (start.closest(".handle")) start.dispatchEvent(new Event("click", { bubbles: true }));
    for (let i = 0; i < 4; i += 1) {
      press(document.activeElement ?? picture(), "ArrowDown");
      walk();
    }
  }
  expect(reached.size).toBe(picture().querySelectorAll("[role=button]").length);
});

test("Enter closes and opens a scope, and the focus stays on it", async () => {
  shown = show("graph-view", counterGraph(true));
  const handle = (): SVGElement =>
    [...picture().querySelectorAll<SVGElement>("[aria-expanded]")].find((g) =>
      /Variable($|,)/.test(g.getAttribute("aria-label") ?? ""),
    ) as SVGElement;
  handle().focus();
  handle().dispatchEvent(new Event("click", { bubbles: true }));
  await settle();
  expect(shown.model.synced.collapsed).toEqual(["Variable"]);
  expect(handle().getAttribute("aria-expanded")).toBe("false");
  expect(document.activeElement).toBe(handle());
  press(handle(), "Enter");
  await settle();
  expect(shown.model.synced.collapsed).toEqual([]);
  expect(document.activeElement).toBe(handle());
});

test("Enter on a node selects it and tells Python", async () => {
  shown = show("graph-view", counterGraph(true));
  node("Identity").dispatchEvent(new Event("click", { bubbles: true }));
  press(node("Identity"), "Enter");
  await settle();
  expect(shown.model.synced.selected).toBe(6);
  expect(node("Identity").getAttribute("aria-pressed")).toBe("true");
  expect(shown.at("details").textContent).toContain("tf.identity(x)");
});

test("dot and comma step, wherever the focus is; space plays and pauses", async () => {
  shown = show("step-through", counterTrace(true));
  press(shown.root, ".");
  press(node("Identity"), ".");
  await settle();
  expect(shown.model.synced.step).toBe(2);
  press(shown.at("scrub"), ",");
  await settle();
  expect(shown.model.synced.step).toBe(1);
  press(node("Identity"), " ");
  expect(shown.at("play").getAttribute("aria-pressed")).toBe("true");
  press(node("Identity"), " ");
  expect(shown.at("play").getAttribute("aria-pressed")).toBe("false");
  await settle();
  expect(shown.model.synced.step).toBe(2);
});

test("space on a button is the button's own", () => {
  shown = show("step-through", counterTrace(true));
  expect(press(shown.at("back"), " ").defaultPrevented).toBe(false);
  expect(shown.at("play").getAttribute("aria-pressed")).toBe("false");
});

test("a question mark opens the help, Escape closes it and gives the focus back", () => {
  shown = show("compare", counterCompare());
  press(node("Variable"), "?");
  expect(shown.at("help").hidden).toBe(false);
  expect(shown.at("help-button").getAttribute("aria-expanded")).toBe("true");
  press(shown.at("help"), "Escape");
  expect(shown.at("help").hidden).toBe(true);
  expect(document.activeElement).toBe(shown.at("help-button"));
});

test("keys do not leak to the notebook; Escape leaves the picture and then the widget", () => {
  shown = show("graph-view", counterGraph(true));
  const target = node("Variable");
  target.focus();
  for (const key of ["ArrowDown", "Enter", "a", "b", "d", "m", "x", " ", "."]) press(target, key);
  expect(leaked).toEqual([]);
  press(node("Variable"), "Escape");
  expect(document.activeElement).toBe(shown.root);
  expect(leaked).toEqual([]);
  press(shown.root, "Escape");
  expect(leaked).toEqual(["Escape"]);
});

test("saving the notebook works from inside a widget", () => {
  shown = show("graph-view", counterGraph(true));
  const target = node("Variable");
  target.focus();
  for (const chord of [{ ctrlKey: true }, { metaKey: true }]) {
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, ...chord }));
  }
  expect(leaked).toEqual(["s", "s"]);
});

test("the notebook's own chords are not taken for ours", () => {
  shown = show("step-through", counterTrace(true));
  expect(press(shown.root, ".", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(shown.model.get("step")).toBe(0);
});

test("the outline is a tree with one tab stop that opens, closes and moves as trees do", async () => {
  shown = show("graph-view", counterGraph(true));
  const tree = openedOutline(shown);
  const items = (): HTMLElement[] => [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  expect(tree.getAttribute("role")).toBe("tree");
  expect(tree.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  items()[0]?.focus();
  press(items()[0] as HTMLElement, "ArrowDown");
  expect(document.activeElement).toBe(items()[1]);
  const before = items().length;
  press(items()[1] as HTMLElement, "ArrowRight");
  expect(items().length).toBeGreaterThan(before);
  expect(tree.textContent).toContain("float32 ()");
  press(items()[0] as HTMLElement, "ArrowLeft");
  await settle();
  expect(shown.model.synced.collapsed).toEqual(["AssignAdd"]);
  expect(picture().querySelectorAll(".scope.closed")).toHaveLength(1);
  expect(tree.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

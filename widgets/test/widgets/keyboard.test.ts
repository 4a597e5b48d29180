import { afterEach, beforeEach, expect, test } from "vitest";
import { openedOutline, press, settle, show, type WidgetOnPage } from "../fake";
import { counterCompare, counterGraph, counterTrace } from "../fixtures/counter";

let widget: WidgetOnPage;
let leaked: string[];
const listen = (event: Event): void => void leaked.push((event as KeyboardEvent).key);

beforeEach(() => {
  leaked = [];
  document.addEventListener("keydown", listen);
});
afterEach(() => {
  document.removeEventListener("keydown", listen);
  widget.close();
});

const node = (name: string): SVGGElement => {
  const match = [...widget.root.querySelectorAll<SVGGElement>("g.node")].find((g) => g.dataset.name === name);
  if (!match) throw new Error(`no node ${name}`);
  return match;
};
const picture = (): Element => widget.at("picture");
const stops = (): Element[] => [...picture().querySelectorAll('[tabindex="0"]')];
const focused = (): string | undefined => (document.activeElement as SVGElement | null)?.dataset.name;

test("the picture is one tab stop, wherever the focus goes", () => {
  widget = show("graph-view", counterGraph(true));
  expect(stops()).toHaveLength(1);
  node("AssignAdd").dispatchEvent(new Event("click", { bubbles: true }));
  expect(stops()).toEqual([node("AssignAdd")]);
  press(node("AssignAdd"), "ArrowRight");
  expect(stops()).toHaveLength(1);
});

test("left goes to an input, right to a consumer", () => {
  widget = show("graph-view", counterGraph(true));
  node("AssignAdd").dispatchEvent(new Event("click", { bubbles: true }));
  press(node("AssignAdd"), "ArrowRight");
  expect(focused()).toBe("Identity");
  press(node("Identity"), "ArrowLeft");
  expect(focused()).toBe("Variable/read");
  press(node("Variable/read"), "ArrowLeft");
  expect(focused()).toBe("Variable");
});

test("up and down reach every node and every scope", () => {
  widget = show("graph-view", counterGraph(false));
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
  widget = show("graph-view", counterGraph(true));
  const handle = (): SVGElement =>
    [...picture().querySelectorAll<SVGElement>("[aria-expanded]")].find((g) =>
      /Variable($|,)/.test(g.getAttribute("aria-label") ?? ""),
    ) as SVGElement;
  handle().focus();
  handle().dispatchEvent(new Event("click", { bubbles: true }));
  await settle();
  expect(widget.model.synced.collapsed).toEqual(["Variable"]);
  expect(handle().getAttribute("aria-expanded")).toBe("false");
  expect(document.activeElement).toBe(handle());
  press(handle(), "Enter");
  await settle();
  expect(widget.model.synced.collapsed).toEqual([]);
  expect(document.activeElement).toBe(handle());
});

test("Enter on a node selects it and tells Python", async () => {
  widget = show("graph-view", counterGraph(true));
  node("Identity").dispatchEvent(new Event("click", { bubbles: true }));
  press(node("Identity"), "Enter");
  await settle();
  expect(widget.model.synced.selected).toBe(6);
  expect(node("Identity").getAttribute("aria-pressed")).toBe("true");
  expect(widget.at("details").textContent).toContain("tf.identity(x)");
});

test("dot and comma step, wherever the focus is; space plays and pauses", async () => {
  widget = show("step-through", counterTrace(true));
  press(widget.root, ".");
  press(node("Identity"), ".");
  await settle();
  expect(widget.model.synced.step).toBe(2);
  press(widget.at("scrub"), ",");
  await settle();
  expect(widget.model.synced.step).toBe(1);
  press(node("Identity"), " ");
  expect(widget.at("play").getAttribute("aria-pressed")).toBe("true");
  press(node("Identity"), " ");
  expect(widget.at("play").getAttribute("aria-pressed")).toBe("false");
  await settle();
  expect(widget.model.synced.step).toBe(2);
});

test("space on a focused button presses it", () => {
  widget = show("step-through", counterTrace(true));
  expect(press(widget.at("back"), " ").defaultPrevented).toBe(false);
  expect(widget.at("play").getAttribute("aria-pressed")).toBe("false");
});

test("a question mark opens the help, Escape closes it and returns the focus", () => {
  widget = show("compare", counterCompare());
  press(node("Variable"), "?");
  expect(widget.at("help").hidden).toBe(false);
  expect(widget.at("help-button").getAttribute("aria-expanded")).toBe("true");
  press(widget.at("help"), "Escape");
  expect(widget.at("help").hidden).toBe(true);
  expect(document.activeElement).toBe(widget.at("help-button"));
});

test("keys do not leak to the notebook; Escape leaves the picture and then the widget", () => {
  widget = show("graph-view", counterGraph(true));
  const target = node("Variable");
  target.focus();
  for (const key of ["ArrowDown", "Enter", "a", "b", "d", "m", "x", " ", "."]) press(target, key);
  expect(leaked).toEqual([]);
  press(node("Variable"), "Escape");
  expect(document.activeElement).toBe(widget.root);
  expect(leaked).toEqual([]);
  press(widget.root, "Escape");
  expect(leaked).toEqual(["Escape"]);
});

test("saving the notebook works from inside a widget", () => {
  widget = show("graph-view", counterGraph(true));
  const target = node("Variable");
  target.focus();
  for (const chord of [{ ctrlKey: true }, { metaKey: true }]) {
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, ...chord }));
  }
  expect(leaked).toEqual(["s", "s"]);
});

test("the notebook's own key combinations are left to it", () => {
  widget = show("step-through", counterTrace(true));
  expect(press(widget.root, ".", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(widget.model.get("step")).toBe(0);
});

test("the outline is a tree with one tab stop that opens, closes and moves as trees do", async () => {
  widget = show("graph-view", counterGraph(true));
  const tree = openedOutline(widget);
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
  expect(widget.model.synced.collapsed).toEqual(["AssignAdd"]);
  expect(picture().querySelectorAll(".scope.closed")).toHaveLength(1);
  expect(tree.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

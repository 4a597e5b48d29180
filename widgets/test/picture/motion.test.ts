/** What moves at a step: on top of a picture that already shows the end, so that a further step loses nothing. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settle, show, type WidgetOnPage } from "../fake";
import { counterTrace } from "../fixtures/counter";

interface Moved {
  element: Element;
  delay: number;
  duration: number;
  cancelled: boolean;
}

let moved: Moved[] = [];
let now = 0;

beforeEach(() => {
  moved = [];
  now = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const path = { getTotalLength: () => 100, getPointAtLength: (x: number) => ({ x, y: 0 }) };
  Object.assign(SVGElement.prototype, path);
  Element.prototype.animate = function (this: Element, _: unknown, timing: KeyframeAnimationOptions) {
    const { delay = 0, duration } = timing;
    const move = { element: this, delay, duration: Number(duration), cancelled: false };
    moved.push(move);
    return { cancel: () => Object.assign(move, { cancelled: true }), onfinish: null } as never;
  } as never;
});

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(Element.prototype, "animate");
});

const layer = (widget: WidgetOnPage): Element[] => [
  ...(widget.root.querySelector(".viewport .motion")?.children ?? []),
];
const tokens = (widget: WidgetOnPage): (string | null)[] =>
  layer(widget)
    .filter((element) => element.matches(".chip, .token"))
    .map((element) => element.getAttribute("data-token") ?? element.textContent);
const chips = (widget: WidgetOnPage): (string | null)[] =>
  [...widget.root.querySelectorAll(".viewport .badges .chip")].map((chip) => chip.textContent).sort();

async function step(widget: WidgetOnPage, to: number, after = 1000): Promise<void> {
  now += after;
  widget.model.set("step", to);
  await settle();
}

/** The second counter at a step, where motion is welcome. */
async function moving(at: number): Promise<WidgetOnPage> {
  const widget = show("step-through", counterTrace(true), { run: 0, step: at });
  window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
  await settle();
  return widget;
}

test("inputs move to the node, then its value comes out and the variable's number rolls", async () => {
  const widget = await moving(3);
  expect(moved).toEqual([]);
  await step(widget, 4);
  expect(tokens(widget)).toEqual(expect.arrayContaining(["1.0", "≡ x", "≡ x 0.0"]));
  // The picture itself is at the end of the step.
  expect(chips(widget)).toEqual(["1.0", "≡ x 1.0", "≡ x 1.0"]);
  expect(widget.root.querySelector(".node .value")?.textContent).toBe("= 1.0");
  const inPicture = moved.filter(({ element }) => element.closest(".viewport"));
  const late = inPicture.filter(({ delay }) => delay > 0);
  expect(late.map(({ delay }) => delay)).toEqual(late.map(() => 420));
  expect(late.some(({ element }) => element.matches(".pulse"))).toBe(true);
  expect(late.some(({ element }) => element.matches(".chip.new"))).toBe(true);
  expect(late.filter(({ element }) => element.matches(".flash"))).toHaveLength(2);
  widget.close();
});

test("an order moves as a tick", async () => {
  const widget = await moving(4);
  await step(widget, 5);
  expect(tokens(widget)).toEqual(expect.arrayContaining(["control", "≡ x"]));
  widget.close();
});

test("a further step removes what moves, and what it shows is never behind", async () => {
  const widget = await moving(3);
  await step(widget, 4);
  const before = moved.slice();
  await step(widget, 5, 200);
  expect(
    before.filter(({ element }) => element.closest(".viewport")).every(({ cancelled }) => cancelled),
  ).toBe(true);
  expect(widget.root.querySelector('g.node[data-name="Identity"]')?.getAttribute("data-state")).toBe(
    "active",
  );
  // Back, and to another place, nothing moves.
  await step(widget, 4);
  expect(layer(widget)).toEqual([]);
  await step(widget, 1);
  expect(layer(widget)).toEqual([]);
  widget.close();
});

test("steps that come faster than anyone could see do not move", async () => {
  const widget = await moving(2);
  await step(widget, 3);
  await step(widget, 4, 30);
  expect(layer(widget)).toEqual([]);
  expect(chips(widget)).toEqual(["1.0", "≡ x 1.0", "≡ x 1.0"]);
  widget.close();
});

test("who prefers no motion sees a frame on what was written, until the next step", async () => {
  const widget = show("step-through", counterTrace(true), { run: 0, step: 3 });
  await step(widget, 4);
  expect(moved.filter(({ element }) => element.closest(".viewport"))).toEqual([]);
  const written = (): number => widget.root.querySelectorAll(".viewport [data-written]").length;
  // The variable, the two nodes that show it, and their values.
  expect(written()).toBe(5);
  await step(widget, 5);
  expect(written()).toBe(0);
  widget.close();
});

test("when a run begins, the outlines of what it does not need fade", async () => {
  const widget = await moving(0);
  await step(widget, 1);
  expect(layer(widget).filter((element) => element.matches(".fading"))).toHaveLength(3);
  widget.close();
});

/** Panels that wait for a frame of their own: one a frame, the newest drawing of each, and nobody acts on one that waits. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renew } from "../../src/base/dom";
import { createPanels, type Panels } from "../../src/base/panel-schedule";
import { observer, press, settle, show } from "../fake";
import { counterTrace } from "../fixtures/counter";

let frames: (() => void)[] = [];
let life: AbortController;
let root: HTMLElement;
let panels: Panels;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => frames.push(then));
  life = new AbortController();
  root = document.createElement("div");
  document.body.append(root);
  panels = createPanels(root, life.signal);
});

afterEach(() => {
  life.abort();
  root.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The page draws a frame. */
function frame(): void {
  vi.advanceTimersByTime(16);
  for (const then of frames.splice(0)) then();
}

function panel(): HTMLElement {
  const made = document.createElement("section");
  made.tabIndex = 0;
  root.append(made);
  return made;
}

/** Panels that were drawn once, a while ago, and how a step draws them all. */
function drawn(count: number): { all: HTMLElement[]; step: (n: number) => void; said: () => string[] } {
  const all = Array.from({ length: count }, panel);
  const step = (n: number): void => {
    for (const each of all) panels.draw(each, () => each.replaceChildren(`${n}`));
  };
  step(0);
  frame();
  vi.advanceTimersByTime(1000);
  return { all, step, said: () => all.map((each) => each.textContent ?? "") };
}

test("a panel that is new is drawn at once, later ones one a frame and what was asked for last", () => {
  const { step, said } = drawn(3);
  expect(said()).toEqual(["0", "0", "0"]);
  frame();
  step(1);
  step(2);
  expect(said()).toEqual(["0", "0", "0"]);
  frame(); // the frame in which the picture is drawn
  expect(said()).toEqual(["0", "0", "0"]);
  frame();
  expect(said()).toEqual(["2", "0", "0"]);
  frame();
  frame();
  expect(said()).toEqual(["2", "2", "2"]);
  expect(frames).toEqual([]);
});

test("while steps follow each other quickly nothing but the picture is drawn, and then the last of them", () => {
  const { step, said } = drawn(3);
  for (let n = 1; n < 10; n += 1) {
    step(n);
    frame();
  }
  expect(said()).toEqual(["0", "0", "0"]);
  for (let n = 10; n < 22; n += 1) {
    step(n);
    frame();
    frame();
  }
  expect(said()).toEqual(["0", "0", "0"]);
  vi.advanceTimersByTime(100);
  for (let i = 0; i < 3; i += 1) frame();
  expect(said()).toEqual(["21", "21", "21"]);
  expect(frames).toEqual([]);
});

test.each(["pointerdown", "click", "focusin"])("what %s reaches is drawn first", (type) => {
  const { all, step, said } = drawn(2);
  let seen = "";
  root.addEventListener(type, () => {
    seen = said().join();
  });
  step(1);
  all[1]?.dispatchEvent(new Event(type, { bubbles: true }));
  expect(seen).toBe("0,1");
});

test("what is not there any more once it was reached for is not acted on", () => {
  const where = panel();
  const act = vi.fn();
  const draw = (): void => {
    const made = document.createElement("button");
    made.addEventListener("click", act);
    where.replaceChildren(made);
  };
  panels.draw(where, draw);
  const old = where.firstElementChild as HTMLButtonElement;
  panels.draw(where, draw);
  old.click();
  expect(act).not.toHaveBeenCalled();
  (where.firstElementChild as HTMLButtonElement).click();
  expect(act).toHaveBeenCalledOnce();
});

test("the panel with the focus never waits, and Tab and a print wait for none", () => {
  const { all, step, said } = drawn(2);
  all[0]?.focus();
  step(1);
  expect(said()).toEqual(["1", "0"]);
  press(root, "Tab");
  expect(said()).toEqual(["1", "1"]);
  step(2);
  window.dispatchEvent(new Event("beforeprint"));
  expect(said()).toEqual(["2", "2"]);
});

test("what a panel lets wait of itself is drawn with it when it is reached for", () => {
  const { all } = drawn(1);
  const [outer] = all as [HTMLElement];
  const inner = document.createElement("p");
  outer.replaceChildren(inner);
  panels.draw(inner, () => inner.replaceChildren("0"));
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  panels.settle(inner);
  expect(inner.textContent).toBe("1");
});

test("a panel with more to draw than fits a frame goes on in the next ones, and is whole once it is reached for", () => {
  const [large, small] = [panel(), panel()];
  let asked: number[] = [];
  const draw = (most: number): boolean => asked.push(most) < 3;
  const step = (n: number): void => {
    panels.draw(large, draw);
    panels.draw(small, () => small.replaceChildren(`${n}`));
  };
  step(0);
  expect(asked).toEqual([Number.POSITIVE_INFINITY]);
  frame();
  vi.advanceTimersByTime(1000);
  asked = [];
  step(1);
  for (let i = 0; i < 4; i += 1) frame();
  expect(asked).toEqual([10, 10, 10]);
  expect(small.textContent).toBe("0");
  frame();
  expect(small.textContent).toBe("1");
  vi.advanceTimersByTime(1000);
  asked = [];
  step(2);
  frame();
  frame();
  large.focus();
  expect(asked).toEqual([10, Number.POSITIVE_INFINITY]);
});

test("what a panel lets wait of itself is no step: it has its turn in the next frame", () => {
  const { all } = drawn(2);
  const [outer, inner] = all as [HTMLElement, HTMLElement];
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  frame();
  frame();
  expect(inner.textContent).toBe("0");
  frame();
  expect(inner.textContent).toBe("1");
});

test("what is out of sight is drawn once no step has come for a while, or as it comes into sight", () => {
  const report = observer("IntersectionObserver");
  panels = createPanels(root, life.signal);
  const { all, step, said } = drawn(3);
  const [far, farther] = all as [HTMLElement, HTMLElement];
  report([far, farther].map((target) => ({ target, isIntersecting: false })));
  step(1);
  for (let i = 0; i < 3; i += 1) frame();
  expect(said()).toEqual(["0", "0", "1"]);
  report([{ target: far, isIntersecting: true }]);
  frame();
  expect(said()).toEqual(["1", "0", "1"]);
  vi.advanceTimersByTime(100);
  frame();
  expect(said()).toEqual(["1", "1", "1"]);
});

test("what lets something wait of itself when it is reached for is no step either: the others need not wait longer", () => {
  const { all } = drawn(3);
  const [outer, inner, other] = all as [HTMLElement, HTMLElement, HTMLElement];
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  panels.draw(other, () => other.replaceChildren("1"));
  frame();
  panels.settle(outer);
  frame();
  expect(other.textContent).toBe("1");
});

test("what matters most is told at once, of quick steps some, and the last of them in the end", () => {
  const line = panel();
  const heard: string[] = [];
  const tell = (n: number): void =>
    panels.tell(line, () => {
      line.replaceChildren(`${n}`);
      heard.push(`${n}`);
    });
  tell(0);
  for (let n = 1; n < 12; n += 1) {
    tell(n);
    frame();
  }
  expect(heard).toEqual(["0", "1", "8"]);
  vi.advanceTimersByTime(100);
  frame();
  expect(line.textContent).toBe("11");
  expect(frames).toEqual([]);
});

test("a widget that is gone draws nothing more", () => {
  const { step, said } = drawn(1);
  step(1);
  life.abort();
  frame();
  frame();
  expect(said()).toEqual(["0"]);
});

test("a step tells its sentence and its place at once, the panels after; a button then acts on the step that is shown", async () => {
  vi.useRealTimers();
  const { model, at, root, close } = show("step-through", counterTrace(true), { branches: 0 });
  model.set("step", 2);
  await new Promise((done) => setTimeout(done, 0));
  const heading = (): string => root.querySelector(".details h4")?.textContent ?? "";
  const [sentence, before] = [at("status").textContent, heading()];
  expect(at("position").textContent).toContain("2");
  at("details").dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(heading()).not.toBe(before);
  await settle();
  expect(at("status").textContent).toBe(sentence);
  expect(sentence).toContain(heading());
  close();
});

function tree(html: string): Node[] {
  const made = document.createElement("div");
  made.innerHTML = html;
  return [...made.childNodes];
}

test("what is the same already is not touched, and the rest is made the same", () => {
  const parent = document.createElement("div");
  renew(parent, tree("<h4>a</h4><dl><dt>Kind</dt><dd><code>1</code></dd></dl>"));
  const [heading, list] = parent.children;
  const [term, value] = list?.children ?? [];
  const text = value?.firstChild?.firstChild;
  renew(parent, tree("<h4>a</h4><dl><dt>Kind</dt><dd><code>2</code></dd><dd>x</dd></dl><p>more</p>"));
  expect(parent.innerHTML).toBe(
    "<h4>a</h4><dl><dt>Kind</dt><dd><code>2</code></dd><dd>x</dd></dl><p>more</p>",
  );
  expect([...parent.children].slice(0, 2)).toEqual([heading, list]);
  expect(list?.children[0]).toBe(term);
  expect(value?.firstChild?.firstChild).toBe(text);
  renew(parent, tree("<h5>b</h5>"));
  expect(parent.innerHTML).toBe("<h5>b</h5>");
});

test("so much as may change does, in the order in which it is read, until all is the same", () => {
  const parent = document.createElement("div");
  const wanted = "<h4>a</h4><dl><dt>b</dt><dd>c</dd><dt>d</dt><dd><code>e</code></dd></dl><p>f</p>";
  const seen: string[] = [];
  parent.innerHTML = "<p>old</p><i></i><i></i><i></i>";
  for (let left = 0; left <= 0; ) {
    left = renew(parent, tree(wanted), 3);
    seen.push(parent.textContent ?? "");
  }
  expect(seen).toEqual(["ab", "abcd", "abcdef"]);
  expect(parent.innerHTML).toBe(wanted);
});

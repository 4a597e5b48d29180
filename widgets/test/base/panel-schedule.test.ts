/** Panels in later frames: one a frame, only the latest drawing of each, and no action on a waiting panel. */
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

/** Lets the page draw a frame. */
function frame(): void {
  vi.advanceTimersByTime(16);
  for (const then of frames.splice(0)) then();
}

function panel(): HTMLElement {
  const created = document.createElement("section");
  created.tabIndex = 0;
  root.append(created);
  return created;
}

/** Panels drawn once, a while ago, and a step that draws them all. */
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

test("a new panel is drawn at once, later drawings one a frame, the most recently scheduled last", () => {
  const { step, said } = drawn(3);
  expect(said()).toEqual(["0", "0", "0"]);
  frame();
  step(1);
  step(2);
  expect(said()).toEqual(["0", "0", "0"]);
  frame(); // the frame of the picture
  expect(said()).toEqual(["0", "0", "0"]);
  frame();
  expect(said()).toEqual(["2", "0", "0"]);
  frame();
  frame();
  expect(said()).toEqual(["2", "2", "2"]);
  expect(frames).toEqual([]);
});

test("while steps follow each other quickly only the picture is drawn, and then the last panels", () => {
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

test.each(["pointerdown", "click", "focusin"])("a panel reached by %s is drawn first", (type) => {
  const { all, step, said } = drawn(2);
  let seen = "";
  root.addEventListener(type, () => {
    seen = said().join();
  });
  step(1);
  all[1]?.dispatchEvent(new Event(type, { bubbles: true }));
  expect(seen).toBe("0,1");
});

test("no action happens on an element that is gone after the drawing", () => {
  const where = panel();
  const act = vi.fn();
  const draw = (): void => {
    const created = document.createElement("button");
    created.addEventListener("click", act);
    where.replaceChildren(created);
  };
  panels.draw(where, draw);
  const old = where.firstElementChild as HTMLButtonElement;
  panels.draw(where, draw);
  old.click();
  expect(act).not.toHaveBeenCalled();
  (where.firstElementChild as HTMLButtonElement).click();
  expect(act).toHaveBeenCalledOnce();
});

test("the panel with the focus never waits, and Tab and printing draw all", () => {
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

test("a part that a panel schedules is drawn with it when the user reaches for it", () => {
  const { all } = drawn(1);
  const [outer] = all as [HTMLElement];
  const inner = document.createElement("p");
  outer.replaceChildren(inner);
  panels.draw(inner, () => inner.replaceChildren("0"));
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  panels.settle(inner);
  expect(inner.textContent).toBe("1");
});

test("a panel too large for a frame goes on in the next ones, and is completed when the user reaches for it", () => {
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

test("a part that a panel schedules is no step: it is drawn in the next frame", () => {
  const { all } = drawn(2);
  const [outer, inner] = all as [HTMLElement, HTMLElement];
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  frame();
  frame();
  expect(inner.textContent).toBe("0");
  frame();
  expect(inner.textContent).toBe("1");
});

test("a panel out of sight is drawn once no step has come for a while, or when it comes into sight", () => {
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

test("a part scheduled while the user reaches for a panel is no step either: other panels wait no longer", () => {
  const { all } = drawn(3);
  const [outer, inner, other] = all as [HTMLElement, HTMLElement, HTMLElement];
  panels.draw(outer, () => panels.draw(inner, () => inner.replaceChildren("1")));
  panels.draw(other, () => other.replaceChildren("1"));
  frame();
  panels.settle(outer);
  frame();
  expect(other.textContent).toBe("1");
});

test("urgent text is written at once, for quick steps only sometimes, and for the last of them in the end", () => {
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

test("a removed widget draws nothing more", () => {
  const { step, said } = drawn(1);
  step(1);
  life.abort();
  frame();
  frame();
  expect(said()).toEqual(["0"]);
});

test("a step writes its sentence and position at once, the panels later; a button acts on the visible step", async () => {
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
  expect(heading()).toContain((sentence ?? "").split(" ")[0]);
  close();
});

function tree(html: string): Node[] {
  const created = document.createElement("div");
  created.innerHTML = html;
  return [...created.childNodes];
}

test("equal elements are not touched, and the others become equal", () => {
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

test("at most so many elements change, in reading order, until all are equal", () => {
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

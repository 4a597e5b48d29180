/** Panels in later frames: only the latest drawing of each, and no action on a waiting panel. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renew } from "../../src/base/dom";
import { createPanels, type Panels } from "../../src/base/panel-schedule";
import { settle, show } from "../fake";
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

test("a new panel is drawn at once, later drawings in the first frame without a step, only the last of them", () => {
  const { step, said } = drawn(2);
  expect(said()).toEqual(["0", "0"]);
  for (let n = 1; n < 10; n += 1) {
    step(n);
    frame(); // the frame of the picture
  }
  expect(said()).toEqual(["0", "0"]);
  frame();
  expect(said()).toEqual(["9", "9"]);
  expect(frames).toEqual([]);
});

test("a panel in a closed drawer is drawn when the drawer opens; one that hid itself is drawn as ever", () => {
  const { all, step, said } = drawn(2);
  const [open, closed] = all as [HTMLElement, HTMLElement];
  const drawer = document.createElement("div");
  root.append(drawer);
  drawer.append(closed);
  drawer.hidden = true;
  open.hidden = true;
  step(1);
  frame();
  frame();
  expect(said()).toEqual(["1", "0"]);
  expect(frames).toEqual([]);
  drawer.hidden = false;
  panels.settle(drawer);
  expect(said()).toEqual(["1", "1"]);
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

test("the panel with the focus never waits, and printing draws all", () => {
  const { all, step, said } = drawn(2);
  all[0]?.focus();
  step(1);
  expect(said()).toEqual(["1", "0"]);
  window.dispatchEvent(new Event("beforeprint"));
  expect(said()).toEqual(["1", "1"]);
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

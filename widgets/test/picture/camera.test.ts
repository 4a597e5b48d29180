/** The camera: after every action of a reader some node is seen, and what is acted on keeps its place. */
import { afterEach, expect, test, vi } from "vitest";
import { expandAll } from "../../src/model/expand";
import { indexGraph, ROOT } from "../../src/model/graph";
import {
  type Camera,
  clampToContent,
  freePart,
  intoView,
  isSeen,
  onScreen,
  pointAt,
  UNCOVERED,
  whole,
  zoomAt,
} from "../../src/picture/camera";
import { contentOf, type Drawing, itemBoxes } from "../../src/picture/paint";
import type { Picture } from "../../src/picture/picture";
import { press, random } from "../fake";
import { makeGraph } from "../fixtures/make";
import { shown } from "../fixtures/picture";
import { randomGraph } from "../fixtures/random";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** How many nodes and closed scopes are in view, at least in part. */
function seen(picture: Picture): number {
  const { w, h } = picture.room();
  return itemBoxes(picture.drawing() as Drawing)
    .map((box) => onScreen(picture.camera(), box))
    .filter((box) => box.x < w && box.x + box.w > 0 && box.y < h && box.y + box.h > 0).length;
}

test.each([1, 2, 3, 4])("random actions, seed %i: the view always holds a node or a closed scope", (seed) => {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const { graph, session, picture, resize, click } = shown(randomGraph(seed, 18), null);
  const paths = [...graph.scope.keys()].filter((path) => path !== ROOT);
  const wheel = (deltaY: number, ctrlKey: boolean): void => {
    const at = { clientX: 900 * next() - 200, clientY: 900 * next() - 200 };
    picture.element.dispatchEvent(
      new WheelEvent("wheel", { deltaY, deltaX: deltaY / 3, ctrlKey, ...at, cancelable: true }),
    );
  };
  const actions: Record<string, () => void> = {
    in: () => picture.zoom(1 + 3 * next()),
    out: () => picture.zoom(1 / (1 + 3 * next())),
    wheel: () => wheel(2000 * (next() - 0.5), true),
    pan() {
      picture.focus({ kind: "node", id: 0 });
      wheel(20_000 * (next() - 0.5), false);
    },
    choose: () => session.choose({ kind: "scope", path: pick(paths) }),
    expand: () => click("expand-all"),
    collapse: () => click("collapse-all"),
    fit: picture.fit,
    back: picture.back,
    forward: picture.forward,
    labels: () => click("labels"),
    reveal: () => picture.reveal(pick([...graph.node.keys()])),
    resize: () => resize(60 + 900 * next(), 60 + 600 * next()),
    place: () =>
      picture.place({ x: 1e5 * (next() - 0.5), y: 1e5 * (next() - 0.5), scale: 0.05 + 2 * next() }),
  };
  for (let i = 0; i < 60; i += 1) {
    const name = pick(Object.keys(actions));
    actions[name]?.();
    expect(seen(picture), `after ${name}, action ${i}`).toBeGreaterThan(0);
    expect(picture.element.querySelectorAll(".sheet")).toHaveLength(1);
  }
});

test("pure moves of random cameras end with a node in view, and do nothing where one is", () => {
  const next = random(7);
  for (let i = 0; i < 300; i += 1) {
    const boxes = Array.from({ length: 1 + Math.floor(20 * next()) }, () => ({
      x: 3000 * next(),
      y: 3000 * next(),
      w: 5 + 300 * next(),
      h: 5 + 100 * next(),
    }));
    const free = freePart(
      { w: 50 + 800 * next(), h: 50 + 500 * next() },
      { ...UNCOVERED, left: 300 * next() },
    );
    const camera: Camera = { x: 9000 * (next() - 0.5), y: 9000 * (next() - 0.5), scale: 0.02 + 3 * next() };
    const clamped = clampToContent(camera, boxes, free);
    const isIn = boxes.some((box) => {
      const { x, y, w, h } = onScreen(clamped, box);
      return x + w > free.x && x < free.x + free.w && y + h > free.y && y < free.y + free.h;
    });
    expect(isIn).toBe(true);
    const again = clampToContent(clamped, boxes, free);
    expect([again.x, again.y]).toEqual([expect.closeTo(clamped.x, 6), expect.closeTo(clamped.y, 6)]);
  }
});

test("a zoom keeps the point below the pointer, and the whole of any picture can be seen", () => {
  const content = { x: -14, y: -14, w: 8741, h: 15_924 };
  const free = { x: 0, y: 0, w: 440, h: 448 };
  const camera = whole(content, free);
  expect(isSeen(camera, content, free)).toBe(true);
  expect(camera.scale).toBeLessThan(0.03);
  const at = { x: 100, y: 320 };
  const zoomed = zoomAt(camera, at, 5, content, free);
  const [before, after] = [pointAt(camera, at), pointAt(zoomed, at)];
  expect([after.x, after.y]).toEqual([expect.closeTo(before.x, 6), expect.closeTo(before.y, 6)]);
  expect(zoomAt(zoomed, at, 1e-9, content, free).scale).toBeCloseTo(camera.scale, 9);
  expect(zoomAt(zoomed, at, 1e9, content, free).scale).toBe(3);
});

test("a small picture is shown whole and in the middle, and never larger than 1.15", () => {
  const { picture } = shown(makeGraph([{ name: "x", type: "Const", role: "constant", inputs: [] }]), []);
  const content = contentOf(picture.drawing() as Drawing);
  const { x, y, w, h } = onScreen(picture.camera(), content);
  expect(picture.camera().scale).toBe(1.15);
  expect([x + w / 2, y + h / 2]).toEqual([expect.closeTo(220, 6), expect.closeTo(224, 6)]);
});

test("the smallest move brings a box into view, with room at the edges except at the end of the picture", () => {
  const free = { x: 0, y: 0, w: 400, h: 300 };
  const content = { x: 0, y: 0, w: 1000, h: 1000 };
  const camera = { x: 0, y: 0, scale: 1 };
  expect(intoView(camera, { x: 100, y: 100, w: 50, h: 50 }, content, free)).toEqual(camera);
  expect(intoView(camera, { x: 500, y: 100, w: 50, h: 50 }, content, free)).toEqual({
    x: -174,
    y: 0,
    scale: 1,
  });
  expect(intoView(camera, { x: 950, y: 0, w: 50, h: 50 }, content, free)).toEqual({
    x: -600,
    y: 0,
    scale: 1,
  });
});

test("what opens keeps its place if it stays in view; back returns to the view before", () => {
  const { session, picture, placeOf, drawing } = shown(randomGraph(3, 30), ["a", "d"], { w: 1400, h: 1400 });
  const first = picture.camera();
  const before = placeOf("d");
  session.choose({ kind: "scope", path: "d" });
  const { scene } = drawing();
  const opened = scene.open.get("d");
  const room = { x: 0, y: 0, ...picture.room() };
  expect(opened && isSeen(picture.camera(), opened, room)).toBe(true);
  const after = placeOf("d");
  expect(Math.abs((after?.x ?? 1e9) - (before?.x ?? 0))).toBeLessThan(400);
  picture.back();
  expect(session.collapsed()).toEqual(["a", "d"]);
  expect(picture.camera()).toEqual(first);
  picture.forward();
  expect(session.collapsed()).toEqual(["a"]);
});

test("a resize refits until the reader moves the camera", () => {
  const { picture, resize, drawing } = shown(randomGraph(2, 30), null);
  resize(900, 300);
  const content = contentOf(drawing());
  expect(picture.camera()).toEqual(whole(content, { x: 0, y: 0, w: 900, h: 300 }));
  picture.zoom(2);
  const moved = picture.camera();
  resize(880, 320);
  expect(picture.camera()).toEqual(moved);
});

test("the keys fit, zoom and go back", () => {
  const { picture } = shown(randomGraph(4, 30), null);
  const fitted = picture.camera();
  const stop = picture.element.querySelector('[tabindex="0"]') as Element;
  press(stop, "+");
  expect(picture.camera().scale).toBeCloseTo(1.25 * fitted.scale, 6);
  expect(press(stop, "0").defaultPrevented).toBe(true);
  expect(picture.camera()).toEqual(fitted);
  press(stop, "[");
  expect(picture.camera().scale).not.toBe(fitted.scale);
});

test("expanding all closes nothing that is open, opens outer scopes first, and counts what has no room", () => {
  for (const seed of [1, 2, 3, 4]) {
    const graph = indexGraph(randomGraph(seed, 40));
    const paths = [...graph.scope.keys()].filter((path) => path !== ROOT);
    expect(expandAll(graph, paths)).toEqual({ collapsed: [], left: 0 });
    const some = paths.filter((path) => path !== "d");
    const { collapsed, left } = expandAll(graph, some, 12);
    expect(collapsed).not.toContain("d");
    expect(left).toBeGreaterThan(0);
    expect(collapsed.every((path) => paths.includes(path))).toBe(true);
  }
});

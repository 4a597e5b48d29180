/** A box that keeps the greatest height of its content. */
import { afterEach, expect, test, vi } from "vitest";
import { h } from "../../src/base/dom";
import { keepHeight } from "../../src/controls/steady-height";
import { observer } from "../fake";

afterEach(() => vi.unstubAllGlobals());

test("a box grows with its text, does not shrink with it, and starts anew at another width", () => {
  const report = observer("ResizeObserver");
  const line = h("p", {}, "what stands in it");
  const box = h("div", { class: "live" }, line);
  keepHeight(box, new AbortController().signal);
  expect(line.parentElement?.parentElement).toBe(box);
  const heights = [
    [0, 0],
    [600, 40],
    [600, 20],
    [600, 60.5],
    [300, 50],
  ].map(([width = 0, height = 0]) => {
    report([{ contentRect: { width, height } }]);
    return box.style.height;
  });
  expect(heights).toEqual(["", "40px", "40px", "61px", "50px"]);
  expect(box.classList.contains("steady")).toBe(true);
});

test("without layout a box is left as it is", () => {
  vi.stubGlobal("ResizeObserver", undefined);
  const box = h("div", {}, h("p"));
  keepHeight(box, new AbortController().signal);
  expect(box.outerHTML).toBe("<div><p></p></div>");
});

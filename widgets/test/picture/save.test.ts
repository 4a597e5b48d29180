/** A saved picture is what is drawn, as text only. */
import { afterEach, expect, test, vi } from "vitest";
import type { Drawing } from "../../src/picture/paint";
import { drawnSvg } from "../../src/picture/save";
import { HOSTILE } from "../fixtures/hostile";
import { makeGraph } from "../fixtures/make";
import { shown } from "../fixtures/picture";
import { randomGraph } from "../fixtures/random";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const saved = (record: Parameters<typeof shown>[0], title: string): string =>
  drawnSvg(shown(record, []).picture.drawing() as Drawing, title);

test("a saved picture has every text of the drawing, no class and no address, and is the same each time", () => {
  const { picture } = shown(randomGraph(3), ["a"]);
  const drawing = picture.drawing() as Drawing;
  const text = drawnSvg(drawing, "graph");
  expect(drawnSvg(drawing, "graph")).toBe(text);
  const page = new DOMParser().parseFromString(text, "image/svg+xml");
  const words = [...drawing.svg.querySelectorAll("text")].map((each) => each.textContent);
  expect([...page.querySelectorAll("text")].map((each) => each.textContent)).toEqual(
    expect.arrayContaining(words),
  );
  expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
  expect(text).not.toMatch(/ class=| style=|tabindex=|href|data-/);
});

test.each(HOSTILE.map((name) => name.slice(0, 200)))("the name %j is text in a saved picture", (name) => {
  const text = saved(makeGraph([{ name, type: "Const", role: "constant", inputs: [] }]), name);
  const page = new DOMParser().parseFromString(text, "image/svg+xml");
  expect(page.querySelectorAll("script, img, iframe, style, foreignObject, parsererror")).toHaveLength(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain these
  expect(text).not.toMatch(/[\u0000-\u0008\u000e-\u001f]|\p{Cs}/u);
});

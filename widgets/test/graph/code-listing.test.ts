import { beforeEach, expect, test, vi } from "vitest";
import type { Context } from "../../src/context";
import { type CodeListing, createCodeListing } from "../../src/graph/code-listing";
import { translator } from "../../src/i18n";
import { press } from "../fake";
import { HOSTILE } from "../fixtures/hostile";

const ctx = { t: translator("en"), life: new AbortController().signal } as Context;
const cell = {
  place: "Cell In[8]",
  first: 3,
  lines: ["    x = tf.Variable(0.0)", "    y = x", "", "    # end"],
};
const file = { place: "File a.py", first: 10, lines: ["\tz = 1"] };
const label = (line: number): string => `Cell In[8], line ${line}`;
const go = vi.fn();
let listing: CodeListing;

const rows = (): HTMLElement[] => [...listing.element.querySelectorAll<HTMLElement>(".ln")];
const marked = (name: string): (string | undefined)[] =>
  rows()
    .filter((row) => row.hasAttribute(name))
    .map((row) => row.querySelector(".number")?.textContent ?? "");

beforeEach(() => {
  go.mockReset();
  listing = createCodeListing(ctx, [cell, file], { go, steps: new Set([label(3), label(4)]) });
  document.body.replaceChildren(listing.element);
});

test("the whole text stands there with its line numbers, without the indentation that all lines share", () => {
  const text = rows().map((row) => [...row.children].map((part) => part.textContent).join(" "));
  expect(text).toEqual(["3 x = tf.Variable(0.0)", "4 y = x", "5 ", "6 # end", "10 z = 1"]);
  expect([...listing.element.querySelectorAll("h5")].map((h5) => h5.textContent)).toEqual([
    "Cell In[8]",
    "File a.py",
  ]);
  expect([...listing.element.querySelectorAll("[class^=k]")].map((part) => part.className)).toEqual([
    "kc",
    "kn",
    "kx",
    "kn",
  ]);
});

test("lines are marked as just run, next and differing, and a mark goes when it is no longer true", () => {
  listing.mark({ just: [label(3)], next: [label(4)], differs: new Set([label(4)]) });
  expect([marked("data-just"), marked("data-next"), marked("data-differs")]).toEqual([["3"], ["4"], ["4"]]);
  expect(rows()[0]?.getAttribute("aria-current")).toBe("step");
  expect(rows()[1]?.title).toBe("runs next");
  expect(rows()[1]?.querySelector("em")?.textContent).toBe("differs");
  listing.mark({ just: [label(4), label(5)], next: ["of another graph"] });
  expect([marked("data-just"), marked("data-next"), marked("data-differs")]).toEqual([["4", "5"], [], []]);
  expect(listing.element.querySelectorAll("em, [title]")).toHaveLength(0);
  listing.mark({});
  expect(listing.element.querySelector("[data-just], [aria-current]")).toBeNull();
});

test("lines that have steps are one tab stop, and choosing one calls go", () => {
  const [first, second] = rows() as [HTMLElement, HTMLElement];
  expect(rows().map((row) => row.tabIndex)).toEqual([0, -1, -1, -1, -1]);
  press(first, "ArrowDown");
  expect([first.tabIndex, second.tabIndex, document.activeElement]).toEqual([-1, 0, second]);
  press(second, "ArrowDown");
  expect(document.activeElement).toBe(second);
  second.click();
  rows()[3]?.click();
  expect(go.mock.calls).toEqual([[label(4)]]);
  listing.mark({ just: [label(3)] });
  expect(second.tabIndex).toBe(0); // the focus stays where it is
});

test("names in a program stay text, and a long line is cut", () => {
  const lines = HOSTILE.map((name) => `x = "${name}"`);
  listing = createCodeListing(ctx, [{ place: HOSTILE[0] ?? "", first: 1, lines }]);
  expect(listing.element.querySelector("script, img, iframe, style")).toBeNull();
  expect(Math.max(...rows().map((row) => row.textContent?.length ?? 0))).toBeLessThan(500);
});

test("where no text is at hand, the listing says so", () => {
  expect(createCodeListing(ctx, []).element.textContent).toBe("The source lines are not known.");
  const lost = createCodeListing(ctx, [{ place: "File a.py", first: 1, lines: [] }]);
  expect(lost.element.textContent).toContain("The text of this line is not available");
});

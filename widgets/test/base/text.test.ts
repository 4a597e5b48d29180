import { expect, test } from "vitest";
import { inline, leaf, shorten, visible } from "../../src/base/text";
import { HOSTILE } from "../fixtures/hostile";

test("a short name stays as it is, a long one keeps its ends", () => {
  expect(shorten("Variable/read")).toBe("Variable/read");
  const cut = shorten("gradients/layer_1/dense/kernel/Adam/update_step", 20);
  expect(cut).toMatch(/^gradients\/.*….*_step$/);
  expect([...cut].length).toBeLessThanOrEqual(20);
});

test("invisible characters are made visible", () => {
  expect(visible("a\u0000b\nc")).toBe("a␀b␊c");
  expect(visible("a\u202eb")).toBe("a⟨U+202E⟩b");
});

test("a family of emoji is one character, which is not cut", () => {
  const family = "👩‍👩‍👧‍👦";
  expect(shorten(family.repeat(40), 10)).toBe(`${family.repeat(6)}…${family.repeat(3)}`);
});

test("right-to-left names are isolated inside a sentence", () => {
  expect(inline("مرحبا")).toBe("\u2068مرحبا\u2069");
  expect(inline("x")).toBe("x");
});

test.each(HOSTILE.map((name): [string, string] => [name.slice(0, 30), name]))(
  "%s is cut in no time",
  (_, name) => {
    expect([...shorten(name, 40)].length).toBeLessThan(400);
  },
);

test("the leaf of a name is its last part", () => {
  expect(leaf("a/b/c")).toBe("c");
  expect(leaf("a/")).toBe("a/");
});

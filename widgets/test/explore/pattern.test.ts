/** The patterns of the search match as JavaScript's do, and none of them is slow. */
import { expect, test } from "vitest";
import { compile, PatternError } from "../../src/explore/pattern";
import { random } from "../fake";

const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "aab",
  "abab",
  "gradients/mul_grad/Mul",
  "x1",
  "x12/",
  "AB",
  "a.b",
  "a b",
  "]-^",
];

function same(pattern: string, flags = ""): void {
  const test = compile(pattern, flags === "i");
  const own = new RegExp(pattern, `s${flags}`);
  for (const text of TEXTS)
    expect(test(text), `/${pattern}/${flags} on ${JSON.stringify(text)}`).toBe(own.test(text));
}

test.each([
  "a",
  "^a",
  "a$",
  "^$",
  "",
  "a*",
  "^a*$",
  "a+b",
  "^(ab)+$",
  "a|b",
  "^(a|b|)$",
  "(?:a|ab)(?:b|$)",
  "[ab]{2}",
  "^[^a]",
  "\\d+",
  "\\D$",
  "\\w\\s\\w",
  "a\\.b",
  "a.b",
  "^grad.*/Mul$",
  "x\\d{1,2}/?$",
  "x\\d{2,}",
  "\\bmul",
  "\\bMul\\b",
  "\\Bul",
  "a{",
  "a{,2}",
  "[\\]\\-^]",
  "[a-z]+_grad",
  "a??b",
  "a*?b",
  "^(a?){3}b$",
  "(a*)*$",
  "^((a|b)*b){2}$",
])("/%s/ fits what it fits in JavaScript", (pattern) => same(pattern)); // prettier-ignore

test.each(["A", "[A-Z]b", "grad"])("/%s/i ignores case", (pattern) => same(pattern, "i"));

test("random patterns match as in JavaScript", () => {
  const next = random(5);
  const pick = <T>(list: T[]): T => list[Math.floor(next() * list.length)] as T;
  const make = (depth: number): string => {
    if (depth === 0) return pick(["a", "b", ".", "[ab]", "[^a]", "\\w", "x", "1"]);
    const one = make(depth - 1);
    return pick([
      one,
      one + make(depth - 1),
      `(${one}|${make(depth - 1)})`,
      `(${one})*`,
      `(${one})+`,
      `(${one})?`,
      `(${one}){1,2}`,
    ]);
  };
  for (let i = 0; i < 300; i += 1) same(pick(["", "^"]) + make(4) + pick(["", "$"]));
});

test.each([
  ["(", "group"],
  [")", "group"],
  ["a(b", "group"],
  ["[a", "class"],
  ["[b-a]", "class"],
  ["*", "repeat"],
  ["a**", "repeat"],
  ["+a", "repeat"],
  ["a{2,1}", "repeat"],
  ["\\", "escape"],
  ["\\q", "escape"],
  ["(?=a)", "unsupported"],
  ["(?<!a)b", "unsupported"],
  ["(a)\\1", "unsupported"],
  ["(a{99}){99}", "large"],
  ["(".repeat(500), "large"],
])("%s is no pattern: %s", (pattern, reason) => {
  expect(() => compile(pattern)).toThrow(PatternError);
  try {
    compile(pattern);
  } catch (error) {
    expect((error as PatternError).reason).toBe(reason);
  }
});

test.each(["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(.*a){12}$", "(x+x+)+y", "((a*)*)*b"])(
  "/%s/ takes a time that grows with the text",
  (pattern) => {
    // A backtracking matcher would take longer than the age of the world.
    expect(compile(pattern)(`${"a".repeat(20_000)}!`)).toBe(false);
  },
);

import { expect, test } from "vitest";
import { differingLines } from "../../src/model/differing-lines";
import { pythonTokens } from "../../src/model/python-syntax";
import { HOSTILE } from "../fixtures/hostile";

const parts = (line: string): string[] =>
  (pythonTokens([line])[0] ?? []).filter(({ kind }) => kind).map(({ kind, text }) => `${kind} ${text}`);

test("keywords, calls, numbers, strings and comments are told apart", () => {
  expect(parts("x = tf.Variable(0.0)")).toEqual(["kc tf.Variable", "kn 0.0"]);
  expect(parts("with tf.control_dependencies([x_plus_1]):  # waits")).toEqual([
    "kk with",
    "kc tf.control_dependencies",
    "kx # waits",
  ]);
  expect(parts("y = rb'a\\'b' + f\"#{x}\" if x_1 else .5e-3j * 0xFF_0")).toEqual([
    "ks rb'a\\'b'",
    'ks f"#{x}"',
    "kk if",
    "kk else",
    "kn .5e-3j",
    "kn 0xFF_0",
  ]);
  expect(parts("def 합계 (a): return print")).toEqual(["kk def", "kc 합계", "kk return"]);
});

test("a string of several lines ends where its quotes do", () => {
  const tokens = pythonTokens(['s = """one # no', 'two("', 'three"""; run(1)']);
  const kinds = tokens.map((line) => line.map(({ kind }) => kind));
  expect(kinds).toEqual([["", "ks"], ["ks"], ["ks", "", "kc", "", "kn", ""]]);
});

test("the tokens of a line are the line, whatever it is", () => {
  const odd = [
    "",
    "\t",
    "'unclosed",
    "0x",
    "1..2",
    "a . b (",
    "💡 = 1 ? `",
    "\u202e)(",
    "'''",
    "\\",
    "e 'x",
    "'''",
  ];
  const lines = [...odd, ...HOSTILE];
  const joined = pythonTokens(lines).map((line) => line.map(({ text }) => text).join(""));
  expect(joined).toEqual(lines);
});

test("the differing lines of two programs are those that no common order of lines has", () => {
  const differ = (a: string, b: string): number[][] =>
    differingLines(a.split("\n"), b.split("\n")).map((set) => [...set]);
  expect(differ("x\nwith a:\n    y = x\n\ninit", "x\nwith a:\n    y = id(x)\n\ninit")).toEqual([[2], [2]]);
  expect(differ("a\nb\nc", "a\nc")).toEqual([[1], []]);
  expect(differ("a", "a\n\nb")).toEqual([[], [2]]);
  expect(differ("a\nb", "b\na")[0]).toHaveLength(1);
  expect(differ("same  ", "same")).toEqual([[], []]);
});

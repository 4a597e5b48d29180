/** Each form of a packed column; tests/view/test_portions.py tests the packing. */
import { expect, test } from "vitest";
import { unpack } from "../../src/base/unpacking";

const column = (packed: unknown): unknown =>
  unpack({ packed: { fields: { it: { sizes: [3], of: packed } }, count: 1 } });

test.each([
  ["values as they are", [1, "a", null], [1, "a", null]],
  ["the same again", { every: null, count: 3 }, [null, null, null]],
  ["texts in lines", { lines: "a\n\nb" }, ["a", "", "b"]],
  ["whole numbers", { ints: "3 -1 4" }, [3, -1, 4]],
  ["numbers that follow each other", { from: 7, count: 3 }, [7, 8, 9]],
  ["values that come again", { table: ["x", "y"], at: { ints: "1 -1 0" } }, ["y", null, "x"]],
  ["texts that begin alike", { same: [0, 2, 1], rest: { lines: "abc\nd\nz" } }, ["abc", "abd", "az"]],
  ["lists", { sizes: [2, 0, 1], of: [1, 2, 3] }, [[1, 2], [], [3]]],
  [
    "lists by what they have of the one before",
    { first: [0, 1, 0], at: [0, 1, 0], keep: [0, 1, 2], last: [2, 0, 1], of: { ints: "1 2 9 5" } },
    [
      [1, 2],
      [9, 2],
      [9, 2, 5],
    ],
  ],
  [
    "objects",
    { fields: { a: [1, 2, 3], b: { every: "x", count: 3 } }, count: 3 },
    [1, 2, 3].map((a) => ({ a, b: "x" })),
  ],
])("%s", (_, packed, values) => {
  expect(column(packed)).toEqual({ it: values });
});

test("a record that is not packed is returned as it is", () => {
  const record = { kind: "graph", nodes: [] };
  expect(unpack(record)).toBe(record);
});

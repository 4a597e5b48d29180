/** What each form of a search matches, and the messages of invalid ones. */
import { expect, test } from "vitest";
import { parse, search } from "../../src/explore/query";
import type { NodeRecord } from "../../src/record";

const node = (
  name: string,
  type: string,
  device: string,
  ...shapes: ((number | null)[] | null)[]
): NodeRecord => ({
  id: 0,
  name,
  type,
  device,
  scope: "",
  role: "op",
  stateful: false,
  site: null,
  attrs: [],
  outputs: shapes.map((shape, i) => ({ name: `${name}:${i}`, dtype: "float32", shape, text: "" })),
});

const NODES = [
  node("x", "Placeholder", "", [null, 10]),
  node("layer1/MatMul", "MatMul", "/device:GPU:0", [null, 10]),
  node("layer1/Relu", "Relu", "/device:GPU:0", [2, 10]),
  node("gradients/layer1/MatMul_grad/MatMul", "MatMul", "/device:CPU:0", [10, 10], [null, 10]),
  node("split", "Split", "", [3], []),
  node("any", "PyFunc", "", null),
  node("no_op", "NoOp", ""),
];

async function found(text: string): Promise<string[]> {
  const query = parse(text);
  if (typeof query !== "function") throw new Error(query.code);
  return (await search(NODES, query)).map(({ name }) => name);
}

test.each([
  ["", NODES.length],
  ["relu", 1],
  ["RELU", 1],
  ["matmul", 2],
  ["layer1/", 3],
  ["layer1 grad", 1],
  ["name:relu", 1],
  ["type:MatMul", 2],
  ["type:matmul", 2],
  ["type:mat", 0],
  ["type:*mul", 2],
  ["type:p*", 2],
  ["type:P*r", 1],
  ["type:*", 7],
  ["device:gpu", 2],
  ["device:gpu type:relu", 1],
  ["shape:(?,10)", 3],
  ["shape:(?, 10)", 3],
  ["shape:?,10", 3],
  ["shape:(*,10)", 4],
  ["shape:(3,)", 1],
  ["shape:3", 1],
  ["shape:()", 1],
  ["shape:unknown", 1],
  ["shape:/^\\(1/", 1],
  ["/^layer1/MatMul$/", 1],
  ["/matmul$/", 0],
  ["/matmul$/i", 2],
  ["/^grad.*mul$/i type:MatMul", 1],
  ["type:/^(Re|Pl)/", 2],
  ["/a b/", 0],
  ["<script>", 0],
])("%s finds %i nodes", async (text, count) => expect(await found(text)).toHaveLength(count));

test.each([
  ["/(/", "group"],
  ["/[a/", "class"],
  ["/a**/", "repeat"],
  ["type:/(?=x)/", "unsupported"],
  ["color:red", "field"],
  ["type:", "value"],
  ["shape:(a,b)", "shape"],
  ["shape:(1,,2)", "shape"],
])("%s is told to be none: %s", (text, code) => expect(parse(text)).toMatchObject({ code }));

test("a search of many nodes yields to other work, and ends when it is cancelled", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => node(`${"a".repeat(200)}${i}`, "Add", "", []));
  const query = parse("/(a+)+b$/");
  if (typeof query !== "function") throw new Error("no query");
  let wanted = true;
  const searching = search(many, query, () => wanted);
  // This line runs during the search, which has yielded.
  wanted = false;
  expect(await searching).toEqual([]);
});

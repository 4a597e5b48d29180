/** The rooms of src/ have an order, in which each imports only from earlier ones, and no files import each other in a circle. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../src");

/** From the bottom to the top; a file outside of the rooms counts as one. */
const ROOMS = [
  "record.ts",
  "base",
  "i18n",
  "model",
  "context.ts",
  "widget.ts",
  "layout",
  "explore",
  "draw",
  "controls",
  "stage",
  "picture",
  "charts",
  "graph",
  "run",
  "panels",
  "widgets",
  "loader.ts",
  "index.ts",
  "page.ts",
  "elements",
];

type Imports = Map<string, string[]>;

/** The files that each file imports, types included; both are paths below the folder. */
function importsBelow(root: string): Imports {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/"));
  const find = (from: string, specifier: string): string[] => {
    const path = join(from, "..", specifier).replaceAll("\\", "/");
    return [`${path}.ts`, `${path}/index.ts`].filter((name) => existsSync(join(root, name)));
  };
  return new Map(
    files.map((file) => [
      file,
      specifiers(readFileSync(join(root, file), "utf8")).flatMap((s) => find(file, s)),
    ]),
  );
}

function specifiers(source: string): string[] {
  const statement = /^(?:import|export)\b[^;"]*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;
  return [...source.matchAll(statement)].map(([, named, called]) => named ?? called ?? "");
}

/** The strongly connected components with several files, and the files that import themselves (Tarjan, 1972). */
function circles(imports: Imports): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];
  const visit = (file: string): void => {
    const index = order.size;
    order.set(file, index);
    low.set(file, index);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== index) return;
    const component = stack.splice(stack.indexOf(file)).sort();
    if (component.length > 1 || imports.get(file)?.includes(file)) components.push(component);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return components;
}

/** Imports of a room that stands later in the order. */
function upward(imports: Imports): string[] {
  const rank = (file: string): number => ROOMS.indexOf(file.split("/")[0] ?? "");
  return [...imports].flatMap(([file, all]) =>
    all.filter((other) => rank(other) > rank(file)).map((other) => `${file} imports ${other}`),
  );
}

const ours = importsBelow(ROOT);

test("no files import each other in a circle", () => {
  expect(ours.get("index.ts")).toContain("widgets/table.ts");
  expect(circles(ours)).toEqual([]);
});

test("each file is in a room, and imports only from its own room and the rooms before it", () => {
  expect([...new Set([...ours.keys()].map((file) => file.split("/")[0]))].sort()).toEqual([...ROOMS].sort());
  expect(upward(ours)).toEqual([]);
});

test("a planted circle and a planted import of a later room are reported by name", () => {
  const planted = new Map([...ours, ["base/dom.ts", ["picture/paint.ts"]]]);
  expect(circles(planted)).toHaveLength(1);
  expect(circles(planted)[0]).toEqual(expect.arrayContaining(["base/dom.ts", "picture/paint.ts"]));
  expect(upward(planted)).toEqual(["base/dom.ts imports picture/paint.ts"]);
  expect(circles(new Map([["a.ts", ["a.ts"]]]))).toEqual([["a.ts"]]);
});

test("imports of types, on several lines and at run time are all found", () => {
  const source = `import type { A } from "./a";\nimport {\n  b,\n  c,\n} from "../b";\nexport { d } from "./d";\nimport "./e";
const f = await import("./f");\nimport g from "dagre";\nconst text = "import ./not";`;
  expect(specifiers(source)).toEqual(["./a", "../b", "./d", "./e", "./f"]);
});

/** No function of src/ has more than 100 lines. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../src");
const MOST = 100;

/** The lines of the longest function of each file that has one longer than `MOST`. */
function longFunctions(sources: Iterable<readonly [string, string]>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [file, source] of sources) {
    const visit = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      const { type, start, end } = node as { type?: unknown; start?: number; end?: number };
      if (typeof type === "string" && /Function/.test(type)) {
        const lines = source.slice(start, end).split("\n").length;
        if (lines > MOST) found[file] = Math.max(found[file] ?? 0, lines);
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseSync(file, source).program);
  }
  return found;
}

const ours = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => [name.replaceAll("\\", "/"), readFileSync(join(ROOT, name), "utf8")] as const);

test("no function has more than a hundred lines", () => {
  expect(ours.length).toBeGreaterThan(100);
  expect(longFunctions(ours)).toEqual({});
});

test("a planted long function is reported, whatever its form; one of a hundred lines is not", () => {
  const body = (lines: number): string => `{${"\n".repeat(lines - 1)}}`;
  const planted = { "a.ts": `function a() ${body(101)}`, "b.ts": `const b = (x: number) => ${body(120)};` };
  expect(longFunctions(Object.entries(planted))).toEqual({ "a.ts": 101, "b.ts": 120 });
  expect(longFunctions([["c.ts", `export function c() ${body(100)}`]])).toEqual({});
});

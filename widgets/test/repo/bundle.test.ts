import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WIDGETS } from "../../src/widgets/table";

const here = join(import.meta.dirname, "../..");
const committed = (name: string): string => readFileSync(join(here, "../tfedu/widgets/static", name), "utf8");

interface Built {
  head: string;
  parts: { kinds: string[]; texts: string[]; code: string }[];
  tail: string;
}
const built: Built = JSON.parse(committed("parts.json"));

test("the committed bundle is what the sources build, byte for byte", () => {
  const out = mkdtempSync(join(tmpdir(), "tfedu-"));
  try {
    execFileSync(process.execPath, [join(here, "build.mjs"), "--out", out], { cwd: here });
    for (const name of ["parts.json", "loader.js", "page.js", "widget.css"]) {
      const built = readFileSync(join(out, name), "utf8");
      // Compared as a boolean: a diff of two minified files says nothing.
      expect(built === committed(name), `${name} is stale: run "npm run build" in widgets/`).toBe(true);
    }
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("the bundle carries the licences of its contents, and requests nothing from any host", () => {
  const code = [built.head, ...built.parts.map((part) => part.code)].join("\n");
  expect(code).toContain("@dagrejs/dagre");
  expect(code).toContain("Copyright (c) 2012-2014 Chris Pettitt");
  expect(code).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|innerHTML/);
  expect([...code.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => url)).toEqual([
    "http://www.w3.org/2000/svg",
  ]);
  expect(committed("widget.css")).not.toMatch(/url\(|@import/);
});

test("a part reads the results of earlier parts alone, which are there for each of its kinds", () => {
  const kinds = Object.keys(WIDGETS).sort();
  expect([...new Set(built.parts.flatMap((part) => part.kinds))].sort()).toEqual(kinds);
  let reads = 0;
  built.parts.forEach((part, at) => {
    expect(part.code.startsWith(`const PART_${at}=`)).toBe(true);
    for (const [, name] of part.code.slice(10).matchAll(/\}=PART_(\d+);/g)) {
      reads += 1;
      expect(Number(name)).toBeLessThan(at);
      expect(built.parts[Number(name)]?.kinds).toEqual(expect.arrayContaining(part.kinds));
    }
  });
  expect(reads).toBeGreaterThan(50);
  const [, index] = /^export default PART_(\d+)\.default;$/.exec(built.tail) ?? [];
  expect(built.parts[Number(index)]?.kinds).toEqual(kinds);
});

test("no source exports a variable that changes, since a part reads the results of others once", () => {
  const sources = readdirSync(join(here, "src"), { recursive: true, encoding: "utf8" });
  const changing = sources.filter(
    (name) =>
      name.endsWith(".ts") && /^export (?:let|var)\b/m.test(readFileSync(join(here, "src", name), "utf8")),
  );
  expect(changing).toEqual([]);
});

test("a stepper carries no puzzle, and each widget its own texts", () => {
  const texts = (kind: string): Set<string> =>
    new Set(built.parts.filter((part) => part.kinds.includes(kind)).flatMap((part) => part.texts));
  expect(texts("parsons")).toContain("puzzle.");
  expect(texts("step-through")).not.toContain("puzzle.");
  for (const [kind, { title }] of Object.entries(WIDGETS)) expect(texts(kind)).toContain(title);
});

test("every rule of the style sheet applies only inside a widget", () => {
  const sheets = readdirSync(join(here, "src/theme"));
  const imported = readFileSync(join(here, "src/theme.css"), "utf8").matchAll(/@import "\.\/theme\/(.+)";/g);
  expect([...imported].map(([, name]) => name).sort()).toEqual(sheets.sort());
  for (const name of sheets) {
    const rules = readFileSync(join(here, "src/theme", name), "utf8").replace(/\/\*.*?\*\//gs, "");
    for (const [, selector] of rules.matchAll(/(?:^|\}|\{)\s*([^{}@]+?)\s*\{/g)) {
      for (const part of (selector ?? "").replace(/\([^()]*(\([^()]*\)[^()]*)*\)/g, "").split(",")) {
        expect(part.trim()).toMatch(/^\.tfedu/);
      }
    }
  }
});

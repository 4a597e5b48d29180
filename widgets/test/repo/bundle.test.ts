import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const here = join(import.meta.dirname, "../..");
const committed = (name: string): string => readFileSync(join(here, "../tfedu/widgets/static", name), "utf8");

test("the committed bundle is what the sources build, byte for byte", () => {
  const out = mkdtempSync(join(tmpdir(), "tfedu-"));
  try {
    execFileSync(process.execPath, [join(here, "build.mjs"), "--out", out], { cwd: here });
    for (const name of ["widget.js", "loader.js", "page.js", "widget.css"]) {
      const built = readFileSync(join(out, name), "utf8");
      // Compared as a boolean: a diff of two minified files says nothing.
      expect(built === committed(name), `${name} is stale: run "npm run build" in widgets/`).toBe(true);
    }
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("the bundle carries the licences of its contents, and requests nothing from any host", () => {
  const code = committed("widget.js");
  expect(code).toContain("@dagrejs/dagre");
  expect(code).toContain("Copyright (c) 2012-2014 Chris Pettitt");
  expect(code).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|innerHTML/);
  expect([...code.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => url)).toEqual([
    "http://www.w3.org/2000/svg",
  ]);
  expect(committed("widget.css")).not.toMatch(/url\(|@import/);
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

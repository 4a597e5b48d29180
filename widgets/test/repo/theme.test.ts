import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pageTheme } from "../../src/base/page-theme";

const css = ["colours", "forced-colours"]
  .map((name) => readFileSync(join(import.meta.dirname, `../../src/theme/${name}.css`), "utf8"))
  .join("");

function palette(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const TEXT: [string, string[]][] = [
  [
    "ink",
    [
      "ground",
      "panel",
      "node",
      "node-constant",
      "node-variable",
      "ready",
      "ran",
      "error",
      "active-ground",
      "mark-ground",
    ],
  ],
  [
    "soft",
    [
      "ground",
      "panel",
      "node",
      "node-constant",
      "node-variable",
      "ready",
      "ran",
      "active-ground",
      "mark-ground",
    ],
  ],
  ["reference", ["node-variable", "ready", "ran", "active-ground", "panel"]],
  ["control", ["ground", "mark-ground"]],
  ["mark", ["mark-ground"]],
  ["on-active", ["active"]],
  ["active", ["ground", "panel"]],
  ["ran-line", ["ground"]],
  ["error-line", ["ground"]],
  ...["key", "call", "num", "str", "com"].map((kind): [string, string[]] => [
    `k-${kind}`,
    ["ground", "active-ground", "mark-ground"],
  ]),
  ["ink", ["canvas", "raised", "t0", "t1", "t2"]],
  ["soft", ["canvas", "raised"]],
  ["on-t3", ["t3"]],
  ["on-t4", ["t4"]],
];
const SIGNS: [string, string[]][] = [
  ["edge-line", ["ground", "node", "panel"]],
  ["data", ["ground", "mark-ground"]],
  ["control", ["ground", "mark-ground"]],
  ["reference", ["ground", "mark-ground"]],
  ["active", ["ground", "mark-ground"]],
  ["ready-line", ["ground", "ready"]],
  ["ran-line", ["ground", "ran"]],
  ["dead-line", ["ground", "panel"]],
  ["error-line", ["ground", "error"]],
  ["mark", ["ground"]],
  ["focus", ["ground", "panel"]],
  ...["edge-line", "data", "control", "reference", "active", "ready-line", "ran-line", "dead-line"].map(
    (sign): [string, string[]] => [sign, ["canvas"]],
  ),
  ["t-bar", ["ground"]],
  ["t-line", ["t0", "canvas"]],
];

describe.each([
  ["light", ".tfedu"],
  ["dark", '.tfedu[data-theme="dark"]'],
])("in the %s theme", (_, selector) => {
  const colours = palette(selector);
  const ratio = (a: string, b: string): number => contrast(colours.get(a) ?? "", colours.get(b) ?? "");

  test("text has a contrast of 4.5 to 1", () => {
    for (const [text, grounds] of TEXT) {
      for (const ground of grounds)
        expect(ratio(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("signs have a contrast of 3 to 1", () => {
    for (const [sign, grounds] of SIGNS) {
      for (const ground of grounds)
        expect(ratio(sign, ground), `${sign} on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  });
});

test("both themes name the same colours, and high contrast all of them", () => {
  const light = [...palette(".tfedu").keys()];
  expect([...palette('.tfedu[data-theme="dark"]').keys()]).toEqual(light);
  const forced = css.slice(css.indexOf("forced-colors"));
  for (const name of light) expect(forced).toContain(`--${name}:`);
});

test("the page decides on the theme: JupyterLab's setting before the machine's", () => {
  const root = document.createElement("div");
  document.body.append(root);
  expect(pageTheme(root)).toBe("light");
  document.body.setAttribute("data-jp-theme-light", "false");
  expect(pageTheme(root)).toBe("dark");
  document.body.setAttribute("data-jp-theme-light", "true");
  expect(pageTheme(root)).toBe("light");
  const around = document.createElement("div");
  around.className = "theme-dark";
  around.append(root);
  document.body.append(around);
  expect(pageTheme(root)).toBe("dark");
  document.body.removeAttribute("data-jp-theme-light");
  around.remove();
});

function selectorsOfAllSheets(): string[] {
  const folder = join(import.meta.dirname, "../../src/theme");
  const sheets = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return sheets.flatMap((sheet) =>
    [...sheet.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{/g)].map(([, all = ""]) => all.trim()),
  );
}

test("of a part around a picture, :has() names each element on the way: else every mark that a step adds would style the part", () => {
  const asked = selectorsOfAllSheets().flatMap((selector) => [
    ...selector.matchAll(
      /\.(?:stage-body|stage-picture|puzzle|drawer)\b[^\s>+~]*?:has\(((?:[^()]|\([^()]*\))*)\)/g,
    ),
  ]);
  expect(asked.length).toBeGreaterThan(5);
  const tells = (inside: string): boolean => /^>/.test(inside) && !/[^>\s]\s+[^>\s]/.test(inside);
  expect(asked.map(([, inside = ""]) => inside).filter((inside) => !tells(inside))).toEqual([]);
});

test("no selector ends in an :is() of several: a browser would try it on every element", () => {
  const selectors = selectorsOfAllSheets();
  expect(selectors.length).toBeGreaterThan(300);
  expect(selectors.filter((selector) => /[\s>+~]:is\([^()]*,[^()]*\)[^\s>+~]*(,|$)/.test(selector))).toEqual(
    [],
  );
});

test("users who prefer reduced motion see none", () => {
  expect(css).not.toMatch(/transition|animation|@keyframes/);
});

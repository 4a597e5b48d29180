import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CATALOGUES, fillIn, isKey, pickLanguage, translator } from "../../src/i18n";

const params = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const { en, ko, zh } = CATALOGUES;

const built = readFileSync(join(import.meta.dirname, "../../../tfedu/widgets/static/parts.json"), "utf8");
const named = new Set((JSON.parse(built).parts as { texts: string[] }[]).flatMap((part) => part.texts));

function sources(): [string, string][] {
  const root = join(import.meta.dirname, "../../src");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name, readFileSync(join(root, name), "utf8")]);
}

test("the three catalogues have the same keys", () => {
  expect(Object.keys(ko).sort()).toEqual(Object.keys(en).sort());
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
});

test.each(Object.keys(en))("%s has the same params in each language, and a text", (key) => {
  expect(params(ko[key] ?? "")).toEqual(params(en[key] ?? ""));
  expect(params(zh[key] ?? "")).toEqual(params(en[key] ?? ""));
  for (const catalogue of [en, ko, zh]) expect(catalogue[key]?.trim()).toBeTruthy();
});

test("the keys of the catalogues are sorted, so that two additions do not collide", () => {
  for (const catalogue of [en, ko, zh]) expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort());
});

test("Korean and Chinese are translated: no sentence is left in English", () => {
  const words = (text: string): string => text.replace(/\{\w+\}/g, "");
  for (const key of Object.keys(en)) {
    if ((words(en[key] ?? "").match(/[a-z]{2,}/gi) ?? []).length < 2) continue;
    expect(ko[key], key).toMatch(/[가-힣]/);
    expect(zh[key], key).toMatch(/[一-鿿]/);
  }
});

test("every key that the sources use exists, and every literal param of it", () => {
  let used = 0;
  for (const [file, source] of sources()) {
    // Elements are no part: their module of the npm package brings its texts.
    const isNamed = (find: (text: string) => boolean): boolean =>
      file.startsWith("elements") || [...named].some(find);
    for (const [, key] of source.matchAll(/\bt\(\s*"([\w.]+)"/g)) {
      used += 1;
      expect(isKey(key ?? ""), `${key} in ${file}`).toBe(true);
      expect(
        isNamed((text) => text === key),
        `a part names ${key}`,
      ).toBe(true);
    }
    for (const [, prefix] of source.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)) {
      expect(
        isNamed((text) => text.endsWith(".") && prefix?.startsWith(text) === true),
        `a part names ${prefix}…`,
      ).toBe(true);
      expect(
        Object.keys(en).some((key) => key.startsWith(prefix ?? " ")),
        `${prefix}… in ${file}`,
      ).toBe(true);
    }
  }
  expect(used).toBeGreaterThan(60);
});

test("the sources contain no sentence: every visible text comes from the catalogue", () => {
  for (const [file, source] of sources()) {
    const code = source.replace(/\/\*.*?\*\//gs, "").replace(/^\s*\/\/.*$/gm, "");
    expect(code.match(/["`>]\s*[A-Z][a-z]+ [a-z]+ [^"`]*["`<]/g) ?? [], file).toEqual([]);
  }
});

test("every mental model of the teaching text has a title, the thought itself and what is true instead", () => {
  for (let i = 1; i <= 8; i += 1) {
    expect(isKey(`model.M${i}`)).toBe(true);
    expect(isKey(`model.M${i}.think`)).toBe(true);
    expect(isKey(`model.M${i}.fact`)).toBe(true);
  }
});

test("the language is the trait's, else the browser's, else English", () => {
  expect(pickLanguage("ko", ["zh-CN"])).toBe("ko");
  expect(pickLanguage("", ["de-DE", "zh-TW", "ko"])).toBe("zh");
  expect(pickLanguage("", ["de"])).toBe("en");
  expect(pickLanguage("xx", [])).toBe("en");
});

test("braces and markup in a param stay as they are", () => {
  expect(fillIn("{a} and {b}", { a: "{b}", b: "<i>" })).toBe("{b} and <i>");
  expect(fillIn("{a}", { a: "x\u202ey" })).toBe("x⟨U+202E⟩y");
  expect(translator("en")("say.value", { node: "x", value: "<b>" })).toBe("x gives <b>.");
});

/** Translates by the message catalogue that Python reads too: whole sentences with {params}. */
import en from "../../../tfedu/view/messages/en.json";
import ko from "../../../tfedu/view/messages/ko.json";
import zh from "../../../tfedu/view/messages/zh.json";
import { inline } from "../base/text";
import type { Params } from "../record";

export type Key = keyof typeof en;
export type Lang = "en" | "ko" | "zh";
export type Translate = (key: Key, params?: Params) => string;

export const CATALOGUES: Record<Lang, Record<string, string>> = { en, ko, zh };
/** Each language under its own name: a user who is lost in another one must find it. */
export const LANGUAGES: [Lang, string][] = [
  ["en", "English"],
  ["ko", "한국어"],
  ["zh", "中文"],
];

/** The wanted language, else the browser's first one in the catalogue, else English. */
export function pickLanguage(wanted: string, browser: readonly string[]): Lang {
  for (const tag of [wanted, ...browser]) {
    const language = LANGUAGES.find(([lang]) => lang === tag.toLowerCase().split("-")[0]);
    if (language) return language[0];
  }
  return "en";
}

/** Whether the catalogue has a text for a code that came from Python. */
export function isKey(code: string): code is Key {
  return Object.hasOwn(en, code);
}

/** The longest param: a sentence may hold a list of short names; only a hostile param is longer. */
const PARAM_LIMIT = 600;

/** Fills the braces of a text, without any character that could reverse or break the line. */
export function fillIn(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (match, name: string) =>
    Object.hasOwn(params, name) ? inline(String(params[name]), PARAM_LIMIT) : match,
  );
}

export function translator(lang: Lang): Translate {
  const catalogue = CATALOGUES[lang];
  return (key, params = {}) => fillIn(catalogue[key] ?? en[key], params);
}

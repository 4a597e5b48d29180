/** The search language: `relu`, `in:layer2`, `type:MatMul`, `device:gpu`, `shape:(?,10)`, `/^grad.*mul$/`; of several terms, all
 * must match.
 *
 * A word matches names, ignoring case. `in:` matches the name of a scope around the node; `type:` matches the whole type, with `*` for any text; `device:` a part of the
 * device; `shape:` the shape of an output, with `?` for an unknown size and `*` for any. Between slashes, alone or after a
 * field, is a regular expression; `/…/i` ignores case.
 */
import type { NodeRecord } from "../record";
import { compile, PatternError, type Reason } from "./pattern";

export type Query = (node: NodeRecord) => boolean;

/** Why a text is no query: a message's code and params. */
export interface Problem {
  code: Reason | "field" | "value" | "shape";
  params: Record<string, string>;
}

export const FIELDS = ["name", "in", "type", "device", "shape"] as const;
type QueryField = (typeof FIELDS)[number];

const MOST = 1000; // characters; nobody writes more by hand

/** The query of a text, which matches every node if the text is empty, or the problem with it. */
export function parse(text: string): Query | Problem {
  const tests: Query[] = [];
  for (const token of tokens(text.slice(0, MOST))) {
    const test = parseToken(token);
    if (typeof test !== "function") return test;
    tests.push(test);
  }
  return (node) => tests.every((test) => test(node));
}

/** Splits at spaces outside slashes and brackets. */
function tokens(text: string): string[] {
  const field = `(?:${FIELDS.join("|")}):`;
  // A pattern ends at the first slash that ends a word: names are full of slashes.
  const token = new RegExp(`(?:${field})?/(?:[^\\\\]|\\\\.)*?/i?(?=\\s|$)|shape:\\([^)]*\\)|\\S+`, "gi");
  return text.match(token) ?? [];
}

function parseToken(token: string): Query | Problem {
  const [, name, rest = ""] = /^([a-z]+):(.*)$/is.exec(token) ?? [];
  const field = (name?.toLowerCase() ?? "name") as QueryField;
  if (!FIELDS.includes(field)) return { code: "field", params: { field } };
  const value = name === undefined ? token : rest;
  if (value === "") return { code: "value", params: { field } };
  const pattern = /^\/(.*)\/(i?)$/s.exec(value);
  if (pattern) return byPattern(field, pattern[1] ?? "", pattern[2] === "i");
  if (field === "shape") return byShape(value);
  const wanted = value.toLowerCase();
  if (field === "type") {
    if (!wanted.includes("*")) return (node) => node.type.toLowerCase() === wanted;
    const parts = wanted.split(/\*+/).map((part) => part.replace(/[^a-z0-9_]/g, "\\$&"));
    const fits = compile(`^${parts.join(".*")}$`, true);
    return (node) => fits(node.type);
  }
  if (field === "in") return (node) => node.name.toLowerCase().startsWith(`${wanted.replace(/\/+$/, "")}/`);
  return (node) => node[field].toLowerCase().includes(wanted);
}

/** The bare words of a text, in lower case: those that match names. */
export function wordsOf(text: string): string[] {
  return tokens(text.slice(0, MOST)).flatMap((token) =>
    /^[a-z]+:|^\/.*\/i?$/is.test(token) ? [] : [token.toLowerCase()],
  );
}

function byPattern(field: QueryField, pattern: string, fold: boolean): Query | Problem {
  try {
    const fits = compile(pattern, fold);
    if (field === "shape") return (node) => node.outputs.some(({ shape }) => fits(shapeText(shape)));
    const of = field === "in" ? "scope" : field;
    return (node) => fits(node[of]);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { code: error.reason, params: { pattern } };
  }
}

const shapeText = (shape: (number | null)[] | null): string =>
  shape === null ? "unknown" : `(${shape.map((size) => size ?? "?").join(",")})`;

function byShape(value: string): Query | Problem {
  if (value === "unknown") return (node) => node.outputs.some(({ shape }) => shape === null);
  const inner = /^\(?([\d?*,\s]*)\)?$/.exec(value)?.[1];
  if (inner === undefined) return { code: "shape", params: { shape: value } };
  // One comma may end the list, as Python writes a tuple of one size.
  const sizes = inner
    .replace(/,\s*$/, "")
    .split(",")
    .map((size) => size.trim());
  const wanted = sizes.length === 1 && sizes[0] === "" ? [] : sizes;
  if (!wanted.every((size) => /^(\d+|\?|\*)$/.test(size))) return { code: "shape", params: { shape: value } };
  return (node) =>
    node.outputs.some(
      ({ shape }) =>
        shape?.length === wanted.length &&
        wanted.every((size, i) => size === "*" || size === String(shape[i] ?? "?")),
    );
}

/** How long a part of a search may block the page, in milliseconds. */
const SLICE = 8;

/** The matching nodes, in the order of the graph; a long search yields to the page, and ends when `goesOn` returns false. */
export async function search(
  nodes: NodeRecord[],
  query: Query,
  goesOn: () => boolean = () => true,
): Promise<NodeRecord[]> {
  const matches: NodeRecord[] = [];
  let began = performance.now();
  for (const node of nodes) {
    if (query(node)) matches.push(node);
    if (performance.now() - began < SLICE) continue;
    await new Promise((done) => setTimeout(done, 0));
    if (!goesOn()) return [];
    began = performance.now();
  }
  return matches;
}

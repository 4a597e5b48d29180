/** What a reader looks for: `relu`, `type:MatMul`, `device:gpu`, `shape:(?,10)`, `/^grad.*mul$/`; of several, all must fit.
 *
 * A word is looked for in names, whatever its case. `type:` is the whole type, with `*` for any text; `device:` a part of the
 * device; `shape:` the shape of an output, with `?` for an unknown size and `*` for any. Between slashes, alone or after a
 * field, stands a regular expression; `/…/i` takes upper and lower case as one.
 */
import type { NodeRecord } from "../record";
import { compile, PatternError, type Reason } from "./pattern";

export type Query = (node: NodeRecord) => boolean;

/** Why a text is no query: a message's code with its params. */
export interface Problem {
  code: Reason | "field" | "value" | "shape";
  params: Record<string, string>;
}

export const FIELDS = ["name", "type", "device", "shape"] as const;
type QueryField = (typeof FIELDS)[number];

const MOST = 1000; // characters; nobody writes more by hand

/** A query that fits every node where nothing is asked for, or the problem with it. */
export function parse(text: string): Query | Problem {
  const tests: Query[] = [];
  for (const token of tokens(text.slice(0, MOST))) {
    const test = parseToken(token);
    if (typeof test !== "function") return test;
    tests.push(test);
  }
  return (node) => tests.every((test) => test(node));
}

/** Words between spaces; a slash or a bracket holds what follows it together. */
function tokens(text: string): string[] {
  const field = `(?:${FIELDS.join("|")}):`;
  // A pattern ends at the first slash after which the word ends: names are full of slashes.
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
  return (node) => node[field].toLowerCase().includes(wanted);
}

function byPattern(field: QueryField, pattern: string, fold: boolean): Query | Problem {
  try {
    const fits = compile(pattern, fold);
    if (field === "shape") return (node) => node.outputs.some(({ shape }) => fits(shapeText(shape)));
    return (node) => fits(node[field]);
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
  // One comma may end the list, as Python writes a single size.
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

/** How long a piece of a search may hold up the page, in milliseconds. */
const SLICE = 8;

/** The nodes that fit, in the order of the graph; a long search lets the page breathe, and ends when `goesOn` says so. */
export async function search(
  nodes: NodeRecord[],
  query: Query,
  goesOn: () => boolean = () => true,
): Promise<NodeRecord[]> {
  const found: NodeRecord[] = [];
  let began = performance.now();
  for (const node of nodes) {
    if (query(node)) found.push(node);
    if (performance.now() - began < SLICE) continue;
    await new Promise((done) => setTimeout(done, 0));
    if (!goesOn()) return [];
    began = performance.now();
  }
  return found;
}

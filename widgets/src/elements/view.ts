/** Where a widget opens: the attribute `view` of an element as traits of its widget, with the names that Python's `view` has. */

import { focusable, focused } from "../model/scope-focus";
import type { GraphRecord } from "../record";
import { fail, isObject } from "./problem";

type Record_ = Record<string, unknown>;
type Traits = Record<string, unknown>;
/** A reader of one value: its traits, or `fail`. */
type Reader = (value: unknown, name: string, record: Record_) => Traits;

const wrong = (name: string, expected: string): never => fail("wrong_view", { name, expected });

const whole: Reader = (value, name) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? { [name]: value } : wrong(name, "0, 1, 2, …");
const text: Reader = (value, name) => (typeof value === "string" ? { [name]: value } : wrong(name, '"…"'));
const flag: Reader = (value, name) =>
  typeof value === "boolean" ? { [name]: value } : wrong(name, "true, false");
const texts: Reader = (value, name) => ({ [name]: listOf(value, name) });
const between =
  (low: number, high: number): Reader =>
  (value, name) =>
    typeof value === "number" && value >= low && value <= high
      ? { [name]: value }
      : wrong(name, `${low} … ${high}`);
const one =
  (...choices: string[]): Reader =>
  (value, name) =>
    choices.includes(value as string) ? { [name]: value } : wrong(name, choices.join(", "));

function listOf(value: unknown, name: string): string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  return wrong(name, '["…", "…"]');
}

/** A scope that the picture shows by itself. */
const scope: Reader = (value, name, record) =>
  focusable(graphOf(record)).has(String(value))
    ? { [name]: value }
    : fail("wrong_view_name", { name: String(value) });

/** The graph of a record: the record itself, or the one that it has. */
const graphOf = (record: Record_): GraphRecord =>
  (record.kind === "graph" ? record : record.graph) as GraphRecord;

const nodesOf = (record: Record_, names: string[]): number[] => {
  const ids = new Map(graphOf(record).nodes.map(({ id, name }) => [name, id]));
  return names.map((name) => ids.get(name) ?? fail("wrong_view_name", { name }));
};
const node: Reader = (value, name, record) => ({
  selected: nodesOf(record, listOf([value], name))[0],
});
const nodes =
  (trait: string): Reader =>
  (value, name, record) => ({ [trait]: nodesOf(record, listOf(value, name)) });

/** The scopes, groups and boxes that can be opened, each with the one around it. */
function parentsOf({ scopes, groups, boxes }: GraphRecord, asBoxes: boolean): Map<string, string> {
  if (asBoxes) return new Map(boxes.map(({ path, parent }) => [path, parent]));
  const parents = new Map([...scopes, ...groups].map(({ path, parent }) => [path, parent]));
  for (const group of groups) for (const path of group.scopes) parents.set(path, group.path);
  return parents;
}

/** The scopes to close so that only the named ones, those around them and those around shown nodes are open. */
function closedBut(graph: GraphRecord, wanted: string[], shown: unknown[], asBoxes: boolean): string[] {
  const parents = parentsOf(graph, asBoxes);
  const home = new Map(
    asBoxes
      ? graph.boxes.flatMap(({ path, nodes }) => nodes.map((id) => [id, path] as const))
      : [
          ...graph.nodes.map(({ id, scope }) => [id, scope] as const),
          ...graph.groups.flatMap(({ path, nodes }) => nodes.map((id) => [id, path] as const)),
        ],
  );
  const lost = wanted.find((path) => !parents.has(path));
  if (lost !== undefined) fail("wrong_view_name", { name: lost });
  const open = new Set<string>();
  for (const path of [...wanted, ...shown.map((id) => home.get(id as number) ?? "")]) {
    for (let at = path; at && !open.has(at); at = parents.get(at) ?? "") open.add(at);
  }
  return [...parents.keys()].filter((path) => !open.has(path));
}

const stepped = { step: whole };
const ran = { run: whole, step: whole };
const chosen = { expand: texts, select: node };

/** For each kind of record the names that its view takes. The colours that need a run are not among those of a graph. */
const VIEWS: Record<string, Record<string, Reader>> = {
  graph: {
    ...chosen,
    at: scope,
    pin: nodes("pinned"),
    beside: nodes("beside"),
    search: text,
    colour: one("none", "structure", "device", "scope", "part"),
    orientation: one("down", "right"),
    boxes: flag,
  },
  trace: ran,
  compare: ran,
  outcomes: ran,
  "build-film": stepped,
  "gradient-flow": stepped,
  passes: stepped,
  pipeline: stepped,
  "graph-diff": chosen,
  tensor: { look: text },
  training: {
    smoothing: between(0, 0.99),
    axis: one("step", "relative", "wall"),
    log: flag,
    bands: flag,
    hidden: texts,
  },
};

/** The traits of a view. Raises: ProblemError for a wrong one. */
export function viewTraits(view: unknown, record: Record_): Traits {
  let wanted = view;
  if (typeof view === "string") {
    if (view.trim() === "") return {};
    try {
      wanted = JSON.parse(view);
    } catch {
      return fail("wrong_attribute", { name: "view", expected: '{"step": 3}' });
    }
  }
  if (wanted === null || wanted === undefined) return {};
  if (!isObject(wanted)) return fail("wrong_attribute", { name: "view", expected: '{"step": 3}' });
  const readers = VIEWS[String(record.kind)] ?? {};
  const traits: Traits = {};
  for (const [name, value] of Object.entries(wanted)) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (!reader) return fail("wrong_view", { name, expected: Object.keys(readers).join(", ") || "–" });
    Object.assign(traits, reader(value, name, record));
  }
  const { expand, ...others } = traits;
  if (expand === undefined) return others;
  const shown = [others.selected, ...((others.pinned as number[] | undefined) ?? [])];
  const all = graphOf(record);
  const graph = others.at ? focused(all, others.at as string).record : all;
  const collapsed = closedBut(graph, expand as string[], shown, others.boxes === true);
  return { ...others, collapsed };
}

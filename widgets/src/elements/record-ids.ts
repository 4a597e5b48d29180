/** The ids in records: which fields name a node, an edge or a block of the graph around them, and whether that exists. */
import { isObject } from "./problem";

type What = "node" | "edge" | "block" | "tensor";

/** `sealed`: the parts that the record of a large graph leaves out; some ids may name these, too. */
export interface Ids extends Record<What, ReadonlySet<unknown>> {
  sealed: ReadonlySet<unknown>;
}

/** Of each object its fields with ids. "first": of pairs, whose second number is a count; "sealed": a part that is left out, too. */
const FIELDS: Record<string, Record<string, What | "first" | "sealed">> = {
  BeforeRecord: { first: "node", second: "node" },
  BlockChangeRecord: { block: "block" },
  BlockRecord: { control_inputs: "sealed", created: "node" },
  BoxRecord: { nodes: "node" },
  BuiltRecord: { nodes: "node", edges: "edge", blocks: "block", waits: "node" },
  BundleRecord: { source: "sealed", target: "sealed" },
  DeathRecord: { switch: "node" },
  EdgeChangeRecord: { edge: "edge" },
  EdgeRecord: { source: "node", target: "node" },
  FateRecord: { node: "node" },
  FetchRecord: { node: "node" },
  FindingRecord: { nodes: "node" },
  GradientNodeRecord: { node: "node" },
  GradientRecord: { node: "node", tensor: "tensor" },
  GroupRecord: { nodes: "node" },
  LoopVariableRecord: { enter: "node", merge: "node", switch: "node", next: "node", exit: "node" },
  MarksRecord: { nodes: "node", edges: "edge", blocks: "block" },
  NodeChangeRecord: { node: "node" },
  NodeWhyRecord: { node: "node" },
  OrderedRecord: { first: "node", second: "node", path: "node" },
  OutcomesRecord: { outside: "node", fixes: "node" },
  PassesRecord: { order: "node" },
  RaceRecord: { first: "node", second: "node" },
  StartRecord: { ready: "node", held: "node", pending: "first" },
  StepRecord: {
    node: "node",
    consumed: "edge",
    produced: "edge",
    ready: "node",
    held: "node",
    pending: "first",
  },
  TurnRecord: { node: "node", sums: "node", made: "node", pending: "first" },
  ValueRecord: { tensor: "tensor" },
  VariableRecord: { node: "node" },
  WhyRecord: { path: "node" },
};

const idsIn = (list: unknown): ReadonlySet<unknown> =>
  new Set(Array.isArray(list) ? list.map((each) => (isObject(each) ? each.id : undefined)) : []);

/** The ids that an object's fields may name: those of the graph that it is or has, else those of the object around it. */
export function idsAround(name: string, value: Record<string, unknown>, outer: Ids | null): Ids | null {
  const trace = isObject(value.trace) ? value.trace : value;
  const graph = [value, value.graph, value.around, trace.graph].find(
    (each) => isObject(each) && each.kind === "graph",
  ) as Record<string, unknown> | undefined;
  if (!graph || (name !== "GraphRecord" && graph === value)) return outer;
  const tensors = Array.isArray(trace.tensors) ? trace.tensors : null;
  return {
    node: idsIn(graph.nodes),
    edge: idsIn(graph.edges),
    block: idsIn(graph.blocks),
    sealed: idsIn(graph.sealed),
    tensor: tensors ? new Set(tensors.keys()) : (outer?.tensor ?? new Set()),
  };
}

/** The field of a sound object that names what does not exist, or names itself as another does; null if there is none. */
export function unknownId(name: string, value: Record<string, unknown>, ids: Ids | null): string | null {
  if (name === "GraphRecord") return faultOfGraph(value);
  if (name === "GridRecord") return faultOfGrid(value);
  for (const [field, what] of Object.entries(ids ? (FIELDS[name] ?? {}) : {})) {
    const named = [value[field]].flat();
    const numbers = what === "first" ? named.map((pair) => (pair as unknown[])[0]) : named.flat();
    const known = (id: unknown): boolean =>
      id === null ||
      (what === "sealed"
        ? ids?.node.has(id) || ids?.sealed.has(id)
        : ids?.[what === "first" ? "node" : what].has(id)) === true;
    if (!numbers.every(known)) return field;
  }
  return null;
}

/** A grid has a cell, and a heat map a level, for each row and column. */
function faultOfGrid(value: Record<string, unknown>): string | null {
  const { rows, columns, cells, levels } = value as Record<
    "rows" | "columns" | "cells" | "levels",
    unknown[]
  >;
  const isFull = (grid: unknown[]): boolean =>
    grid.length === rows.length && grid.every((row) => (row as unknown[]).length === columns.length);
  if (!isFull(cells)) return "cells";
  return levels.length === 0 || isFull(levels) ? null : "levels";
}

/** Each id stands for one thing, and each node is in a scope of the record. */
function faultOfGraph(value: Record<string, unknown>): string | null {
  const list = (name: string): Record<string, unknown>[] => value[name] as Record<string, unknown>[];
  for (const name of ["nodes", "edges", "blocks", "sealed"]) {
    if (idsIn(list(name)).size !== list(name).length) return name;
  }
  for (const name of ["scopes", "boxes"]) {
    const paths = new Set<unknown>(list(name).map(({ path }) => path));
    const isPlaced = ({ path, parent }: Record<string, unknown>): boolean =>
      path !== "" && (parent === "" || (paths.has(parent) && String(path).startsWith(`${parent}/`)));
    if (paths.size !== list(name).length || !list(name).every(isPlaced)) return name;
  }
  const scopes = new Set(["", ...list("scopes").map(({ path }) => path)]);
  const lost = list("nodes").findIndex(({ scope }) => !scopes.has(scope));
  if (lost >= 0) return `nodes[${lost}].scope`;
  const outputs = new Map(list("nodes").map(({ id, outputs }) => [id, (outputs as unknown[]).length]));
  const isTied = ({ kind, source, output, input }: Record<string, unknown>): boolean =>
    kind === "control"
      ? output === null && input === null
      : Number.isInteger(output) &&
        Number(output) >= 0 &&
        Number(output) < (outputs.get(source) ?? 0) &&
        Number.isInteger(input) &&
        Number(input) >= 0;
  const loose = list("edges").findIndex((edge) => !isTied(edge));
  return loose < 0 ? null : `edges[${loose}]`;
}

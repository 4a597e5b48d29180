/** What a scope holds: counts, variables, what goes in and out, and what a run took in it. */
import { leaf } from "../base/text";
import { type Graph, nodesUnder, ROOT, sealedUnder } from "../model/graph";
import type { EdgeRecord, NodeFactsRecord, SiteRecord } from "../record";

export interface ScopeSummary {
  nodes: number;
  /** How many of these the record only counts: the rest of the summary leaves them out. */
  uncounted: number;
  /** The op types, the most frequent first. */
  types: [type: string, count: number][];
  /** The parameters of a model; all variables where none is. */
  variables: { id: number; name: string; shape: string }[];
  /** The elements of the model's parameters; null if a shape is unknown. */
  parameters: number | null;
  /** The edges from outside and to the outside. */
  inputs: EdgeRecord[];
  outputs: EdgeRecord[];
  /** Where the first node was made. */
  site: SiteRecord | null;
}

export const shapeText = (shape: (number | null)[] | null | undefined): string =>
  shape ? (shape.length > 0 ? shape.map((size) => size ?? "?").join("×") : "()") : "?";

export function summarize(graph: Graph, path: string): ScopeSummary {
  const ids = nodesUnder(graph, path);
  const inside = new Set(ids);
  const types = new Map<string, number>();
  const inputs: EdgeRecord[] = [];
  const outputs: EdgeRecord[] = [];
  for (const id of ids) {
    const type = graph.node.get(id)?.type ?? "";
    types.set(type, (types.get(type) ?? 0) + 1);
    if (path === ROOT) continue;
    for (const edge of graph.inputs.get(id) ?? []) if (!inside.has(edge.source)) inputs.push(edge);
    for (const edge of graph.outputs.get(id) ?? []) if (!inside.has(edge.target)) outputs.push(edge);
  }
  const all = graph.record.variables.filter(({ node }) => inside.has(node));
  const ofModel = all.filter((each) => each.is_parameter);
  const variables = (ofModel.length > 0 ? ofModel : all).map(({ node: id, name, shape }) => {
    // Relative to the scope: each layer has a "w".
    const short = name.startsWith(`${path}/`) ? name.slice(path.length + 1) : leaf(name);
    return { id, name: short, shape };
  });
  const sizes = ofModel.map(({ shape }) => shape?.reduce<number>((n, size) => n * (size ?? Number.NaN), 1));
  const parameters = sizes.reduce<number>((sum, size) => sum + (size ?? Number.NaN), 0);
  const uncounted = sealedUnder(graph, path).reduce((sum, part) => sum + part.nodes, 0);
  return {
    nodes: ids.length + uncounted,
    uncounted,
    types: [...types].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    variables: variables.map(({ id, name, shape }) => ({ id, name, shape: shapeText(shape) })),
    parameters: Number.isNaN(parameters) ? null : parameters,
    inputs,
    outputs,
    site: graph.node.get(Math.min(...ids))?.site ?? null,
  };
}

/** What a run did in a scope. */
export interface ScopeRun {
  ran: number;
  nanoseconds: number;
  bytes: number;
  /** The node that took longest. */
  heaviest: NodeFactsRecord | null;
}

export function runIn(ids: readonly number[], facts: ReadonlyMap<number, NodeFactsRecord>): ScopeRun {
  const run: ScopeRun = { ran: 0, nanoseconds: 0, bytes: 0, heaviest: null };
  for (const id of ids) {
    const each = facts.get(id);
    if (each?.outcome !== "ran") continue;
    run.ran += 1;
    run.nanoseconds += each.nanoseconds;
    run.bytes += each.bytes;
    if (each.nanoseconds > (run.heaviest?.nanoseconds ?? -1)) run.heaviest = each;
  }
  return run;
}

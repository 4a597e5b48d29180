/** The names that the learner's own lines give: `x = tf.Variable(0.0)` calls the variable x. */

import type { NodeRecord } from "../record";
import type { Graph } from "./graph";

const ASSIGNED = /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/u;
const known = new WeakMap<Graph, Map<number, string>>();

/** The written name of each node that has one: of the variable that a line creates, and else of its last node. */
export function writtenNames(graph: Graph): Map<number, string> {
  const names = known.get(graph) ?? namesFromLines(graph);
  known.set(graph, names);
  return names;
}

function namesFromLines(graph: Graph): Map<number, string> {
  const lines = new Map<string, NodeRecord[]>();
  for (const node of graph.record.nodes) {
    if (!node.site || !ASSIGNED.test(node.site.source)) continue;
    const made = lines.get(node.site.label);
    if (made) made.push(node);
    else lines.set(node.site.label, [node]);
  }
  const names = new Map<number, string>();
  for (const nodes of lines.values()) {
    const variables = nodes.filter(({ role }) => role === "variable");
    // A line that creates several variables, as in a loop, names only the last.
    const named = variables.at(-1) ?? nodes.at(-1);
    const name = ASSIGNED.exec(named?.site?.source ?? "")?.[1];
    if (named && name) names.set(named.id, name);
  }
  return names;
}

/** The name under which a variable is shown: the learner's, or else its own. */
export function variableName(graph: Graph, name: string): string {
  const node = graph.record.variables.find((variable) => variable.name === name)?.node;
  return (node === undefined ? undefined : writtenNames(graph).get(node)) ?? name;
}

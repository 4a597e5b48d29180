/** The names that the learner's own lines give: `x = tf.Variable(0.0)` calls the variable x. */

import type { Graph } from "./graph";

/** The name that the program gives to the node, if any. */
export function programName(graph: Graph, node: number): string {
  return graph.names.get(node) ?? "";
}

/** The name under which a variable is shown: the learner's, or else its own. */
export function variableName(graph: Graph, name: string): string {
  const node = graph.record.variables.find((variable) => variable.name === name)?.node;
  return (node !== undefined && programName(graph, node)) || name;
}

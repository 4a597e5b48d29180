/** The titles of the nodes that carry a loop variable through its loop: the variable's name. */

import type { GraphRecord, NodeRecord } from "../../record";

const titles = new WeakMap<NodeRecord, string>();

export function giveTitles({ loops }: GraphRecord, nodes: ReadonlyMap<number, NodeRecord>): void {
  for (const { variables } of loops) {
    for (const { name, ...own } of variables) {
      for (const id of Object.values(own)) {
        const node = nodes.get(id ?? -1);
        if (node) titles.set(node, name);
      }
    }
  }
}

export function titleOf(node: NodeRecord): string | undefined {
  return titles.get(node);
}

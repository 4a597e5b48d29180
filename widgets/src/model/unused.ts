/** Groups what a run does not need, for a picture in which there is too little room for all of it. */
import type { GroupRecord } from "../record";
import { type Graph, nodesUnder, ROOT, regroup } from "./graph";

/** The last part of the path of such a group. */
const NAME = ":unused";

/** Ends such groups. */
export function separateIdle(graph: Graph): void {
  const groups = graph.record.groups.filter(({ kind }) => kind !== "unused");
  if (groups.length === graph.record.groups.length) return;
  graph.record = { ...graph.record, groups };
  regroup(graph, graph.boxes.size > 0);
}

/**
 * Puts the nodes and scopes of each scope that are idle into one group, if they are several; returns the paths of the groups.
 * A scope in which everything is idle is part of the group of the scope around it.
 */
export function gatherIdle(graph: Graph, idle: ReadonlySet<number>): string[] {
  const { record } = graph;
  const made: GroupRecord[] = [];
  const isIdle = (path: string): boolean => nodesUnder(graph, path).every((id) => idle.has(id));
  const walk = (path: string): void => {
    const nodes = (graph.scope.get(path)?.nodes ?? []).filter((id) => idle.has(id));
    const children = graph.children.get(path) ?? [];
    const scopes = children.filter(isIdle);
    if (nodes.length + scopes.length > 1) {
      const own = path === ROOT ? NAME : `${path}/${NAME}`;
      made.push({ path: own, parent: path, kind: "unused", scopes, nodes });
    }
    for (const child of children) if (!scopes.includes(child)) walk(child);
  };
  walk(ROOT);
  graph.record = { ...record, groups: [...record.groups, ...made] };
  regroup(graph, graph.boxes.size > 0);
  return made.map(({ path }) => path);
}

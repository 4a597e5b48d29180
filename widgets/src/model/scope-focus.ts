/**
 * One scope of a graph by itself: its nodes, and around it what it reads from and gives to. Pure; view/make/scope_focus.py does
 * the same.
 */
import type { GraphRecord, GroupRecord, LayerRecord, NodeRecord } from "../record";
import type { Focus, Subject } from "./graph";

/** The scope in which each node's name puts it; in an overview nodes stand elsewhere, and so do those of other libraries. */
function scopesOf({ nodes, parts = [], sealed }: GraphRecord): (node: NodeRecord) => string {
  if (parts.length === 0 || sealed.length > 0) return ({ scope }) => scope;
  const parent = ({ name }: NodeRecord): string => name.split("/").slice(0, -1).join("/");
  const scopes = new Set(nodes.flatMap((node) => prefixes(parent(node))));
  return (node) => (scopes.has(node.name) ? node.name : parent(node));
}

const prefixes = (path: string): string[] =>
  path.split("/").flatMap((_, i, parts) => (path === "" ? [] : [parts.slice(0, i + 1).join("/")]));

/** Of these scopes a path and those around it, the outermost first. */
const around = (path: string, known: ReadonlySet<string>): string[] =>
  prefixes(path).filter((outer) => known.has(outer));

/** The scopes of a record, and those that names make. */
function knownScopes(record: GraphRecord, scopeOf: (node: NodeRecord) => string): Set<string> {
  const named = new Set(record.nodes.map(scopeOf));
  return new Set([...record.scopes.map(({ path }) => path), ...[...named].flatMap(prefixes)]);
}

/** The scope by itself. */
export const scopeSubject = (at: string): Subject => ({ at, of: (whole) => focused(whole, at) });

const isIn = (scope: string, at: string): boolean => scope === at || scope.startsWith(`${at}/`);

/** The scopes that can be looked at by themselves. */
export const focusable = (record: GraphRecord): Set<string> =>
  new Set([...knownScopes(record, scopesOf(record))].filter((path) => !path.startsWith(":")));

/** A scope that is named after a variable tells its shape, as that of a layer does. */
const shapeOf = ({ name, outputs: [output] }: NodeRecord): LayerRecord => {
  const shape = output?.text.replace(/^\S+ /, "") ?? "";
  return { scope: name, kind: "", outputs: [shape], parameters: 0, trainable: 0, shared: false, calls: 1 };
};

/**
 * Makes a group for each variable of a loop in the scope, of the nodes that its value passes: the node of its first value (where no
 * other node reads it), Enter, Merge, Switch, NextIteration and Exit, and the Identity that hands the value to an iteration.
 * `direct`: the ids of the nodes that stand in the scope itself, in no inner one.
 */
function loopVariables(
  { edges, loops }: GraphRecord,
  at: string,
  direct: ReadonlySet<number>,
  known: ReadonlySet<string>,
): GroupRecord[] {
  const variables = loops.flatMap((loop) => loop.variables).filter(({ enter }) => direct.has(enter));
  const from = (end: number | null, output: number | null) =>
    edges.filter((edge) => edge.source === end && edge.output === output);
  const into = (end: number) => edges.filter(({ target }) => target === end);
  const taken = new Set(known);
  return variables.map(({ name, enter, merge, switch: decides, next, exit }) => {
    const first = into(enter).filter(({ source, output }) => from(source, output).length === 1);
    const begins = from(decides, 1).filter(({ target }, _, all) => all.length + into(target).length === 2);
    const ids = [first[0]?.source ?? null, enter, merge, decides, begins[0]?.target ?? null, next, exit];
    let path = `${at}/${name}…`;
    while (taken.has(path)) path += "'";
    taken.add(path);
    const carrying = ids.filter((id) => id !== null).filter((id) => direct.has(id));
    return { path, parent: "", kind: "loop_variable", scopes: [], nodes: carrying };
  });
}

/**
 * Returns a record with one scope as its root, and with the scope's neighbours. Neighbours that share an outer scope, which is not
 * around this one, stand in that scope; each other neighbour stands alone.
 */
export function focused(record: GraphRecord, at: string): Focus {
  const scopeOf = scopesOf(record);
  const scope = new Map(record.nodes.map((node) => [node.id, scopeOf(node)]));
  for (const { id, path } of record.sealed) scope.set(id, path);
  const known = knownScopes(record, scopeOf);
  const own = new Set([...scope].filter(([, path]) => isIn(path, at)).map(([id]) => id));
  const touches = ({ source, target }: { source: number; target: number }): boolean =>
    own.has(source) || own.has(target);
  const edges = record.edges.filter(touches);
  const bundles = record.bundles.filter(touches);
  const shown = new Set([
    ...own,
    ...[...edges, ...bundles].flatMap(({ source, target }) => [source, target]),
  ]);
  const outer = (id: number): string =>
    around(scope.get(id) ?? "", known).find((path) => !isIn(at, path)) ?? "";
  const counts = new Map<string, number>();
  for (const id of shown) if (!own.has(id)) counts.set(outer(id), (counts.get(outer(id)) ?? 0) + 1);
  const home = (id: number): string => {
    const inside = scope.get(id) ?? "";
    if (own.has(id)) return inside === at ? "" : inside;
    return (counts.get(outer(id)) ?? 0) > 1 ? outer(id) : "";
  };
  const nodes = record.nodes
    .filter(({ id }) => shown.has(id))
    .map((node) => ({ ...node, scope: home(node.id) }));
  const sealed = record.sealed.filter(({ id }) => shown.has(id));
  const within = new Set([
    ...nodes.map((node) => node.scope),
    ...sealed.filter(({ id }) => own.has(id)).map(({ parent }) => parent),
  ]);
  const chains = [...within]
    .sort()
    .map((path) => around(path, known).filter((each) => each.startsWith(`${at}/`) || counts.has(each)));
  const inner = (path: string) =>
    new Set(chains.flatMap((chain) => (chain.includes(path) ? (chain[chain.indexOf(path) + 1] ?? []) : [])));
  // A scope that holds one other and nothing else says only what that one's name says.
  const paths = new Set(chains.flat().filter((path) => within.has(path) || inner(path).size > 1));
  const ids = new Set(nodes.map(({ id }) => id));
  const boxes = record.boxes.map((box) => ({ ...box, nodes: box.nodes.filter((id) => ids.has(id)) }));
  const full = boxes.filter((box) => box.nodes.length > 0);
  const part: GraphRecord = {
    ...record,
    nodes,
    edges,
    bundles,
    scopes: [...paths].map((path) => ({ path, parent: around(path, paths).at(-2) ?? "" })),
    sealed: sealed.map((each) => ({ ...each, parent: paths.has(each.parent) ? each.parent : "" })),
    blocks: [],
    boxes: boxes.filter(({ path }) => full.some((box) => isIn(box.path, path))),
    groups: [
      ...loopVariables(record, at, new Set([...own].filter((id) => scope.get(id) === at)), known),
      ...record.groups.filter(
        (group) => group.scopes.every((path) => paths.has(path)) && group.nodes.every((id) => own.has(id)),
      ),
    ],
    parts: [],
    // No block is empty here, and no lane of a device is drawn.
    layers: [
      ...(record.layers ?? []).filter((layer) => layer.scope === at || paths.has(layer.scope)),
      ...nodes.filter(({ name, role }) => role === "variable" && paths.has(name)).map(shapeOf),
    ],
    transfers: [],
  };
  return { record: part, outside: new Set([...shown].filter((id) => !own.has(id))) };
}

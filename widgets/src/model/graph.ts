/** A graph record with the look-ups that every picture needs. Data only. */
import type {
  BlockRecord,
  BoxRecord,
  EdgeRecord,
  GraphRecord,
  GroupRecord,
  LayerRecord,
  NodeRecord,
  PartRecord,
  ScopeRecord,
  SealedRecord,
} from "../record";
import { deviceLanes } from "./device-lanes";
import { giveTitles } from "./loops/loop-titles";

export const ROOT = "";

/** One scope of a graph; `outside`: the nodes and sealed parts of its record that it reads from or gives to. */
export interface Focus {
  record: GraphRecord;
  outside: ReadonlySet<number>;
}

/** What is looked at: the scope `at` by itself, or at the root all. */
export interface Subject {
  at: string;
  of: (whole: GraphRecord) => Focus;
}

const ALL: Subject = { at: ROOT, of: (record) => ({ record, outside: new Set() }) };

export interface Graph {
  /** What is drawn and counted: the record of all, or that of one scope. */
  record: GraphRecord;
  whole: GraphRecord;
  /** What is looked at; look-ups by id and the edges of a node are of the whole. */
  subject: Subject;
  at: string;
  node: Map<number, NodeRecord>;
  edge: Map<number, EdgeRecord>;
  block: Map<number, BlockRecord>;
  inputs: Map<number, EdgeRecord[]>;
  outputs: Map<number, EdgeRecord[]>;
  /** The scopes that nodes are drawn in: name scopes, or the boxes of conds and loops (see regroup). */
  scope: Map<string, ScopeRecord & { nodes: number[] }>;
  home: Map<number, string>;
  /** The boxes among the scopes. */
  boxes: Map<string, BoxRecord>;
  /** The groups among the scopes: repeated blocks and series. */
  groups: Map<string, GroupRecord>;
  /** What scopes are for in a large graph; none while conds and loops are boxes. */
  parts: Map<string, PartRecord>;
  /** The layers among the scopes; none while conds and loops are boxes. */
  layers: Map<string, LayerRecord>;
  /** The scopes that are the lanes of devices; none in the graph of a run on one device, and while conds and loops are boxes. */
  lanes: string[];
  /** The edges between devices, with the bytes that travel. */
  transfers: Map<number, number | null>;
  /** The names that the program gives to nodes. */
  names: Map<number, string>;
  /** The nodes that send, with the node whose tensor each of them carries. */
  senders: Map<number, number>;
  /** The sealed scopes: the record only counts their nodes. */
  sealed: Map<string, SealedRecord>;
  /** The number of nodes in each scope, at any depth, and the first of them. */
  contents: Map<string, { nodes: number; first: number }>;
  /** The child scopes of each scope; the root is "". */
  children: Map<string, string[]>;
  /** Around a scope that is looked at by itself, the nodes and sealed parts that it reads from or gives to. */
  outside: ReadonlySet<number>;
  /** The node whose gradient a node belongs to, and the reverse. */
  gradientOf: Map<number, number | null>;
  gradients: Map<number, number[]>;
}

/** Appends to the list under a key. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function indexGraph(record: GraphRecord, boxes = false, subject = ALL): Graph {
  const shown = subject.of(record);
  const graph: Graph = {
    record: shown.record,
    whole: record,
    subject,
    at: subject.at,
    node: new Map(record.nodes.map((node) => [node.id, node])),
    edge: new Map(record.edges.map((edge) => [edge.id, edge])),
    block: new Map(record.blocks.map((block) => [block.id, block])),
    inputs: new Map(),
    outputs: new Map(),
    scope: new Map(),
    home: new Map(),
    boxes: new Map(),
    groups: new Map(),
    parts: new Map(),
    layers: new Map(),
    lanes: [],
    transfers: new Map((record.transfers ?? []).map(({ edge, bytes }) => [edge, bytes])),
    names: new Map(record.names),
    senders: sendersOf(record),
    sealed: new Map(record.sealed.map((part) => [part.path, part])),
    contents: new Map(),
    children: new Map(),
    outside: shown.outside,
    gradientOf: new Map(record.gradients.map(({ node, of }) => [node, of])),
    gradients: new Map(),
  };
  for (const { node, of } of record.gradients) if (of !== null) push(graph.gradients, of, node);
  giveTitles(record, graph.node);
  regroup(graph, boxes);
  for (const edge of record.edges) {
    push(graph.outputs, edge.source, edge);
    push(graph.inputs, edge.target, edge);
  }
  return graph;
}

function sendersOf({ transfers = [], edges }: GraphRecord): Graph["senders"] {
  const transferred = new Set(transfers.map(({ edge }) => edge));
  const sending = new Set(edges.flatMap(({ id, source }) => (transferred.has(id) ? [source] : [])));
  return new Map(
    edges.flatMap(({ kind, source, target }) =>
      kind === "data" && sending.has(target) ? [[target, source]] : [],
    ),
  );
}

/**
 * Groups the nodes by name scopes and repeats, or by boxes, one for each cond and each loop. In the graph of a run on several
 * devices the name scopes stand in the lanes of the devices.
 */
export function regroup(graph: Graph, boxes: boolean): void {
  const { record } = graph;
  const devices = deviceLanes(record, boxes);
  const places = boxes ? record.boxes : (devices?.places ?? [...record.scopes, ...record.sealed]);
  // The members of a repeated block may be on several devices.
  const groups = boxes ? [] : record.groups.filter(({ kind }) => devices === null || kind === "unused");
  const isPlain = !boxes && devices === null;
  graph.lanes = devices?.lanes ?? [];
  graph.boxes = new Map(boxes ? record.boxes.map((box) => [box.path, box]) : []);
  graph.groups = new Map(groups.map((group) => [group.path, group]));
  // A notebook of an earlier version has a record without parts and layers.
  graph.parts = new Map(isPlain ? (record.parts ?? []).map((part) => [part.path, part]) : []);
  graph.layers = new Map(isPlain ? (record.layers ?? []).map((layer) => [layer.scope, layer]) : []);
  graph.scope = new Map([[ROOT, { path: ROOT, parent: ROOT, nodes: [] }]]);
  graph.children = new Map();
  const around = new Map(groups.flatMap(({ path, scopes }) => scopes.map((scope) => [scope, path] as const)));
  for (const { path, parent } of groups) graph.scope.set(path, { path, parent, nodes: [] });
  for (const { path, parent } of places) {
    if (path !== ROOT) graph.scope.set(path, { path, parent: around.get(path) ?? parent, nodes: [] });
  }
  // A group takes the place of its first member.
  const stood = new Set<string>();
  const shownAs = (path: string): void => {
    if (path === ROOT || stood.has(path)) return;
    stood.add(path);
    const parent = scopeOf(graph, graph.scope.get(path)?.parent ?? ROOT);
    if (graph.groups.has(parent)) shownAs(parent);
    push(graph.children, parent, path);
  };
  for (const { path } of [...places, ...groups]) shownAs(path);
  // Copies are listed in the order of creation: 2 before 10.
  for (const { path, scopes } of groups) if (scopes.length > 0) graph.children.set(path, [...scopes]);
  graph.home = new Map(
    boxes
      ? record.boxes.flatMap(({ path, nodes }) => nodes.map((id): [number, string] => [id, path]))
      : (devices?.home ?? record.nodes.map(({ id, scope }) => [id, scope])),
  );
  for (const { path, nodes } of groups) for (const id of nodes) graph.home.set(id, path);
  for (const { id } of record.nodes) graph.scope.get(homeOf(graph, id))?.nodes.push(id);
  graph.contents = contents(graph);
}

function contents(graph: Graph): Graph["contents"] {
  const counts: Graph["contents"] = new Map();
  const order = [ROOT];
  for (let i = 0; i < order.length; i += 1) order.push(...(graph.children.get(order[i] ?? ROOT) ?? []));
  for (const path of order.toReversed()) {
    const own = graph.scope.get(path)?.nodes ?? [];
    const inner = (graph.children.get(path) ?? []).map((child) => counts.get(child));
    counts.set(path, {
      nodes: inner.reduce(
        (sum, part) => sum + (part?.nodes ?? 0),
        own.length + (graph.sealed.get(path)?.nodes ?? 0),
      ),
      first: Math.min(own[0] ?? Infinity, ...inner.map((part) => part?.first ?? Infinity)),
    });
  }
  return counts;
}

/** Looks at one scope by itself, or at all of them, in place: every holder of the graph sees it. */
export function refocus(graph: Graph, subject = ALL): void {
  Object.assign(graph, indexGraph(graph.whole, graph.boxes.size > 0, subject));
}

/** Adds the content of a sealed scope in place: every holder of the graph sees it. */
export function extend(graph: Graph, path: string, more: GraphRecord): void {
  const { whole: record } = graph;
  const gone = graph.sealed.get(path)?.id;
  const blocks = new Map([...record.blocks, ...more.blocks].map((block) => [block.id, block]));
  const extended: GraphRecord = {
    ...record,
    nodes: [...record.nodes, ...more.nodes].sort((a, b) => a.id - b.id),
    edges: [...record.edges, ...more.edges].sort((a, b) => a.id - b.id),
    scopes: [...record.scopes, ...more.scopes],
    blocks: [...blocks.values()],
    variables: [...record.variables, ...more.variables],
    gradients: [...record.gradients, ...more.gradients],
    groups: [...record.groups, ...more.groups],
    sealed: [...record.sealed.filter(({ id }) => id !== gone), ...more.sealed],
    bundles: [
      ...record.bundles.filter(({ source, target }) => source !== gone && target !== gone),
      ...more.bundles,
    ],
  };
  Object.assign(graph, indexGraph(extended, false, graph.subject));
}

/** The boxes of conds and loops that lie in no other box. */
export function outerBoxes(graph: Graph): string[] {
  const outermost: string[] = [];
  const walk = (path: string): void => {
    for (const child of graph.children.get(path) ?? []) {
      if (graph.boxes.get(child)?.kind === "scope") walk(child);
      else outermost.push(child);
    }
  };
  if (graph.boxes.size > 0) walk(ROOT);
  return outermost;
}

/** A scope of the record, or the root: a part of a graph may lack scopes. */
function scopeOf(graph: Graph, path: string): string {
  return graph.scope.has(path) ? path : ROOT;
}

/** The scopes around a path from the root inwards, including the path. */
export function ancestors(graph: Graph, path: string): string[] {
  const chain: string[] = [];
  for (let at = scopeOf(graph, path); at !== ROOT && !chain.includes(at); ) {
    chain.unshift(at);
    at = scopeOf(graph, graph.scope.get(at)?.parent ?? ROOT);
  }
  return [ROOT, ...chain];
}

/** The scope that a node is drawn in. */
export function homeOf(graph: Graph, id: number): string {
  return scopeOf(graph, graph.home.get(id) ?? ROOT);
}

/** The gradient nodes of a node, or the node whose gradient it belongs to. */
export function gradientPartners(graph: Graph, id: number): number[] {
  const of = graph.gradientOf.get(id);
  return [...(typeof of === "number" ? [of] : []), ...(graph.gradients.get(id) ?? [])];
}

/** The outermost scopes that hold only gradient nodes. */
export function gradientScopes(graph: Graph): string[] {
  const scopes: string[] = [];
  const children = (path: string): string[] => graph.children.get(path) ?? [];
  const isGradient = (path: string): boolean =>
    (graph.scope.get(path)?.nodes ?? []).every((id) => graph.gradientOf.has(id)) &&
    children(path).every(isGradient);
  const walk = (path: string): void => {
    for (const child of children(path)) {
      if (isGradient(child)) scopes.push(child);
      else walk(child);
    }
  };
  if (graph.gradientOf.size > 0) walk(ROOT);
  return scopes;
}

/** The scopes that each hold the gradient of one node. */
export function pairScopes(graph: Graph): string[] {
  return [...graph.scope.keys()].filter((path) => {
    const of = new Set(nodesUnder(graph, path).map((id) => graph.gradientOf.get(id) ?? null));
    return path !== ROOT && of.size === 1 && !of.has(null);
  });
}

/** Blocks in which no node was created. */
export function emptyBlocks(graph: Graph): BlockRecord[] {
  return graph.record.blocks.filter((block) => block.empty);
}

/** The nodes of a box and of the name scopes in it, without those of boxes inside. */
export function ownNodes(graph: Graph, path: string): number[] {
  const scopes = (graph.children.get(path) ?? []).filter((child) => graph.boxes.get(child)?.kind === "scope");
  return [...(graph.scope.get(path)?.nodes ?? []), ...scopes.flatMap((child) => ownNodes(graph, child))];
}

/** Whether a node, or all that a scope holds, is outside the scope that is looked at by itself. */
export function isOutside(graph: Graph, end: number | string): boolean {
  if (graph.outside.size === 0) return false;
  if (typeof end === "number") return graph.outside.has(end);
  const ids = [...nodesUnder(graph, end), ...sealedUnder(graph, end).map(({ id }) => id)];
  return ids.every((id) => graph.outside.has(id));
}

/** The sealed parts of a scope and of the scopes inside it. */
export function sealedUnder(graph: Graph, path: string): SealedRecord[] {
  if (graph.sealed.size === 0) return [];
  const own = graph.sealed.get(path);
  const inner = (graph.children.get(path) ?? []).flatMap((child) => sealedUnder(graph, child));
  return own ? [own, ...inner] : inner;
}

/** All nodes of a scope and of the scopes inside it. */
export function nodesUnder(graph: Graph, path: string): number[] {
  const ids: number[] = [];
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    ids.push(...(graph.scope.get(at)?.nodes ?? []));
    open.push(...(graph.children.get(at) ?? []));
  }
  return ids;
}

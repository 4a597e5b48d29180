/** What is drawn, and what is counted. Types only. */
import type { EdgeKind, EdgeRecord } from "../record";

/** What a line is drawn from or to: a node by its id, or a closed scope by its path. */
export type End = number | string;

export interface Bundle {
  key: string;
  kind: EdgeKind;
  source: End;
  target: End;
  /** The edges that are drawn as this one line; several where a closed scope joins them. */
  edges: EdgeRecord[];
  /** How many more edges the line stands for, which the record only counts. */
  more: number;
}

export type Counts = Record<"nodes" | EdgeKind, number>;

export interface Visible {
  /** Open scopes, outer ones first, without the root. */
  open: string[];
  /** Closed scopes that are drawn, with the counts of their content. */
  closed: Map<string, Counts>;
  nodes: number[];
  blocks: number[];
  bundles: Bundle[];
  /** What is drawn for each node: the node itself, or the closed scope around it. */
  shownAs: Map<number, End>;
  /** Nodes that the user set beside the graph, whatever their scope, and all their edges. */
  beside: { nodes: number[]; stubs: Bundle[] };
  /** The sends that are not drawn, as lines tell of them, and their edges. */
  carried: Counts;
  /** The lanes of a large graph, and the edges that are counted where they arrive. */
  lanes: Lanes | null;
  counted: Bundle[];
}

export type Lane = "forward" | "variables" | "gradients" | "optimizer" | "aside";

export interface Column {
  forward: End[];
  /** Variables and inputs under the column, or, if its scope is open, to the left of it. */
  below: End[];
  beside: End[];
  gradients: End[];
}

export interface Lanes {
  columns: Column[];
  optimizer: End[];
  aside: End[];
  /** For each gradient what it is the gradient of. */
  of: Map<End, End>;
  /** For each end of a line the item of the overview that it is in. */
  item: (end: End) => End;
  lane: (item: End) => Lane;
}

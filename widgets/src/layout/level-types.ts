/** One level of the picture, the inside of one scope, before and after it is laid out. Types only. */
import type { Box, Point, Size } from "./geometry";

/** The output from which a line leaves a node that has several: the node's key, and the distance from its left border. */
export interface OutputPlace {
  node: string;
  at: number;
}

export interface LevelEdge {
  key: string;
  from: string;
  to: string;
  label: Size | null;
  /** Whether it pulls its lower end below its upper one: a line that may run from side to side does not. */
  pulls: boolean;
  /** Whether its ends stand in one row of two lanes. */
  flat?: boolean;
  output?: OutputPlace;
}

/** A line between an item and the top or bottom border; the lines of a cable share a port. */
export interface Port {
  /** The key of the line, and the key of the port. */
  key: string;
  port: string;
  item: string;
  side: "top" | "bottom";
  output?: OutputPlace;
}

/** The items of an overview by lane, and the room that the picture should suit. */
export interface LaneKeys {
  columns: Record<"forward" | "below" | "beside" | "gradients", string[]>[];
  optimizer: string[];
  aside: string[];
  room: Size;
}

/** The items of the lanes of devices. */
export interface DeviceColumns {
  lanes: { path: string; title: Size; items: string[] }[];
}

/** The ground of a lane: of an overview, or of a device, by its path. */
export interface Band<Lane = string> {
  lane: Lane;
  box: Box;
}

export interface Level {
  items: Map<string, Size>;
  edges: LevelEdge[];
  ports: Port[];
  /** Pairs of items: the first is left of the second if both come into one rank. */
  order: [string, string][];
  /** Pairs of items side by side, the left one first, whose line runs from one to the other: no rank keeps them apart. */
  beside: [string, string][];
  /** The width of the widest text on such a line. */
  between: number;
  /** Whether there is too little room for the usual gaps. */
  tight: boolean;
  /** The lanes of an overview, which take the place of ranks. */
  lanes?: LaneKeys;
  /** The lanes of devices. */
  columns?: DeviceColumns;
  /** The row of each item, where other levels share them. */
  rows?: ReadonlyMap<string, number>;
}

/** The way of an edge through one level. */
export interface Route {
  /** The points between its two ends; the text is at `label`. */
  via: Point[];
  label: Point | null;
  /** It runs straight down to `leave` and from `arrive` on, so that it cuts no taller box beside its ends. */
  leave: number;
  arrive: number;
}

export interface Placed {
  boxes: Map<string, Box>;
  /** The items without lines, which are placed beside the rows. */
  alone: Set<string>;
  routes: Map<string, Route>;
  ports: Map<string, Point>;
  /** The grounds of the lanes. */
  bands?: Band[];
}

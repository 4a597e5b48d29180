/** One level of the picture, the inside of one scope: what it holds before and after it is laid out. Types only. */
import type { Box, Point, Size } from "./geometry";

export interface LevelEdge {
  key: string;
  from: string;
  to: string;
  label: Size | null;
}

/** A line between an item and the top or bottom border; those of one cable go through one port. */
export interface Port {
  /** The line's own key, and the port's. */
  key: string;
  port: string;
  item: string;
  side: "top" | "bottom";
}

export interface Level {
  items: Map<string, Size>;
  edges: LevelEdge[];
  ports: Port[];
  /** Pairs of items of which the first is to stand left of the second, if they come into one rank. */
  order: [string, string][];
}

/** An edge's way through one level. */
export interface Route {
  /** The points between its two ends; the label stands on `label`. */
  via: Point[];
  label: Point | null;
  /** Down to `leave` and from `arrive` on it runs straight, so that it cuts no taller box beside its ends. */
  leave: number;
  arrive: number;
}

export interface Placed {
  boxes: Map<string, Box>;
  /** The items that no line touches, which stand beside the rows. */
  alone: Set<string>;
  routes: Map<string, Route>;
  ports: Map<string, Point>;
}

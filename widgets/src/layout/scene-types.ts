/** A picture as it is laid out. Types only. */
import type { End } from "../model/collapse";
import type { Bundle } from "../model/visible";
import type { Box, Point } from "./geometry";
import type { Band } from "./level-types";

export interface Line {
  bundle: Bundle;
  points: Point[];
  label: Point | null;
  /** Whether it runs from left to right, not down. */
  turned: boolean;
  /** The cable that it shares a part of its way with, if too many lines run from one scope to another. */
  cable: string | null;
}

export interface Scene {
  w: number;
  h: number;
  /** Whether values flow to the right, not down. */
  turned: boolean;
  nodes: Map<number, Box>;
  closed: Map<string, Box>;
  open: Map<string, Box>;
  blocks: Map<number, Box>;
  lines: Line[];
  /** The lines from control inputs to the empty blocks that were to wait for them; they are no edges. */
  ties: { block: number; source: End; points: Point[] }[];
  /** What an overview shows besides; null in other pictures. */
  overview: Overview | null;
}

export type OverviewLane = "forward" | "gradients" | "aside";

export interface Overview {
  bands: Band<OverviewLane>[];
  /** From a scope to its gradient; `count`: the edges between them, which is written at `label`. */
  ties: { points: Point[]; label: Point; count: number }[];
}

/**
 * What a drawing shows of the state around it: the frame of a run, the selected node, the breakpoints, the widget's highlights,
 * and the item that the reader looks at. State: the frame, the selection and the breakpoints, which outlive a drawing.
 */
import { setAttribute } from "../base/dom";
import { batched } from "../base/store";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import { showBreakpoints } from "./breakpoint-marks";
import { showGradientPairs, showInspected } from "./inspection";
import type { Focus } from "./keyboard-focus";
import type { Drawing } from "./paint";
import { showPathAndRaces } from "./path-and-races";
import { showRun } from "./run-state";
import { renewValueCard, showValueCard } from "./value-card";

export interface ShownState {
  /** The frame of the run that is shown. */
  frame: () => Frame | null;
  show: (frame: Frame | null) => void;
  select: (id: number) => void;
  /** Marks the nodes that have a breakpoint. */
  stops: (nodes: ReadonlySet<number>) => void;
  /** The reader looks at an item, or at the focused one again. */
  look: (item: GraphItem | null) => void;
  /** Shows everything on a new drawing. */
  renew: () => void;
}

export interface ShownStateOptions {
  graph: Graph;
  drawing: () => Drawing | null;
  focus: Focus;
  /** The reader looks at another item. */
  looked: (item: GraphItem | null) => void;
}

export function createShownState(
  ctx: Context,
  { graph, drawing, focus, looked }: ShownStateOptions,
): ShownState {
  let frame: Frame | null = null;
  let selected = -1;
  let stopped: ReadonlySet<number> = new Set();

  function present(): void {
    const drawn = drawing();
    if (!drawn) return;
    showRun(ctx, graph, drawn, frame);
    renewValueCard(drawn, frame);
    focus.settle();
    if (frame) showGradientPairs(drawn, graph, frame.last?.node ?? null, frame);
  }

  function press(): void {
    for (const { item, group } of drawing()?.marks.values() ?? []) {
      if (item.kind === "node") setAttribute(group, "aria-pressed", String(item.id === selected));
    }
  }

  function markStops(): void {
    const drawn = drawing();
    if (drawn) showBreakpoints(ctx, drawn, stopped);
  }

  function point(): void {
    const drawn = drawing();
    const { highlights } = ctx;
    if (drawn) showPathAndRaces(drawn, { path: highlights.get("path"), races: highlights.get("races") });
  }

  ctx.highlights.watch(["path", "races"], batched(point, ctx.life), ctx.life);
  return {
    frame: () => frame,
    show(next) {
      frame = next;
      present();
    },
    select(id) {
      if (id === selected) return;
      selected = id;
      press();
    },
    stops(nodes) {
      stopped = nodes;
      markStops();
    },
    look(item) {
      const inspected = item ?? focus.at();
      const drawn = drawing();
      if (drawn) {
        const id = inspected?.kind === "node" ? inspected.id : (frame?.last?.node ?? null);
        showGradientPairs(drawn, graph, id, frame);
        showInspected(drawn, inspected);
        showValueCard(drawn, inspected, frame);
      }
      looked(inspected);
    },
    renew() {
      press();
      markStops();
      present();
      point();
    },
  };
}

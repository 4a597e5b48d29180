/** What StepThrough draws of each timeline, and the places on the stage that the current one takes. */

import { h } from "../base/dom";
import type { Context } from "../context";
import type { Frame, Position } from "../model/steps/replay";
import type { Timeline } from "../model/steps/timelines";
import { createLoopViews, type LoopViews } from "../run/loop-views";
import { createTracedProgram, type TracedProgram } from "../run/traced-program";
import type { Timelines } from "./step-timelines";

/** How many timelines keep their pictures, so that going back to one is quick. */
const KEPT = 6;
/** The places of what one timeline draws: another timeline puts its own panels there. */
const ROOMS = [
  "code",
  "line",
  "picture",
  "side",
  "chooser",
  "tools",
  "inspect",
  "queue",
  "table",
  "outline",
] as const;
type Rooms = Record<(typeof ROOMS)[number], HTMLElement>;

/** The panels of one timeline; those of the timeline before give it their arrangement. */
function createView(
  ctx: Context,
  { trace }: Timeline,
  title: string,
  before: View | null,
  act: { move: (to: Position) => void; chose: () => void },
): View {
  const side = createTracedProgram(ctx, trace, title, null, act.move, {
    like: before?.side.picture ?? null,
    ...(before ? { closed: before.side.closed() } : {}),
    chose: act.chose,
  });
  const loops = createLoopViews(ctx, side.graph, trace, {
    changed(cycle) {
      side.picture.element.hidden = !cycle;
      // Where nothing but the loop has a state, the lanes show all of it.
      side.state.hidden = !cycle && side.graph.record.variables.length === 0;
    },
    chosen: side.picked,
    chose: side.choose,
  });
  return { side, loops, frame: null };
}

export interface View {
  side: TracedProgram;
  loops: LoopViews;
  frame: Frame | null;
}

function furnish(rooms: Rooms, { side, loops }: View): void {
  const parts: Record<keyof Rooms, HTMLElement[]> = {
    code: [side.source, side.step.element],
    line: [side.step.line],
    picture: [side.picture.element, loops.element],
    side: [side.state],
    chooser: loops.chooser ? [loops.chooser] : [],
    tools: [side.tools],
    inspect: [side.details],
    queue: [side.queue],
    table: [side.table],
    outline: [side.outline],
  };
  for (const name of ROOMS) rooms[name].replaceChildren(...parts[name]);
}

/** The views of all timelines: pictures are drawn once, and kept for a quick way back. */
export function createViews(ctx: Context, title: string, timelines: Timelines, chose: () => void) {
  const rooms = Object.fromEntries<HTMLElement>(
    ROOMS.map((name) => [name, h("div", { class: "room" })]),
  ) as Rooms;
  const views = new Map<number, View>();
  let current: View | null = null;
  return {
    rooms,
    /** The view that is shown. */
    current: () => current,
    /** Shows the view of the current timeline. */
    take(): View {
      const line = timelines.current();
      const act = { move: timelines.move, chose };
      const known = views.get(line.number) ?? createView(ctx, line, title, current, act);
      views.delete(line.number);
      views.set(line.number, known);
      for (const old of views.keys()) if (views.size > KEPT) views.delete(old);
      if (known === current) return known;
      current = known;
      furnish(rooms, known);
      known.side.stops(timelines.stopped());
      return known;
    },
  };
}

export type Views = ReturnType<typeof createViews>;

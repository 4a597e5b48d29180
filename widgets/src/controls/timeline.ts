/** The timeline: a slider of all steps. A segment for each run or iteration, a cell for each step, a lane for each fork. */

import { h, setAttribute } from "../base/dom";
import { watchSize } from "../base/element-size";
import type { Context } from "../context";
import { clamp, fromOffset, lastOffset, type Position, toOffset } from "../model/steps/replay";
import type { Lane } from "../model/steps/track";
import { createClockScene } from "./clock-scene";
import { createLabels, type LabelOptions } from "./track-labels";
import { createScene, type Spot } from "./track-scene";

export interface Place extends Position {
  timeline: number;
}

export interface TimelineOptions extends LabelOptions {
  lanes: () => readonly Lane[];
  place: () => Place;
  move: (to: Place) => void;
  /** The position in words. */
  words: () => string;
  /** A step in words, for its tooltip. */
  step: (at: Place) => string;
  /** What keys do besides the choice of a lane. */
  keys: Record<string, () => void>;
}

export interface Timeline {
  element: HTMLElement;
  show: () => void;
}

/** The width of the rows' names, and that of a timeline without layout. */
const NAMES = { plain: 0, tree: 144, clock: 56 };
const UNKNOWN = 640;

/** The rows are timelines, if there are several; those of a single one are its devices, if it has a clock. */
function kindOf(lanes: readonly Lane[]): keyof typeof NAMES {
  if (lanes.length > 1) return "tree";
  return lanes[0]?.clocks ? "clock" : "plain";
}

export function createTimeline(ctx: Context, options: TimelineOptions): Timeline {
  const [steps, clock] = [createScene(), createClockScene()];
  let scene = steps;
  const labels = createLabels(ctx, options);
  const field = h("div", { class: "track-field" }, labels.titles, scene.drawing);
  const element = h(
    "div",
    {
      class: "track",
      role: "slider",
      tabindex: "0",
      "aria-label": ctx.t("action.scrub"),
      "aria-valuemin": 0,
      "data-testid": "scrub",
    },
    labels.names,
    field,
  );
  let width = UNKNOWN;
  const laneOf = (timeline: number): Lane => {
    const lanes = options.lanes();
    return lanes.find(({ number }) => number === timeline) ?? (lanes[0] as Lane);
  };

  function show(): void {
    const lanes = options.lanes();
    const { timeline, run, step } = options.place();
    const lane = laneOf(timeline);
    const offset = toOffset(lane.runs, clamp(lane.runs, run, step));
    const kind = kindOf(lanes);
    for (const name of ["tree", "clock"] as const) element.classList.toggle(name, kind === name);
    const before = scene;
    scene = kind === "clock" ? clock : steps;
    if (scene !== before) before.drawing.replaceWith(scene.drawing);
    const isMoved = scene.show(lanes, lane, offset, Math.max(80, width - NAMES[kind]));
    if (isMoved || scene !== before) labels.draw(scene);
    labels.show(lane, offset);
    setAttribute(element, "aria-valuemax", String(lastOffset(lane.runs)));
    setAttribute(element, "aria-valuenow", String(offset));
    setAttribute(element, "aria-valuetext", options.words());
  }

  const spotOf = (event: MouseEvent): Spot | null => {
    const box = scene.drawing.getBoundingClientRect();
    const current = laneOf(options.place().timeline);
    return scene.at(event.clientX - box.left, event.clientY - box.top, current);
  };
  const placeOf = ({ row: { lane }, column, cell }: Spot): Place => ({
    timeline: lane.number,
    ...fromOffset(lane.runs, (lane.segments[column]?.from ?? 0) + cell),
  });
  const light = (spot: Spot | null): void => {
    scene.light(spot);
    const words = spot ? options.step(placeOf(spot)) : "";
    if (field.title !== words) field.title = words;
  };
  const go = (event: MouseEvent): void => {
    const spot = spotOf(event);
    if (spot) options.move(placeOf(spot));
  };
  field.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    field.setPointerCapture?.(event.pointerId);
    light(null);
    go(event);
  });
  field.addEventListener("pointermove", (event) => (event.buttons & 1 ? go(event) : light(spotOf(event))));
  field.addEventListener("pointerleave", () => light(null));

  /** Goes to the same step of another lane. */
  const choose = (lane: Lane | undefined): void => {
    const { run, step } = options.place();
    if (lane) options.move({ timeline: lane.number, ...clamp(lane.runs, run, step) });
  };
  labels.names.addEventListener("click", ({ target }) => {
    const line = (target as Element).closest("[data-line]")?.getAttribute("data-line");
    if (line != null) choose(laneOf(Number(line)));
  });
  const neighbour = (by: number): void => {
    const lanes = options.lanes();
    choose(lanes[lanes.indexOf(laneOf(options.place().timeline)) + by]);
  };
  const among = { ArrowUp: () => neighbour(-1), ArrowDown: () => neighbour(1) };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> =
      options.lanes().length > 1 ? { ...options.keys, ...among } : options.keys;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  watchSize(element, ctx.life, ({ w }) => {
    width = w || UNKNOWN;
    show();
  });
  return { element, show };
}

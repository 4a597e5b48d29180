/** The timelines: a lane each, with a mark for each step, to be clicked or reached by arrow keys. Only marks near the window exist. */

import { arrange, h, s } from "../base/dom";
import { createRoom } from "../base/panel-schedule";
import type { Context } from "../context";
import { drawOutcomeSign, outcomeSample, type Sign } from "../draw/outcome-sign";
import { type Graph, indexGraph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import type { Outcome } from "../model/replay";
import { clamp, fromOffset, lastOffset, type Position, runLengths, toOffset } from "../model/replay";
import { asTree, isOwn, type Timeline } from "../model/timelines";
import type { GraphRecord } from "../record";
import { changeText } from "./step-sentences";

const CELL = 24;
const ROW = 28;
/** The margin around a shape. */
const INSET = 4;
/** The width of the lanes' names, in pixels; on a narrow page a part of the width. */
const HEAD = { most: 240, part: 0.3 };
/** How many marks are drawn beyond each side of the window, and the size of a window that has no layout yet. */
const BEYOND = 12;
const UNKNOWN = { w: 960, h: 220 };
const SHAPES: Outcome[] = ["ran", "dead", "fed", "error", "changed"];

export interface TimelinePosition extends Position {
  timeline: number;
}

export interface Lanes {
  element: HTMLElement;
  /** Shows the current position, drawing at most so many new marks; true if more are left. */
  show: (most: number) => boolean;
  /** Shows other timelines, or other breakpoints' hits. */
  draw: (lines: Timeline[], hits: (at: TimelinePosition) => boolean) => void;
}

interface Lane {
  line: Timeline;
  runs: number[];
  /** The offset of the first position that is its own. */
  from: number;
  last: number;
  depth: number;
}

/** A step that can be clicked, and its shape. */
interface Mark {
  cell: HTMLElement;
  shape: SVGElement;
}

/** A lane on the page: one drawing for all its shapes, since every drawing costs time on each paint. */
interface Group {
  element: HTMLElement;
  name: HTMLElement;
  shapes: SVGSVGElement;
  /** Takes the width of the marks that are not drawn. */
  before: HTMLElement;
  tie: HTMLElement | null;
}

export function createLanes(
  ctx: Context,
  graph: GraphRecord,
  at: () => TimelinePosition,
  move: (to: TimelinePosition) => void,
): Lanes {
  const nodes: Graph = indexGraph(graph);
  const cells = h("div", { class: "cells" });
  const box = h(
    "div",
    {
      class: "lanes",
      role: "listbox",
      tabindex: "0",
      "aria-label": ctx.t("line.lanes"),
      "data-testid": "lanes",
    },
    cells,
  );
  const legend = h(
    "ul",
    { class: "legend" },
    ...SHAPES.map((outcome) =>
      h("li", { class: "lane-sign" }, outcomeSample(outcome), ctx.t(`outcome.${outcome}`)),
    ),
  );
  const element = h("section", { class: "timeline" }, h("h4", {}, ctx.t("line.title")), box, legend);
  let lanes: Lane[] = [];
  let hit: (at: TimelinePosition) => boolean = () => false;
  /** The drawn marks by lane and offset. */
  let marks = new Map<string, Mark>();
  let groups = new Map<number, Group>();
  let selected: Mark | undefined;
  let drawn = "";
  /** The visible area, noted when it changes: asking the browser for it forces a layout. */
  const sight = { left: 0, top: 0, w: UNKNOWN.w, h: UNKNOWN.h };
  const measure = (): void => {
    sight.w = box.clientWidth || UNKNOWN.w;
    sight.h = box.clientHeight || UNKNOWN.h;
  };

  /** The width of the names, which do not scroll with the marks; a single timeline has no name. */
  const head = (): number => (lanes.length > 1 ? Math.min(HEAD.most, Math.round(sight.w * HEAD.part)) : 0);
  const xAt = (offset: number): number => head() + offset * CELL;
  const width = (): number => xAt(Math.max(...lanes.map(({ last }) => last + 1)));
  const key = (timeline: number, offset: number): string => `${timeline}.${offset}`;
  const id = (timeline: number, offset: number): string => `${ctx.prefix}-at-${timeline}-${offset}`;
  const title = ({ branch, number }: Timeline): string =>
    branch ? ctx.t("line.fork", { number, change: changeText(ctx.t, branch.change) }) : ctx.t("line.first");

  /** The position at which a mark is drawn: before its fork, a timeline uses its parent's marks. */
  function owner(at: TimelinePosition): TimelinePosition {
    const lane = lanes.find(({ line }) => line.number === at.timeline);
    if (!lane?.line.branch || isOwn(lane.line, at)) return at;
    return owner({ ...at, timeline: lane.line.branch.parent });
  }

  function markAt(lane: Lane, offset: number): Mark {
    const { line, runs } = lane;
    const { run, step } = fromOffset(runs, offset);
    const turn = line.trace.runs[run]?.steps[step - 1];
    const words = turn
      ? ctx.t("line.step", {
          line: title(line),
          run: run + 1,
          step,
          node: nodeName(nodes, turn.node),
          outcome: ctx.t(`outcome.${turn.outcome}`),
        })
      : ctx.t("line.begin", { line: title(line), run: run + 1 });
    const place = { timeline: line.number, run, step };
    const stops = hit(place);
    const label = stops ? ctx.t("line.hit", { step: words }) : words;
    const sign: Sign = turn?.outcome ?? "begin";
    const cell = h(
      "div",
      {
        role: "option",
        id: id(line.number, offset),
        class: "cell",
        "aria-selected": "false",
        "aria-label": label,
        title: label,
        "data-outcome": sign,
        "data-stop": stops,
        click: () => move(place),
      },
      !turn && runs.length > 1 && h("span", { "aria-hidden": "true" }, String(run + 1)),
    );
    return { cell, shape: drawOutcomeSign(sign, offset * CELL + INSET, (ROW - CELL) / 2 + INSET) };
  }

  /** Everything will be drawn anew. */
  function forget(): void {
    drawn = "";
    marks = new Map();
    groups = new Map();
  }

  /** Draws the lanes near the window, with at most so many new marks; true if more are left. */
  function draw(most = Number.POSITIVE_INFINITY): boolean {
    const left = Math.floor(sight.left / CELL) - BEYOND;
    const right = Math.ceil((sight.left + sight.w) / CELL) + BEYOND;
    const top = Math.floor(sight.top / ROW) - 2;
    const bottom = Math.ceil((sight.top + sight.h) / ROW) + 2;
    // In steps of eight marks: scrolling a little draws nothing.
    const window = [...[left, right, top, bottom].map((edge) => Math.floor(edge / 8)), head()].join();
    if (window === drawn) return false;
    drawn = window;
    const room = createRoom(most);
    const here = at();
    const [known, lanesKnown] = [marks, groups];
    marks = new Map();
    groups = new Map();
    cells.style.width = `${width()}px`;
    const rows = lanes.flatMap((lane, row) => {
      if (row < top || row > bottom + 8) return [];
      const { line, runs } = lane;
      const { number } = line;
      const least = Math.max(lane.from, left - 8);
      const last = Math.min(lane.last, right + 8);
      const group = lanesKnown.get(number) ?? laneOf(lane, row);
      groups.set(number, group);
      const own: Mark[] = [];
      const take = (offset: number): boolean => {
        const mark = room.take(known.get(key(number, offset)), () => markAt(lane, offset));
        if (mark) marks.set(key(number, offset), mark);
        return mark !== undefined;
      };
      // From the current position to the right, then to the left: the marks form a row without a gap.
      const now = toOffset(runs, clamp(runs, here.run, here.step));
      const from = Math.max(least, Math.min(now, last));
      let [first, end] = [from, from];
      while (end <= last && take(end)) end += 1;
      while (first > least && take(first - 1)) first -= 1;
      for (let offset = first; offset < end; offset += 1) own.push(marks.get(key(number, offset)) as Mark);
      if (first > least || end <= last) drawn = "";
      // A lane without a drawn mark is only a name.
      if (own.length === 0) group.element.removeAttribute("role");
      else group.element.setAttribute("role", "group");
      group.shapes.style.left = `${xAt(0)}px`;
      group.before.style.width = `${CELL * first}px`;
      arrange(
        group.shapes,
        own.map(({ shape }) => shape),
      );
      arrange(group.element, [
        ...(head() > 0 ? [group.name] : []),
        group.shapes,
        group.before,
        ...own.map(({ cell }) => cell),
        ...(group.tie && lane.from <= right + 8 ? [group.tie] : []),
      ]);
      return [group.element];
    });
    arrange(cells, rows);
    present();
    return drawn === "";
  }

  function laneOf(lane: Lane, row: number): Group {
    const element = h("div", { class: "lane", "aria-label": title(lane.line) });
    element.style.top = `${row * ROW}px`;
    return {
      element,
      name: name(lane.line),
      shapes: s("svg", { class: "shapes", width: 1, height: ROW, "aria-hidden": "true" }),
      before: h("div", { class: "before", "aria-hidden": "true" }),
      tie: lane.line.branch ? tie(lane, row) : null,
    };
  }

  function name(line: Timeline): HTMLElement {
    const words = title(line);
    const element = h(
      "span",
      { class: "lane-name", dir: "auto", "aria-hidden": "true", title: words },
      words,
    );
    element.style.width = `${head()}px`;
    return element;
  }

  /** The line from the parent's lane to the start of this one. */
  function tie(lane: Lane, row: number): HTMLElement {
    const above = lanes.findIndex(({ line }) => line.number === lane.line.branch?.parent);
    const line = h("div", { class: "tie", "aria-hidden": "true" });
    line.style.left = `${xAt(lane.from - 1) + CELL / 2}px`;
    line.style.top = `${(above - row) * ROW + ROW / 2 + 7}px`;
    line.style.height = `${(row - above) * ROW - 7}px`;
    return line;
  }

  /** Marks the current position, also in the lane of the timeline that shares it. */
  function present(): void {
    selected?.cell.setAttribute("aria-selected", "false");
    selected?.shape.removeAttribute("data-now");
    for (const group of cells.children) group.removeAttribute("data-now");
    const here = at();
    const { timeline, run, step } = owner(here);
    const lane = lanes.find(({ line }) => line.number === timeline);
    const offset = lane ? toOffset(lane.runs, { run, step }) : 0;
    const mark = marks.get(key(timeline, offset));
    mark?.cell.setAttribute("aria-selected", "true");
    mark?.shape.setAttribute("data-now", "");
    selected = mark;
    if (mark) box.setAttribute("aria-activedescendant", mark.cell.id);
    else box.removeAttribute("aria-activedescendant");
    groups.get(here.timeline)?.element.setAttribute("data-now", "");
  }

  function scroll(): void {
    box.scrollTo?.({ left: sight.left, top: sight.top, behavior: "instant" });
  }

  /** Scrolls the lanes, never the page. */
  function reveal(): void {
    const { timeline, run, step } = owner(at());
    const row = lanes.findIndex(({ line }) => line.number === timeline);
    const lane = lanes[row];
    if (!lane) return;
    const x = xAt(toOffset(lane.runs, { run, step }));
    const y = row * ROW;
    const to = (left: number, top: number): void => {
      sight.left = Math.max(0, Math.min(Math.round(left), width() - sight.w));
      sight.top = Math.max(0, Math.round(top));
      scroll();
    };
    if (x < sight.left + head() + CELL || x > sight.left + sight.w - 3 * CELL)
      to(x - (sight.w + head()) / 2, sight.top);
    if (y < sight.top) to(sight.left, y);
    else if (y > sight.top + sight.h - ROW) to(sight.left, y - sight.h + ROW);
  }

  box.addEventListener("scroll", () => {
    // This module scrolled it, and draws the rest in parts.
    if (box.scrollLeft === sight.left && box.scrollTop === sight.top) return;
    sight.left = box.scrollLeft;
    sight.top = box.scrollTop;
    draw();
  });
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = at();
    const row = lanes.findIndex(({ line }) => line.number === here.timeline);
    const lane = lanes[row];
    if (!lane) return;
    const offset = toOffset(lane.runs, clamp(lane.runs, here.run, here.step));
    const to = (at: number): TimelinePosition => ({
      timeline: here.timeline,
      ...fromOffset(lane.runs, Math.max(0, Math.min(lane.last, at))),
    });
    const other = (by: number): TimelinePosition | null => {
      const next = lanes[row + by];
      return next ? { timeline: next.line.number, ...clamp(next.runs, here.run, here.step) } : null;
    };
    const moves: Record<string, () => TimelinePosition | null> = {
      ArrowLeft: () => to(offset - 1),
      ArrowRight: () => to(offset + 1),
      ArrowUp: () => other(-1),
      ArrowDown: () => other(1),
      Home: () => to(0),
      End: () => to(lane.last),
      PageUp: () => ({
        timeline: here.timeline,
        ...clamp(lane.runs, here.run - (here.step === 0 ? 1 : 0), 0),
      }),
      PageDown: () => ({ timeline: here.timeline, ...clamp(lane.runs, here.run + 1, 0) }),
    };
    const moveTo = moves[event.key];
    if (!moveTo) return;
    event.preventDefault();
    const next = moveTo();
    if (next) move(next);
  });
  if (typeof ResizeObserver === "function") {
    const observer = new ResizeObserver(() => {
      measure();
      forget();
      draw();
      // Before it was on the page it could not be scrolled.
      scroll();
    });
    observer.observe(box);
    ctx.life.addEventListener("abort", () => observer.disconnect());
  }

  return {
    element,
    show(most) {
      reveal();
      const isMore = draw(most);
      present();
      return isMore;
    },
    draw(lines, hits) {
      hit = hits;
      lanes = asTree(lines).map(({ line, depth }) => {
        const runs = runLengths(line.trace);
        const from = line.branch ? toOffset(runs, line.branch) + 1 : 0;
        return { line, runs, from, last: lastOffset(runs), depth };
      });
      cells.style.height = `${lanes.length * ROW}px`;
      forget();
      draw();
    },
  };
}

/** The part of the timeline that is in view: its rows and columns, and the marks that a step moves. */

import { s, setAttribute } from "../base/dom";
import { type Lane, ownerOf, reached, segmentAt } from "../model/steps/track";
import { drawStretch, type Stretch } from "./track-drawing";
import {
  type Column,
  cellAt,
  cellBox,
  cellEnd,
  columnAt,
  columnsOf,
  HEIGHT,
  MOST_ROWS,
  type RowSize,
  scrollTo,
  sizeOf,
} from "./track-geometry";

/** One lane on the page, with its stretches by column. */
export interface Row {
  lane: Lane;
  y: number;
  /** The row's name, if it is not that of its lane. */
  words?: string;
  stretches: Map<number, Stretch>;
}

/** A cell of a row; cell 0 is the beginning of the segment. */
export interface Spot {
  row: Row;
  column: number;
  cell: number;
}

export interface Scene {
  drawing: SVGSVGElement;
  rows: () => readonly Row[];
  /** The columns in view, at their places there. */
  columns: () => (readonly [index: number, column: Column])[];
  /** Shows these lanes at this offset of one of them; true if lanes or columns came into view. */
  show: (lanes: readonly Lane[], lane: Lane, offset: number, width: number) => boolean;
  at: (x: number, y: number, current: Lane) => Spot | null;
  /** Marks the cell under the pointer. */
  light: (spot: Spot | null) => void;
}

/** The cell at a point; a segment's name is its beginning in the current lane. */
function spotAt(
  rows: readonly Row[],
  columns: readonly Column[],
  size: RowSize,
  x: number,
  y: number,
  current: Lane,
): Spot | null {
  const isName = y < size.top;
  const place = Math.floor((y - size.top) / size.row);
  const row = isName
    ? rows.find(({ lane }) => lane === current)
    : rows[Math.max(0, Math.min(rows.length - 1, place))];
  if (!row) return null;
  const column = Math.min(row.lane.segments.length - 1, columnAt(columns, x));
  const segment = row.lane.segments[column];
  const own = columns[column];
  if (!segment || !own) return null;
  return { row, column, cell: isName ? 0 : Math.min(segment.to - segment.from, cellAt(own, x)) };
}

export function createScene(): Scene {
  const marks = s("g");
  const under = s("rect", { class: "under", rx: 2, height: 10, hidden: "" });
  const now = s("rect", { class: "now", rx: 3 });
  const moved = s("g", {}, now, marks, under);
  const drawing = s("svg", { "aria-hidden": "true", width: "100%", height: HEIGHT }, moved);
  let lanes: readonly Lane[] = [];
  let columns: Column[] = [];
  let rows: Row[] = [];
  let inView: (readonly [number, Column])[] = [];
  let width = 0;
  /** The pixels and the lanes before those in view. */
  let [left, top] = [0, 0];
  let size = sizeOf(1);

  function draw(): void {
    inView = [...columns.entries()].filter(
      ([, column]) => column.left + column.width >= left && column.left <= left + width,
    );
    rows = lanes.slice(top, top + MOST_ROWS).map((lane, row) => {
      const y = size.top + size.row * (row + 0.5);
      const stretches = inView.flatMap(([i, column]) => {
        const stretch = drawStretch(lane, i, column, y, size);
        return stretch ? [[i, stretch] as const] : [];
      });
      return { lane, y, stretches: new Map(stretches) };
    });
    const parts = rows.flatMap((row) => [...row.stretches.values()].flatMap((stretch) => stretch.parts));
    marks.replaceChildren(...rows.flatMap(tie), ...parts);
    moved.setAttribute("transform", `translate(${-left} 0)`);
    now.setAttribute("height", String(2 * size.half));
  }

  /** The line from the lane that a lane forks from to its first step. */
  function tie({ lane, y }: Row): SVGElement[] {
    const parent = lanes.find(({ number }) => number === lane.parent);
    const { segment, cell } = parent ? segmentAt(parent, lane.from) : { segment: -1, cell: 0 };
    const column = columns[segment];
    if (!column) return [];
    const x = cellEnd(column, cell) + 1;
    const above = rows.find((row) => row.lane === parent)?.y ?? size.top;
    return [s("path", { class: "way", d: `M${x} ${above}V${y - 4}q0 4 4 4` })];
  }

  function place(mark: SVGElement, { row, column, cell }: Spot, y: number): void {
    const box = cellBox(columns[column] as Column, cell);
    setAttribute(mark, "x", String(box.x));
    setAttribute(mark, "width", String(box.wide));
    setAttribute(mark, "y", String(row.y + y));
  }

  /** Scrolls so that the current step is in view, and its lane and if possible the lane that shares the step with it. */
  function reveal(lane: Lane, owner: Lane, segment: number): void {
    left = scrollTo(columns, segment, width, left);
    for (const one of [owner, lane]) {
      const row = lanes.indexOf(one);
      top = Math.min(row, Math.max(top, row - MOST_ROWS + 1));
    }
  }

  return {
    drawing,
    rows: () => rows,
    columns: () => inView.map(([i, column]) => [i, { ...column, left: column.left - left }] as const),
    show(all, lane, offset, room) {
      const before = `${left} ${top}`;
      const isNew = all !== lanes || room !== width;
      [lanes, width] = [all, room];
      if (isNew) {
        columns = columnsOf(lanes, width);
        size = sizeOf(lanes.length);
      }
      const owner = ownerOf(lanes, lane.number, offset) ?? lane;
      const { segment, cell } = segmentAt(owner, offset);
      reveal(lane, owner, segment);
      const isMoved = isNew || before !== `${left} ${top}`;
      if (isMoved) draw();
      const far = reached(lanes, lane.number, offset);
      for (const row of rows)
        for (const [i, stretch] of row.stretches)
          stretch.done((far.get(row.lane.number) ?? 0) - (row.lane.segments[i]?.from ?? 0));
      const row = rows.find((other) => other.lane === owner) ?? rows.find((other) => other.lane === lane);
      if (row) place(now, { row, column: segment, cell }, -size.half);
      return isMoved;
    },
    at: (x, y, current) => spotAt(rows, columns, size, x + left, y, current),
    light(spot) {
      under.toggleAttribute("hidden", !spot);
      if (spot) place(under, spot, -5);
    },
  };
}

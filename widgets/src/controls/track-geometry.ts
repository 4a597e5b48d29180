/** The places of the timeline's parts in pixels: columns for the segments, rows for the lanes. Numbers only. */

import type { Lane } from "../model/steps/track";

/** A segment of all lanes: a column of cells, one for each step of the longest lane. */
export interface Column {
  left: number;
  width: number;
  /** From one cell to the next, and how much of it is a gap; a bar of many steps has no gaps. */
  pitch: number;
  gap: number;
}

/** The narrowest column, which holds "Run 2" and "4/5"; more columns than fit are scrolled. */
const LEAST = 64;
/** Beyond so many cells, or below so many pixels, a column is one bar. */
const CELLS = 24;
const FINE = 6;
export const HEIGHT = 64;
/** The rows' top and height by the number of visible lanes; half the height of the current cell; the size of a sign. */
const ROWS = [
  { top: 24, row: 32, half: 8, sign: 7 },
  { top: 20, row: 22, half: 6, sign: 5 },
  { top: 16, row: 16, half: 4, sign: 4 },
] as const;
export const MOST_ROWS = ROWS.length;

export type RowSize = (typeof ROWS)[number];
export const sizeOf = (lanes: number): RowSize => ROWS[Math.min(lanes, MOST_ROWS) - 1] ?? ROWS[0];

export function columnsOf(lanes: readonly Lane[], width: number): Column[] {
  const count = Math.max(1, ...lanes.map(({ segments }) => segments.length));
  const cells = Array.from({ length: count }, (_, i) =>
    Math.max(1, ...lanes.map(({ segments: { [i]: own } }) => (own ? own.to - own.from : 0))),
  );
  const space = count > 4 ? 12 : 16;
  const total = cells.reduce((sum, own) => sum + own, 0);
  const free = Math.max(0, width - space * (count - 1) - LEAST * count);
  let left = 0;
  return cells.map((own) => {
    const wide = LEAST + (free * own) / total;
    const gap = own <= CELLS && wide / own >= FINE ? 2 : 0;
    const column = { left, width: wide, pitch: (wide + gap) / own, gap };
    left += wide + space;
    return column;
  });
}

/** The x of the end of the cell with that number; cell 0 is the column's beginning. */
export const cellEnd = ({ left, pitch, gap }: Column, cell: number): number =>
  cell === 0 ? left : left + cell * pitch - gap;

/** The box of a cell, wide enough to be seen; that of cell 0 is a bar at the column's beginning. */
export function cellBox(column: Column, cell: number): { x: number; wide: number } {
  if (cell === 0) return { x: column.left - 2, wide: 4 };
  const own = column.pitch - column.gap;
  const wide = Math.max(6, own);
  return { x: cellEnd(column, cell) - (own + wide) / 2, wide };
}

/** The column at or before an x. */
export const columnAt = (columns: readonly Column[], x: number): number =>
  Math.max(
    0,
    columns.findLastIndex(({ left }) => left - 6 <= x),
  );

/** The cell at an x of the column. */
export const cellAt = ({ left, pitch }: Column, x: number): number =>
  Math.max(1, Math.ceil((x - left) / pitch));

/** The middles of these cells, without those closer than `least` to the one before. */
export function middles(column: Column, cells: readonly number[], least: number): number[] {
  const found: number[] = [];
  for (const cell of cells) {
    const x = cellEnd(column, cell) - (column.pitch - column.gap) / 2;
    if (x - (found.at(-1) ?? Number.NEGATIVE_INFINITY) >= least) found.push(x);
  }
  return found;
}

/** How far to scroll so that the column is in view, in its middle if it was not. */
export function scrollTo(columns: readonly Column[], at: number, width: number, scroll: number): number {
  const last = columns.at(-1);
  const column = columns[at];
  if (!last || !column) return 0;
  const most = Math.max(0, last.left + last.width - width);
  const isInside = column.left >= scroll && column.left + column.width <= scroll + width;
  return Math.min(most, isInside ? scroll : Math.max(0, column.left - (width - column.width) / 2));
}

/** Where an arrow key leads among tensors that are drawn element by element: inside a panel, and at its edge to what lies there. */

import type { CellsRecord } from "../record";

/** A cell of a panel. */
export interface CellPlace {
  tensor: number;
  panel: number;
  row: number;
  column: number;
}

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** The cell to which a key leads from another one; none for another key, and where nothing lies. */
export function nextCell<C extends CellPlace>(
  tensors: readonly CellsRecord[],
  cells: readonly C[],
  from: C,
  key: string,
): C | undefined {
  const same = cells.filter(({ tensor, panel }) => tensor === from.tensor && panel === from.panel);
  const step = STEPS[key];
  if (step) {
    const [down, right] = step;
    const next = same.find(({ row, column }) => row === from.row + down && column === from.column + right);
    return next ?? beyond(tensors, cells, from, step);
  }
  if (key === "Home" || key === "End") {
    const row = same.filter((cell) => cell.row === from.row);
    return key === "Home" ? row[0] : row.at(-1);
  }
  if (key !== "PageUp" && key !== "PageDown") return undefined;
  const to = from.tensor + (key === "PageUp" ? -1 : 1);
  return cells.find(({ tensor }) => tensor === to);
}

/** The nearest cell of the next panel, and else of the next tensor, in a direction. */
function beyond<C extends CellPlace>(
  tensors: readonly CellsRecord[],
  cells: readonly C[],
  from: C,
  [down, right]: [number, number],
): C | undefined {
  // First the edge that one comes to, then the row or column that one comes from.
  const distance = ({ row, column }: C): number =>
    right === 0
      ? row * down * 1000 + Math.abs(column - from.column)
      : column * right * 1000 + Math.abs(row - from.row);
  const nearest = (group: readonly C[]): C | undefined =>
    [...group].sort((one, other) => distance(one) - distance(other))[0];
  if (right !== 0) {
    const beside = cells.filter((cell) => cell.tensor === from.tensor && cell.panel === from.panel + right);
    if (beside.length > 0) return nearest(beside);
  }
  const here = tensors[from.tensor];
  const ahead = tensors
    .map((other, tensor) => ({
      tensor,
      column: other.column - (here?.column ?? 0),
      lane: other.lane - (here?.lane ?? 0),
    }))
    .filter(({ column, lane }) => (right === 0 ? column === 0 && lane * down > 0 : column * right > 0))
    .sort((one, other) =>
      right === 0
        ? (one.lane - other.lane) * down
        : (one.column - other.column) * right || Math.abs(one.lane) - Math.abs(other.lane),
    )[0];
  return ahead && nearest(cells.filter(({ tensor }) => tensor === ahead.tensor));
}

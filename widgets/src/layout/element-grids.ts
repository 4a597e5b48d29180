/**
 * The places of tensors that are drawn element by element: columns and lanes are the record's, sizes follow from the texts and from
 * the room. As in tfedu/view/draw/element_grids.py, tensors of one lane alone stand in its middle.
 */

import type { CellsRecord } from "../record";

export interface CellSize {
  /** Added to the width of a text. */
  pad: number;
  height: number;
  /** Of the text. */
  font: number;
  /** Between columns of tensors. */
  between: number;
  /** The most room that a tensor's name and origin get beyond its cells. */
  heading: number;
  /** How many decimal places a cell shows, if not all of its text; its label, its hint and the formulas have all of them. */
  places?: number;
}

export interface GridPlace {
  x: number;
  y: number;
  /** The width of a cell, and of the whole. */
  cell: number;
  width: number;
  /** The left edge of each panel, from the tensor's own. */
  panels: number[];
}

export interface GridScene {
  size: CellSize;
  places: GridPlace[];
  /** Whether slices have names, for which each tensor then leaves room. */
  labelled: boolean;
  w: number;
  h: number;
}

export interface TextWidths {
  /** The width that the texts of a tensor's cells need. */
  cells: (tensor: CellsRecord, size: CellSize) => number;
  /** The wider one of its name and origin. */
  heading: (tensor: CellsRecord, number: number) => number;
}

/** From roomy to narrow: the first size that fits is taken. */
const SIZES: readonly CellSize[] = [
  { pad: 36, height: 50, font: 15, between: 56, heading: 150 },
  { pad: 28, height: 44, font: 15, between: 48, heading: 150 },
  { pad: 24, height: 40, font: 13, between: 40, heading: 150 },
  { pad: 16, height: 36, font: 13, between: 32, heading: 150 },
  { pad: 10, height: 32, font: 12, between: 24, heading: 120 },
  { pad: 6, height: 28, font: 12, between: 16, heading: 80 },
  { pad: 6, height: 28, font: 12, between: 16, heading: 80, places: 2 },
];
/** The width of a cell at least, in parts of its height. */
const NARROWEST = 0.9;
export const GAP = 2;
export const HEADING = 40;
export const LABEL = 18;
const BETWEEN_PANELS = 14;
const BETWEEN_LANES = 14;

/** The text of an element in a cell. */
export function cellText(text: string, { places }: CellSize): string {
  const value = Number(text.replace("−", "-"));
  if (places === undefined || value === 0 || !/^−?\d+\.\d+$/.test(text)) return text;
  // A number below the last place is no 0.
  const short = String(Number(value.toFixed(places))).replace("-", "−");
  return short === "0" || short === "−0" ? "≈0" : short;
}

export function gridScene(
  tensors: readonly CellsRecord[],
  room: { w: number; h: number },
  widths: TextWidths,
): GridScene {
  let scene: GridScene | null = null;
  for (const size of SIZES) {
    scene = placed(tensors, size, widths);
    if (scene.w <= room.w && scene.h <= room.h) break;
  }
  return scene as GridScene;
}

function placed(tensors: readonly CellsRecord[], size: CellSize, widths: TextWidths): GridScene {
  const labelled = tensors.some(({ panels }) => panels.some(({ label }) => label !== ""));
  // Cells of one column have one width, so that a factor stands above the columns of its product.
  const cellOf = new Map<number, number>();
  for (const tensor of tensors) {
    const least = Math.round(NARROWEST * size.height);
    const own = Math.max(least, Math.ceil(widths.cells(tensor, size)));
    cellOf.set(tensor.column, Math.max(cellOf.get(tensor.column) ?? 0, own));
  }
  const places: GridPlace[] = tensors.map((tensor, i) => {
    const cell = cellOf.get(tensor.column) ?? size.height;
    let x = 0;
    const panels = tensor.panels.map(({ cells }) => {
      const left = x;
      x += (cells[0]?.length ?? 0) * (cell + GAP) - GAP + BETWEEN_PANELS;
      return left;
    });
    const heading = Math.min(size.heading, Math.ceil(widths.heading(tensor, i)));
    return { x: 0, y: 0, cell, width: Math.max(x - BETWEEN_PANELS, heading), panels };
  });
  const heights = tensors.map(
    ({ panels }) =>
      HEADING +
      (labelled ? LABEL : 0) +
      Math.max(...panels.map(({ cells }) => cells.length)) * (size.height + GAP) -
      GAP,
  );
  const widest = (column: number): number =>
    Math.max(...places.filter((_, i) => tensors[i]?.column === column).map(({ width }) => width));
  const tallest = (lane: number): number => Math.max(...heights.filter((_, i) => tensors[i]?.lane === lane));
  const [xs, w] = along(
    tensors.map(({ column }) => column),
    widest,
    size.between,
  );
  const [ys, h] = along(
    tensors.map(({ lane }) => lane),
    tallest,
    BETWEEN_LANES,
  );
  for (const [i, { column, lane }] of tensors.entries()) {
    const place = places[i];
    if (!place) continue;
    place.x = xs.get(column) ?? 0;
    const spare = tallest(lane) - (heights[i] ?? 0);
    // A second factor stands near the rows below it.
    place.y = (ys.get(lane) ?? 0) + (ys.size === 1 ? spare / 2 : lane < 0 ? spare : 0);
  }
  return { size, places, labelled, w, h };
}

/** Where each column or lane begins, and where the last one ends. */
function along(
  numbers: readonly number[],
  length: (number: number) => number,
  between: number,
): [Map<number, number>, number] {
  const starts = new Map<number, number>();
  let end = 0;
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    starts.set(number, end);
    end += length(number) + between;
  }
  return [starts, end - between];
}

/** A heat map: pointing at a cell or moving there by arrow keys describes it in words. */

import { h, s, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { drawCell } from "../draw/heat-cell";
import type { Key } from "../i18n";
import type { GridRecord } from "../record";

const ODD: Record<number, Key> = {
  "-1": "value.odd.nan",
  "-2": "value.odd.inf",
  "-3": "value.odd.down",
  "-4": "value.odd.up",
  "-5": "value.odd.none",
};
const WIDEST = 520;
const TALLEST = 480;
/** A cell as wide as this shows its number, if that is short. */
const WRITTEN = 44;
const SHORT = 6; // characters

/** One cell in words. */
export function cellWords(ctx: Context, grid: GridRecord, row: number, column: number): string {
  const place = { row: grid.rows[row] ?? "", column: grid.columns[column] ?? "" };
  const odd = ODD[grid.levels[row]?.[column] ?? 0];
  const value = grid.cells[row]?.[column] || "–";
  const isSingle = grid.block[0] === 1 && grid.block[1] === 1;
  if (odd && !isSingle) return ctx.t("value.cell_odd", { ...place, value, odd: ctx.t(odd) });
  return ctx.t(place.row === "" ? "value.cell_of_row" : "value.cell", { ...place, value });
}

export function createHeatMap(ctx: Context, grid: GridRecord): HTMLElement {
  const rows = grid.rows.length;
  const columns = grid.columns.length;
  const room = Math.floor(Math.min(WIDEST / Math.max(1, columns), TALLEST / Math.max(1, rows)));
  const size = room >= WRITTEN ? WRITTEN : Math.max(6, Math.min(24, room));
  const cells = s("g");
  const cursor = s("rect", { class: "cursor", width: size, height: size });
  const svg = s(
    "svg",
    {
      class: "heat",
      width: columns * size,
      height: rows * size,
      viewBox: `0 0 ${columns * size} ${rows * size}`,
      tabindex: "0",
      role: "application",
      "aria-label": ctx.t("value.look.heat"),
      "data-testid": "heat",
    },
    cells,
    cursor,
  );
  grid.levels.forEach((levels, row) => {
    levels.forEach((level, column) => {
      const value = grid.cells[row]?.[column] ?? "";
      const words = size === WRITTEN && value.length <= SHORT ? value : "";
      cells.append(drawCell(column * size, row * size, size, size, level, words));
    });
  });
  const reading = h(
    "p",
    { class: "reading", role: "status", "aria-live": "polite", "data-testid": "cell" },
    ctx.t("value.reading"),
  );
  let at = { row: 0, column: 0 };
  const move = (row: number, column: number): void => {
    at = { row: Math.max(0, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    cursor.setAttribute("x", String(at.column * size));
    cursor.setAttribute("y", String(at.row * size));
    cursor.setAttribute("data-on", "");
    setText(reading, cellWords(ctx, grid, at.row, at.column));
  };
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / (box.width || 1)) * columns);
    move(Math.floor(((event.clientY - box.top) / (box.height || 1)) * rows), column);
  });
  svg.addEventListener("focus", () => move(at.row, at.column));
  svg.addEventListener("keydown", (event) => {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [at.row, at.column - 1],
      ArrowRight: [at.row, at.column + 1],
      ArrowUp: [at.row - 1, at.column],
      ArrowDown: [at.row + 1, at.column],
      Home: [at.row, 0],
      End: [at.row, columns - 1],
      PageUp: [0, at.column],
      PageDown: [rows - 1, at.column],
    };
    const to = moves[event.key];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(...to);
  });
  const levels = Array.from({ length: 9 }, (_, level) => drawCell(level * 12, 0, 12, 12, level));
  const scale = h(
    "div",
    { class: "heat-scale" },
    h("span", {}, shorten(grid.low, 40)),
    s("svg", { width: 108, height: 12, viewBox: "0 0 108 12", "aria-hidden": "true" }, ...levels),
    h("span", {}, shorten(grid.high, 40)),
  );
  return h("div", { class: "heat-map" }, h("div", { class: "scroll" }, svg), scale, reading);
}

/** Tensors as grids of elements: one tab stop, arrow keys from cell to cell and from tensor to tensor, frames around windows. */

import { h } from "../base/dom";
import { watchSize } from "../base/element-size";
import type { Context } from "../context";
import { cellText, GAP, type GridScene, gridScene } from "../layout/element-grids";
import { origin, type Place, placeKey } from "../model/element-links";
import { nextCell } from "../model/element-steps";
import type { CellsRecord, ReadsRecord, WindowRecord } from "../record";
import { type Cell, type CellState, type DrawnTensor, drawTensor, markCell } from "./element-cells";

export interface CellMarks {
  states: ReadonlyMap<string, readonly CellState[]>;
  /** How much one element counts for another, under its value. */
  slopes: ReadonlyMap<string, string>;
  windows: readonly WindowRecord[];
}

export interface ElementGrids {
  element: HTMLElement;
  show: (record: ReadsRecord) => void;
  mark: (marks: CellMarks) => void;
  /** Moves the keyboard to an element. */
  focus: (place: Place) => void;
  /** Makes an element the tab stop. */
  stop: (place: Place) => void;
}

export interface ElementGridsOptions {
  /** The user went to an element, by a key or a click. */
  choose: (place: Place) => void;
  /** The pointer is on an element; null: on none. */
  point: (place: Place | null) => void;
  /** The user presses an element: with "" by Enter, Space or a click, else by the first character of a number. */
  act: (place: Place, typed: string, clicked: boolean) => void;
}

/** The room of a stage, before a browser has laid it out. */
const ROOM = { w: 940, h: 420 };
/** A cell as low as this has no room for a slope under its value. */
const LOW = 36;

export function createElementGrids(ctx: Context, options: ElementGridsOptions): ElementGrids {
  const canvas = h("div", {
    class: "element-grids",
    role: "group",
    "aria-label": ctx.t("reads.picture"),
    "data-testid": "grids",
  });
  const element = h("div", { class: "grids-room room scroll" }, canvas);
  let room = ROOM;
  let record: ReadsRecord | null = null;
  let scene: GridScene | null = null;
  let drawn: DrawnTensor[] = [];
  let marks: CellMarks = { states: new Map(), slopes: new Map(), windows: [] };
  let stopAt = "";
  const cells = (): Cell[] => drawn.flatMap((tensor) => tensor.cells);
  /** The tensors' own cells, to which the keyboard goes. */
  const own = (): Cell[] => cells().filter(({ outside }) => !outside);
  const cellAt = (target: EventTarget | null): Cell | undefined =>
    cells().find(({ element }) => element.contains(target as Node | null));

  function draw(): void {
    if (!record) return;
    const shown = record;
    const made = gridScene(shown.tensors, room, widthsOf(ctx, shown));
    const focused = canvas.contains(document.activeElement);
    scene = made;
    setSize(canvas, made);
    drawn = shown.tensors.map((_, i) => drawTensor(ctx, shown, i, made));
    canvas.replaceChildren(...drawn.map((tensor) => tensor.element));
    paint();
    stop(stopAt);
    if (focused) canvas.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }
  function paint(): void {
    if (!record || !scene) return;
    for (const cell of cells()) {
      const key = cell.outside ? "" : placeKey(cell);
      markCell(ctx, record, cell, marks.states.get(key) ?? [], marks.slopes.get(key) ?? "");
    }
    for (const frame of canvas.querySelectorAll(".window")) frame.remove();
    for (const window of marks.windows) {
      drawn[window.tensor]?.grids[window.panel]?.append(drawWindow(scene, window));
    }
  }
  function stop(key: string): void {
    stopAt = key;
    const stops = own();
    const found = stops.find((cell) => placeKey(cell) === key) ?? stops[0];
    for (const cell of cells()) cell.element.tabIndex = cell === found ? 0 : -1;
  }
  function go(cell: Cell): void {
    stop(placeKey(cell));
    cell.element.focus({ preventScroll: true });
    cell.element.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    options.choose({ tensor: cell.tensor, at: cell.at });
  }

  canvas.addEventListener("keydown", (event) => {
    const cell = cellAt(event.target);
    if (!record || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = nextCell(record.tensors, own(), cell, event.key);
    const isPress = event.key === "Enter" || event.key === " ";
    if (to) go(to);
    else if (isPress || /^[-\d.−]$/.test(event.key)) options.act(cell, isPress ? "" : event.key, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener("click", (event) => {
    const cell = cellAt(event.target);
    if (!cell) return;
    go(own().find((other) => placeKey(other) === placeKey(cell)) ?? cell);
    options.act(cell, "", true);
  });
  canvas.addEventListener("pointerover", (event) => options.point(cellAt(event.target) ?? null));
  canvas.addEventListener("pointerleave", () => options.point(null));
  watchSize(element, ctx.life, (size) => {
    if (size.w < 1 || (Math.abs(size.w - room.w) < 1 && Math.abs(size.h - room.h) < 1)) return;
    room = size;
    draw();
  });

  return {
    element,
    show(next) {
      record = next;
      draw();
    },
    mark(next) {
      marks = next;
      paint();
    },
    focus: (place) =>
      own()
        .find((cell) => placeKey(cell) === placeKey(place))
        ?.element.focus({ preventScroll: true }),
    stop: (place) => stop(placeKey(place)),
  };
}

function setSize(canvas: HTMLElement, { w, h: height, size }: GridScene): void {
  canvas.style.width = `${w}px`;
  canvas.style.height = `${height}px`;
  canvas.style.setProperty("--cell-height", `${size.height}px`);
  canvas.style.setProperty("--cell-font", `${size.font}px`);
  canvas.toggleAttribute("data-low", size.height < LOW);
}

/** A frame around cells of a panel. */
function drawWindow(
  { size, places }: GridScene,
  { tensor, row, column, height, width }: WindowRecord,
): HTMLElement {
  const frame = h("div", { class: "window", "aria-hidden": "true" });
  const [across, down] = [(places[tensor]?.cell ?? 0) + GAP, size.height + GAP];
  frame.style.left = `${column * across - GAP}px`;
  frame.style.top = `${row * down - GAP}px`;
  frame.style.width = `${width * across + GAP}px`;
  frame.style.height = `${height * down + GAP}px`;
  return frame;
}

/** The widths of texts: of values with the slopes under them, and of headings. */
function widthsOf(ctx: Context, record: ReadsRecord) {
  const slopes = record.tensors.map(() => new Set<string>());
  for (const [reader, { elements }] of record.tensors.entries()) {
    for (const { tensor, slope } of elements.flatMap(({ reads }) => reads)) {
      slopes[tensor]?.add(slope);
      slopes[reader]?.add(slope);
    }
  }
  const widest = (texts: Iterable<string>, size: number, weight: number): number =>
    Math.max(0, ...[...texts].map((text) => ctx.width(text, { size, weight })));
  return {
    cells: (tensor: CellsRecord, size: GridScene["size"]): number => {
      const { font, height, pad } = size;
      const texts = new Set(tensor.elements.map(({ text }) => cellText(text || "?", size)));
      const values = widest(texts, font, 650) + pad;
      if (height < LOW) return values;
      const own = slopes[record.tensors.indexOf(tensor)] ?? [];
      return Math.max(
        values,
        widest(
          [...own].map((slope) => `×${slope}`),
          12,
          400,
        ) + 8,
      );
    },
    heading: (tensor: CellsRecord, number: number): number =>
      Math.max(
        widest([tensor.name], 13, 650) + 8,
        widest([origin(record, number) || ctx.t("reads.input")], 12, 400),
      ),
  };
}

/** The cells of a tensor that is drawn element by element: its name, its origin, and a grid for each of its panels. */

import { h, section, setAttribute, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { Key } from "../i18n";
import { cellText, type GridScene, HEADING, LABEL } from "../layout/element-grids";
import { elementName, origin, type Place } from "../model/element-links";
import type { CellPlace } from "../model/element-steps";
import type { CellsRecord, PanelRecord, ReadsRecord } from "../record";

/** What a cell says besides its value, each with a sign of its own. */
export type CellState =
  | "now"
  | "read"
  | "indirect"
  | "reader"
  | "changed"
  | "number"
  | "picked"
  | "right"
  | "missed"
  | "extra";

export interface Cell extends CellPlace {
  at: number;
  element: HTMLElement;
  /** Whether it repeats an element outside of the tensor's own cells. */
  outside: boolean;
}

export interface DrawnTensor {
  element: HTMLElement;
  cells: Cell[];
  grids: HTMLElement[];
}

const WORDS: Partial<Record<CellState, Key>> = {
  read: "reads.key.read",
  indirect: "reads.key.indirect",
  reader: "reads.key.reader",
  changed: "reads.key.changed",
  picked: "reads.key.picked",
  right: "reads.sign.right",
  missed: "reads.sign.missed",
  extra: "reads.sign.extra",
};

export function drawTensor(ctx: Context, record: ReadsRecord, number: number, scene: GridScene): DrawnTensor {
  const tensor = record.tensors[number] as CellsRecord;
  const place = scene.places[number];
  const name = `${shorten(tensor.name, 24)}${tensor.turned ? "ᵀ" : ""}`;
  const room = Math.max(place?.width ?? 0, scene.size.heading);
  const made = origin(record, number, (text) => ctx.width(text, { size: 12, weight: 400 }) <= room);
  const shape = `(${tensor.shape.join(", ")}${tensor.shape.length === 1 ? "," : ""})`;
  const cells: Cell[] = [];
  const panels = tensor.panels.map((panel, p) => {
    const label = [ctx.t("reads.tensor", { name, shape }), panel.label].filter(Boolean).join(" ");
    const grid = h("div", { class: "grid", role: "grid", "aria-label": label });
    grid.style.left = `${place?.panels[p] ?? 0}px`;
    grid.style.top = `${HEADING + (scene.labelled ? LABEL : 0)}px`;
    grid.style.setProperty("--cell-width", `${place?.cell ?? 0}px`);
    for (const [row, numbers] of panel.cells.entries()) {
      const drawn = numbers.map((at, column) =>
        drawCell(ctx, tensor, panel, scene, { tensor: number, panel: p, row, column, at }),
      );
      grid.append(h("div", { role: "row", class: "row" }, ...drawn.map(({ element }) => element)));
      cells.push(...drawn.filter(({ at }) => at >= 0));
    }
    const slice = panel.label !== "" && h("p", { class: "slice" }, panel.label);
    if (slice) slice.style.left = grid.style.left;
    return { slice, grid };
  });
  const element = section(
    { class: "tensor", "data-part": tensor.part, "data-testid": `tensor-${number}` },
    h("h4", { dir: "auto" }, name),
    h("p", { class: "origin", title: made && origin(record, number) }, made || ctx.t("reads.input")),
    ...panels.flatMap(({ slice, grid }) => [slice, grid]),
  );
  element.style.left = `${place?.x ?? 0}px`;
  element.style.top = `${place?.y ?? 0}px`;
  element.style.width = `${place?.width ?? 0}px`;
  return { element, cells, grids: panels.map(({ grid }) => grid) };
}

function drawCell(
  ctx: Context,
  tensor: CellsRecord,
  { inside: [top, left, height, width] }: PanelRecord,
  { size }: GridScene,
  place: CellPlace & Place,
): Cell {
  const { row, column, at } = place;
  const outside = row < top || row >= top + height || column < left || column >= left + width;
  const found = tensor.elements[at];
  const element = h(
    "div",
    {
      class: "element",
      role: "gridcell",
      tabindex: found ? "-1" : null,
      title: found && cellText(found.text, size) !== found.text ? found.text : null,
      "aria-label": found ? null : ctx.t("reads.key.outside"),
      "data-outside": outside,
      "data-asked": found?.text === "",
      "data-testid": outside ? null : `cell-${place.tensor}-${at}`,
    },
    found && h("span", { class: "number" }, cellText(found.text || "?", size)),
  );
  if (!outside && found && found.level >= 0) element.style.setProperty("--level", String(found.level));
  return { ...place, element, outside };
}

/** Shows what a cell says besides its value. */
export function markCell(
  ctx: Context,
  record: ReadsRecord,
  cell: Cell,
  states: readonly CellState[],
  slope: string,
): void {
  const { element, outside } = cell;
  setAttribute(element, "data-state", states.join(" "));
  if (states.includes("now")) element.setAttribute("aria-selected", "true");
  else element.removeAttribute("aria-selected");
  const small = element.querySelector(".slope");
  if (slope && small) setText(small, ` ×${slope}`);
  else if (slope) element.append(h("span", { class: "slope" }, ` ×${slope}`));
  else small?.remove();
  const value = record.tensors[cell.tensor]?.elements[cell.at]?.text || "?";
  const words = [
    `${elementName(record, cell)}: ${value}${slope && ` ×${slope}`}`,
    ...(outside ? [ctx.t("reads.copied")] : []),
    ...states.flatMap((state) => (WORDS[state] ? [ctx.t(WORDS[state])] : [])),
  ];
  setAttribute(element, "aria-label", words.join(", "));
}

/** Chooses by what the nodes are coloured. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { COLOURS, type Colour, OF_RUNS } from "../explore/node-classes";

export interface ColourChooser {
  element: HTMLElement;
  refresh: () => void;
}

export function createColourChooser(
  ctx: Context,
  options: { colour: () => Colour; choose: (colour: Colour) => void; hasRun: () => boolean },
): ColourChooser {
  const { t } = ctx;
  const select = h(
    "select",
    {
      "data-testid": "colour",
      "aria-label": t("colour.label"),
      change: () => options.choose(select.value as Colour),
    },
    ...COLOURS.map((colour) => h("option", { value: colour }, t(`colour.by.${colour}`))),
  );
  const refresh = (): void => {
    select.value = options.colour();
    for (const option of select.options) {
      // Colours of a run need one; the hint says so.
      option.disabled = OF_RUNS.includes(option.value as Colour) && !options.hasRun();
    }
  };
  refresh();
  const help = options.hasRun() ? null : h("span", { class: "hint" }, t("colour.no_run"));
  const element = h(
    "div",
    { class: "colour" },
    h("span", { class: "label" }, t("colour.label")),
    select,
    help,
  );
  return { element, refresh };
}

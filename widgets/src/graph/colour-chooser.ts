/** Chooses by what the nodes are coloured: one control in the head. */

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
  const option = (colour: Colour): HTMLElement => h("option", { value: colour }, t(`colour.by.${colour}`));
  const ofRuns = h("optgroup", {}, ...OF_RUNS.map(option));
  const select = h(
    "select",
    {
      "data-testid": "colour",
      "aria-label": t("colour.label"),
      change: () => options.choose(select.value as Colour),
    },
    ...COLOURS.filter((colour) => !OF_RUNS.includes(colour)).map(option),
    ofRuns,
  );
  const refresh = (): void => {
    const hasRun = options.hasRun();
    select.value = options.colour();
    // Colours of a run need one; the name of their group says so.
    ofRuns.label = t(hasRun ? "colour.of_run" : "colour.no_run");
    for (const each of ofRuns.children) (each as HTMLOptionElement).disabled = !hasRun;
  };
  refresh();
  return { element: h("label", { class: "head-field" }, h("span", {}, t("colour.short")), select), refresh };
}

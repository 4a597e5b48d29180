/** The meaning of a picture's colours: a scale with numbers, or the classes with their counts. */

import { h, renew } from "../base/dom";
import type { Context } from "../context";
import { limitNumber } from "../explore/amounts";
import type { ColourClass } from "../explore/node-classes";
import { classSample, type Tinted } from "../picture/tint";

export interface ColourLegend {
  element: HTMLElement;
  refresh: (classes: readonly ColourClass[], tinted: Tinted | null) => void;
}

export function createColourLegend(ctx: Context): ColourLegend {
  const element = h("div", { class: "colour-legend", "data-testid": "colour-legend", hidden: true });
  return {
    element,
    refresh(classes, tinted) {
      const { scale, counts } = tinted ?? { scale: null, counts: new Map<number, number>() };
      element.hidden = scale === null && counts.size === 0;
      if (scale) {
        const numbers = scale.limits.map((limit) => limitNumber(limit, scale.unit));
        const steps = numbers.map((n, step) => h("li", { "data-heat": step }, n));
        const name = ctx.t(`colour.scale.${scale.kind}`);
        renew(element, [
          h("ol", { class: "scale", "aria-label": name }, ...steps),
          h("span", {}, scale.unit[0]),
        ]);
        return;
      }
      const items = classes.flatMap(({ letter, words }, place) => {
        const n = counts.get(place);
        if (n === undefined) return [];
        const count = n > 0 && h("span", { class: "n" }, String(n));
        return [
          h(
            "li",
            { "data-sign": `class ${letter}` },
            classSample(ctx.prefix, place, letter),
            h("span", { dir: "auto" }, words),
            count,
          ),
        ];
      });
      renew(element, [h("ul", { "aria-label": ctx.t("colour.label") }, ...items)]);
    },
  };
}

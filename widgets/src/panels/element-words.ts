/** What is said of an element: how many elements it reads, its formula, and the formula of its gradient. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { createLiveLine } from "../controls/live-line";
import {
  elementName,
  formulaText,
  gradientName,
  type Links,
  type Place,
  placeKey,
} from "../model/element-links";
import type { FormulaPartRecord, ReadsRecord } from "../record";

export interface ElementWords {
  element: HTMLElement;
  /** `changed`: how many elements the last change gave another value. */
  show: (record: ReadsRecord, links: Links, place: Place | null, changed: number) => void;
}

/** `point`: the pointer is on a number of a formula, which comes from that element. */
export function createElementWords(ctx: Context, point: (place: Place | null) => void): ElementWords {
  const live = createLiveLine();
  live.element.classList.add("element-words");
  live.element.addEventListener("pointerover", (event) => {
    const key = (event.target as Element).closest?.<HTMLElement>("[data-of]")?.dataset.of;
    const [tensor, at] = (key ?? "").split(":").map(Number);
    point(key && tensor !== undefined && at !== undefined ? { tensor, at } : null);
  });
  live.element.addEventListener("pointerleave", () => point(null));
  const formula = (name: string, parts: readonly FormulaPartRecord[], kind: string): HTMLElement =>
    h(
      "code",
      { class: `element-formula ${kind}`, dir: "ltr", title: `${name} = ${formulaText(parts)}` },
      `${name} = `,
      ...parts.map(({ text, tensor, at }) =>
        tensor === null || at === null ? text : h("b", { "data-of": placeKey({ tensor, at }) }, text),
      ),
    );

  return {
    element: live.element,
    show(record, links, place, changed) {
      const element = place && record.tensors[place.tensor]?.elements[place.at];
      if (!place || !element) {
        live.say([ctx.t("reads.hint")]);
        return;
      }
      const name = elementName(record, place);
      const readers = links.readers(place).length;
      const said: string[] = [];
      if (changed > 0) said.push(ctx.t("reads.changed", { n: changed }));
      if (element.text === "") said.push(ctx.t("reads.hidden", { element: name }));
      else if (record.tensors[place.tensor]?.part !== "input")
        said.push(ctx.t("reads.computed", { element: name, n: element.reads.length }));
      else if (!record.question) said.push(ctx.t("reads.is_input", { element: name }));
      if (element.padding > 0) said.push(ctx.t("reads.padding", { n: element.padding }));
      else if (readers > 0) said.push(ctx.t("reads.read_by", { n: readers }));
      const lines: Node[] = [];
      if (element.formula.length > 0) lines.push(formula(name, element.formula, "forward"));
      if (element.back.length > 0) lines.push(formula(gradientName(record, place), element.back, "back"));
      live.say([[document.createTextNode(said.join(" "))], ...lines.map((line) => [line])]);
    },
  };
}

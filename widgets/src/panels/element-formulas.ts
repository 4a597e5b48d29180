/** The formulas of all elements, as a list: the picture as text. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import { elementName, formulaText, origin } from "../model/element-links";
import type { ReadsRecord } from "../record";

export interface ElementFormulas {
  element: HTMLElement;
  show: (record: ReadsRecord) => void;
}

export function createElementFormulas(): ElementFormulas {
  const element = h("div", { class: "formulas", "data-testid": "formulas" });
  return {
    element,
    show: (record) => element.replaceChildren(...record.tensors.flatMap((_, i) => formulaList(record, i))),
  };
}

/** All formulas of a tensor, as text. */
function formulaList(record: ReadsRecord, tensor: number): HTMLElement[] {
  const found = record.tensors[tensor];
  if (!found || found.ops.length === 0) return [];
  const rows = found.elements.map(({ text, formula }, at) => {
    const name = elementName(record, { tensor, at });
    return h("li", {}, h("code", { dir: "ltr" }, `${name} = ${formulaText(formula) || text || "?"}`));
  });
  return [h("h5", {}, `${shorten(found.name, 24)}: ${origin(record, tensor)}`), h("ul", {}, ...rows)];
}

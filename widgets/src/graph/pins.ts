/** The pinned nodes and those set beside the graph: one button each, which leads to the node. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";

export interface Pins {
  element: HTMLElement;
  refresh: (ids: readonly number[]) => void;
}

export function createPins(ctx: Context, graph: Graph, choose: (id: number) => void): Pins {
  const list = h("ul", { "aria-label": ctx.t("pin.title"), "data-testid": "pins" });
  const element = h("div", { class: "pins" }, h("span", { class: "label" }, ctx.t("pin.title")), list);
  return {
    element,
    refresh(ids) {
      element.hidden = ids.length === 0;
      list.replaceChildren(
        ...ids.map((id) =>
          h(
            "li",
            {},
            button({
              testid: `pinned-${id}`,
              icon: "pin",
              words: nodeName(graph, id),
              wide: true,
              act: () => choose(id),
            }),
          ),
        ),
      );
    },
  };
}

/** The ready queue: nodes whose inputs are all there, in the order in which they will run. */
import type { Context } from "../context";
import { h } from "../dom";
import type { Graph } from "../graph";
import type { Frame } from "../replay";
import { shorten } from "../text";
import { nodeName, type Thing } from "./thing";

const SHOWN = 40;

export interface Queue {
  element: HTMLElement;
  show: (frame: Frame | null) => void;
}

export function createQueue(ctx: Context, graph: Graph, look: (thing: Thing | null) => void): Queue {
  const list = h("ol", { "data-testid": "queue" });
  const element = h("section", { class: "queue" }, h("h4", {}, ctx.t("queue.title")), list);
  return {
    element,
    show(frame) {
      const queue = frame?.queue ?? [];
      const items = queue
        .slice(0, SHOWN)
        .map((id, i) =>
          h(
            "li",
            { pointerenter: () => look({ kind: "node", id }), pointerleave: () => look(null) },
            i === 0 && h("span", { class: "next" }, ctx.t("queue.next")),
            h("bdi", {}, shorten(nodeName(graph, id), 40)),
          ),
        );
      const more = (frame?.ready ?? 0) - items.length;
      if (more > 0) items.push(h("li", { class: "none" }, `+${more}`));
      list.replaceChildren(
        ...(items.length > 0 ? items : [h("li", { class: "none" }, ctx.t("queue.empty"))]),
      );
    },
  };
}

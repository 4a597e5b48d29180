/** The ready queue: nodes whose inputs are all there, in the order in which they will run, and those that are held back. */

import { arrange, h, section, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { type GraphItem, nodeName } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";

const SHOWN = 40;

export interface ReadyQueue {
  element: HTMLElement;
  show: (frame: Frame | null) => void;
}

export function createReadyQueue(
  ctx: Context,
  graph: Graph,
  look: (item: GraphItem | null) => void,
): ReadyQueue {
  const list = h("ol", { "data-testid": "queue" });
  const element = section({ class: "queue" }, list);
  const next = h("span", { class: "next" }, ctx.t("queue.next"));
  const rest = h("li", { class: "none" });
  /** The entries by node: most stay from one step to the next. */
  let items = new Map<number, HTMLElement>();
  const queueItem = (id: number, isHeld: boolean): HTMLElement =>
    h(
      "li",
      {
        class: isHeld ? "held" : null,
        pointerenter: () => look({ kind: "node", id }),
        pointerleave: () => look(null),
      },
      h("bdi", {}, shorten(nodeName(graph, id), 40)),
      isHeld && h("span", { class: "next" }, ctx.t("queue.held")),
    );
  return {
    element,
    show(frame) {
      const queue = frame?.queue.slice(0, SHOWN) ?? [];
      // In a loop, a node may be ready in two iterations.
      const listed = new Set<number>();
      const before = items;
      items = new Map();
      const entries = queue.map((id) => {
        const own = (listed.has(id) ? undefined : before.get(id)) ?? queueItem(id, false);
        listed.add(id);
        items.set(id, own);
        return own;
      });
      entries[0]?.append(next);
      entries.push(...[...(frame?.held ?? [])].slice(0, SHOWN).map((id) => queueItem(id, true)));
      const more = (frame?.ready ?? 0) - entries.length;
      setText(rest, more > 0 ? `+${more}` : ctx.t("queue.empty"));
      if (more > 0 || entries.length === 0) entries.push(rest);
      arrange(list, entries);
    },
  };
}

/** The ten nodes that took most of a run, with their share of it: each row leads to its node. */

import { h, section, setText } from "../base/dom";
import { leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { type Amounts, amountNumber, amountText, largest, shareText, unitOf } from "../explore/amounts";
import type { Graph } from "../model/graph";

const LISTED = 10;

export interface LargestList {
  element: HTMLElement;
  refresh: (graph: Graph, amounts: Amounts | null) => void;
  /** Marks the row of the chosen node. */
  select: (id: number) => void;
}

export function createLargestList(ctx: Context, choose: (id: number) => void): LargestList {
  const { t } = ctx;
  const title = h("span");
  const share = h("span", { class: "share" });
  const list = h("ol", { "data-testid": "largest" });
  const element = section({ class: "largest", hidden: true }, h("h5", {}, title, share), list);
  const select = (id: number): void => {
    for (const row of list.querySelectorAll<HTMLElement>("button"))
      row.setAttribute("aria-current", String(Number(row.dataset.node) === id));
  };
  return {
    element,
    select,
    refresh(graph, amounts) {
      const rows = amounts ? largest(amounts, LISTED) : [];
      element.hidden = rows.length === 0;
      if (!amounts || element.hidden) return;
      const { kind, total } = amounts;
      const [, most = 1] = rows[0] ?? [];
      const unit = unitOf(kind, most);
      const part = rows.reduce((sum, [, amount]) => sum + amount, 0);
      setText(title, t(`largest.${kind}`, { n: rows.length }));
      setText(
        share,
        t("largest.share", { share: shareText(t, part, total), total: amountText(t, kind, total) }),
      );
      list.setAttribute("aria-label", title.textContent ?? "");
      list.replaceChildren(
        ...rows.map(([id, amount]) => {
          const name = graph.node.get(id)?.name ?? `#${id}`;
          const of = graph.node.get(graph.gradientOf.get(id) ?? -1)?.name;
          const words = of === undefined ? name : `∇ ${of} · ${leaf(name)}`;
          const bar = h("span", { class: "bar-of", "aria-hidden": "true" });
          bar.style.inlineSize = `${(amount / most) * 100}%`;
          return h(
            "li",
            {},
            h(
              "button",
              { type: "button", "data-node": id, title: shorten(name, 200), click: () => choose(id) },
              h("bdi", { class: "name" }, shorten(words, 36)),
              h("span", { class: "amount" }, amountNumber(amount, unit)),
              bar,
            ),
          );
        }),
      );
      list.dataset.unit = unit[0];
    },
  };
}

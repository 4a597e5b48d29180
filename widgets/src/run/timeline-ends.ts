/** How the timelines end, side by side: words and a sign mark the differences. */

import { h, setAttribute } from "../base/dom";
import { inline, oneLine, passage } from "../base/text";
import type { Context } from "../context";
import type { Timeline } from "../model/timelines";
import type { LeafRowRecord, LeavesRecord } from "../record";
import { changeText } from "./step-sentences";

export interface TimelineEnds {
  element: HTMLElement;
  show: (leaves: LeavesRecord | null, lines: readonly Timeline[], now: number) => void;
}

export function createTimelineEnds(ctx: Context, move: (timeline: number) => void): TimelineEnds {
  const table = h("table", { "data-testid": "leaves" });
  const same = h("p", { class: "hint" });
  const element = h(
    "section",
    { class: "leaves" },
    h("h4", {}, ctx.t("leaf.title")),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": ctx.t("leaf.title") }, table),
    same,
  );
  let known: LeavesRecord | null = null;
  let forks: readonly Timeline[] = [];

  const names: Record<LeafRowRecord["code"], (row: LeafRowRecord) => string> = {
    fetched: ({ run, name }) => ctx.t("leaf.fetched", { run: run + 1, name }),
    variable: ({ run, name }) => ctx.t("leaf.variable", { run: run + 1, name }),
    order: ({ run }) => ctx.t("leaf.order", { run: run + 1 }),
    error: ({ run }) => ctx.t("leaf.error", { run: run + 1 }),
  };

  function row(record: LeafRowRecord): HTMLElement {
    const differs = record.groups.some((group) => group !== record.groups[0]);
    const title = inline(names[record.code](record), 120);
    const sign = h("span", { class: "sign" }, differs ? "≠" : "=");
    sign.setAttribute("aria-label", ctx.t(differs ? "leaf.differs" : "leaf.equal"));
    sign.setAttribute("role", "img");
    return h(
      "tr",
      { "data-differs": differs, "data-code": record.code },
      h("th", { scope: "row" }, sign, h("span", { dir: "auto" }, title)),
      ...record.texts.map((text, i) =>
        h(
          "td",
          { "data-group": record.groups[i], "data-other": record.groups[i] !== record.groups[0] },
          h("code", { dir: "auto" }, passage(oneLine(text), 300) || "–"),
        ),
      ),
    );
  }

  return {
    element,
    show(leaves, lines, now) {
      element.hidden = !leaves || leaves.leaves.length < 2;
      // The forks may come after the table that names them.
      if (leaves && (leaves !== known || lines !== forks)) {
        known = leaves;
        forks = lines;
        const heads = leaves.leaves.map(({ number }) => {
          const branch = lines[number]?.branch;
          const words = branch
            ? ctx.t("line.fork", { number, change: changeText(ctx.t, branch.change) })
            : ctx.t("line.first");
          const go = h("button", { type: "button", "data-line": number, click: () => move(number) }, words);
          return h("th", { scope: "col" }, go);
        });
        const parts = leaves.leaves.map(({ parts: at }) =>
          h("td", {}, at ? ctx.t("leaf.at", { run: at[0] + 1, step: at[1] }) : "–"),
        );
        table.replaceChildren(
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, ctx.t("leaf.kind")), ...heads)),
          h(
            "tbody",
            {},
            ...leaves.rows.map(row),
            h("tr", {}, h("th", { scope: "row" }, ctx.t("leaf.parts")), ...parts),
          ),
        );
        same.hidden = leaves.same === 0;
        same.textContent = ctx.t("leaf.same", { n: leaves.same });
      }
      for (const button of table.querySelectorAll("[data-line]"))
        setAttribute(button, "aria-pressed", String(button.getAttribute("data-line") === String(now)));
    },
  };
}

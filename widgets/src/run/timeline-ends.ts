/** The timelines, and how they end: for each result and variable, which timelines agree on which value. */

import { h, section, setAttribute } from "../base/dom";
import { inline, oneLine, passage } from "../base/text";
import type { Context } from "../context";
import type { Timeline } from "../model/steps/timelines";
import type { LeafRowRecord, LeavesRecord } from "../record";
import { changeText } from "./step-sentences";

export interface TimelineEnds {
  element: HTMLElement;
  show: (leaves: LeavesRecord | null, lines: readonly Timeline[], now: number) => void;
}

export function createTimelineEnds(ctx: Context, move: (timeline: number) => void): TimelineEnds {
  const list = h("ul", { class: "lines" });
  const table = h("table", { "data-testid": "leaves" });
  const same = h("p", { class: "hint" });
  const element = section({ class: "leaves" }, h("h5", {}, ctx.t("leaf.title")), list, table, same);
  let known: LeavesRecord | null = null;
  let forks: readonly Timeline[] = [];

  const names: Record<LeafRowRecord["code"], (row: LeafRowRecord) => string> = {
    fetched: ({ run, name }) => ctx.t("leaf.fetched", { run: run + 1, name }),
    variable: ({ run, name }) => ctx.t("leaf.variable", { run: run + 1, name }),
    order: ({ run }) => ctx.t("leaf.order", { run: run + 1 }),
    error: ({ run }) => ctx.t("leaf.error", { run: run + 1 }),
  };

  /** What is compared, and below it each value with the timelines that have it. */
  function rows(record: LeafRowRecord, numbers: readonly number[]): HTMLElement {
    const groups = [...new Set(record.groups)];
    const differs = groups.length > 1;
    const sign = h("span", { class: "sign" }, differs ? "≠" : "=");
    sign.setAttribute("aria-label", ctx.t(differs ? "leaf.differs" : "leaf.equal"));
    sign.setAttribute("role", "img");
    const title = h("span", { dir: "auto" }, inline(names[record.code](record), 120));
    const values = groups.map((group) => {
      const own = numbers.filter((_, i) => record.groups[i] === group);
      const text = record.texts[record.groups.indexOf(group)] ?? "";
      return h(
        "tr",
        { "data-other": group !== groups[0] },
        h("th", { scope: "row" }, differs ? own.join(", ") : ""),
        h("td", {}, h("code", { dir: "auto" }, passage(oneLine(text), 300) || "–")),
      );
    });
    const head = h("tr", {}, h("th", { colspan: 2, scope: "rowgroup" }, sign, title));
    return h("tbody", { "data-differs": differs, "data-code": record.code }, head, ...values);
  }

  function draw({ leaves, rows: all, same: equal }: LeavesRecord, lines: readonly Timeline[]): void {
    list.replaceChildren(
      ...leaves.map(({ number, parts }) => {
        const branch = lines.find((line) => line.number === number)?.branch;
        const words = branch
          ? ctx.t("line.fork", { number, change: changeText(ctx.t, branch.change) })
          : ctx.t("line.first");
        return h(
          "li",
          {},
          h("button", { type: "button", "data-line": number, click: () => move(number) }, words),
          parts && h("span", { class: "hint" }, ctx.t("leaf.at", { run: parts[0] + 1, step: parts[1] })),
        );
      }),
    );
    const numbers = leaves.map(({ number }) => number);
    table.replaceChildren(...all.map((record) => rows(record, numbers)));
    same.hidden = equal === 0;
    same.textContent = ctx.t("leaf.same", { n: equal });
  }

  return {
    element,
    show(leaves, lines, now) {
      element.hidden = !leaves || leaves.leaves.length < 2;
      // The forks may come after the record that numbers them.
      if (leaves && (leaves !== known || lines !== forks)) {
        known = leaves;
        forks = lines;
        draw(leaves, lines);
      }
      for (const button of list.querySelectorAll("[data-line]"))
        setAttribute(button, "aria-pressed", String(button.getAttribute("data-line") === String(now)));
    },
  };
}

/** The data of a chart as tables, created when they are opened. */

import { h } from "../base/dom";
import type { Context } from "../context";

export interface TableRows {
  caption: string;
  heads: string[];
  rows: string[][];
}

export function createChartTable(
  ctx: Context,
  make: () => TableRows[],
): { element: HTMLElement; refresh: () => void } {
  const body = h("div", {
    class: "scroll",
    tabindex: "0",
    role: "group",
    "aria-label": ctx.t("training.table"),
  });
  const refresh = (): void => {
    if (!element.open) return;
    body.replaceChildren(
      ...make().map(({ caption, heads, rows }) =>
        h(
          "table",
          {},
          h("caption", { dir: "auto" }, caption),
          h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
          h(
            "tbody",
            {},
            ...rows.map(([first, ...rest]) =>
              h(
                "tr",
                {},
                h("th", { scope: "row", dir: "auto" }, first),
                ...rest.map((cell) => h("td", {}, cell)),
              ),
            ),
          ),
        ),
      ),
    );
  };
  const element: HTMLDetailsElement = h(
    "details",
    { class: "as-table", "data-testid": "table", toggle: () => refresh() },
    h("summary", {}, ctx.t("training.table")),
    body,
  );
  return { element, refresh };
}

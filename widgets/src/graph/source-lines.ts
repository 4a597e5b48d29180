/** The program's lines that created nodes or blocks; the line of the current step is marked. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import type { SiteRecord } from "../record";

export interface SourceLines {
  element: HTMLElement;
  show: (item: GraphItem | null) => void;
}

const place = (site: SiteRecord): string => site.label.replace(/,? line \d+$/, "");

/** Each line once, with files and cells in the order of their first node. */
export function sourceLines(graph: Graph): Map<string, SiteRecord[]> {
  const files = new Map<string, Map<number, SiteRecord>>();
  const creators = [...graph.record.nodes, ...graph.record.blocks];
  // Thousands of nodes come from a few lines.
  const sites = new Map(creators.flatMap(({ site }) => (site ? [[site.label, site] as const] : [])));
  for (const site of sites.values()) {
    const file = files.get(place(site)) ?? new Map<number, SiteRecord>();
    files.set(place(site), file.set(site.line, site));
  }
  return new Map(
    [...files].map(([file, lines]) => [file, [...lines.values()].sort((a, b) => a.line - b.line)]),
  );
}

/** go: called with the label of the line that the user picks. */
export function createSourceLines(ctx: Context, graph: Graph, go?: (label: string) => void): SourceLines {
  const rows = new Map<string, HTMLElement>();
  let marked: HTMLElement | undefined;
  const files = [...sourceLines(graph)].map(([file, lines]) =>
    h(
      "div",
      { class: "file" },
      h("h5", { dir: "auto" }, shorten(file, 80)),
      h(
        "ol",
        {},
        ...lines.map((site) => {
          const parts = [
            h("span", { class: "number" }, String(site.line)),
            " ",
            h("code", {}, shorten(site.source, 200)),
          ];
          const row = h(
            "li",
            {},
            ...(go
              ? [
                  h(
                    "button",
                    {
                      type: "button",
                      class: "line",
                      "aria-label": ctx.t("source.go", {
                        line: site.line,
                        source: shorten(site.source, 200),
                      }),
                      click: () => go(site.label),
                    },
                    ...parts,
                  ),
                ]
              : parts),
          );
          rows.set(site.label, row);
          return row;
        }),
      ),
    ),
  );
  const body = files.length > 0 ? files : [h("p", { class: "hint" }, ctx.t("source.none"))];
  const element = h(
    "section",
    { class: "panel source", "data-testid": "source" },
    h("h4", {}, ctx.t("source.title")),
    ...body,
  );
  return {
    element,
    show(item) {
      const site =
        item?.kind === "node"
          ? graph.node.get(item.id)?.site
          : item?.kind === "block"
            ? graph.block.get(item.id)?.site
            : null;
      const row = rows.get(site?.label ?? "");
      if (row === marked) return;
      marked?.removeAttribute("data-active");
      marked?.removeAttribute("aria-current");
      row?.setAttribute("data-active", "");
      row?.setAttribute("aria-current", "step");
      marked = row;
    },
  };
}

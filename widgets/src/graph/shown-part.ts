/** Which part of the graph is shown: the way from the whole graph to a scope, whose steps lead back out. */

import { h, renew } from "../base/dom";
import { leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { type Graph, ROOT } from "../model/graph";
import { describe } from "../model/graph-item";
import type { GraphRecord } from "../record";

export interface ShownPart {
  path: HTMLElement;
  refresh: () => void;
}

export function createShownPart(ctx: Context, graph: Graph, look: (path: string) => void): ShownPart {
  const path = h("nav", {
    "aria-label": ctx.t("scope.path"),
    "data-testid": "scope-path",
    click(event: Event) {
      const at = (event.target as HTMLElement).dataset.path;
      if (at !== undefined) look(at);
    },
  });
  const step = (at: string): HTMLElement => {
    const words = shorten(leaf(at), 24) || ctx.t("scope.graph");
    return h("button", { type: "button", "data-path": at }, words);
  };
  const part: ShownPart = {
    path,
    refresh() {
      const { at } = graph;
      const hadFocus = path.contains(document.activeElement);
      path.hidden = at === ROOT;
      const around = at.split("/").map((_, i, names) => names.slice(0, i).join("/"));
      const steps = around.flatMap((each) => [step(each), new Text(" › ")]);
      renew(path, [...steps, h("strong", {}, shorten(leaf(at), 24))]);
      if (hadFocus) path.querySelector<HTMLElement>("button:last-of-type")?.focus();
    },
  };
  part.refresh();
  return part;
}

/** Returns the heading of the panel: which part of the graph it shows, with how many of all nodes; null where the scope's name will do. */
export function headingOf({ t }: Context, graph: Graph, path: string): string | null {
  if (graph.groups.get(path)?.kind === "loop_variable") return describe(t, graph, { kind: "scope", path });
  const part = graph.whole.notices.find(({ code }) => code === "part")?.params;
  if (path !== ROOT || !(part?.of || graph.at)) return null;
  const size = ({ nodes, sealed }: GraphRecord): number =>
    sealed.reduce((sum, { nodes }) => sum + nodes, nodes.length);
  const params = { ...part, n: size(graph.record), total: size(graph.whole) + Number(part?.nodes ?? 0) };
  return graph.at ? t("scope.around", { ...params, of: graph.at }) : t("scope.near", params);
}

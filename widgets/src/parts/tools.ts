/** The buttons of a picture: scopes, types on edges, zoom. */
import type { Context } from "../context";
import { h } from "../dom";
import { type Graph, ROOT } from "../graph";
import type { Picture } from "./picture";
import { button } from "./transport";

export function pictureTools(
  ctx: Context,
  picture: Picture,
  scopes: { graph: Graph; collapse: (paths: string[]) => void },
): HTMLElement {
  const paths = [...scopes.graph.scope.keys()].filter((path) => path !== ROOT);
  const labels = button(
    "labels",
    "⟨ ⟩",
    ctx.t("action.labels"),
    () => {
      const on = labels.getAttribute("aria-pressed") !== "true";
      labels.setAttribute("aria-pressed", String(on));
      picture.labels(on);
    },
    true,
  );
  labels.setAttribute("aria-pressed", "false");
  const folding = [
    button("collapse-all", "⊟", ctx.t("action.collapse_all"), () => scopes.collapse(paths)),
    button("expand-all", "⊞", ctx.t("action.expand_all"), () => scopes.collapse([])),
  ];
  return h(
    "div",
    { class: "tools" },
    labels,
    ...(paths.length > 0 ? folding : []),
    button("zoom-out", "−", ctx.t("action.zoom_out"), () => picture.zoom(1 / 1.25)),
    button("fit", "↔", ctx.t("action.fit"), () => picture.zoom(null)),
    button("zoom-in", "+", ctx.t("action.zoom_in"), () => picture.zoom(1.25)),
  );
}

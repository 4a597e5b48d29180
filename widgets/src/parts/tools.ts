/** The buttons of a picture: types on edges, scopes, zoom. */
import type { Context } from "../context";
import { h } from "../dom";
import { type Graph, gradientScopes, ROOT } from "../graph";
import { button } from "./button";
import type { Picture } from "./picture";

export function pictureTools(
  ctx: Context,
  picture: Picture,
  scopes: { graph: Graph; collapse: (paths: string[]) => void },
): HTMLElement {
  const paths = [...scopes.graph.scope.keys()].filter((path) => path !== ROOT);
  const { t } = ctx;
  const labels = button({
    testid: "labels",
    words: t("action.labels"),
    wide: true,
    act: () => {
      const on = labels.getAttribute("aria-pressed") !== "true";
      labels.setAttribute("aria-pressed", String(on));
      picture.labels(on);
    },
  });
  labels.setAttribute("aria-pressed", "false");
  const close = (): void => scopes.collapse(paths);
  const open = (): void => scopes.collapse([]);
  const folding = [
    button({ testid: "collapse-all", icon: "collapse", words: t("action.collapse_all"), act: close }),
    button({ testid: "expand-all", icon: "expand", words: t("action.expand_all"), act: open }),
  ];
  const gradients = gradientScopes(scopes.graph);
  const fold = button({
    testid: "fold-gradients",
    wide: true,
    words: ctx.t("action.fold_gradients"),
    act: () => scopes.collapse(gradients),
  });
  if (gradients.length > 0) folding.push(fold);
  const zoom = (factor: number | null) => (): void => picture.zoom(factor);
  return h(
    "div",
    { class: "tools" },
    labels,
    ...(paths.length > 0 ? folding : []),
    button({ testid: "zoom-out", icon: "minus", words: t("action.zoom_out"), act: zoom(1 / 1.25) }),
    button({ testid: "fit", icon: "fit", words: t("action.fit"), act: zoom(null) }),
    button({ testid: "zoom-in", icon: "plus", words: t("action.zoom_in"), act: zoom(1.25) }),
  );
}

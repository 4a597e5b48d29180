/** The buttons of a picture: types on edges, scopes, zoom. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import { autoCollapse, LIMIT } from "../model/collapse";
import { type Graph, gradientScopes, ROOT } from "../model/graph";
import type { Picture } from "../picture/picture";

/** Whether each cond and each loop is one box, and how to change that. */
export interface Boxes {
  shown: () => boolean;
  show: (on: boolean) => void;
}

/** Switches between name scopes and boxes of conds and loops. */
function boxesSwitch(ctx: Context, boxes: Boxes): HTMLButtonElement {
  const toggle = button({
    testid: "boxes",
    words: ctx.t("action.boxes"),
    wide: true,
    act: () => {
      boxes.show(!boxes.shown());
      toggle.setAttribute("aria-pressed", String(boxes.shown()));
    },
  });
  toggle.setAttribute("aria-pressed", String(boxes.shown()));
  return toggle;
}

/** Whether values flow to the right, and how to change that. */
export interface Turning {
  isTurned: () => boolean;
  turn: (on: boolean) => void;
}

function turner(ctx: Context, { isTurned, turn }: Turning): HTMLButtonElement {
  const toggle = button({
    testid: "turn",
    icon: "turn",
    words: ctx.t("action.turn"),
    act: () => {
      turn(!isTurned());
      toggle.setAttribute("aria-pressed", String(isTurned()));
    },
  });
  toggle.setAttribute("aria-pressed", String(isTurned()));
  return toggle;
}

export function pictureTools(
  ctx: Context,
  picture: Picture,
  scopes: { graph: Graph; collapse: (paths: string[]) => void; boxes?: Boxes; turning?: Turning },
): HTMLElement {
  const { graph, boxes } = scopes;
  const paths = (): string[] => [...graph.scope.keys()].filter((path) => path !== ROOT);
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
  // In a large graph only the outermost scopes: inner ones close again when these are opened.
  const isLarge = (graph.contents.get(ROOT)?.nodes ?? 0) > LIMIT;
  const close = (): void => scopes.collapse(isLarge ? [...(graph.children.get(ROOT) ?? [])] : paths());
  const open = (): void => scopes.collapse(autoCollapse(graph, LIMIT, [], { unfold: true }));
  const folding = [
    button({ testid: "collapse-all", icon: "collapse", words: t("action.collapse_all"), act: close }),
    button({ testid: "expand-all", icon: "expand", words: t("action.expand_all"), act: open }),
  ];
  const fold = button({
    testid: "fold-gradients",
    wide: true,
    words: ctx.t("action.fold_gradients"),
    act: () => scopes.collapse(autoCollapse(graph, LIMIT, gradientScopes(graph))),
  });
  if (gradientScopes(graph).length > 0) folding.push(fold);
  if (boxes && graph.record.boxes.length > 0) folding.push(boxesSwitch(ctx, boxes));
  const zoom = (factor: number | null) => (): void => picture.zoom(factor);
  return h(
    "div",
    { class: "tools" },
    labels,
    ...(paths().length > 0 || boxes?.shown() ? folding : []),
    scopes.turning && turner(ctx, scopes.turning),
    button({ testid: "zoom-out", icon: "minus", words: t("action.zoom_out"), act: zoom(1 / 1.25) }),
    button({ testid: "fit", icon: "fit", words: t("action.fit"), act: zoom(null) }),
    button({ testid: "zoom-in", icon: "plus", words: t("action.zoom_in"), act: zoom(1.25) }),
  );
}

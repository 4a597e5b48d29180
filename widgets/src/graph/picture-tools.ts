/** The buttons of a picture: the whole picture in view, and a menu of types on edges, scopes, zoom, views. */

import type { Context } from "../context";
import { button } from "../controls/button";
import { LIMIT } from "../model/collapse";
import { expandAll } from "../model/expand";
import { type Graph, gradientScopes, ROOT, regroup } from "../model/graph";
import type { Picture } from "../picture/picture";
import { ZOOM } from "../picture/reader-views";

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
    wide: true,
    act: () => {
      turn(!isTurned());
      toggle.setAttribute("aria-pressed", String(isTurned()));
    },
  });
  toggle.setAttribute("aria-pressed", String(isTurned()));
  return toggle;
}

/** The scopes of a picture, and what else its tools change. */
export interface PictureScopes {
  graph: Graph;
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  boxes?: Boxes;
  turning?: Turning;
}

/** The buttons that open and close many scopes at once. */
function foldingTools(ctx: Context, picture: Picture, scopes: PictureScopes): HTMLElement[] {
  const { graph, boxes, collapsed, collapse } = scopes;
  const { t } = ctx;
  const paths = (): string[] => [...graph.scope.keys()].filter((path) => path !== ROOT);
  if (paths().length === 0 && !boxes?.shown()) return [];
  // In a large graph only the outermost scopes: inner ones close again when these are opened.
  const isLarge = (graph.contents.get(ROOT)?.nodes ?? 0) > LIMIT;
  const close = (): void => collapse(isLarge ? [...(graph.children.get(ROOT) ?? [])] : paths());
  const open = (): void => {
    const { collapsed: next, left } = expandAll(graph, collapsed());
    collapse(next);
    picture.say(left > 0 ? t("picture.scopes_left", { n: left, limit: LIMIT }) : "");
  };
  const gradients = gradientScopes(graph);
  const fold = (): void => collapse([...new Set([...collapsed(), ...gradients])]);
  return [
    button({
      testid: "collapse-all",
      icon: "collapse",
      words: t("action.collapse_all"),
      wide: true,
      act: close,
    }),
    button({ testid: "expand-all", icon: "expand", words: t("action.expand_all"), wide: true, act: open }),
    ...(gradients.length > 0
      ? [button({ testid: "fold-gradients", wide: true, words: t("action.fold_gradients"), act: fold })]
      : []),
    ...(boxes && graph.record.boxes.length > 0 ? [boxesSwitch(ctx, boxes)] : []),
  ];
}

function labelSwitch(ctx: Context, picture: Picture): HTMLButtonElement {
  const toggle = button({
    testid: "labels",
    words: ctx.t("action.labels"),
    wide: true,
    act: () => {
      const on = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(on));
      picture.labels(on);
    },
  });
  toggle.setAttribute("aria-pressed", "false");
  return toggle;
}

/** The items of a picture's menu. */
export function pictureMenu(ctx: Context, picture: Picture, scopes: PictureScopes): HTMLElement[] {
  const { t } = ctx;
  return [
    labelSwitch(ctx, picture),
    ...foldingTools(ctx, picture, scopes),
    ...(scopes.turning ? [turner(ctx, scopes.turning)] : []),
    button({
      testid: "zoom-out",
      icon: "minus",
      words: t("action.zoom_out"),
      wide: true,
      act: () => picture.zoom(1 / ZOOM),
    }),
    button({
      testid: "zoom-in",
      icon: "plus",
      words: t("action.zoom_in"),
      wide: true,
      act: () => picture.zoom(ZOOM),
    }),
    button({
      testid: "view-back",
      icon: "left",
      words: t("action.view_back"),
      wide: true,
      act: picture.back,
    }),
    button({
      testid: "view-forward",
      icon: "right",
      words: t("action.view_forward"),
      wide: true,
      act: picture.forward,
    }),
    button({
      testid: "save-svg",
      icon: "save",
      words: t("action.save_svg"),
      wide: true,
      act: () => picture.save("svg"),
    }),
    button({
      testid: "save-png",
      icon: "save",
      words: t("action.save_png"),
      wide: true,
      act: () => picture.save("png"),
    }),
  ];
}

/** The button that shows the whole picture. */
export const fitButton = (ctx: Context, picture: Picture): HTMLElement =>
  button({ testid: "fit", icon: "fit", words: ctx.t("action.fit"), act: picture.fit });

/** Draws the branches and loops of a graph as boxes, or not; `closed`: the scopes that are closed then. */
export function boxSwitch(
  graph: Graph,
  collapse: (paths: string[]) => void,
  closed: (boxed: boolean) => string[],
): Boxes {
  let boxed = false;
  return {
    shown: () => boxed,
    show(on) {
      boxed = on;
      regroup(graph, on);
      collapse(closed(on));
    },
  };
}

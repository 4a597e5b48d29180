/** The buttons of a picture: the whole picture in view, and a menu of types on edges, scopes, zoom, views. */

import type { Context } from "../context";
import { button, toggleButton } from "../controls/button";
import type { Icon } from "../draw/icon";
import type { Key, Translate } from "../i18n";
import { LIMIT } from "../model/collapse";
import { SENDS } from "../model/device-lanes";
import { expandAll } from "../model/expand";
import { type Graph, gradientScopes, ROOT, regroup } from "../model/graph";
import type { Picture } from "../picture/picture";
import { ZOOM } from "../picture/reader-views";

/** Whether each cond and each loop is one box, and how to change that. */
export interface Boxes {
  shown: () => boolean;
  show: (on: boolean) => void;
}

/** Whether values flow to the right, and how to change that. */
export interface Turning {
  isTurned: () => boolean;
  turn: (on: boolean) => void;
}

/** The scopes of a picture, and what else its tools change. */
export interface PictureScopes {
  graph: Graph;
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  boxes?: Boxes;
  turning?: Turning;
}

/** The items of a picture's menu. */
export function pictureMenu(ctx: Context, picture: Picture, scopes: PictureScopes): HTMLElement[] {
  const { t } = ctx;
  let withLabels = false;
  const toLabel = (): void => {
    withLabels = !withLabels;
    picture.labels(withLabels);
  };
  const { turning } = scopes;
  const isTurned = turning?.isTurned;
  return [
    toggleButton({ testid: "labels", words: t("action.labels"), isOn: () => withLabels, act: toLabel }),
    ...foldingTools(ctx, picture, scopes),
    ...(turning && isTurned
      ? [
          toggleButton({
            testid: "turn",
            icon: "turn",
            words: t("action.turn"),
            isOn: isTurned,
            act: () => turning.turn(!isTurned()),
          }),
        ]
      : []),
    item(t, "zoom-out", "action.zoom_out", () => picture.zoom(1 / ZOOM), "minus"),
    item(t, "zoom-in", "action.zoom_in", () => picture.zoom(ZOOM), "plus"),
    item(t, "view-back", "action.view_back", picture.back, "left"),
    item(t, "view-forward", "action.view_forward", picture.forward, "right"),
    item(t, "save-svg", "action.save_svg", () => picture.save("svg"), "save"),
    item(t, "save-png", "action.save_png", () => picture.save("png"), "save"),
  ];
}

const item = (t: Translate, testid: string, words: Key, act: () => void, icon?: Icon): HTMLElement =>
  button({ testid, icon, words: t(words), wide: true, act });

/** The buttons that open and close many scopes at once. */
function foldingTools(
  { t }: Context,
  picture: Picture,
  { graph, boxes, collapsed, collapse }: PictureScopes,
): HTMLElement[] {
  const scopes = (): string[] => [...graph.scope.keys()].filter((path) => path !== ROOT);
  const paths = (): string[] => (graph.lanes.length > 0 ? [...scopes(), SENDS] : scopes());
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
  const tools = [
    item(t, "collapse-all", "action.collapse_all", close, "collapse"),
    item(t, "expand-all", "action.expand_all", open, "expand"),
  ];
  if (gradients.length > 0) tools.push(item(t, "fold-gradients", "action.fold_gradients", fold));
  if (graph.lanes.length > 0) {
    const isOn = (): boolean => !collapsed().includes(SENDS);
    const act = (): void =>
      collapse(isOn() ? [...collapsed(), SENDS] : collapsed().filter((path) => path !== SENDS));
    tools.push(toggleButton({ testid: "sends", words: t("action.sends"), isOn, act }));
  }
  if (boxes && graph.record.boxes.length > 0) {
    const words = t("action.boxes");
    const act = (): void => boxes.show(!boxes.shown());
    tools.push(toggleButton({ testid: "boxes", words, isOn: boxes.shown, act }));
  }
  return tools;
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

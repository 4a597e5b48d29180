/**
 * The frame of a widget: one screen of fixed height, in bands that no step moves: code, picture and state beside each other,
 * what just happened, the transport, and the tabs of what is a click away.
 */

import { h } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { WidgetParts } from "../widget";
import { createDrawers, type Drawer, type Drawers } from "./drawers";

export interface StageOptions extends Omit<WidgetParts, "body" | "close" | "framed"> {
  /** The column at the left, which a narrow frame has in a drawer, the one in the middle, and the one at the right. */
  code?: HTMLElement;
  /** The name of that column, if it is not code. */
  codeWords?: string;
  picture: HTMLElement;
  side?: HTMLElement;
  /** What just happened. */
  sentence?: HTMLElement;
  /** The current line of code, which stands above the sentence where the frame is too narrow for the code. */
  line?: HTMLElement;
  transport?: HTMLElement;
  drawers: Drawer[];
  /** Drawers without a tab, which something else opens. */
  extra?: Drawer[];
  /** The outline of the picture, which the menu opens. */
  outline?: HTMLElement;
  /** Notices about the graph, in a drawer of their own. */
  notes?: HTMLElement[];
  /** What stands at the right of the tabs, such as the key of signs. */
  foot?: HTMLElement;
  /** A class of its own, for other measures of the columns. */
  kind: string;
}

/** What a widget around this one puts on its stage. */
export interface Surroundings {
  /** Stands in the place of the code, which becomes a drawer; `words` names it. */
  lead?: { words: string; element: HTMLElement };
  drawers?: Drawer[];
}

export interface Stage {
  parts: WidgetParts;
  drawers: Drawers;
}

export function createStage(ctx: Context, options: StageOptions): Stage {
  const {
    code,
    codeWords,
    picture,
    side,
    sentence,
    line,
    transport,
    foot,
    kind,
    outline,
    notes = [],
    menu = [],
    ...parts
  } = options;
  const codeTab: Drawer = {
    id: "code",
    words: codeWords ?? ctx.t("stage.code"),
    element: h("div"),
    narrow: true,
    opens: (open) => body.toggleAttribute("data-code", open),
  };
  const words = ctx.t("stage.outline");
  const open = (): void => drawers.open("outline");
  const drawers = createDrawers(
    ctx,
    [...(code ? [codeTab] : []), ...options.drawers, ...notesDrawer(ctx, notes)],
    [...(options.extra ?? []), ...(outline ? [{ id: "outline", words, element: outline }] : [])],
  );
  const body = h(
    "div",
    { class: `stage-body ${kind}` },
    code && h("div", { class: "stage-code" }, code),
    h("div", { class: "stage-picture" }, picture),
    side && h("div", { class: "stage-side" }, side),
    drawers.element,
  );
  const tabs =
    drawers.tabs.length > 0 || foot
      ? h("div", { class: "stage-tabs" }, h("div", { class: "tabs" }, ...drawers.tabs), foot)
      : null;
  const bands = [
    body,
    sentence && h("div", { class: "stage-sentence" }, line, sentence),
    transport && h("div", { class: "stage-transport" }, transport),
    tabs,
  ];
  drawers.refresh();
  return {
    drawers,
    parts: {
      ...parts,
      menu: outline ? [button({ testid: "show-outline", words, wide: true, act: open }), ...menu] : menu,
      body: bands.filter((band) => band instanceof HTMLElement),
      keys: { ...drawers.keys, ...parts.keys },
      framed: true,
      close: drawers.close,
    },
  };
}

const notesDrawer = (ctx: Context, notes: readonly HTMLElement[]): Drawer[] =>
  notes.length === 0
    ? []
    : [
        {
          id: "notes",
          words: ctx.t("stage.notes"),
          element: h("div", {}, ...notes),
          count: () => notes.length,
        },
      ];

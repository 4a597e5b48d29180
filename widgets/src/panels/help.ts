/** The help: keys and signs, shown and hidden in place. */

import { h, section } from "../base/dom";
import type { Context } from "../context";
import { nodeLegend, stateLegend } from "../graph/legend";
import type { Key } from "../i18n";
import type { WidgetParts } from "../widget";

const PICTURE_KEYS: [string[], Key][] = [
  [["←", "→"], "help.left_right"],
  [["↑", "↓"], "help.up_down"],
  [["Enter"], "help.enter"],
  [["0", "+", "-"], "help.zoom"],
  [["[", "]"], "help.views"],
  [["s"], "help.save"],
  [["?"], "help.question"],
  [["Esc"], "help.escape"],
];
const STEP_KEYS: [string[], Key][] = [
  [[".", ","], "help.step"],
  [["Space"], "help.space"],
  [["<", ">"], "help.breaks"],
  [["Home", "End"], "help.ends"],
];
const FORK_KEYS: [string[], Key][] = [
  [["←", "→", "↑", "↓"], "help.lanes"],
  [["b"], "help.breakpoint"],
];

export interface Help {
  element: HTMLElement;
  toggle: () => void;
  /** Hides the help; false if it was hidden already. */
  close: () => boolean;
}

export function createHelp(
  ctx: Context,
  opener: HTMLElement,
  { steps, forks, legend, help }: WidgetParts,
): Help {
  const keys = h("dl", { class: "keys" });
  for (const [signs, key] of [...(steps ? STEP_KEYS : []), ...(forks ? FORK_KEYS : []), ...PICTURE_KEYS]) {
    keys.append(h("dt", {}, ...signs.map((sign) => h("kbd", {}, sign))), h("dd", {}, ctx.t(key)));
  }
  const title = h("h4", { tabindex: "-1" }, ctx.t("help.title"));
  const close = h("button", { type: "button", click: () => hide() }, ctx.t("help.close"));
  const element = section(
    { class: "panel help", id: `${ctx.prefix}-help`, "data-testid": "help" },
    h("div", { class: "help-head" }, title, close),
    ...(help ?? [
      h("h5", {}, ctx.t("help.keys")),
      keys,
      h("h5", {}, ctx.t("legend.nodes")),
      nodeLegend(ctx),
      ...(steps ? [h("h5", {}, ctx.t("legend.states")), legend ?? stateLegend(ctx)] : []),
    ]),
  );
  element.hidden = true;
  opener.setAttribute("aria-controls", element.id);
  opener.setAttribute("aria-expanded", "false");
  const hide = (): boolean => {
    if (element.hidden) return false;
    element.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
    return true;
  };
  return {
    element,
    close: hide,
    toggle() {
      if (hide()) return;
      element.hidden = false;
      opener.setAttribute("aria-expanded", "true");
      title.focus();
    },
  };
}

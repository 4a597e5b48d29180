/** The tabs at the foot of a stage, and the one drawer that they open over the code. */

import { h, section, setAttribute, setText } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";

export interface Drawer {
  /** The tab has the test id `tab-<id>`. */
  id: string;
  words: string;
  element: HTMLElement;
  /** How many things are in it: the tab shows the number, if it is not 0. */
  count?: () => number;
  /** The key that opens and closes it. */
  key?: string;
  /** Whether the content is in view already in a wide frame, so that only a narrow one has the tab. */
  narrow?: boolean;
  /** The drawer opens or closes. */
  opens?: (open: boolean) => void;
}

export interface Drawers {
  tabs: HTMLElement[];
  /** The drawer itself, which lies over the code. */
  element: HTMLElement;
  open: (id: string) => void;
  close: () => boolean;
  isOpen: (id: string) => boolean;
  /** Shows the counts anew. */
  refresh: () => void;
  keys: Record<string, () => void>;
}

/** `extra`: drawers without a tab, which something else opens. */
export function createDrawers(
  ctx: Context,
  tabbed: readonly Drawer[],
  extra: readonly Drawer[] = [],
): Drawers {
  const drawers = [...tabbed, ...extra];
  let current: Drawer | null = null;
  const title = h("h4", { tabindex: "-1" });
  const content = h("div", { class: "drawer-content" });
  const cross = button({
    testid: "drawer-close",
    icon: "cross",
    words: ctx.t("stage.close"),
    act: () => close(),
  });
  const element = section(
    { class: "drawer", id: `${ctx.prefix}-drawer`, "data-testid": "drawer", hidden: true },
    h("header", {}, title, cross),
    content,
  );
  // The contents stay on the page: a panel that is drawn late needs a place. A panel may also hide itself.
  const rooms = new Map(drawers.map((drawer) => [drawer, h("div", { hidden: true }, drawer.element)]));
  content.append(...rooms.values());
  const entries = tabbed.map((drawer) => {
    const number = h("span", { class: "n" });
    const tab = h(
      "button",
      {
        type: "button",
        class: drawer.narrow ? "tab narrow" : "tab",
        "data-testid": `tab-${drawer.id}`,
        "aria-expanded": "false",
        "aria-controls": element.id,
        "aria-keyshortcuts": drawer.key ?? null,
        click: () => toggle(drawer),
      },
      h("span", {}, drawer.words),
      number,
    );
    return { drawer, tab, number };
  });

  function show(next: Drawer | null): void {
    if (current !== next) current?.opens?.(false);
    current = next;
    element.hidden = next === null;
    for (const [drawer, room] of rooms) room.hidden = drawer !== next;
    for (const { drawer, tab } of entries) {
      setAttribute(tab, "aria-expanded", String(drawer === next));
    }
    if (!next) return;
    setText(title, next.words);
    content.scrollTop = 0;
    next.opens?.(true);
    ctx.panels.settle(next.element);
  }
  function toggle(drawer: Drawer): void {
    if (current === drawer) {
      close();
      return;
    }
    show(drawer);
    title.focus({ preventScroll: true });
  }
  function close(): boolean {
    if (current === null) return false;
    const tab = entries.find(({ drawer }) => drawer === current)?.tab;
    const hadFocus = element.contains(document.activeElement);
    show(null);
    if (hadFocus) tab?.focus({ preventScroll: true });
    return true;
  }
  return {
    tabs: entries.map(({ tab }) => tab),
    element,
    open(id) {
      const found = drawers.find((drawer) => drawer.id === id);
      if (found && found !== current) show(found);
    },
    close,
    isOpen: (id) => current?.id === id,
    refresh() {
      for (const { drawer, number } of entries) {
        const count = drawer.count?.() ?? 0;
        setText(number, count > 0 ? String(count) : "");
        number.toggleAttribute("hidden", count === 0);
      }
    },
    keys: Object.fromEntries(
      drawers.flatMap((drawer) => (drawer.key ? [[drawer.key, () => toggle(drawer)]] : [])),
    ),
  };
}

/** The head of a widget: its title and tools, the presenter form, the menu behind "…", and the help. */

import { h, section, setAttribute } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import type { WidgetParts } from "../widget";

export interface Head {
  element: HTMLElement;
  menu: HTMLElement;
  helper: HTMLButtonElement;
  present: () => void;
  /** Closes the menu; false if it was closed already. */
  close: () => boolean;
}

export interface HeadOptions {
  root: HTMLElement;
  title: string;
  subject: HTMLElement | null;
  tools: HTMLElement[];
  menu: HTMLElement[];
  /** Shows the help; null: the widget around this one has it. */
  help: (() => void) | null;
}

export function createHead(
  ctx: Context,
  { root, title, subject, tools, menu: items, help }: HeadOptions,
): Head {
  const menu = h(
    "div",
    { class: "menu", id: `${ctx.prefix}-menu`, "data-testid": "menu", hidden: true },
    ...items,
  );
  const close = (): boolean => {
    if (menu.hidden) return false;
    const hadFocus = menu.contains(document.activeElement);
    menu.hidden = true;
    setAttribute(more, "aria-expanded", "false");
    if (hadFocus) more.focus();
    return true;
  };
  const more = button({
    testid: "more",
    icon: "more",
    words: ctx.t("stage.more"),
    act: () => {
      if (close()) return;
      menu.hidden = false;
      setAttribute(more, "aria-expanded", "true");
      menu.querySelector<HTMLElement>("button, select, a")?.focus();
    },
  });
  more.setAttribute("aria-controls", menu.id);
  more.setAttribute("aria-expanded", "false");
  menu.addEventListener("click", (event) => (event.target as Element).closest("button") && close());
  root.addEventListener(
    "pointerdown",
    (event) => {
      const at = event.target as Node;
      if (!menu.contains(at) && !more.contains(at)) close();
    },
    { signal: ctx.life },
  );
  const present = (): void => togglePresenting(root);
  const presenter = button({
    testid: "present",
    icon: "present",
    words: ctx.t("stage.present"),
    act: present,
  });
  const helper = button({
    testid: "help-button",
    icon: "help",
    words: ctx.t("action.help"),
    act: () => help?.(),
  });
  return {
    element: h(
      "header",
      { class: "stage-head" },
      h("h3", { dir: "auto" }, shorten(title, 120)),
      subject,
      h("div", { class: "head-tools" }, ...tools, presenter, more, help && helper),
    ),
    menu,
    helper,
    present,
    close,
  };
}

/** The height, in pixels, that a stage is laid out for on a screen; the text grows with the rest. */
const PRESENTED = 600;

/** Shows the widget alone, as large as the screen lets it be; or as before. */
function togglePresenting(root: HTMLElement): void {
  if (document.fullscreenElement === root) void document.exitFullscreen();
  else void root.requestFullscreen?.();
}

/** Follows the screen: the presenter form begins and ends with it, whoever asks for it. */
export function followScreen(root: HTMLElement, life: AbortSignal): void {
  const fit = (): void => {
    const isPresenting = document.fullscreenElement === root;
    root.classList.toggle("presenting", isPresenting);
    const zoom = Math.max(1.5, window.innerHeight / PRESENTED);
    root.style.setProperty("--zoom", isPresenting ? zoom.toFixed(3) : "1");
  };
  document.addEventListener("fullscreenchange", fit, { signal: life });
  window.addEventListener("resize", fit, { signal: life });
}

/** A widget inside another one, in a frame of its own. */
export function embedded(ctx: Context, title: string, parts: WidgetParts): HTMLElement {
  const element = section({ class: "embedded", "aria-label": title });
  const head = createHead(ctx, {
    root: element,
    title,
    subject: parts.subject ?? null,
    tools: parts.tools ?? [],
    menu: parts.menu ?? [],
    help: null,
  });
  element.append(head.element, head.menu, ...parts.body);
  followScreen(element, ctx.life);
  return element;
}

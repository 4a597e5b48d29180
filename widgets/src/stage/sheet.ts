/** A sheet that lies over a whole widget, for an answer with a stage of its own; Escape takes it away. */

import { h, section, setText } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";

export interface Sheet {
  element: HTMLElement;
  open: (title: string, content: HTMLElement[]) => void;
  /** Takes the sheet away; false if there is none. */
  close: () => boolean;
}

/** `closed`: what ends with the sheet. */
export function createSheet(ctx: Context, testid: string, closed: () => void = () => {}): Sheet {
  let back: Element | null = null;
  const heading = h("h4", { tabindex: "-1" });
  const content = h("div");
  const cross = button({
    testid: `${testid}-close`,
    icon: "cross",
    words: ctx.t("stage.close"),
    act: () => close(),
  });
  const element = section(
    { class: "answer-sheet", "data-testid": testid, hidden: true },
    h("header", {}, heading, cross),
    content,
  );
  function close(): boolean {
    if (element.hidden) return false;
    closed();
    element.hidden = true;
    content.replaceChildren();
    if (back instanceof HTMLElement && back.isConnected) back.focus();
    return true;
  }
  return {
    element,
    close,
    open(title, children) {
      back = document.activeElement;
      setText(heading, title);
      content.replaceChildren(...children);
      element.hidden = false;
      heading.focus();
    },
  };
}

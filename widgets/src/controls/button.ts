/** A real button: a drawn sign, and its name in words, to be seen ("wide") or told. */
import { h } from "../base/dom";
import { drawIcon, type Icon } from "../draw/icon";

export interface ButtonOptions {
  testid: string;
  icon?: Icon;
  words: string;
  wide?: boolean;
  primary?: boolean;
  act: () => void;
}

export function button({ testid, icon, words, wide, primary, act }: ButtonOptions): HTMLButtonElement {
  const element = h("button", {
    type: "button",
    "data-testid": testid,
    class: primary && "primary",
    title: wide ? null : words,
    "aria-label": wide ? null : words,
    click: act,
  });
  if (icon) element.append(drawIcon(icon));
  if (wide) element.append(h("span", {}, words));
  return element;
}

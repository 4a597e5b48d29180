/** A button with an icon and a name, which is visible ("wide") or read by screen readers only. */
import { h } from "../base/dom";
import { drawIcon, type Icon } from "../draw/icon";

export interface ButtonOptions {
  testid: string;
  icon?: Icon | undefined;
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

/** A wide button that is pressed or not, as its setting is. */
export function toggleButton({
  isOn,
  act,
  ...options
}: Omit<ButtonOptions, "wide" | "primary"> & { isOn: () => boolean }): HTMLButtonElement {
  const show = (): void => element.setAttribute("aria-pressed", String(isOn()));
  const click = (): void => {
    act();
    show();
  };
  const element = button({ ...options, wide: true, act: click });
  show();
  return element;
}

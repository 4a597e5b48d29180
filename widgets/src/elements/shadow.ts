/**
 * The shadow tree of an element: a message, the place of the widget, and the author's own content, which stands there until the
 * widget does, beside a message, and, if it has a picture, on paper. The widget itself is a child of the element, in the page's
 * own tree: so its ids, focus and style sheets work as everywhere.
 */
import { h } from "../base/dom";

const STYLE = `
:host { display: block; }
:host([hidden]) { display: none; }
p { margin: 0 0 12px; padding: 10px 12px; border: 1px solid; border-left-width: 4px; border-radius: 6px; color: CanvasText;
  background: Canvas; font: 14px/20px system-ui, sans-serif; overflow-wrap: anywhere; }
[hidden] { display: none; }
.shown > .own { display: none; }
@media print {
  .shown.has-picture > .own { display: block; }
  .shown.has-picture > .widget { display: none; }
}`;

export interface Frame {
  /** Tells a problem, in a language; "" tells none. */
  say: (words: string, lang: string) => void;
  /** Whether the widget stands in place of the author's content. */
  show: (shown: boolean) => void;
}

export const SLOT = "tfedu-widget";
const PICTURE = "img, picture, svg";

export function createFrame(host: HTMLElement): Frame {
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const message = h("p", { role: "alert", hidden: true, part: "message" });
  const frame = h(
    "div",
    {},
    message,
    h("div", { class: "widget" }, h("slot", { name: SLOT })),
    h("div", { class: "own" }, h("slot")),
  );
  root.append(frame);
  return {
    say(words, lang) {
      message.hidden = words === "";
      message.lang = lang;
      message.textContent = words;
    },
    show(shown) {
      frame.classList.toggle("shown", shown);
      const own = [...host.children].filter((child) => child.slot !== SLOT);
      const hasPicture = own.some((child) => child.matches(PICTURE) || child.querySelector(PICTURE));
      frame.classList.toggle("has-picture", hasPicture);
    },
  };
}

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Gives the widgets in a tree their style. A constructed sheet needs no inline style, which a page's policy may forbid. */
export function addStyle(root: Node, css: string): void {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  const page = root.ownerDocument ?? (root as Document);
  let sheet = sheets.get(page);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(page, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

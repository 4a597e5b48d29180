/** The live line of a widget: screen readers speak what changes in it. */
import { h } from "../base/dom";

export function liveRegion(...children: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "live", role: "status", "aria-live": "polite", "data-testid": "status" },
    ...children,
  );
}

export interface LiveLine {
  element: HTMLElement;
  /** Writes one paragraph a sentence, only if they changed. */
  say: (sentences: string[]) => void;
}

export function createLiveLine(): LiveLine {
  const element = liveRegion();
  let before = "";
  return {
    element,
    say(sentences) {
      const text = sentences.join("\n");
      if (text === before) return;
      before = text;
      element.replaceChildren(...sentences.map((sentence) => h("p", {}, sentence)));
    },
  };
}

/** The live line of a widget: screen readers speak what changes in it. */
import { h } from "../base/dom";

export function liveRegion(...children: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "live", role: "status", "aria-live": "polite", "data-testid": "status" },
    ...children,
  );
}

const isOver = ({ scrollHeight, clientHeight }: HTMLElement): boolean => scrollHeight > clientHeight + 1;

export interface LiveLine {
  element: HTMLElement;
  /** Writes one paragraph a sentence, only if they changed. */
  say: (sentences: (string | Node[])[]) => void;
}

export function createLiveLine(): LiveLine {
  const element = liveRegion();
  let before = "";
  return {
    element,
    say(sentences) {
      const paragraphs = sentences.map((words) =>
        h("p", {}, ...(typeof words === "string" ? [words] : words)),
      );
      const said = paragraphs.filter(({ textContent }) => textContent !== "");
      const text = said.map(({ textContent }) => textContent).join("\n");
      if (text === before) return;
      before = text;
      element.replaceChildren(...said);
      element.scrollTop = 0;
      element.removeAttribute("data-long");
      // What is longer than its place takes that of the line above it; what is longer still can be scrolled to, by keyboard, too.
      requestAnimationFrame(() => {
        element.toggleAttribute("data-long", isOver(element));
        if (isOver(element)) element.tabIndex = 0;
        else element.removeAttribute("tabindex");
      });
    },
  };
}

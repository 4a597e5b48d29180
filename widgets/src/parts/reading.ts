/** A slider under a chart: where the reader looks. Arrow keys move it, a pointer over the chart too; what is there is said. */
import { h, setText } from "../dom";

export interface Reading {
  element: HTMLElement;
  /** There are `count` places now. A reader who looks at the last one stays with the last. */
  resize: (count: number) => void;
  at: () => number;
  go: (index: number) => void;
}

/** `tell` draws what is at a place and gives its words. */
export function createReading(label: string, tell: (index: number) => string, classes = ""): Reading {
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    "aria-label": label,
    "data-testid": "reading",
    input: () => show(),
  });
  const told = h("p", { class: "told", dir: "auto" });
  const element = h("div", { class: `reading ${classes}` }, slider, told);
  const show = (): void => {
    const words = tell(Number(slider.value));
    slider.setAttribute("aria-valuetext", words);
    setText(told, words);
  };
  return {
    element,
    at: () => Number(slider.value),
    go(index) {
      slider.value = String(index);
      show();
    },
    resize(count) {
      const last = Math.max(0, count - 1);
      const follows = slider.value === slider.max;
      const before = slider.value;
      slider.max = String(last);
      slider.value = follows ? String(last) : before;
      slider.hidden = count < 2;
      show();
    },
  };
}

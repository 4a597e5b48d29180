/** The slider under a chart: arrow keys and a pointer over the chart move it, and a status line says what is there. */
import { h, setText } from "../base/dom";
import { nearestIndex } from "../model/curve-series";

export interface ChartSlider {
  element: HTMLElement;
  /**
   * Sets the readable places (in `unit`), sorted. A user who is at the last place stays at the last one, any other at the
   * place nearest to the former one.
   */
  resize: (places: number[], unit?: string) => void;
  go: (index: number) => void;
  /** Reads a place without moving the slider there; null goes back. */
  peek: (index: number | null) => void;
}

/** `tell` draws what is at a place and returns its description. */
export function createChartSlider(label: string, tell: (index: number) => string, classes = ""): ChartSlider {
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    "aria-label": label,
    "data-testid": "reading",
    input: () => moved(),
  });
  const status = h("p", { class: "told", dir: "auto" });
  const element = h("div", { class: `reading ${classes}` }, slider, status);
  let follows = true;
  let known: { places: number[]; unit: string } = { places: [], unit: "" };
  const show = (): void => {
    const words = tell(Number(slider.value));
    slider.setAttribute("aria-valuetext", words);
    setText(status, words);
  };
  const moved = (): void => {
    follows = slider.value === slider.max;
    show();
  };
  return {
    element,
    go(index) {
      slider.value = String(index);
      moved();
    },
    peek(index) {
      if (index === null) show();
      else setText(status, tell(index));
    },
    resize(places, unit = "") {
      const last = Math.max(0, places.length - 1);
      const before = Number(slider.value);
      const place = unit === known.unit ? known.places[before] : undefined;
      known = { places, unit };
      slider.max = String(last);
      slider.value = String(
        follows ? last : place === undefined ? Math.min(before, last) : nearestIndex(places, place),
      );
      slider.hidden = places.length < 2;
      show();
    },
  };
}

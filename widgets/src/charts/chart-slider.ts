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
  /** Reads a place, with the thumb below it, until null goes back. */
  peek: (index: number | null) => void;
}

/** Whole steps of the index by keys; a page is a tenth of all places. */
const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at, last) => at - Math.ceil(last / 10),
  PageUp: (at, last) => at + Math.ceil(last / 10),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * `tell` draws what is at a place and returns its description; `under`: the slider has the horizontal axis of the chart above
 * it, so that its thumb is below the place that it reads. Otherwise the places are equally far apart.
 */
export function createChartSlider(
  label: string,
  tell: (index: number) => string,
  under = false,
): ChartSlider {
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    step: under ? "any" : 1,
    "aria-label": label,
    "data-testid": "reading",
    input: () => go(nearestIndex(thumbs, Number(slider.value))),
    keydown: (event: KeyboardEvent) => {
      const key = KEYS[event.key];
      if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(key(at, thumbs.length - 1));
    },
  });
  const status = h("p", { class: "told", dir: "auto" });
  const element = h("div", { class: under ? "reading under-chart" : "reading" }, slider, status);
  let at = 0;
  let follows = true;
  let thumbs: number[] = [];
  let known: { places: number[]; unit: string } = { places: [], unit: "" };
  const point = (index: number): void => {
    slider.value = String(thumbs[index] ?? 0);
  };
  const show = (): void => {
    const words = tell(at);
    point(at);
    slider.setAttribute("aria-valuetext", words);
    setText(status, words);
  };
  function go(index: number): void {
    const last = Math.max(0, thumbs.length - 1);
    at = Math.max(0, Math.min(last, index));
    follows = at === last;
    show();
  }
  return {
    element,
    go,
    peek(index) {
      if (index === null) {
        show();
        return;
      }
      point(index);
      setText(status, tell(index));
    },
    resize(places, unit = "") {
      const last = Math.max(0, places.length - 1);
      const place = unit === known.unit ? known.places[at] : undefined;
      known = { places, unit };
      thumbs = under ? places : places.map((_, i) => i);
      slider.min = String(thumbs[0] ?? 0);
      slider.max = String(thumbs[last] ?? 0);
      at = follows ? last : place === undefined ? Math.min(at, last) : nearestIndex(places, place);
      slider.hidden = places.length < 2;
      show();
    },
  };
}

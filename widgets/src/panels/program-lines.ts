/** A program's lines; those of the current step are marked, and a line that has steps can be chosen. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { BuildFilmRecord } from "../record";

export interface ProgramLines {
  element: HTMLElement;
  /** Shows the state after so many steps. */
  show: (step: number) => void;
}

/** `go` is called with the number of the line's next step. */
export function createProgramLines(
  ctx: Context,
  film: BuildFilmRecord,
  go: (step: number) => void,
): ProgramLines {
  let now = 0;
  const rows = new Map<string, HTMLElement>();
  const at = new Map<string, number[]>();
  film.steps.forEach(({ source, line }, i) => {
    const key = `${source} ${line}`;
    at.set(key, [...(at.get(key) ?? []), i + 1]);
  });
  const next = (key: string): number | undefined => {
    const steps = at.get(key) ?? [];
    return steps.find((step) => step > now) ?? steps[0];
  };
  const files = film.codes.map(({ place, first, lines }, source) => {
    const items = lines.map((text, i) => {
      const key = `${source} ${first + i}`;
      const row = h(
        "li",
        { "data-steps": at.has(key) || undefined },
        h("span", { class: "number" }, String(first + i)),
        h("code", {}, shorten(text, 240) || " "),
      );
      if (at.has(key)) {
        row.addEventListener("click", () => {
          const step = next(key);
          if (step !== undefined) go(step);
        });
      }
      rows.set(key, row);
      return row;
    });
    if (items.length === 0) items.push(h("li", {}, ctx.t("film.source_missing")));
    return h("div", { class: "file" }, h("h5", { dir: "auto" }, shorten(place, 80)), h("ol", {}, ...items));
  });
  const element = h(
    "section",
    { class: "panel source program", "data-testid": "program" },
    h("h4", {}, ctx.t("film.codes")),
    ...files,
  );
  return {
    element,
    show(step) {
      now = step;
      const turn = film.steps[step - 1];
      for (const [key, row] of rows) {
        const [source, line] = key.split(" ").map(Number);
        const isIn = turn !== undefined && (line ?? 0) >= turn.line && (line ?? 0) <= turn.end;
        const active = isIn && turn.source === source;
        row.toggleAttribute("data-active", active);
        if (active) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      }
      const first = turn && rows.get(`${turn.source} ${turn.line}`);
      // Scrolls the program, never the page.
      if (first && element.scrollHeight > element.clientHeight) {
        const [inner, outer] = [first.getBoundingClientRect(), element.getBoundingClientRect()];
        if (inner.top < outer.top + 24) element.scrollTop -= outer.top + 24 - inner.top;
        if (inner.bottom > outer.bottom - 24) element.scrollTop += inner.bottom - outer.bottom + 24;
      }
    },
  };
}

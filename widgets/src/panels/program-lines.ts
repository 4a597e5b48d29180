/** A program's lines beside the film of its graph: those of the current step and of the next one are marked. */

import type { Context } from "../context";
import { createCodeListing, lineLabel } from "../graph/code-listing";
import { push } from "../model/graph";
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
  const { codes } = film.graph;
  let now = 0;
  const labels = film.steps.map(({ source, line, end }) => {
    const code = source === null ? undefined : codes[source];
    const length = code ? end - line + 1 : 0;
    return Array.from({ length }, (_, i) => (code ? lineLabel(code, line - code.first + i) : ""));
  });
  const stepsAt = new Map<string, number[]>();
  labels.forEach(([label], i) => {
    if (label !== undefined) push(stepsAt, label, i + 1);
  });
  const listing = createCodeListing(ctx, codes, {
    steps: new Set(stepsAt.keys()),
    go(label) {
      const steps = stepsAt.get(label) ?? [];
      const step = steps.find((step) => step > now) ?? steps[0];
      if (step !== undefined) go(step);
    },
  });
  return {
    element: listing.element,
    show(step) {
      now = step;
      listing.mark({ just: labels[step - 1] ?? [], next: labels[step] ?? [] });
    },
  };
}

/** The gradients that a node gives, as they look, once the turn is over that made them. */

import { h } from "../base/dom";
import { createViewer, type Taste } from "../charts/value-viewer";
import type { Context } from "../context";
import type { GradientFlowRecord, GradientRecord } from "../record";

export interface Carried {
  element: HTMLElement;
  show: (node: number | null, step: number) => void;
}

export function createCarried(ctx: Context, flow: GradientFlowRecord): Carried {
  const element = h("section", { class: "panel values", "data-testid": "values" });
  const taste: Taste = { look: null };
  let shown: number | null = null;

  /** What is carried by then, by the node that gives it. */
  function tensorOf(node: number, step: number): number | null {
    const told: (GradientRecord | null)[] = flow.turns
      .slice(0, step)
      .flatMap(({ arrivals, shares }) => [
        ...arrivals.flatMap(({ parts, total }) => [...parts, total]),
        ...shares.map(({ gradient }) => gradient),
      ]);
    return told.findLast((each) => each?.node === node && each.tensor !== null)?.tensor ?? null;
  }

  return {
    element,
    show(node, step) {
      const tensor = node === null ? null : tensorOf(node, step);
      element.hidden = tensor === null;
      if (tensor === shown) return;
      shown = tensor;
      const record = tensor === null ? undefined : flow.tensors[tensor];
      element.replaceChildren(...(record ? [createViewer(ctx, record, null, taste).element] : []));
    },
  };
}

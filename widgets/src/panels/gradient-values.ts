/** The viewer of the latest gradient that a node gives by the current turn. */

import { section } from "../base/dom";
import { createViewer, type LookPreference } from "../charts/value-viewer";
import type { Context } from "../context";
import type { GradientFlowRecord, GradientRecord } from "../record";

export interface GradientValues {
  element: HTMLElement;
  show: (node: number | null, step: number) => void;
}

export function createGradientValues(ctx: Context, flow: GradientFlowRecord): GradientValues {
  const element = section({ class: "panel values", "data-testid": "values" });
  const taste: LookPreference = { look: null };
  let current: number | null = null;

  /** The tensor of the latest gradient that a node gave in the first `step` turns. */
  function tensorOf(node: number, step: number): number | null {
    const gradients: (GradientRecord | null)[] = flow.turns
      .slice(0, step)
      .flatMap(({ arrivals, shares }) => [
        ...arrivals.flatMap(({ parts, total }) => [...parts, total]),
        ...shares.map(({ gradient }) => gradient),
      ]);
    return gradients.findLast((each) => each?.node === node && each.tensor !== null)?.tensor ?? null;
  }

  return {
    element,
    show(node, step) {
      const tensor = node === null ? null : tensorOf(node, step);
      element.hidden = tensor === null;
      if (tensor === current) return;
      current = tensor;
      const record = tensor === null ? undefined : flow.tensors[tensor];
      element.replaceChildren(...(record ? [createViewer(ctx, record, null, taste).element] : []));
    },
  };
}

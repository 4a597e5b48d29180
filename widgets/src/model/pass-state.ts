/** The state of a graph after some passes of the engine, computed from the record alone. */

import type { FateRecord, PassesRecord } from "../record";
import { plainFrame } from "./gradient-state";
import type { Frame, State } from "./steps/replay";

/** Every node's state in pass `step`; pass 0 is the whole graph. */
export function passFrameAt(record: PassesRecord, step: number): Frame {
  const total = record.passes.length - 1;
  const at = Math.max(0, Math.min(total, Math.trunc(step) || 0));
  const state = new Map<number, State>(record.graph.nodes.map(({ id }) => [id, "kept"]));
  record.passes.slice(0, at + 1).forEach(({ fates }, i) => {
    for (const { node, leaves, lines } of fates) {
      if (leaves) state.set(node, i < at ? "left" : "leaves");
      else if (lines.length > 0) state.set(node, "coded");
    }
  });
  const frame = plainFrame(at, total, null, state);
  if (record.passes[at]?.code === "order") frame.queue = record.order;
  return frame;
}

/** What each pass does to one node: the number of the pass, and the node's fate. */
export function fatesOf(record: PassesRecord, node: number): [number, FateRecord][] {
  return record.passes.flatMap(({ fates }, pass) =>
    fates.filter((fate) => fate.node === node).map((fate): [number, FateRecord] => [pass, fate]),
  );
}

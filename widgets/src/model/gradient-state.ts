/** The state of a gradient graph after some turns, computed from the record alone. */
import type { GradientFlowRecord, StepRecord } from "../record";
import type { Frame, State } from "./steps/replay";

/** Every node's state after `step` turns, as a picture's frame. */
export function gradientFrameAt(flow: GradientFlowRecord, step: number): Frame {
  const total = flow.turns.length;
  const at = Math.max(0, Math.min(total, Math.trunc(step) || 0));
  const state = new Map<number, State>();
  const pending = new Map<number, number>();
  const visited = new Set(flow.turns.filter(({ kind }) => kind !== "start").map(({ node }) => node));
  for (const { id } of flow.graph.nodes) state.set(id, visited.has(id) ? "waiting" : "aside");
  flow.turns.forEach((turn, i) => {
    const creation = i + 1 < at ? "made" : i + 1 === at ? "new" : "absent";
    for (const id of [...turn.sums, ...turn.made]) state.set(id, creation);
    if (i >= at) return;
    for (const [node, count] of turn.pending) pending.set(node, count);
    if (turn.kind !== "start") state.set(turn.node, i + 1 === at ? "visiting" : "visited");
  });
  return plainFrame(at, total, flow.turns[at - 1]?.node ?? null, state, pending);
}

/** The frame of a picture in which nothing runs: the states of its nodes, and the node that it is about. */
export function plainFrame(
  step: number,
  total: number,
  about: number | null,
  state: Map<number, State>,
  pending: Map<number, number> = new Map(),
): Frame {
  return {
    run: 0,
    step,
    total,
    last: about === null ? null : stepAt(about),
    state,
    pending,
    queue: [],
    held: new Set(),
    ready: 0,
    tokens: new Map(),
    iterations: new Map(),
    consumed: new Set(),
    variables: new Map(),
    ran: new Map(),
  };
}

/** A step of which the picture only needs the node. */
function stepAt(node: number): StepRecord {
  const none = {
    consumed: [],
    produced: [],
    reads: [],
    writes: [],
    outputs: [],
    ready: [],
    held: [],
    pending: [],
  };
  return { ...none, node, outcome: "ran", error: null, frame: "", iteration: [], death: null, change: null };
}

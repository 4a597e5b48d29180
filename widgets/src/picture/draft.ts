/** Drafts a scene: chooses the visible items, measures their texts and sizes, and plans the layout. */
import type { Context } from "../context";
import { placeBeside } from "../explore/beside";
import type { Size } from "../layout/geometry";
import { type Draft as DraftedScene, draftScene, type Hint, type Scene } from "../layout/scene";
import { LIMIT, type Visible, visibleGraph } from "../model/collapse";
import type { Graph } from "../model/graph";
import type { NodeValues } from "../model/node-values";
import { sizesOf, type Words, wordsOf } from "./labels";

export interface DraftOptions {
  graph: Graph;
  /** What the nodes show of a run. */
  values?: NodeValues;
  /** The picture whose arrangement this one adopts. */
  like: { hint: () => Hint } | null;
  /** Whether values flow to the right; by default they flow down. */
  turned?: () => boolean;
  /** The nodes that the user set beside the graph. */
  beside?: () => number[];
}

type Plan = DraftedScene["plan"];
type Placements = Parameters<DraftedScene["finish"]>[0];

/** The state of a picture that its layout depends on; `before`: the last placements. */
export interface Arrangement {
  collapsed: readonly string[];
  withLabels: boolean;
  room: Size;
  before: Placements;
}

/** A picture that is laid out and not drawn yet. */
export interface Laid {
  visible: Visible;
  scene: Scene;
  words: Words;
}

/** A plan to be laid out, and the step from its placements to what is drawn. */
export interface Draft {
  plan: Plan;
  finish: (placements: Placements) => Laid;
}

export function draftPicture(
  ctx: Context,
  { graph, values, like, turned: turns, beside }: DraftOptions,
  { collapsed, withLabels, room, before }: Arrangement,
): Draft {
  const visible = visibleGraph(graph, new Set(collapsed), LIMIT, beside?.());
  const words = wordsOf(ctx, graph, visible);
  const turned = turns?.() ?? false;
  const sizes = sizesOf(ctx, graph, words, values ?? null, withLabels, turned);
  const hint = like?.hint();
  const { plan, finish } = draftScene(graph, visible, sizes, {
    ...(hint && { hint }),
    ...(room.w > 0 && { room }),
    turned,
    before,
  });
  return {
    plan,
    finish: (placements) => ({ visible, scene: placeBeside(visible, finish(placements), sizes), words }),
  };
}

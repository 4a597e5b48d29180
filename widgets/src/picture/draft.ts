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
  like: { hint: () => Hint; arrangement: () => Arranged } | null;
  /** Whether values flow to the right; by default the first view decides, else they flow down. */
  turned?: () => boolean;
  /** The nodes that the user set beside the graph. */
  beside?: () => number[];
  /** The nodes that need no place yet, if the whole picture would be too small to be read. */
  later?: () => ReadonlySet<number>;
}

type Plan = DraftedScene["plan"];
type Placements = Parameters<DraftedScene["finish"]>[0];

/** What the first view of a picture has decided besides the closed scopes. */
export interface Arranged {
  collapsed: readonly string[];
  turned: boolean;
  tight: boolean;
  /** Whether what no run needs is in groups. */
  gathered: boolean;
}

/** The state of a picture that its layout depends on; `before`: the last placements. */
export interface Arrangement extends Omit<Arranged, "gathered"> {
  withLabels: boolean;
  room: Size;
  before: Placements;
  /** The nodes that have no place yet. */
  later: ReadonlySet<number>;
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
  visible: Visible;
  finish: (placements: Placements) => Laid;
}

export function draftPicture(
  ctx: Context,
  { graph, values, like, beside }: DraftOptions,
  { collapsed, withLabels, room, before, turned, tight, later }: Arrangement,
): Draft {
  const visible = visibleGraph(graph, new Set(collapsed), LIMIT, beside?.(), later);
  const words = wordsOf(ctx, graph, visible);
  const sizes = sizesOf(ctx, graph, words, values ?? null, withLabels, turned);
  const hint = like?.hint();
  const { plan, finish } = draftScene(graph, visible, sizes, {
    ...(hint && { hint }),
    ...(room.w > 0 && { room }),
    turned,
    tight,
    before,
  });
  return {
    plan,
    visible,
    finish: (placements) => ({ visible, scene: placeBeside(visible, finish(placements), sizes), words }),
  };
}

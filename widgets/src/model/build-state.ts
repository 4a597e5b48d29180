/** The state of a graph after some lines of its program, computed from the record alone. */

import type { BuildFilmRecord, EdgeKind } from "../record";
import { plainFrame } from "./gradient-state";
import type { Frame, State } from "./steps/replay";

/** The step in which each node and block was created. */
export interface FilmIndex {
  film: BuildFilmRecord;
  stepOf: Map<number, number>;
  blockStep: Map<number, number>;
}

export function indexFilm(film: BuildFilmRecord): FilmIndex {
  const of = (ids: (step: number) => number[]): Map<number, number> =>
    new Map(film.steps.flatMap((_, i) => ids(i).map((id): [number, number] => [id, i + 1])));
  return {
    film,
    stepOf: of((i) => film.steps[i]?.nodes ?? []),
    blockStep: of((i) => film.steps[i]?.blocks ?? []),
  };
}

/** Every node's state after `step` steps, as a picture's frame. */
export function filmFrameAt({ film, stepOf, blockStep }: FilmIndex, step: number): Frame {
  const total = film.steps.length;
  const at = Math.max(0, Math.min(total, Math.trunc(step) || 0));
  const state = new Map<number, State>();
  for (const [id, created] of stepOf)
    state.set(id, created < at ? "made" : created === at ? "new" : "absent");
  const frame = plainFrame(at, total, film.steps[at - 1]?.nodes.at(-1) ?? null, state);
  frame.blocks = new Set([...blockStep].filter(([, opened]) => opened <= at).map(([id]) => id));
  return frame;
}

export interface FilmCounts {
  nodes: number;
  variables: number;
  edges: Record<EdgeKind, number>;
}

/** The numbers of nodes, variables and edges after `step` steps. */
export function countsAt({ film, stepOf }: FilmIndex, step: number): FilmCounts {
  const there = film.steps.slice(0, step);
  const edges = new Set(there.flatMap((each) => each.edges));
  const count = (kind: EdgeKind): number =>
    film.graph.edges.filter((edge) => edge.kind === kind && edges.has(edge.id)).length;
  return {
    nodes: there.reduce((sum, { nodes }) => sum + nodes.length, 0),
    variables: film.graph.variables.filter(({ node }) => (stepOf.get(node) ?? 0) <= step).length,
    edges: { data: count("data"), control: count("control"), reference: count("reference") },
  };
}

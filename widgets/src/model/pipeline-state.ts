/** Where the elements of pipelines are after so many moves; a function of the record and the step. */

import type { FlowingRecord, MomentRecord, PipelineRecord, PipelineStageRecord, PipeRecord } from "../record";

/** A move of one of the pipelines, on the clock of all of them. */
export interface Move {
  pipe: number;
  /** The number of the moment in its pipeline. */
  number: number;
  moment: MomentRecord;
}

export const movesOf = ({ pipes }: PipelineRecord): Move[] =>
  pipes
    .flatMap(({ moments }, pipe) => moments.map((moment, number): Move => ({ pipe, number, moment })))
    .sort(
      (one, other) =>
        one.moment.time - other.moment.time || one.pipe - other.pipe || one.number - other.number,
    );

/** How many moments of a pipeline are among the first moves. */
export const momentsAt = (moves: readonly Move[], pipe: number, step: number): number =>
  moves.slice(0, step).filter((move) => move.pipe === pipe).length;

/** The elements in a stage after so many moments, in the order in which they came. */
export function heldIn({ elements }: PipeRecord, stage: number, moments: number): number[] {
  const held = [...elements.keys()].filter((id) => {
    const { to, comes, goes } = elements[id] as FlowingRecord;
    return to === stage && comes < moments && (goes === null || goes >= moments);
  });
  return held.sort((one, other) => (elements[one]?.comes ?? 0) - (elements[other]?.comes ?? 0));
}

/** How many elements a stage has handed on. */
export const madeBy = ({ moments }: PipeRecord, stage: number, step: number): number =>
  moments.slice(0, step).filter((moment) => moment.stage === stage && moment.code === "move").length;

/** Whether elements of a second pass over the source come: only then their chips name the pass. */
export const hasEpochs = ({ elements }: PipeRecord): boolean =>
  elements.some(({ epoch }) => (epoch ?? 0) > 0);

/** The stages in columns from the sources to the consumer, each column before the one that asks it. */
export function columnsOf({ stages }: PipeRecord): PipelineStageRecord[][] {
  const depth = new Map<number, number>();
  const deepen = (id: number, at: number): void => {
    if ((depth.get(id) ?? -1) >= at || at > stages.length) return;
    depth.set(id, at);
    for (const input of stages[id]?.inputs ?? []) deepen(input, at + 1);
  };
  deepen(stages.length - 1, 0);
  const columns: PipelineStageRecord[][] = [];
  for (const stage of stages) {
    const at = depth.get(stage.id);
    if (at === undefined) continue;
    columns[at] = [...(columns[at] ?? []), stage];
  }
  return columns.filter(Boolean).toReversed();
}

/** The stages that work on the clock, lane by lane. */
export function lanesOf(pipe: PipeRecord): { stage: number; lane: number }[] {
  const known = new Set(pipe.work.map(({ stage, lane }) => `${stage} ${lane}`));
  return columnsOf(pipe)
    .flat()
    .flatMap(({ id, lanes }) =>
      Array.from({ length: lanes }, (_, lane) => ({ stage: id, lane })).filter(({ lane }) =>
        known.has(`${id} ${lane}`),
      ),
    );
}

/** BuildFilm: the graph grows with the lines of the program that creates it, forward and back. */

import { h, section, setText } from "../base/dom";
import { batched } from "../base/store";
import { createLiveLine } from "../controls/live-line";
import { filmLegend } from "../graph/legend";
import { countsAt, filmFrameAt, indexFilm } from "../model/build-state";
import { indexGraph } from "../model/graph";
import { builtSentences } from "../panels/build-sentences";
import { createProgramLines } from "../panels/program-lines";
import { createSteppedGraph } from "../panels/stepped-graph";
import type { BuildFilmRecord } from "../record";
import type { Widget } from "../widget";

export interface FilmTraits {
  record: BuildFilmRecord;
  step: number;
}

export const buildFilm: Widget<FilmTraits> = (ctx, store, title) => {
  const film = store.get("record");
  if (film.steps.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("graph.empty"))], keys: {}, steps: false };
  }
  const graph = indexGraph(film.graph);
  const built = indexFilm(film);
  const total = film.steps.length;
  const step = (): number => Math.max(0, Math.min(total, Math.trunc(store.get("step")) || 0));
  const move = (to: number): void => store.set({ step: to });
  const program = createProgramLines(ctx, film, move);
  const counts = h("p", { class: "so-far", "data-testid": "so-far" });
  const live = createLiveLine();
  const view = createSteppedGraph(ctx, {
    graph,
    title,
    total,
    step,
    move,
    position: (at) => ctx.t("film.position", { step: at, total }),
    frame: (at) => filmFrameAt(built, at),
    look: () => {},
    legend: filmLegend(ctx),
    column: h("div", { class: "room" }, program.element, section({ class: "this-step" }, counts)),
    words: ctx.t("stage.code"),
    sentence: live.element,
  });
  const show = (): void => {
    view.show();
    program.show(step());
    live.say(builtSentences(ctx, graph, film, step()));
    const { nodes, variables, edges } = countsAt(built, step());
    setText(counts, ctx.t("film.so_far", { nodes, variables, ...edges }));
  };
  store.watch(["step"], batched(show, ctx.life), ctx.life);
  show();
  return view.parts;
};

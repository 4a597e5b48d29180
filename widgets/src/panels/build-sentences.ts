/** A step of building as sentences, for the live line. */
import type { Context } from "../context";
import { type Graph, push } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import type { BuildFilmRecord } from "../record";

export function builtSentences(ctx: Context, graph: Graph, film: BuildFilmRecord, step: number): string[] {
  const turn = film.steps[step - 1];
  if (!turn) return [ctx.t("film.live.ready", { n: film.steps.length })];
  const params = { line: turn.line, n: turn.nodes.length, names: names(graph, turn.nodes) };
  const sentences: string[] = [];
  if (turn.source === null) sentences.push(ctx.t("film.live.elsewhere", params));
  else if (turn.code !== "block") sentences.push(ctx.t(`film.live.${turn.code}`, params));
  const waits = new Map<number, number[]>();
  for (const [target, source] of turn.waits) push(waits, target, source);
  for (const [target, sources] of [...waits].slice(0, 12)) {
    sentences.push(
      ctx.t("film.live.waits", { target: nodeName(graph, target), sources: names(graph, sources) }),
    );
  }
  for (const id of turn.blocks) {
    const sources = graph.block.get(id)?.control_inputs ?? [];
    sentences.push(
      sources.length > 0
        ? ctx.t("film.live.block", { line: turn.line, sources: names(graph, sources) })
        : ctx.t("film.live.nothing", { line: turn.line }),
    );
  }
  if (turn.many) sentences.push(ctx.t("film.live.many"));
  return sentences;
}

/** One sentence for each step, for the live line. */

import { inline, oneLine, shorten } from "../base/text";
import type { Translate } from "../i18n";
import type { Graph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import { iterationText } from "../model/loop-iterations";
import type { Frame } from "../model/replay";
import type { ForkedRecord, TraceRecord } from "../record";
import { resultText } from "./tape";

/** The change of a fork, in words. */
export function changeText(t: Translate, { code, params }: ForkedRecord): string {
  return t(`fork.${code}`, params);
}

export function stepSentence(t: Translate, graph: Graph, trace: TraceRecord, frame: Frame): string {
  const { last, step, total } = frame;
  const runs = trace.runs.length;
  if (!last) return t("live.start", { run: frame.run + 1, runs, ready: names(graph, frame.queue) });
  const base = { step, total, node: nodeName(graph, last.node) };
  if (last.change) return t("live.changed", { ...base, change: changeText(t, last.change) });
  // A Switch is described by the side that has the value.
  const outputText = (last.outputs.find(({ dead }) => !dead) ?? last.outputs[0])?.text;
  const value = outputText === undefined ? undefined : oneLine(outputText);
  if (last.outcome === "error") return t("live.error", { ...base, error: oneLine(last.error ?? "") });
  if (last.outcome === "dead") {
    const { death } = last;
    return death ? t(`live.death.${death.code}`, { ...base, ...death.params }) : t("live.dead", base);
  }
  if (last.outcome === "fed") return t("live.fed", { ...base, value: value ?? "" });
  const [write] = last.writes;
  if (write)
    return t("live.wrote", {
      ...base,
      variable: write[0],
      before: write[1] || t("tape.unset"),
      after: write[2],
    });
  const alias = last.outputs[0]?.alias;
  if (alias)
    return t("live.alias", {
      ...base,
      variable: alias,
      value: frame.variables.get(alias) ?? t("tape.unset"),
    });
  return value === undefined ? t("live.ran", base) : t("live.value", { ...base, value });
}

/** The iteration of the last step; null outside of loops. */
export function iterationSentence(t: Translate, { last }: Pick<Frame, "last">): string | null {
  if (!last || last.frame === "") return null;
  return t("live.iteration", { frame: inline(last.frame), n: iterationText(last.iteration) });
}

/** The sentence that closes a run, after its last step. */
export function endSentence(t: Translate, trace: TraceRecord, frame: Frame): string | null {
  if (frame.step < frame.total) return null;
  const params = { run: frame.run + 1, runs: trace.runs.length, total: frame.total };
  if (trace.runs[frame.run]?.error) return t("live.stopped", params);
  return t("live.end", { ...params, values: resultText(trace, frame.run) });
}

/** What a run printed, for a narrow place. */
export function printedText(trace: TraceRecord, run: number): string {
  const record = trace.runs[run];
  return record?.error
    ? "×"
    : (record?.fetched ?? []).map(({ text }) => shorten(oneLine(text), 24)).join(", ");
}

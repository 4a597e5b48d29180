/** What a closed scope tells of its layer: the kind with the first output, and the number of parameters. */
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";

const KIND = 24;

export function layerWords(ctx: Context, graph: Graph, path: string): string[] {
  const layer = graph.layers.get(path);
  if (!layer) return [];
  const { kind, outputs } = layer;
  const shape = outputs[0]?.replace(/^float32 /, "");
  const words = [shorten(kind, KIND), shape, outputs.length > 1 ? "…" : ""].filter(Boolean).join(" ");
  return [words, parameterWords(ctx, graph, path)].filter(Boolean);
}

/** How many parameters a layer has, or all blocks of a group together, and each of them. */
function parameterWords({ t, lang }: Context, { layers, groups }: Graph, path: string): string {
  const { parameters = 0, shared = false, calls = 1 } = layers.get(path) ?? {};
  if (parameters === 0) return "";
  const number = (n: number): string => n.toLocaleString(lang);
  const n = parameters === null ? "?" : number(parameters);
  const each = (parameters ?? Number.NaN) / calls;
  if (groups.has(path) && Number.isInteger(each))
    return t("layers.repeated", { n, blocks: calls, each: number(each) });
  return t(shared ? "layers.shares" : "layers.holds", { n });
}

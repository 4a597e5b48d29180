/** What a closed scope tells of its layer: the kind with the first output, and the number of parameters. */
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { LayerRecord } from "../record";

const KIND = 24;

export function layerWords({ t, lang }: Context, layer: LayerRecord | undefined): string[] {
  if (!layer) return [];
  const { outputs, parameters } = layer;
  const shape = outputs[0]?.replace(/^float32 /, "");
  const words = [[shorten(layer.kind, KIND), shape, outputs.length > 1 ? "…" : ""].filter(Boolean).join(" ")];
  if (parameters !== 0) {
    const n = parameters?.toLocaleString(lang) ?? "?";
    words.push(t(layer.shared ? "layers.shares" : "layers.holds", { n }));
  }
  return words;
}

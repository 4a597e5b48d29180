/** The texts of a picture's items, and the room that each item needs for them. */

import { shorten } from "../base/text";
import type { Context } from "../context";
import { BLOCK } from "../draw/block";
import { nodeSize } from "../draw/node";
import { TITLE } from "../draw/scope";
import { portCount, portRoom } from "../layout/ports";
import type { Sizes } from "../layout/scene";
import { type Bundle, bundled, type Counts, REST, type Visible } from "../model/collapse";
import type { Graph } from "../model/graph";
import { blockLines, scopeTitle } from "../model/graph-item";
import { type BoxKind, EDGE_KINDS } from "../record";

const LABEL = { size: 11, weight: 400 };

export interface Words {
  /** The width of a text. */
  text: (words: string, font?: typeof LABEL) => number;
  /** The text on a line. */
  label: (bundle: Bundle) => string;
  title: (path: string) => string;
  kind: (path: string) => BoxKind;
  /** The counts of a closed scope, one line for each kind. */
  counts: (path: string) => string[];
  block: (id: number) => string[];
}

/** Whether a line stands for several edges, so that it has a count. */
export const isMany = (bundle: Bundle): boolean => bundled(bundle) > 1;

export function wordsOf(ctx: Context, graph: Graph, visible: Visible): Words {
  const none: Counts = { nodes: 0, data: 0, control: 0, reference: 0 };
  return {
    text: (words, font = LABEL) => ctx.width(words, font),
    label: (bundle) => {
      const [edge] = bundle.edges;
      if (isMany(bundle) || !edge) return `×${bundled(bundle)}`;
      const ports = portCount(graph.node.get(edge.source)) > 0 && edge.output !== null;
      return shorten(ports ? `:${edge.output} → ${edge.input} ${edge.text}` : edge.text, 36);
    },
    title: (path) =>
      path === REST
        ? ctx.t("badge.rest", { n: visible.closed.get(REST)?.nodes ?? 0 })
        : scopeTitle(ctx.t, graph, path),
    kind: (path) => graph.boxes.get(path)?.kind ?? "scope",
    counts: (path) => {
      const own = visible.closed.get(path) ?? none;
      return (["nodes", ...EDGE_KINDS] as const)
        .filter((what) => own[what] > 0)
        .map((what) => ctx.t(`badge.${what}`, { n: own[what] }));
    },
    block: (id) => blockLines(ctx.t, graph, id),
  };
}

/** The room of every item; `values` are the widest texts that variables will show. */
export function sizesOf(
  ctx: Context,
  graph: Graph,
  words: Words,
  values: Map<number, string>,
  withLabels: boolean,
  turned: boolean,
): Sizes {
  const { text } = words;
  return {
    node: (id) => {
      const node = graph.node.get(id);
      if (!node) return { w: 0, h: 0 };
      const { w, h } = nodeSize(node, text, values.get(id));
      const room = portRoom(node, turned);
      return turned ? { w, h: Math.max(h, room) } : { w: Math.max(w, room), h };
    },
    closed: (path) => {
      const counts = words.counts(path);
      const widest = Math.max(text(words.title(path), TITLE) + 16, ...counts.map((line) => text(line)));
      const sides = ["cond", "loop"].includes(words.kind(path)) ? 60 : 36;
      return { w: Math.ceil(widest) + sides, h: 38 + 15 * counts.length };
    },
    block: (id) => {
      const lines = words.block(id);
      const code = lines.map((line) => ctx.width(line, BLOCK, true));
      return {
        w: Math.ceil(Math.max(text(ctx.t("block.empty"), BLOCK), ...code)) + 28,
        h: 36 + 17 * lines.length,
      };
    },
    title: (path) => ({ w: Math.ceil(text(words.title(path), TITLE)) + 24, h: 32 }),
    label: (bundle) =>
      withLabels && (bundle.kind !== "control" || isMany(bundle))
        ? { w: Math.ceil(text(words.label(bundle))) + 14, h: 20 }
        : null,
  };
}

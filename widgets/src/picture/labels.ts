/** The texts of a picture's items, and the room that each item needs for them. */

import { shorten } from "../base/text";
import type { Context } from "../context";
import { FLAG, FLAG_GAP, FLAG_OUT, flagWidth } from "../draw/badge";
import { BLOCK } from "../draw/block";
import { CHIP, CHIP_INSIDE, CHIP_ROOM, chipWidth } from "../draw/chip";
import { nodeSize } from "../draw/node";
import { CLOSED_TITLE, type PlacedCount, TITLE } from "../draw/scope";
import { amountText } from "../explore/amounts";
import { layerWords } from "../explore/layer-words";
import type { Box } from "../layout/geometry";
import { portCount, portRoom } from "../layout/ports";
import type { Sizes } from "../layout/scene";
import { type Bundle, bundled, type Counts, type End, REST, type Visible } from "../model/collapse";
import type { Graph } from "../model/graph";
import { blockLines, scopeTitle } from "../model/graph-item";
import type { NodeValues } from "../model/node-values";
import { arrivingEdges } from "../model/overview";
import { type BoxKind, EDGE_KINDS } from "../record";

const LABEL = { size: 12, weight: 400 };
const FLAG_LIMIT = 10;
const SPARE = 64;
/** The cards of an overview stand under each other. */
const OVERVIEW_CARD = 116;

export interface Words {
  /** The width of a text. */
  text: (words: string, font?: typeof LABEL) => number;
  /** The text on a line. */
  label: (bundle: Bundle) => string;
  title: (path: string) => string;
  isVariable: (id: number) => boolean;
  kind: (path: string) => BoxKind;
  /** The words of a closed scope: of its layer, then the counts, one for each kind. */
  counts: (path: string) => string[];
  block: (id: number) => string[];
  /** The room that a closed scope has beside its last line, for what colours write there. */
  spare: number;
  /** How many letters a count has at most beside another one. */
  longest: number;
  /** How many edges are counted at an item of an overview; empty if none are. */
  arriving: (end: End) => string;
}

/** Whether a line stands for several edges, so that it has a count. */
export const isMany = (bundle: Bundle): boolean => bundled(bundle) > 1;

export function wordsOf(ctx: Context, graph: Graph, visible: Visible): Words {
  const none: Counts = { nodes: 0, data: 0, control: 0, reference: 0 };
  const counts = visible.lanes && arrivingEdges(visible.lanes, visible.counted).arriving;
  const arriving = (end: End): string[] => {
    const n = counts?.get(end) ?? 0;
    return n > 0 ? [ctx.t("overview.arriving", { n })] : [];
  };
  return {
    arriving: (end) => arriving(end).join(""),
    spare: visible.lanes ? SPARE : 0,
    longest: graph.at ? 12 : 99,
    text: (words, font = LABEL) => ctx.width(words, font),
    label: (bundle) => {
      const [edge] = bundle.edges;
      if (isMany(bundle) || !edge) return `×${bundled(bundle)}`;
      const bytes = graph.transfers.get(edge.id);
      if (bytes != null) return amountText(ctx.t, "memory", bytes);
      const ports = portCount(graph.node.get(edge.source)) > 0 && edge.output !== null;
      return shorten(ports ? `:${edge.output} → ${edge.input} ${edge.text}` : edge.text, 36);
    },
    isVariable: (id) => graph.node.get(id)?.role === "variable",
    title: (path) =>
      path === REST
        ? ctx.t("badge.rest", { n: visible.closed.get(REST)?.nodes ?? 0 })
        : scopeTitle(ctx.t, graph, path),
    kind: (path) => graph.boxes.get(path)?.kind ?? "scope",
    counts: (path) => {
      const own = visible.closed.get(path) ?? none;
      const layer = layerWords(ctx, graph, path);
      if (visible.lanes) return [...layer, ctx.t("badge.nodes", { n: own.nodes }), ...arriving(path)];
      // A scope by itself is to be read at once: the details count the edges.
      if (graph.at) return [...layer, ctx.t("badge.nodes", { n: own.nodes })];
      const counts = (["nodes", ...EDGE_KINDS] as const)
        .filter((what) => own[what] > 0)
        .map((what) => ctx.t(`badge.${what}`, { n: own[what] }));
      return [...layer, ...counts];
    },
    block: (id) => blockLines(ctx.t, graph, id),
  };
}

/** Where the counts of a closed scope are: two in a row, or one where colours write beside it. */
export function placedCounts(words: Words, path: string): PlacedCount[] {
  const counts = words.counts(path);
  const isAlone = words.spare > 0 || counts.some(({ length }) => length > words.longest);
  if (isAlone) return counts.map((count, row) => ({ words: count, x: 0, row }));
  const first = Math.max(0, ...counts.filter((_, i) => i % 2 === 0).map((count) => words.text(count)));
  const second = Math.ceil(first) + 12;
  return counts.map((count, i) => ({ words: count, x: (i % 2) * second, row: Math.floor(i / 2) }));
}

/** The label of a fetched node, as its flag shows it. */
export const flagWords = (values: NodeValues | null, id: number): string =>
  shorten(values?.fetched.get(id) ?? "", FLAG_LIMIT);

/** Whether the outputs have numbers on the lower border, so that the value has its room above them. */
const isInside = (graph: Graph, id: number, turned: boolean): boolean =>
  portCount(graph.node.get(id)) > 0 && !turned;

/** The room that a node's value needs under its text, or under its outline. */
function valueRoom(graph: Graph, values: NodeValues | null, id: number, turned: boolean): number {
  if (!values?.widest.has(id) || graph.node.get(id)?.role === "variable") return 0;
  return isInside(graph, id, turned) ? CHIP_INSIDE : CHIP_ROOM;
}

/** The outline of a node in its place, and the room in it for its value; a value has room below it, too. */
export function outlineOf(
  graph: Graph,
  values: NodeValues | null,
  id: number,
  place: Box,
  turned: boolean,
): { outline: Box; below: number } {
  const room = valueRoom(graph, values, id, turned);
  return isInside(graph, id, turned)
    ? { outline: place, below: room }
    : { outline: { ...place, h: place.h - room }, below: 0 };
}

/** The room of every item. */
export function sizesOf(
  ctx: Context,
  graph: Graph,
  words: Words,
  values: NodeValues | null,
  withLabels: boolean,
  turned: boolean,
): Sizes {
  const { text } = words;
  const isTransfer = ({ edges }: Bundle): boolean => edges.some(({ id }) => graph.transfers.has(id));
  return {
    node: (id) => {
      const node = graph.node.get(id);
      if (!node) return { w: 0, h: 0 };
      const shown = values?.widest.get(id) ?? "";
      const flag = flagWords(values, id);
      const side = flag === "" ? 0 : flagWidth(text(flag, FLAG)) - FLAG_OUT + FLAG_GAP;
      const own = nodeSize(node, text, node.role === "variable" ? shown : "", side, values?.formulas.get(id));
      const below = valueRoom(graph, values, id, turned);
      const w = Math.max(own.w, below > 0 ? chipWidth(text(shown, CHIP)) : 0);
      const h = own.h + below;
      const room = portRoom(node, turned);
      return turned ? { w, h: Math.max(h, room) } : { w: Math.max(w, room), h };
    },
    closed: (path) => {
      const counts = placedCounts(words, path);
      const last = text(counts.at(-1)?.words ?? "") + words.spare;
      const ends = counts.map((count) => count.x + text(count.words));
      const widest = Math.max(text(words.title(path), CLOSED_TITLE) + 16, last, ...ends);
      const sides = ["cond", "loop"].includes(words.kind(path)) ? 60 : 34;
      const least = graph.parts.size > 0 ? OVERVIEW_CARD : 0;
      return { w: Math.max(least, Math.ceil(widest) + sides), h: 52 + 16 * (counts.at(-1)?.row ?? -1) };
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
      isMany(bundle) || isTransfer(bundle) || (withLabels && bundle.kind !== "control")
        ? { w: Math.ceil(text(words.label(bundle))) + 14, h: 20 }
        : null,
  };
}

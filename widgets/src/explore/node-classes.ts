/** The colourings of a picture: the classes of each, and the class of each node. Each class has a letter, too. */

import { shorten } from "../base/text";
import type { Key, Translate } from "../i18n";
import { shortDevice } from "../model/device-names";
import { ancestors, type Graph, homeOf, ROOT } from "../model/graph";
import type { GroupRecord, NodeRecord, RunFactsRecord } from "../record";
import { type Amounts, amountsOf } from "./amounts";

export const COLOURS = [
  "none",
  "structure",
  "device",
  "scope",
  "part",
  "time",
  "memory",
  "health",
  "run",
] as const;
export type Colour = (typeof COLOURS)[number];
/** Colourings that need a run. */
export const OF_RUNS: readonly Colour[] = ["time", "memory", "health", "run"];

/** How many classes have a colour and pattern of their own; the others share the last. */
export const CLASSES = 8;

export interface ColourClass {
  letter: string;
  words: string;
}

export interface Colouring {
  classes: ColourClass[];
  /** The index of a node's class. */
  node: (id: number) => number | undefined;
  /** The index of a whole scope's class, if scopes are compared. */
  scope: (path: string) => number | undefined;
  /** What each node took, if the picture is coloured by that: it has no classes then, but a scale. */
  amounts: Amounts | null;
}

/** No colours. */
export const UNCOLOURED: Colouring = {
  classes: [],
  node: () => undefined,
  scope: () => undefined,
  amounts: null,
};

export interface ColouringFacts {
  graph: Graph;
  facts: RunFactsRecord | null;
  /** The number of each scope's structure; a scope without an equal has none. */
  structures: [string, number][] | null;
  /** The groups, which draw several equal scopes once. */
  groups: GroupRecord[];
  /** The scopes that are drawn. */
  drawn: ReadonlySet<string>;
}

const LETTERS = "ABCDEFGH";

export function colouring(t: Translate, colour: Colour, known: ColouringFacts): Colouring {
  const { graph } = known;
  if (colour === "structure") return byStructure(t, known);
  if (colour === "device") {
    const words = (device: string): string =>
      device === "" ? t("colour.no_device") : shortDevice(device) || shorten(device, 40);
    return byValue(t, graph, (node) => node.device, words);
  }
  if (colour === "scope") {
    const outermost = (node: NodeRecord): string => ancestors(graph, homeOf(graph, node.id))[1] ?? ROOT;
    return byValue(t, graph, outermost, (path) => (path === ROOT ? t("colour.no_scope") : shorten(path, 40)));
  }
  if (colour === "part") {
    const words: Key[] = ["colour.part.forward", "colour.part.gradient", "colour.part.update"];
    return byRank(t, graph, words, (node) =>
      node.role === "update" ? 2 : graph.gradientOf.has(node.id) ? 1 : 0,
    );
  }
  const nodes = known.facts?.nodes ?? [];
  if (colour === "time" || colour === "memory") return { ...UNCOLOURED, amounts: amountsOf(colour, nodes) };
  const facts = new Map(nodes.map((each) => [each.node, each]));
  if (colour === "health") {
    const rank = ({ id }: NodeRecord): number => {
      const each = facts.get(id);
      if (!each || each.outcome === "dead") return HEALTH.length - 1;
      const place = HEALTH.indexOf(`colour.health.${each.health || "none"}`);
      return place < 0 ? HEALTH.indexOf("colour.health.none") : place;
    };
    return byRank(t, graph, HEALTH as Key[], rank);
  }
  if (colour === "run") {
    const rank = ({ id }: NodeRecord): number => RUN.indexOf(`state.${facts.get(id)?.outcome ?? "pruned"}`);
    return byRank(t, graph, RUN as Key[], rank);
  }
  return UNCOLOURED;
}

const HEALTH = ["fine", "tiny", "zero", "inf", "nan", "none"]
  .map((each) => `colour.health.${each}`)
  .concat("colour.not_run");
const RUN = ["ran", "fed", "dead", "error", "pruned"].map((each) => `state.${each}`);

/** Predefined classes, from little to much; a node in none of them has no colour. */
function byRank(t: Translate, graph: Graph, keys: Key[], rank: (node: NodeRecord) => number): Colouring {
  const classes = keys.map((key, i) => ({ letter: LETTERS[i] ?? "?", words: t(key) }));
  const of = new Map(graph.record.nodes.map((node) => [node.id, rank(node)]));
  return { ...UNCOLOURED, classes, node: (id) => of.get(id) };
}

/** One class for each value, the most frequent first; the rest share the last. */
function byValue(
  t: Translate,
  graph: Graph,
  value: (node: NodeRecord) => string,
  words: (value: string) => string,
): Colouring {
  const values = new Map(graph.record.nodes.map((node) => [node.id, value(node)]));
  const { classes, place } = commonest(t, values.values(), words);
  return {
    ...UNCOLOURED,
    classes,
    node: (id) => (values.has(id) ? place.get(values.get(id) ?? "") : undefined),
  };
}

function commonest<T>(t: Translate, values: Iterable<T>, words: (value: T) => string) {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const own = order.length > CLASSES ? order.slice(0, CLASSES - 1) : order;
  const classes = own.map((value, i) => ({ letter: LETTERS[i] ?? "?", words: words(value) }));
  if (own.length < order.length)
    classes.push({ letter: "…", words: t("colour.others", { n: order.length - own.length }) });
  const place = new Map(order.map((value, i) => [value, Math.min(i, classes.length - 1)]));
  return { classes, place };
}

/** Only drawn scopes get letters: a large graph has more structures than there are letters. */
function byStructure(t: Translate, { structures, groups, drawn }: ColouringFacts): Colouring {
  const first = new Map<number, string>();
  for (const [path, number] of structures ?? []) if (!first.has(number)) first.set(number, path);
  const of = new Map(structures);
  // A box of repeated scopes has their structure.
  for (const { path, scopes } of groups) {
    const own = of.get(scopes[0] ?? "");
    if (own !== undefined) of.set(path, own);
  }
  const words = (number: number): string =>
    t("colour.same_as", { scope: shorten(first.get(number) ?? "", 40) });
  const numbers = [...of].filter(([path]) => drawn.has(path)).map(([, number]) => number);
  const { classes, place } = commonest(t, numbers, words);
  return {
    ...UNCOLOURED,
    classes,
    scope: (path) => (of.has(path) ? place.get(of.get(path) ?? -1) : undefined),
  };
}

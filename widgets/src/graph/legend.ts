/** The signs of a picture and their meanings, drawn by the picture's own code. */

import { h, renew, s, setText } from "../base/dom";
import type { Context } from "../context";
import { circle, iconPill, pill, stateBadge } from "../draw/badge";
import { drawChip } from "../draw/chip";
import { strokes } from "../draw/edge";
import { drawPort, nodeOutline } from "../draw/node";
import { zigzagPath } from "../draw/race-sign";
import { drawToken } from "../draw/token";
import { CHANGE_SIGNS, CHANGES } from "../explore/change-signs";
import type { Translate } from "../i18n";
import { countsSentence, tally } from "../model/collapse";
import type { Graph } from "../model/graph";
import type { State } from "../model/steps/replay";
import type { Visible } from "../model/visible";
import { EDGE_KINDS, type EdgeKind, type GraphRecord, type Role } from "../record";

const ROLES: Role[] = ["variable", "constant", "placeholder", "read", "update", "op", "control", "noop"];
const STATES: [State, string][] = [
  ["ran", "✓"],
  ["ready", "1"],
  ["held", "‖"],
  ["fed", "↘"],
  ["dead", "✕"],
  ["error", "!"],
];

function sample(w: number, height: number, ...children: SVGElement[]): SVGElement {
  return s(
    "svg",
    { class: "sample", width: w, height, viewBox: `0 0 ${w} ${height}`, "aria-hidden": "true" },
    ...children,
  );
}

const entry = (picture: SVGElement, words: string): HTMLElement => h("li", {}, picture, h("span", {}, words));

const signList = (testid: string, ...entries: HTMLElement[]): HTMLElement =>
  h("ul", { class: "legend", "data-testid": testid }, ...entries);

/** A line of a kind, from left to right. */
const across = (kind: EdgeKind): SVGElement => {
  const points = [
    { x: 1, y: 7 },
    { x: 29, y: 7 },
  ];
  return sample(30, 14, s("g", { class: "edge", "data-kind": kind }, ...strokes(kind, points, true)));
};

/** The kinds of edge that these graphs have. */
export const edgeKinds = (...graphs: readonly GraphRecord[]): Set<EdgeKind> =>
  new Set(graphs.flatMap(({ edges }) => edges.map(({ kind }) => kind)));

/** Kinds of edge in one line, at the foot of a stage. */
export function edgeKey(ctx: Context, kinds: ReadonlySet<EdgeKind>, more: HTMLElement[] = []): HTMLElement {
  const d = zigzagPath({ x: 2, y: 14 }, { x: 40, y: 14 }, { x: 21, y: 14 });
  const race = sample(42, 28, s("g", { class: "race" }, s("path", { d })));
  return h(
    "ul",
    { class: "legend key", "aria-label": ctx.t("legend.title"), "data-testid": "legend" },
    ...EDGE_KINDS.filter((kind) => kinds.has(kind)).map((kind) => entry(across(kind), ctx.t(`key.${kind}`))),
    ...(ctx.highlights.get("races").length > 0 ? [entry(race, ctx.t("key.race"))] : []),
    ...more,
  );
}

/** A sign: its sample, its meaning, and the selector that finds it in a picture. */
interface Sign {
  key: string;
  drawn: string;
  sample: (picture: Element) => SVGElement;
  words: string;
}

export interface DrawnLegend {
  element: HTMLElement;
  /** Lists the signs that the picture has now. */
  refresh: () => void;
}

/** A legend of the signs that a picture contains: each is looked for in the picture itself, so that the two agree. */
export function drawnLegend(ctx: Context, picture: HTMLElement): DrawnLegend {
  const list = h("ul", { class: "legend", "aria-label": ctx.t("legend.title"), "data-testid": "legend" });
  const signs = signsOf(ctx);
  return {
    element: list,
    refresh() {
      const present = signs.filter(({ drawn }) => picture.querySelector(drawn));
      const items = present.map(({ key, sample, words }) => {
        const item = entry(sample(picture), words);
        item.dataset.sign = key;
        return item;
      });
      renew(list, items);
    },
  };
}

export interface LineKey extends DrawnLegend {
  /** Says how much is drawn and how much is counted. */
  count: (visible: Visible) => void;
}

/** The foot of a stage: how much is drawn, and the kinds of line that a picture has now, in a few words. */
export function lineKey(ctx: Context, graph: Graph, picture: HTMLElement): LineKey {
  const counts = h("p", { "data-testid": "tally" });
  const list = h("ul", { "data-testid": "key", "aria-label": ctx.t("legend.edges") });
  const tie = s("g", { class: "gradient-tie" }, s("path", { d: "M2 6H29" }));
  const signs: [drawn: string, sample: SVGElement, words: string][] = [
    ...EDGE_KINDS.map((kind): [string, SVGElement, string] => [
      `.edge[data-kind="${kind}"]`,
      across(kind),
      ctx.t(`key.${kind}`),
    ]),
    [".gradient-tie", sample(30, 12, tie), ctx.t("key.gradient")],
    ["[data-outside]", outsideNode(), ctx.t("legend.outside")],
    ["[data-unused]", unusedNode(22, 10), ctx.t("colour.not_run")],
  ];
  return {
    element: h("div", { class: "key" }, counts, list),
    count: (visible) => setText(counts, countsSentence(ctx.t, tally(graph, visible))),
    refresh() {
      const present = signs.filter(([drawn]) => picture.querySelector(drawn));
      renew(
        list,
        present.map(([, sample, words]) => entry(sample.cloneNode(true) as SVGElement, words)),
      );
    },
  };
}

/** An arrow of the legend, against the flow or with it. */
const signIn = (picture: Element, way: string): string =>
  `${picture.querySelector(`.badge.reach-${way} text`)?.textContent?.slice(0, 1) ?? ""}1`;

const line = (kind: EdgeKind, change?: string): SVGElement => {
  const points = [
    { x: 10, y: 1 },
    { x: 10, y: 27 },
  ];
  const group = s("g", { class: "edge", "data-kind": kind, "data-change": change }, ...strokes(kind, points));
  return sample(20, 28, group);
};
const badge = (name: string, symbol: string): SVGElement => sample(24, 24, circle(name, 12, 12, symbol));
const area = (className: string): SVGElement => {
  const shape = s("rect", { class: "area", x: 2, y: 5, width: 30, height: 18, rx: 3 });
  return sample(34, 28, s("g", { class: className }, shape));
};

function outsideNode(): SVGElement {
  const name = s("text", { class: "name", x: 11, y: 8, "text-anchor": "middle", dy: "0.35em" });
  name.textContent = "abc";
  return sample(22, 16, s("g", { class: "node", "data-outside": "" }, name));
}
const unusedNode = (w: number, h: number): SVGElement =>
  sample(w + 4, h + 4, s("g", { class: "node", "data-unused": "" }, nodeOutline("op", { x: 2, y: 2, w, h })));
const pairLine = (): SVGElement => sample(32, 28, s("path", { class: "pair", d: "M2 14H30" }));

const signsOf = ({ t }: Context): Sign[] => [
  ...edgeSigns(t),
  ...boxSigns(t),
  ...attachedSigns(t),
  ...toolSigns(t),
  ...changeSigns(t),
];

function edgeSigns(t: Translate): Sign[] {
  return [
    ...EDGE_KINDS.map((kind) => ({
      key: `edge ${kind}`,
      drawn: `.edge[data-kind="${kind}"]`,
      sample: () => line(kind),
      words: t(`legend.${kind}`),
    })),
    {
      key: "bundle",
      drawn: '.edge:not([data-count="1"]), .cable',
      sample: bundle,
      words: t("legend.bundle"),
    },
  ];
}

const roleSigns = (t: Translate) =>
  ROLES.map((role) => ({
    key: `role ${role}`,
    drawn: `.node[data-role="${role}"]`,
    sample: () => {
      const shape = nodeOutline(role, { x: 2, y: 3, w: 44, h: 24 });
      return sample(48, 30, s("g", { class: "node", "data-role": role }, shape));
    },
    words: t(`role.${role}`),
  }));

/** Nodes, scopes and blocks. */
function boxSigns(t: Translate): Sign[] {
  return [
    ...roleSigns(t),
    {
      key: "closed",
      drawn: ".scope.closed",
      sample: () => {
        const cards = [6, 3, 0].map((by) =>
          s("rect", { class: "card", x: 2 + by, y: 3 + by, width: 26, height: 17, rx: 4 }),
        );
        return sample(38, 30, s("g", { class: "scope closed" }, ...cards));
      },
      words: t("legend.closed"),
    },
    { key: "open", drawn: ".scope.open", sample: () => area("scope open"), words: t("legend.open") },
    {
      key: "unused",
      drawn: "[data-unused]",
      sample: () => unusedNode(30, 18),
      words: t("colour.not_run"),
    },
    { key: "block", drawn: ".block", sample: () => area("block"), words: t("legend.block") },
  ];
}

/** What is drawn between nodes, or at one. */
function attachedSigns(t: Translate): Sign[] {
  return [
    {
      key: "tie",
      drawn: ".tie",
      sample: () => sample(20, 28, s("path", { class: "tie", d: "M10 2V26" })),
      words: t("legend.tie"),
    },
    {
      key: "port",
      drawn: ".port",
      sample: () => sample(24, 24, drawPort({ x: 12, y: 12 }, 1)),
      words: t("legend.port"),
    },
    { key: "part", drawn: ".badge.part", sample: () => badge("part", "∂"), words: t("legend.gradient") },
    { key: "pair", drawn: ".pair", sample: pairLine, words: t("legend.pair") },
  ];
}

/** What the tools of the explorer mark. */
function toolSigns(t: Translate): Sign[] {
  return [
    {
      key: "hit",
      drawn: ".badge.hit",
      sample: () => sample(24, 24, iconPill("hit", 12, 12, "find")),
      words: t("legend.hit"),
    },
    ...(["inputs", "outputs"] as const).map((way) => ({
      key: `reach-${way}`,
      drawn: `.badge.reach-${way}`,
      sample: (picture: Element) => sample(30, 24, pill(`reach-${way}`, 15, 12, signIn(picture, way), 14)),
      words: t(`legend.reach_${way}`),
    })),
    {
      key: "pin",
      drawn: ".badge.pin",
      sample: () => sample(24, 24, iconPill("pin", 12, 12, "pin")),
      words: t("legend.pin"),
    },
    { key: "number", drawn: ".badge.number", sample: () => badge("number", "1"), words: t("legend.stub") },
  ];
}

/** What a comparison of graphs marks. */
function changeSigns(t: Translate): Sign[] {
  return [
    ...CHANGES.map((change) => ({
      key: change,
      drawn: `.badge.${change}`,
      sample: () => badge(change, CHANGE_SIGNS[change]),
      words: t(`legend.${change}`),
    })),
    ...(["added", "removed"] as const).map((change) => ({
      key: `edge-${change}`,
      drawn: `.edge[data-change="${change}"]`,
      sample: () => line("data", change),
      words: t(`legend.edge_${change}`),
    })),
  ];
}

/** The signs of a growing gradient graph. */
export const growthLegend = ({ t }: Context): HTMLElement =>
  signList(
    "growth-legend",
    entry(badge("visiting", "▶"), t("state.visiting")),
    entry(badge("visited", "✓"), t("state.visited")),
    entry(badge("pending", "2"), t("legend.ways")),
    entry(badge("new", "+"), t("legend.new")),
    entry(badge("part", "∂"), t("legend.gradient")),
    entry(pairLine(), t("legend.pair")),
  );

/** The signs of a graph that a program builds. */
export const filmLegend = ({ t }: Context): HTMLElement =>
  signList("film-legend", entry(badge("new", "+"), t("state.new")));

const nodeIn = (state: State): SVGElement =>
  sample(
    38,
    26,
    s("g", { class: "node", "data-state": state }, nodeOutline("op", { x: 2, y: 4, w: 34, h: 18 })),
  );

/** The signs of the engine's passes. */
export const passesLegend = ({ t }: Context): HTMLElement =>
  signList(
    "passes-legend",
    entry(badge("leaves", "−"), t("state.leaves")),
    entry(nodeIn("left"), t("state.left")),
    entry(badge("queued", "1"), t("legend.turn")),
    entry(badge("coded", "{}"), t("state.coded")),
  );

export function markEntry(ctx: Context): HTMLElement {
  const mark = s("rect", { class: "mark", x: 3, y: 5, width: 28, height: 18, rx: 5 });
  return entry(sample(34, 28, s("g", { class: "node", "data-marked": "" }, mark)), ctx.t("legend.mark"));
}

export const nodeLegend = ({ t }: Context): HTMLElement =>
  signList(
    "node-legend",
    ...roleSigns(t).map(({ sample, words }) => entry(sample(), words)),
    entry(bundle(), t("legend.bundle")),
  );

/** The signs of a run on several devices: those of its clock, and of what travels. */
const clockEntries = ({ t }: Context): HTMLElement[] => {
  const works = s("rect", { class: "works done", x: 2, y: 7, width: 30, height: 10, rx: 1 });
  const sends = s("line", { class: "sends done", x1: 2, x2: 32, y1: 12, y2: 12 });
  return [
    entry(sample(34, 24, works), t("legend.works")),
    entry(sample(34, 24, sends), t("legend.sends")),
    entry(sample(44, 24, pill("bytes", 22, 12, "16 B", 26)), t("legend.bytes")),
  ];
};

/** clock: whether the runs have a simulated clock. */
export function stateLegend(ctx: Context, clock = false): HTMLElement {
  const { t } = ctx;
  const chip = (kind: "own" | "alias", words: string): SVGElement =>
    sample(50, 24, drawChip(kind, { x: 25, y: 12 }, words, 26));
  const token = (kind: "control" | "dead"): SVGElement => sample(24, 24, drawToken(kind, { x: 12, y: 12 }));
  return signList(
    "state-legend",
    entry(nodeIn("active"), t("state.active")),
    ...STATES.map(([state, symbol]) => {
      const name = state === "ready" ? "queued" : state;
      return entry(sample(24, 24, stateBadge(name, 12, 12, symbol)), t(`state.${state}`));
    }),
    entry(badge("pending", "2"), t("legend.pending")),
    entry(chip("own", "2.0"), t("legend.value")),
    entry(chip("alias", "≡ x"), t("legend.alias")),
    entry(token("control"), t("legend.token_control")),
    entry(token("dead"), t("legend.token_dead")),
    ...(clock ? clockEntries(ctx) : []),
  );
}

function bundle(): SVGElement {
  const text = s("text", { class: "count", x: 15, y: 14, "text-anchor": "middle", dy: "0.35em" });
  text.textContent = "×3";
  return sample(30, 28, text);
}

/** The signs and what they mean, drawn by the same code as the picture. */
import type { Context } from "../context";
import { h, s } from "../dom";
import { circle } from "../draw/badge";
import { strokes } from "../draw/edge";
import { outline } from "../draw/node";
import { drawToken } from "../draw/token";
import { EDGE_KINDS, type Role } from "../record";
import type { State } from "../replay";

const ROLES: Role[] = ["variable", "constant", "placeholder", "read", "update", "op", "control", "noop"];
const STATES: [State, string][] = [
  ["active", "▶"],
  ["ran", "✓"],
  ["ready", "1"],
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

/** The kinds of edge and the empty block: shown under every picture. */
export function edgeLegend(ctx: Context, more: HTMLElement[] = []): HTMLElement {
  const edges = EDGE_KINDS.map((kind) => {
    const group = s(
      "g",
      { class: "edge", "data-kind": kind },
      ...strokes(kind, [
        { x: 10, y: 1 },
        { x: 10, y: 27 },
      ]),
    );
    return entry(sample(20, 28, group), ctx.t(`legend.${kind}`));
  });
  const block = s(
    "g",
    { class: "block" },
    s("rect", { class: "area", x: 2, y: 5, width: 30, height: 18, rx: 3 }),
  );
  return h(
    "ul",
    { class: "legend", "aria-label": ctx.t("legend.title"), "data-testid": "legend" },
    ...edges,
    entry(sample(34, 28, block), ctx.t("legend.block")),
    ...more,
  );
}

/** A node of a gradient: shown where there are any. */
export function gradientEntry(ctx: Context): HTMLElement {
  return entry(sample(24, 24, circle("part", 12, 12, "∂")), ctx.t("legend.gradient"));
}

/** The signs of a graph that grows. */
export function growthLegend(ctx: Context): HTMLElement {
  const badge = (name: string, symbol: string): SVGElement => sample(24, 24, circle(name, 12, 12, symbol));
  const pair = s("path", { class: "pair", d: "M2 14H30" });
  return h(
    "ul",
    { class: "legend", "data-testid": "growth-legend" },
    entry(badge("visiting", "▶"), ctx.t("state.visiting")),
    entry(badge("visited", "✓"), ctx.t("state.visited")),
    entry(badge("pending", "2"), ctx.t("legend.ways")),
    entry(badge("new", "+"), ctx.t("legend.new")),
    gradientEntry(ctx),
    entry(sample(32, 28, pair), ctx.t("legend.pair")),
  );
}

export function markEntry(ctx: Context): HTMLElement {
  const mark = s("rect", { class: "mark", x: 3, y: 5, width: 28, height: 18, rx: 5 });
  return entry(sample(34, 28, s("g", { class: "node", "data-marked": "" }, mark)), ctx.t("legend.mark"));
}

export function nodeLegend(ctx: Context): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    ...ROLES.map((role) => {
      const shape = outline(role, { x: 2, y: 3, w: 44, h: 24 });
      return entry(
        sample(48, 30, s("g", { class: "node", "data-role": role }, shape)),
        ctx.t(`role.${role}`),
      );
    }),
    entry(sample(30, 28, words("×3")), ctx.t("legend.bundle")),
  );
}

export function stateLegend(ctx: Context): HTMLElement {
  const badge = (name: string, symbol: string): SVGElement => sample(24, 24, circle(name, 12, 12, symbol));
  const token = (kind: "data" | "control" | "reference" | "dead"): SVGElement =>
    sample(24, 24, s("g", { class: "tokens" }, drawToken(kind, { x: 12, y: 12 })));
  return h(
    "ul",
    { class: "legend" },
    ...STATES.map(([state, symbol]) =>
      entry(badge(state === "ready" ? "queued" : state, symbol), ctx.t(`state.${state}`)),
    ),
    entry(badge("pending", "2"), ctx.t("legend.pending")),
    entry(badge("alias", "≡"), ctx.t("legend.alias")),
    entry(token("data"), ctx.t("legend.token")),
    entry(token("control"), ctx.t("legend.token_control")),
    entry(token("reference"), ctx.t("legend.token_reference")),
    entry(token("dead"), ctx.t("legend.token_dead")),
  );
}

function words(content: string): SVGElement {
  const text = s("text", { class: "count", x: 15, y: 14, "text-anchor": "middle", dy: "0.35em" });
  text.textContent = content;
  return text;
}

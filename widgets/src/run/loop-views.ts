/** Three views of a loop: the cycle in the graph, its iterations side by side, and the open frames. */

import { h } from "../base/dom";
import { inline, leaf, oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import {
  type IterationLane,
  iterationText,
  type Loop,
  loopsOf,
  stack,
  unroll,
} from "../model/loop-iterations";
import type { Position } from "../model/replay";
import type { TraceRecord } from "../record";

/** How many iterations are side by side: the last ones. */
export const LANES = 24;

const VIEWS = ["cycle", "unrolled", "stack"] as const;
type View = (typeof VIEWS)[number];

export interface LoopViews {
  /** The choice of view; null if no run has a loop. */
  chooser: HTMLElement | null;
  /** The view that replaces the picture, unless that is the cycle. */
  element: HTMLElement;
  show: (at: Position) => void;
}

export function createLoopViews(
  ctx: Context,
  graph: Graph,
  trace: TraceRecord,
  changed: (cycle: boolean) => void,
): LoopViews {
  const { t } = ctx;
  const loops = loopsOf(trace);
  const element = h("section", { class: "loops", "aria-label": t("loop.view"), hidden: true });
  let view: View = "cycle";
  let chosen: Loop | undefined = loops[0];
  let at: Position = { run: 0, step: 0 };

  const group = `${ctx.prefix}-loop-view`;
  const radios = VIEWS.map((name) => {
    const radio = h("input", {
      type: "radio",
      name: group,
      "data-testid": `loop-${name}`,
      change: () => choose(name),
    });
    radio.checked = name === view;
    return h("label", {}, radio, h("span", {}, t(`loop.${name}`)));
  });
  const chooser = h("fieldset", { class: "loop-view" }, h("legend", {}, t("loop.view")), ...radios);
  const select = h("select", {
    "data-testid": "loop-frame",
    change: () => {
      chosen = loops[select.selectedIndex];
      draw();
    },
  });
  for (const { frame } of loops) select.append(h("option", {}, inline(frame)));
  const which = loops.length > 1 && h("label", { class: "which" }, h("span", {}, t("loop.which")), select);
  const body = h("div", { class: "loop-body" });
  element.append(...(which ? [which] : []), body);

  function choose(name: View): void {
    view = name;
    element.hidden = view === "cycle";
    if (which) which.hidden = view !== "unrolled";
    changed(view === "cycle");
    draw();
  }

  const name = (node: number): string => shorten(leaf(graph.node.get(node)?.name ?? `#${node}`), 28);

  const value = (text: string, limit: number): HTMLElement =>
    h("code", { dir: "auto" }, shorten(oneLine(text), limit));
  const struck = (): HTMLElement =>
    h("span", { class: "dead" }, h("span", { "aria-hidden": "true" }, "✕ "), h("s", {}, t("loop.dead")));

  function cell(lane: IterationLane, node: number): HTMLElement {
    const turn = lane.turns.get(node);
    if (!turn) return h("td", { class: "later" }, "");
    const { outcome, outputs, error } = turn.record;
    const now = turn.step === at.step;
    const [output] = outputs.filter(({ dead }) => !dead);
    const text = (outcome === "error" ? error : output?.text) ?? "";
    const words = outcome === "dead" ? struck() : value(text || "✓", 24);
    const type = graph.node.get(node)?.type ?? "";
    return h(
      "td",
      { "data-now": now, "data-outcome": outcome, "aria-current": now ? "step" : null },
      now && h("span", { class: "now", "aria-hidden": "true" }, "▶ "),
      words,
      // The value for the next iteration has an arrow towards it.
      type.endsWith("NextIteration") && outcome === "ran"
        ? h("span", { class: "on", "aria-hidden": "true" }, " →")
        : null,
    );
  }

  function unrolled(): HTMLElement[] {
    if (!chosen) return [];
    const { outer, lanes } = unroll(trace, at, chosen);
    if (lanes.length === 0) return [h("p", { class: "hint" }, t("loop.not_yet"))];
    const latest = lanes.slice(-LANES);
    const nodes = [...new Set(lanes.flatMap(({ turns }) => [...turns.keys()]))];
    const head = h("tr", {}, h("th", { scope: "col" }, t("loop.node")));
    for (const { iteration } of latest) {
      head.append(
        h("th", { scope: "col" }, t("loop.iteration", { n: iterationText([...outer, iteration]) })),
      );
    }
    const rows = nodes.map((node) =>
      h(
        "tr",
        { "data-node": node },
        h("th", { scope: "row", title: graph.node.get(node)?.type ?? "" }, h("bdi", {}, name(node))),
        ...latest.map((lane) => cell(lane, node)),
      ),
    );
    const caption = t("loop.caption", { frame: inline(chosen.frame) });
    const table = h(
      "table",
      { "data-testid": "unrolled" },
      h("caption", {}, caption),
      h("thead", {}, head),
      h("tbody", {}, ...rows),
    );
    const scroll = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
    const hidden = lanes.length - latest.length;
    return [...(hidden > 0 ? [h("p", { class: "hint" }, t("loop.earlier", { n: hidden }))] : []), scroll];
  }

  function frames(): HTMLElement[] {
    const levels = stack(graph, trace, loops, at).map(({ frame, iteration, values }) =>
      h(
        "li",
        { class: "frame", "data-frame": frame },
        h("h5", {}, t("loop.frame", { frame: inline(frame), n: iterationText(iteration) })),
        h(
          "ul",
          {},
          ...values.map(({ node, text, dead }) =>
            h("li", {}, h("b", { dir: "auto" }, name(node)), dead ? struck() : value(text, 40)),
          ),
        ),
      ),
    );
    const root = h("li", { class: "frame root" }, h("h5", {}, t("loop.root")));
    return [h("ol", { class: "frames", "data-testid": "frames" }, ...levels, root)];
  }

  function draw(): void {
    if (view === "cycle") body.replaceChildren();
    else body.replaceChildren(...(view === "unrolled" ? unrolled() : frames()));
  }

  return {
    chooser: loops.length > 0 ? chooser : null,
    element,
    show(position) {
      at = position;
      if (view !== "cycle") ctx.panels.draw(element, draw);
    },
  };
}

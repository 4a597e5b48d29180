/** The tools of the chosen node: trace its inputs or outputs, set it beside the graph, pin it. */

import { h, setText } from "../base/dom";
import type { Context } from "../context";
import { button } from "../controls/button";
import { countedKinds, DIRECTIONS, type Direction, type Reach, reach } from "../explore/reach";
import type { Key } from "../i18n";
import type { Graph } from "../model/graph";

const STEPS: [number, Key][] = [
  [1, "trace.steps.1"],
  [2, "trace.steps.2"],
  [Infinity, "trace.steps.all"],
];

export type NodeReach = Partial<Record<Direction, Reach>>;

export interface NodeToolsOptions {
  whole: () => Promise<Graph>;
  show: (from: number | null, ways: NodeReach) => void;
  isBeside: (id: number) => boolean;
  setBeside: (id: number, on: boolean) => void;
  isPinned: (id: number) => boolean;
  pin: (id: number, on: boolean) => void;
}

export interface NodeTools {
  element: HTMLElement;
  /** Shows the tools for a node, or hides them. */
  refresh: (id: number | null) => void;
}

export function createNodeTools(ctx: Context, options: NodeToolsOptions): NodeTools {
  const { t } = ctx;
  const on = new Set<Direction>();
  let node: number | null = null;
  let requests = 0;

  const toggle = (testid: string, words: string, act: () => void): HTMLButtonElement => {
    const toggled = button({ testid, words, wide: true, act });
    toggled.setAttribute("aria-pressed", "false");
    return toggled;
  };
  const buttons = DIRECTIONS.map((direction) =>
    toggle(`trace-${direction}`, t(`trace.${direction}`), () => {
      if (!on.delete(direction)) on.add(direction);
      void look();
    }),
  );
  const steps = h(
    "select",
    { "aria-label": t("trace.steps"), "data-testid": "trace-steps", change: () => void look() },
    ...STEPS.map(([, key], i) => h("option", { value: i }, t(key))),
  );
  steps.value = String(STEPS.length - 1);
  const summary = h("ul", { class: "traced", role: "status", "data-testid": "trace-told" });
  const beside = toggle("beside", t("beside.set"), () => {
    if (node !== null) options.setBeside(node, !options.isBeside(node));
    mark();
  });
  const pinned = toggle("pin", t("pin.set"), () => {
    if (node !== null) options.pin(node, !options.isPinned(node));
    mark();
  });
  const element = h(
    "div",
    { class: "ways", role: "group", "aria-label": t("trace.title"), "data-testid": "ways" },
    h("div", { class: "buttons" }, ...buttons, steps, beside, pinned),
    summary,
  );

  /** Updates the buttons. */
  function mark(): void {
    element.hidden = node === null;
    const id = node ?? -1;
    for (const [i, direction] of DIRECTIONS.entries())
      buttons[i]?.setAttribute("aria-pressed", String(on.has(direction)));
    beside.setAttribute("aria-pressed", String(options.isBeside(id)));
    setText(beside.querySelector("span") ?? beside, t(options.isBeside(id) ? "beside.back" : "beside.set"));
    pinned.setAttribute("aria-pressed", String(options.isPinned(id)));
    setText(pinned.querySelector("span") ?? pinned, t(options.isPinned(id) ? "pin.take" : "pin.set"));
  }

  async function look(): Promise<void> {
    mark();
    requests += 1;
    const own = requests;
    if (node === null || on.size === 0) {
      summary.replaceChildren();
      options.show(null, {});
      return;
    }
    const graph = await options.whole();
    if (own !== requests || node === null || ctx.life.aborted) return;
    const many = STEPS[Number(steps.value)]?.[0] ?? Infinity;
    const reached: NodeReach = {};
    for (const direction of DIRECTIONS)
      if (on.has(direction)) reached[direction] = reach(graph, node, direction, many);
    summary.replaceChildren(
      ...DIRECTIONS.flatMap((direction) => {
        const extent = reached[direction];
        if (!extent) return [];
        const kinds = countedKinds(extent).map(([kind, n]) => h("li", {}, t(`badge.${kind}`, { n })));
        return [
          h(
            "li",
            {},
            t(`trace.told_${direction}`, { n: extent.nodes.size }),
            kinds.length > 0 && h("ul", {}, ...kinds),
          ),
        ];
      }),
    );
    options.show(node, reached);
  }

  mark();
  return {
    element,
    refresh(id) {
      const isNew = id !== node;
      node = id;
      mark();
      if (isNew && on.size > 0) void look();
    },
  };
}

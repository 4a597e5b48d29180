/** One pass of the engine: how many nodes there are before and after, and the fate of each; of a chosen node, all its fates. */

import { h, section } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { isKey } from "../i18n";
import type { Graph } from "../model/graph";
import { type GraphItem, nodeName } from "../model/graph-item";
import { fatesOf } from "../model/pass-state";
import type { FateRecord, PassCode, PassesRecord, PassRecord } from "../record";

/** How many fates are listed; the others are counted, and each node can be chosen in the picture. */
const LISTED = 60;

export function fateText(ctx: Context, pass: PassCode, { code, params }: FateRecord): string {
  const key = pass === "prune" ? `why.${code}` : `passes.fate.${code}`;
  return isKey(key) ? ctx.t(key, params) : shorten(code, 60);
}

export function passSentences(ctx: Context, { code, before, after, note, params }: PassRecord): string[] {
  const sentences = [ctx.t(`passes.live.${code}`, { before, after, n: before - after })];
  const key = `passes.note.${note}`;
  const why = `refused.plan.${params.reason}`;
  if (note && isKey(key))
    sentences.push(ctx.t(key, isKey(why) ? { ...params, reason: ctx.t(why, params) } : params));
  return sentences;
}

export interface EnginePass {
  element: HTMLElement;
  show: (step: number, item: GraphItem | null) => void;
}

export function createEnginePass(ctx: Context, graph: Graph, record: PassesRecord): EnginePass {
  const body = h("div", {
    class: "pass-body",
    tabindex: "0",
    role: "group",
    "aria-label": ctx.t("passes.about"),
  });
  const element = section(
    { class: "panel pass", "data-testid": "pass" },
    h("h4", {}, ctx.t("passes.about")),
    body,
  );

  /** The nodes that a pass removes come first. */
  function passFates(step: number): HTMLElement[] {
    const pass = record.passes[step];
    if (!pass) return [];
    const fates = [
      ...pass.fates.filter(({ leaves }) => leaves),
      ...pass.fates.filter(({ leaves }) => !leaves),
    ];
    const items = fates
      .slice(0, LISTED)
      .map((fate) => h("li", { "data-leaves": fate.leaves }, fateText(ctx, pass.code, fate)));
    if (fates.length > LISTED) items.push(h("li", {}, `… +${fates.length - LISTED}`));
    return [
      h("p", { class: "counts" }, ctx.t("passes.counts", { before: pass.before, after: pass.after })),
      fates.length > 0
        ? h("ul", { class: "fates" }, ...items)
        : h("p", { class: "hint" }, ctx.t("passes.none")),
      h("p", { class: "hint" }, ctx.t("passes.hint")),
    ];
  }

  function nodeFates(id: number): HTMLElement[] {
    return [
      h("h5", { dir: "auto" }, nodeName(graph, id)),
      h(
        "ol",
        { class: "fates" },
        ...fatesOf(record, id).map(([step, fate]) => {
          const code = record.passes[step]?.code ?? "whole";
          return h(
            "li",
            { "data-leaves": fate.leaves },
            h("strong", {}, ctx.t(`passes.name.${code}`)),
            h("span", {}, fateText(ctx, code, fate)),
          );
        }),
      ),
    ];
  }

  return {
    element,
    show(step, item) {
      body.replaceChildren(...(item?.kind === "node" ? nodeFates(item.id) : passFates(step)));
    },
  };
}

export interface PlanLines {
  element: HTMLElement;
  /** Marks the lines of a node. */
  show: (node: number | null, written: boolean) => void;
}

/** The lines of the plan; pointing at a line looks at its node. */
export function createPlanLines(
  ctx: Context,
  record: PassesRecord,
  look: (item: GraphItem | null) => void,
): PlanLines {
  const owner = new Map<number, number>();
  for (const { fates } of record.passes) {
    for (const { node, lines } of fates) for (const line of lines) owner.set(line, node);
  }
  const rows = record.plan.map((text, line) => {
    const node = owner.get(line);
    const row = h(
      "li",
      {},
      h("span", { class: "number" }, String(line + 1)),
      h("code", {}, text.slice(0, 240)),
    );
    if (node !== undefined) {
      row.addEventListener("pointerenter", () => look({ kind: "node", id: node }));
      row.addEventListener("pointerleave", () => look(null));
    }
    return row;
  });
  const element = section(
    { class: "panel source plan", "data-testid": "plan" },
    h("h4", {}, ctx.t("passes.plan_title")),
    h("ol", {}, ...rows),
  );
  return {
    element,
    show(node, written) {
      element.hidden = !written || rows.length === 0;
      rows.forEach((row, line) => {
        row.toggleAttribute("data-active", node !== null && owner.get(line) === node);
      });
    },
  };
}

/** A pass in full: how many nodes before and after, and what becomes of each; of a chosen node, all that becomes of it. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { isKey } from "../i18n";
import type { Graph } from "../model/graph";
import { nodeName, type Thing } from "../model/graph-item";
import { fatesOf } from "../model/pass-state";
import type { FateRecord, PassCode, PassesRecord, PassRecord } from "../record";

/** Nobody reads more of one pass; the others are counted, and each can be chosen in the picture. */
const LISTED = 60;

export function fateText(ctx: Context, pass: PassCode, { code, params }: FateRecord): string {
  const key = pass === "prune" ? `why.${code}` : `passes.fate.${code}`;
  return isKey(key) ? ctx.t(key, params) : shorten(code, 60);
}

export function passSentences(ctx: Context, { code, before, after, note, params }: PassRecord): string[] {
  const said = [ctx.t(`passes.live.${code}`, { before, after, n: before - after })];
  const key = `passes.note.${note}`;
  const why = `refused.plan.${params.reason}`;
  if (note && isKey(key))
    said.push(ctx.t(key, isKey(why) ? { ...params, reason: ctx.t(why, params) } : params));
  return said;
}

export interface Pass {
  element: HTMLElement;
  show: (step: number, thing: Thing | null) => void;
}

export function createPass(ctx: Context, graph: Graph, record: PassesRecord): Pass {
  const body = h("div", {
    class: "pass-body",
    tabindex: "0",
    role: "group",
    "aria-label": ctx.t("passes.about"),
  });
  const element = h(
    "section",
    { class: "panel pass", "data-testid": "pass" },
    h("h4", {}, ctx.t("passes.about")),
    body,
  );

  /** Why a node goes on concerns fewer readers than why it goes. */
  function whole(step: number): HTMLElement[] {
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

  function one(id: number): HTMLElement[] {
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
    show(step, thing) {
      body.replaceChildren(...(thing?.kind === "node" ? one(thing.id) : whole(step)));
    },
  };
}

export interface PlanLines {
  element: HTMLElement;
  /** Marks the lines of a node. */
  show: (node: number | null, written: boolean) => void;
}

/** The lines of the plan; pointing at one of them looks at its node. */
export function createPlanLines(
  ctx: Context,
  record: PassesRecord,
  look: (thing: Thing | null) => void,
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
  const element = h(
    "section",
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

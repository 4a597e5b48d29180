/** The details of the item that the user points at: what it is, where it was created, and its value now. */

import { h, renew } from "../base/dom";
import type { Context } from "../context";
import { type Graph, ROOT } from "../model/graph";
import { describe, describeEdge, type GraphItem } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { TraceRecord } from "../record";
import { nodeDetails } from "./node-details";
import { createReason } from "./reason";
import { type RunTotals, scopeDetails } from "./scope-details";
import { createStepValues } from "./step-values";

export interface Details {
  element: HTMLElement;
  /** Adds an element below the details. */
  add: (part: HTMLElement) => void;
  show: (item: GraphItem | null, frame: Frame | null) => void;
}

export interface DetailsOptions {
  /** What a run did, if that is known without steps. */
  run?: () => RunTotals | null;
  isClosed: (path: string) => boolean;
  /** Chooses an item that the details name. */
  choose?: (item: GraphItem) => void;
  heading?: (path: string) => string | null;
  /** Opens or closes a scope, or closes all others. */
  act?: (name: "toggle" | "only", path: string) => void;
}

export function createDetails(
  ctx: Context,
  graph: Graph,
  trace: TraceRecord | null,
  { run = () => null, isClosed, choose, act, heading }: DetailsOptions,
): Details {
  let shown: GraphItem | null = null;
  const body = h("div", { class: "details-body" });
  const values = trace && createStepValues(ctx, trace);
  const why = createReason(ctx, graph, trace);
  const element = h(
    "div",
    { class: "panel details", role: "group", "aria-label": ctx.t("detail.title"), "data-testid": "details" },
    body,
    values?.element,
    why.element,
  );
  function content(item: GraphItem | null, frame: Frame | null): HTMLElement[] {
    if (item?.kind === "node") return nodeDetails(ctx, graph, item.id, { frame, run: run() });
    const of = item ?? (act ? ({ kind: "scope", path: ROOT } as const) : null);
    if (!of) return [h("p", { class: "hint" }, ctx.t("detail.hint"))];
    if (of.kind === "scope")
      return scopeDetails(ctx, graph, of.path, { run: run(), acts: act !== undefined, isClosed, heading });
    if (of.kind === "block") return [h("p", {}, describe(ctx.t, graph, of))];
    const lines = of.bundle.edges.slice(0, 30).map((edge) => h("li", {}, describeEdge(ctx.t, graph, edge)));
    return [h("p", {}, describe(ctx.t, graph, of)), ...(lines.length > 1 ? [h("ul", {}, ...lines)] : [])];
  }

  body.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-go], [data-act]");
    const [, kind, rest = ""] = /^(node|scope) (.*)$/s.exec(button?.dataset.go ?? "") ?? [];
    if (kind === "node") choose?.({ kind, id: Number(rest) });
    else if (kind === "scope") choose?.({ kind, path: rest });
    else if (shown?.kind === "scope" && button) act?.(button.dataset.act as "toggle" | "only", shown.path);
  });

  return {
    element,
    add: (part) => why.element.after(part),
    show(item, frame) {
      shown = item;
      renew(body, content(item, frame));
      const id = item?.kind === "node" ? item.id : null;
      why.show(id, frame);
      values?.show(id === null ? undefined : frame?.ran.get(id), frame);
    },
  };
}

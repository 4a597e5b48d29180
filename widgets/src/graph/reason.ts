/** "Why does it run?", asked about a node: the reason, its path in the picture, and the changes that would flip it. */

import { h, section, setText } from "../base/dom";
import { unpack } from "../base/unpacking";
import type { Context } from "../context";
import { button, toggleButton } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { isKey, type Key } from "../i18n";
import type { Graph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { ChangeRecord, CompareRecord, ReasonRecord, TraceRecord, WhyRecord } from "../record";
import { noticeText } from "./notices";

/** A reason in words. Python's params win; the path gives those that are missing. */
function whyText(ctx: Context, graph: Graph, node: number, why: WhyRecord): string {
  return ctx.t(`why.${why.code}`, {
    node: nodeName(graph, node),
    consumer: nodeName(graph, why.path.at(-2) ?? node),
    path: names(graph, why.path, " → "),
    ...why.params,
  });
}

/** The reason of a node that was still waiting when its run failed or was given up. */
function behind(trace: TraceRecord | null, id: number, frame: Frame | null): WhyRecord | null {
  const run = frame ? trace?.runs[frame.run] : undefined;
  if (!frame || !run?.error || frame.step < frame.total) return null;
  if (frame.ran.has(id) || frame.state.get(id) === "pruned") return null;
  if (run.unfinished) return run.unfinished;
  const failed = run.steps.find(({ outcome }) => outcome === "error");
  if (!failed || failed.node === id) return null;
  const by = trace?.graph.nodes.find((node) => node.id === failed.node)?.name ?? "";
  return { code: "stopped", params: { by, error: failed.error ?? run.error }, path: [] };
}

const NOWHERE: readonly number[] = [];
const QUESTIONS: Partial<Record<WhyRecord["code"], Key>> = {
  fetched: "why.question.yes",
  data: "why.question.yes",
  control: "why.question.yes",
  failed: "why.question.yes",
  unfinished: "why.ask_whether",
  cut_short: "why.ask_whether",
};

export interface ReasonPanel {
  element: HTMLElement;
  show: (id: number | null, frame: Frame | null) => void;
}

export function createReason(ctx: Context, graph: Graph, trace: TraceRecord | null): ReasonPanel {
  const { t } = ctx;
  const known = new Map(
    [...(trace?.needed ?? []), ...(trace?.pruned ?? [])].map(({ node, why }) => [node, why]),
  );
  const reasons = new Map<number, ReasonRecord>();
  let currentNode: number | null = null;
  let last: Frame | null = null;
  const question = h("h5");
  const reason = h("p", { "data-testid": "why-reason", dir: "auto", tabindex: "-1" });
  let isPointing = false;
  const turnPath = (): void => {
    isPointing = !isPointing;
    point();
  };
  const way = toggleButton({
    testid: "why-path",
    words: t("why.path"),
    isOn: () => isPointing,
    act: turnPath,
  });
  const asks = button({ testid: "why-ask", words: t("why.ask"), wide: true, act: () => ask() });
  asks.hidden = ctx.program === null;
  const answer = createQuestionStatus(ctx);
  const flips = h("div", { class: "flips", "data-testid": "why-changes", tabindex: "-1" });
  const element = section(
    { class: "why", "data-testid": "why", hidden: true },
    question,
    reason,
    h("div", { class: "actions" }, way, asks),
    answer.element,
    flips,
  );

  const whyOf = (id: number): WhyRecord | undefined =>
    reasons.get(id)?.why ?? behind(trace, id, last) ?? known.get(id);

  function point(): void {
    const path = currentNode === null ? [] : (whyOf(currentNode)?.path ?? []);
    way.hidden = path.length < 2;
    ctx.highlights.set({ path: isPointing ? path : NOWHERE });
  }

  function ask(): void {
    const node = currentNode;
    if (node === null) return;
    answer.ask<ReasonRecord>("why", { node, program: ctx.program }, (record) => {
      const fresh = whyOf(node) ? flips : reason;
      const hadFocus = document.activeElement === asks;
      reasons.set(node, record);
      draw();
      // The button is gone: the focus moves to the answer, where a screen reader goes on.
      if (hadFocus) fresh.focus();
    });
  }

  function tries(node: number, number: number): void {
    answer.ask<CompareRecord>("try", { node, change: number, program: ctx.program }, (record) =>
      ctx.triedChange.compare(unpack(record)),
    );
  }

  function draw(): void {
    const id = currentNode;
    const why = id === null ? undefined : whyOf(id);
    const record = id === null ? undefined : reasons.get(id);
    element.hidden = id === null || (why === undefined && (trace !== null || ctx.program === null));
    if (id === null || element.hidden) {
      point();
      return;
    }
    setText(question, t((why && QUESTIONS[why.code]) ?? "why.question.no"));
    question.hidden = !why;
    setText(reason, why ? whyText(ctx, graph, id, why) : "");
    reason.hidden = !why;
    asks.hidden = ctx.program === null || record !== undefined;
    setText(asks, t(why ? "why.ask" : "why.ask_whether"));
    flips.replaceChildren(...(record ? changesOf(ctx, record, (change) => tries(id, change)) : []));
    point();
  }

  return {
    element,
    show(id, frame) {
      // Only a new reason is drawn: a redrawn button would lose the focus.
      const isSame = id === currentNode && frame?.run === last?.run && frame?.step === last?.step;
      currentNode = id;
      last = frame;
      if (!isSame) draw();
    },
  };
}

/** What would change the answer. */
function changesOf(
  ctx: Context,
  { around, changes, flips }: ReasonRecord,
  act: (change: number) => void,
): HTMLElement[] {
  return [
    ...around.map((notice) => h("p", {}, noticeText(ctx, `why.${notice.code}`, notice))),
    h("h5", {}, ctx.t(changes.length > 0 ? `why.changes.${flips}` : "why.no_change")),
    h("ol", {}, ...changes.map((each, i) => changeItem(ctx, each, flips, () => act(i)))),
  ];
}

/** A change that would flip the reason, and the button to try it. */
function changeItem(
  ctx: Context,
  { parts, also, needs }: ChangeRecord,
  flip: string,
  act: () => void,
): HTMLElement {
  const counted = `why.also.${flip}`;
  return h(
    "li",
    {},
    h(
      "p",
      { dir: "auto" },
      parts.map((part) => noticeText(ctx, `why.change.${part.code}`, part)).join(" + "),
    ),
    also > 1 && isKey(counted) && h("p", { class: "hint" }, ctx.t(counted, { n: also })),
    needs.length > 0 &&
      h("p", { class: "hint" }, ctx.t("why.change.needs", { placeholders: needs.join(", ") })),
    needs.length === 0 && button({ testid: "why-try", words: ctx.t("why.try"), wide: true, act }),
  );
}

/** Lint: likely mistakes. A list of findings; of the chosen one the lines, the reason, the fix, and the nodes. */

import { h, section, setText } from "../base/dom";
import { batched, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { liveRegion } from "../controls/live-line";
import { createQuestionStatus } from "../controls/question-status";
import { rove } from "../controls/roving-focus";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeKey, edgeKinds } from "../graph/legend";
import { noticeText } from "../graph/notices";
import { fitButton, pictureMenu } from "../graph/picture-tools";
import { isKey, type Key } from "../i18n";
import { indexGraph } from "../model/graph";
import { createPicture } from "../picture/picture";
import type { FindingRecord, GraphRecord, LintRecord, NoticeRecord, Severity } from "../record";
import type { Widget } from "../widget";

export interface LintTraits {
  record: LintRecord;
  rule: string;
  chosen: number;
}

const SIGNS: Record<Severity, string> = { mistake: "✕", suspicion: "?", advice: "i" };

/** A finding in words; its bare code if the catalogue lacks it (from a newer Python). */
function say(ctx: Context, key: string, finding: FindingRecord): string {
  const code = `lint.${key}`;
  return isKey(code) ? ctx.t(code, finding.params) : finding.code;
}

export const lint: Widget<LintTraits> = (ctx, store) => {
  const { findings, nodes, rules, run } = store.get("record");
  const summary = h(
    "p",
    { class: "hint", "data-testid": "lint-summary" },
    ctx.t("lint.summary", { n: findings.length, nodes, rules }),
  );
  if (findings.length === 0) {
    const none = h(
      "p",
      { class: "lint-none", role: "status", "data-testid": "lint-none" },
      ctx.t("lint.none"),
    );
    return { body: [summary, none], keys: {}, steps: false };
  }
  const live = liveRegion();
  const detail = h("div", { class: "lint-detail" });
  const tools = h("div", { class: "tools" });
  const rows = findings.map((finding, i) => row(ctx, finding, () => store.set({ chosen: i })));
  const list = h(
    "ul",
    { class: "lint-list", "aria-label": ctx.t("lint.list"), "data-testid": "lint-list" },
    ...rows.map((button) => h("li", {}, button)),
  );
  const listed = (): number[] => {
    const rule = store.get("rule");
    return [...findings.keys()].filter((i) => rule === "" || findings[i]?.code === rule);
  };
  /** If a filter hides the chosen finding, the first visible one is chosen. */
  const chosen = (): number => {
    const all = listed();
    return all.includes(store.get("chosen")) ? store.get("chosen") : (all[0] ?? 0);
  };
  const shown = (): HTMLElement[] => listed().flatMap((i) => rows[i] ?? []);
  const stopAt = rove(list, shown, (item) => store.set({ chosen: rows.indexOf(item as HTMLButtonElement) }));

  let life = new AbortController();
  ctx.life.addEventListener("abort", () => life.abort());
  let drawn = -1;
  const show = (): void => {
    const all = listed();
    const now = chosen();
    for (const [i, element] of rows.entries()) {
      (element.parentElement as HTMLElement).hidden = !all.includes(i);
      element.tabIndex = -1;
      if (i === now) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
    stopAt(rows[now]);
    const finding = findings[now];
    if (!finding || drawn === now) return;
    // Text that is there from the start is read as it stands; later changes are spoken.
    if (drawn >= 0) {
      const severity = ctx.t(`lint.severity.${finding.severity}`);
      const text = say(ctx, finding.text, finding);
      setText(live, ctx.t("lint.live", { i: all.indexOf(now) + 1, n: all.length, severity, text }));
    }
    drawn = now;
    life.abort();
    life = new AbortController();
    tools.replaceChildren();
    detail.replaceChildren(...about({ ...ctx, life: life.signal }, finding, now, { run, tools }));
  };
  store.watch(["rule", "chosen"], batched(show, ctx.life), ctx.life);
  show();
  return {
    body: [summary, filter(ctx, store), h("div", { class: "lint" }, list, detail), live],
    menu: [tools],
    keys: {},
    steps: false,
  };
};

function filter(ctx: Context, store: Store<LintTraits>): HTMLElement {
  const counts = new Map<string, number>();
  for (const { code } of store.get("record").findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  const total = store.get("record").findings.length;
  const option = (value: string, words: string): HTMLElement =>
    h("option", { value, selected: value === store.get("rule") }, words);
  const select = h(
    "select",
    { "data-testid": "lint-rule", change: () => store.set({ rule: select.value }) },
    option("", ctx.t("lint.all", { n: total })),
    ...[...counts].map(([rule, n]) => option(rule, ctx.t("lint.one_rule", { rule, n }))),
  );
  store.watch(["rule"], () => (select.value = store.get("rule")), ctx.life);
  return h("label", { class: "lint-filter" }, h("span", {}, ctx.t("lint.filter")), select);
}

function sign(ctx: Context, severity: Severity): HTMLElement {
  return h(
    "span",
    { class: "severity", "data-severity": severity },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity]),
    h("span", {}, ctx.t(`lint.severity.${severity}`)),
  );
}

function row(ctx: Context, finding: FindingRecord, act: () => void): HTMLButtonElement {
  const site = finding.sites[0];
  return h(
    "button",
    { type: "button", "data-testid": "lint-row", "data-code": finding.code, click: act },
    h("span", { class: "lint-head" }, sign(ctx, finding.severity), h("code", {}, finding.code)),
    h("span", { class: "lint-place", dir: "auto" }, site?.label ?? ctx.t("block.unknown_site")),
    site?.source && h("code", { class: "lint-source", dir: "ltr" }, shorten(site.source, 80)),
  );
}

/** The run that questions refer to; and the part of the menu for the tools of the picture. */
interface Surroundings {
  run: NoticeRecord | null;
  tools: HTMLElement;
}

/** Everything about one finding. */
function about(ctx: Context, finding: FindingRecord, index: number, more: Surroundings): HTMLElement[] {
  const part = (key: Key, ...children: HTMLElement[]): HTMLElement =>
    section({}, h("h4", {}, ctx.t(key)), ...children);
  const words = (key: string, testid: string): HTMLElement =>
    h("p", { dir: "auto", "data-testid": testid }, say(ctx, key, finding));
  const lines = finding.sites.map(({ label, source }) =>
    h(
      "li",
      {},
      h("span", { class: "lint-place", dir: "auto" }, label),
      h("pre", { dir: "ltr" }, h("code", {}, shorten(source, 200))),
    ),
  );
  return [
    h("div", { class: "lint-what" }, sign(ctx, finding.severity), words(finding.text, "lint-what")),
    ...(lines.length > 0
      ? [part("lint.lines_title", h("ul", { "data-testid": "lint-lines" }, ...lines))]
      : []),
    part("lint.why_title", words(`${finding.code}.why`, "lint-why")),
    part("lint.fix_title", words(`${finding.code}.fix`, "lint-fix"), ...code(ctx, finding)),
    part("lint.nodes_title", around(ctx, finding, index, more)),
  ];
}

/** The code of the fix, to be copied. */
function code(ctx: Context, finding: FindingRecord): HTMLElement[] {
  if (finding.snippet === "") return [];
  const at = finding.fixes.map(({ line }) => ctx.t("lint.fix_line", { line })).join(" · ");
  const text = h("code", {}, finding.snippet);
  const status = h("span", { class: "hint", role: "status", "data-testid": "lint-copied" });
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(finding.snippet);
      setText(status, ctx.t("lint.copied"));
    } catch {
      // An insecure page has no clipboard.
      getSelection()?.selectAllChildren(text);
      setText(status, ctx.t("lint.not_copied"));
    }
  };
  return [
    ...(at ? [h("p", { class: "lint-place" }, at)] : []),
    h(
      "pre",
      { class: "lint-code", dir: "ltr", tabindex: "0", role: "group", "aria-label": ctx.t("lint.code") },
      text,
    ),
    h(
      "div",
      { class: "tools" },
      button({ testid: "lint-copy", words: ctx.t("lint.copy"), wide: true, act: () => void copy() }),
      status,
    ),
  ];
}

/** The nodes of a finding among their neighbours; Python sends them if the record lacks them. */
function around(ctx: Context, finding: FindingRecord, index: number, more: Surroundings): HTMLElement {
  const element = h("div", { class: "lint-around", "data-testid": "lint-around" });
  if (finding.around) {
    element.append(...picture(ctx, finding, finding.around, more));
    return element;
  }
  const answer = createQuestionStatus(ctx);
  element.append(answer.element);
  answer.ask<GraphRecord>("around", { finding: index }, (record) =>
    element.replaceChildren(...picture(ctx, finding, record, more)),
  );
  return element;
}

/** The most that the picture of a finding takes of the page's height, in pixels. */
const HIGHEST = 720;

function picture(
  ctx: Context,
  finding: FindingRecord,
  record: GraphRecord,
  { run, tools }: Surroundings,
): HTMLElement[] {
  const graph = indexGraph(record);
  const details = createDetails(ctx, graph, null, {
    isClosed: (path) => session.collapsed().includes(path),
  });
  details.show(null, null);
  const runNotice =
    run &&
    h(
      "p",
      { class: "hint", dir: "auto", "data-testid": "lint-run" },
      noticeText(ctx, `lint.run.${run.code}`, run),
    );
  const session = localSession(graph, finding.code, [], {
    refresh: () => details.show(session.about(), null),
  });
  const drawn = createPicture(ctx, {
    ...session,
    marks: { nodes: finding.nodes, edges: [], blocks: [] },
    mark: "lint.mark",
    like: null,
    first: {
      room: { w: 634, h: HIGHEST },
      highest: HIGHEST,
      marked: new Set(finding.nodes),
      directions: [false, true],
    },
  });
  session.attach(drawn);
  tools.replaceChildren(...pictureMenu(ctx, drawn, session));
  const names = finding.nodes.flatMap((id) => {
    const node = graph.node.get(id);
    const go = (): void => {
      session.choose({ kind: "node", id });
      drawn.focus({ kind: "node", id });
    };
    return node
      ? [
          h(
            "li",
            {},
            button({
              testid: "lint-node",
              words: ctx.t("lint.node", { name: node.name, type: node.type }),
              wide: true,
              act: go,
            }),
          ),
        ]
      : [];
  });
  return [
    h("ul", { class: "lint-nodes" }, ...names),
    h("div", { class: "tools" }, fitButton(ctx, drawn)),
    drawn.element,
    edgeKey(ctx, edgeKinds(record)),
    details.element,
    ...(runNotice ? [runNotice] : []),
  ];
}

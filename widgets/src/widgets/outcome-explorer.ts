/** OutcomeExplorer: all possible results, an order for each step by step, and the races with what ends them. */

import { h, setText } from "../base/dom";
import { batched, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { type Graph, indexGraph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import type { Position } from "../model/steps/replay";
import { firstTurnDifference, firstValueDifference } from "../model/steps/schedule-difference";
import type { CompareRecord, OutcomesRecord, RunRecord, TraceRecord, WayRecord } from "../record";
import { createPossibleResults, letter } from "../run/possible-results";
import { createRaceList, orderedSection, resultCountText } from "../run/race-list";
import type { Drawer } from "../stage/drawers";
import type { Widget, WidgetParts } from "../widget";
import { createComparison } from "./compare";
import { createSteps } from "./step-through";

export interface OutcomeTraits {
  record: OutcomesRecord;
  playing: string;
  beside: string;
  run: number;
  step: number;
}

const SIGNS = { one: "=", many: "≠", open: "…" };

export const outcomeExplorer: Widget<OutcomeTraits> = (ctx, store) => {
  const room = (): HTMLElement => h("div", { class: "bands" });
  const body = h("div", { class: "bands", "data-testid": "player" });
  const subject = h("p", { class: "subject", "data-testid": "playing" });
  const shell: Shell = { subject, body, tools: room(), menu: room(), keys: {}, close: () => false };
  let life = new AbortController();
  ctx.life.addEventListener("abort", () => life.abort());

  /** Shows the results of the user's graph, or those of a changed copy. */
  const show = (record: OutcomesRecord): void => {
    life.abort();
    life = new AbortController();
    const isCopy = record.fixes.length > 0;
    // Python can only be asked about the user's own graph.
    const inner: Context = { ...ctx, life: life.signal, program: isCopy ? null : ctx.program };
    explore(inner, store, record, shell, open, () => open(store.get("record")));
  };
  const open = (record: OutcomesRecord): void => {
    store.set({ playing: "0", beside: "", run: 0, step: 0 });
    show(record);
    shell.body.querySelector<HTMLElement>("[data-testid=count]")?.focus();
  };
  show(store.get("record"));
  const { tools, menu, keys } = shell;
  return {
    body: [body],
    subject,
    tools: [tools],
    menu: [menu],
    keys,
    steps: true,
    framed: true,
    close: () => shell.close(),
  };
};

/** The parts of the widget, which change with the orders that are played. */
interface Shell {
  /** Which orders are played. */
  subject: HTMLElement;
  body: HTMLElement;
  tools: HTMLElement;
  menu: HTMLElement;
  keys: WidgetParts["keys"];
  close: () => boolean;
}

function explore(
  ctx: Context,
  store: Store<OutcomeTraits>,
  record: OutcomesRecord,
  shell: Shell,
  open: (copy: OutcomesRecord) => void,
  back: () => void,
): void {
  const graph = indexGraph(record.trace.graph);
  ctx.highlights.set({
    path: [],
    races: record.races.map(({ first, second, variable }, i) => ({
      first,
      second,
      words: ctx.t("race.tag", { n: i + 1, variable: shorten(variable, 24) }),
    })),
  });
  const handlers = {
    play: (name: string): void => {
      const beside = store.get("beside");
      store.set({ playing: name, beside: beside === name ? "" : beside, run: 0, step: 0 });
    },
    beside: (name: string): void =>
      store.set({ beside: store.get("beside") === name ? "" : name, run: 0, step: 0 }),
  };
  const results = createPossibleResults(ctx, graph, record, handlers);
  const races = createRaceList(ctx, graph, record, handlers, open);
  const ordered = orderedSection(ctx, graph, record);
  const count = !record.exact ? "open" : record.results.length > 1 ? "many" : "one";
  const lead = h(
    "div",
    { class: "outcomes" },
    ...(record.fixes.length > 0 ? [onCopy(ctx, graph, record, back)] : []),
    h(
      "p",
      { class: "count-line", tabindex: "-1", "data-testid": "count", "data-count": count },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[count]),
      resultCountText(ctx, record),
    ),
    ...(record.exact ? [] : [limits(ctx, graph, record)]),
    results.element,
  );
  const more: Drawer[] = [
    ...(races
      ? [
          {
            id: "races",
            words: ctx.t("outcomes.races"),
            element: races.element,
            count: () => record.races.length,
          },
        ]
      : []),
    ...(ordered ? [{ id: "ordered", words: ctx.t("outcomes.why_one"), element: ordered }] : []),
  ];
  const player = createPlayer(ctx, store, record, graph, { lead, more, shell }, (name, way) => {
    results.tell(name, way);
    races?.tell(name, way);
  });
  const show = (): void => {
    const [playing, beside] = [store.get("playing"), store.get("beside")];
    results.show(playing, beside);
    races?.show(playing, beside);
    player.show(playing, beside);
  };
  store.watch(["playing", "beside"], batched(show, ctx.life), ctx.life);
  show();
}

function onCopy(ctx: Context, graph: Graph, { fixes }: OutcomesRecord, back: () => void): HTMLElement {
  const pairs = fixes
    .map(([first, second]) => `${nodeName(graph, first)} → ${nodeName(graph, second)}`)
    .join(", ");
  return h(
    "p",
    { class: "notice", "data-testid": "on-copy" },
    ctx.t("race.on_copy", { pairs }),
    " ",
    button({ testid: "back-to-graph", words: ctx.t("race.back"), wide: true, act: back }),
  );
}

/** Why the list may be incomplete, and what helps. */
function limits(ctx: Context, graph: Graph, { outside }: OutcomesRecord): HTMLElement {
  const words =
    outside.length > 0
      ? ctx.t("outcomes.outside", { nodes: names(graph, outside) })
      : ctx.t("outcomes.advice");
  return h("p", { class: "notice", "data-testid": "limits" }, words);
}

interface Player {
  show: (playing: string, beside: string) => void;
}

/** Steps through one order, or through two side by side. */
function createPlayer(
  ctx: Context,
  store: Store<OutcomeTraits>,
  record: OutcomesRecord,
  graph: Graph,
  { lead, more, shell }: { lead: HTMLElement; more: Drawer[]; shell: Shell },
  tell: (name: string, way: WayRecord) => void,
): Player {
  const answer = createQuestionStatus(ctx);
  const fetchedWays = new Map<string, WayRecord>();
  let life = new AbortController();
  ctx.life.addEventListener("abort", () => life.abort());

  const wayOf = (name: string): WayRecord | undefined => {
    const [at, side] = name.split(".").map(Number);
    const race = record.races[at ?? -1];
    if (side === undefined) return record.results[at ?? -1]?.way;
    return side === 0 ? race?.one.way : race?.other.way;
  };
  const titleOf = (name: string): string => {
    const [at = 0, side] = name.split(".").map(Number);
    const race = record.races[at];
    if (side === undefined || !race) return ctx.t("outcomes.result", { name: letter(at) });
    const pair = [race.first, race.second].map((id) => nodeName(graph, id));
    const [first = "", second = ""] = side === 0 ? pair : pair.toReversed();
    return ctx.t("outcomes.before", { first, second });
  };
  /** The runs of an order; runs that the record leaves out are fetched, then shown. */
  const runsOf = (name: string): RunRecord[] | null => {
    const way = fetchedWays.get(name) ?? wayOf(name);
    if (!way || way.runs.length > 0) return way?.runs ?? null;
    answer.ask<WayRecord>("way", { fixes: record.fixes, name }, (order) => {
      fetchedWays.set(name, order);
      tell(name, order);
      show(store.get("playing"), store.get("beside"));
    });
    return null;
  };

  function show(playing: string, beside: string): void {
    life.abort();
    life = new AbortController();
    const name = wayOf(playing) ? playing : "0";
    const [one, other] = [runsOf(name), beside && beside !== name ? runsOf(beside) : null];
    if (!one) {
      lead.append(answer.element);
      shell.body.replaceChildren(lead);
      return;
    }
    const inner: Context = { ...ctx, life: life.signal };
    const words = ctx.t("outcomes.results");
    const focused = lead.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const parts = other
      ? createComparison(
          inner,
          positioned(store, pairOf(record.trace, titleOf(name), one, titleOf(beside), other)),
          {
            lead: { words, element: lead },
            drawers: [
              {
                id: "parting",
                words: ctx.t("outcomes.parting"),
                element: parting(ctx, graph, titleOf(name), one, titleOf(beside), other, store.set),
              },
              ...more,
            ],
          },
        )
      : createSteps(inner, positioned(store, { ...record.trace, runs: one }), titleOf(name), {
          lead: { words, element: lead },
          drawers: more,
        });
    answer.element.remove();
    for (const key of Object.keys(shell.keys)) delete shell.keys[key];
    Object.assign(shell.keys, parts.keys);
    shell.close = parts.close ?? (() => false);
    const both = { one: titleOf(name), other: titleOf(beside) };
    setText(shell.subject, other ? ctx.t("outcomes.beside_title", both) : titleOf(name));
    shell.tools.replaceChildren(...(parts.tools ?? []));
    shell.menu.replaceChildren(...(parts.menu ?? []));
    shell.body.replaceChildren(...parts.body);
    // What moves on the page loses the focus. A narrow frame has the list behind its tab.
    focused?.focus({ preventScroll: true });
    if (focused && document.activeElement !== focused)
      shell.body.querySelector<HTMLElement>("[data-testid=tab-code]")?.focus({ preventScroll: true });
  }

  return { show };
}

/** Two orders side by side. */
function pairOf(
  record: TraceRecord,
  title: string,
  one: RunRecord[],
  otherTitle: string,
  other: RunRecord[],
): CompareRecord {
  const side = (of: string, runs: RunRecord[]): CompareRecord["sides"][number] => ({
    title: of,
    trace: { ...record, runs },
    marks: { nodes: [], edges: [], blocks: [] },
  });
  return { version: 1, kind: "compare", sides: [side(title, one), side(otherTitle, other)] };
}

/** Where two orders part, and the first values that differ. */
function parting(
  ctx: Context,
  graph: Graph,
  a: string,
  one: RunRecord[],
  b: string,
  other: RunRecord[],
  go: (to: Position) => void,
): HTMLElement {
  const at = firstTurnDifference(one, other);
  if (!at) return h("p", { "data-testid": "parting" }, ctx.t("outcomes.part_none"));
  const { run, step } = at;
  const turn = (of: typeof at.one): string => (of ? nodeName(graph, of.node) : ctx.t("outcomes.part_end"));
  const differing = firstValueDifference(one, other);
  const words = { run: run + 1, step, a, b, one: turn(at.one), other: turn(at.other) };
  return h(
    "div",
    { class: "parting", "data-testid": "parting" },
    h("p", { dir: "auto" }, ctx.t("outcomes.part", words)),
    differing &&
      h(
        "p",
        { dir: "auto" },
        ctx.t("outcomes.part_value", { ...differing, node: nodeName(graph, differing.node), a, b }),
      ),
    button({
      testid: "go-parting",
      icon: "target",
      words: ctx.t("outcomes.go"),
      wide: true,
      act: () => go({ run, step }),
    }),
  );
}

/** A store for an inner widget: a record of its own, at the position that Python sees. */
function positioned<R>(
  store: Store<OutcomeTraits>,
  record: R,
): Store<{ record: R; run: number; step: number }> {
  return {
    get: ((name: "record" | "run" | "step") => (name === "record" ? record : store.get(name))) as never,
    set: ({ run, step }) =>
      store.set({ ...(run !== undefined && { run }), ...(step !== undefined && { step }) }),
    watch: (watched, then, life) =>
      store.watch(
        watched.filter((name) => name !== "record"),
        then,
        life,
      ),
  };
}

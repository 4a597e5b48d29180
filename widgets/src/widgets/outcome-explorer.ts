/** OutcomeExplorer: all possible results, an order for each step by step, and the races with what ends them. */

import { h } from "../base/dom";
import { batched, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { type Graph, indexGraph } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import { firstTurnDifference, firstValueDifference } from "../model/schedule-difference";
import type { CompareRecord, OutcomesRecord, RunRecord, TraceRecord, WayRecord } from "../record";
import { createPossibleResults, letter } from "../run/possible-results";
import { createRaceList, orderedSection, resultCountText } from "../run/race-list";
import type { Widget, WidgetParts } from "../widget";
import { compare } from "./compare";
import { stepThrough } from "./step-through";

export interface OutcomeTraits {
  record: OutcomesRecord;
  playing: string;
  beside: string;
  run: number;
  step: number;
}

const SIGNS = { one: "=", many: "≠", open: "…" };

export const outcomeExplorer: Widget<OutcomeTraits> = (ctx, store) => {
  const body = h("div", { class: "outcomes" });
  const keys: WidgetParts["keys"] = {};
  let life = new AbortController();
  ctx.life.addEventListener("abort", () => life.abort());

  /** Shows the results of the user's graph, or those of a changed copy. */
  const show = (record: OutcomesRecord): void => {
    life.abort();
    life = new AbortController();
    const isCopy = record.fixes.length > 0;
    // Python can only be asked about the user's own graph.
    const inner: Context = { ...ctx, life: life.signal, program: isCopy ? null : ctx.program };
    body.replaceChildren(...explored(inner, store, record, keys, open, () => open(store.get("record"))));
  };
  const open = (record: OutcomesRecord): void => {
    store.set({ playing: "0", beside: "", run: 0, step: 0 });
    show(record);
    body.querySelector<HTMLElement>("[data-testid=count]")?.focus();
  };
  show(store.get("record"));
  return { body: [body], keys, steps: true };
};

function explored(
  ctx: Context,
  store: Store<OutcomeTraits>,
  record: OutcomesRecord,
  keys: WidgetParts["keys"],
  open: (copy: OutcomesRecord) => void,
  back: () => void,
): HTMLElement[] {
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
  const player = createPlayer(ctx, store, record, graph, keys, (name, way) => {
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
  const count = !record.exact ? "open" : record.results.length > 1 ? "many" : "one";
  return [
    ...(record.fixes.length > 0 ? [onCopy(ctx, graph, record, back)] : []),
    h(
      "p",
      { class: "count-line", tabindex: "-1", "data-testid": "count", "data-count": count },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[count]),
      resultCountText(ctx, record),
    ),
    ...(record.exact ? [] : [limits(ctx, graph, record)]),
    h("div", { class: "lists" }, results.element, races?.element ?? orderedSection(ctx, graph, record)),
    player.element,
  ];
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
  element: HTMLElement;
  show: (playing: string, beside: string) => void;
}

/** Steps through one order, or through two side by side. */
function createPlayer(
  ctx: Context,
  store: Store<OutcomeTraits>,
  record: OutcomesRecord,
  graph: Graph,
  keys: WidgetParts["keys"],
  tell: (name: string, way: WayRecord) => void,
): Player {
  const element = h("section", { class: "player", "data-testid": "player" });
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
  const traced = (runs: RunRecord[]): TraceRecord => ({ ...record.trace, runs });

  function show(playing: string, beside: string): void {
    life.abort();
    life = new AbortController();
    const name = wayOf(playing) ? playing : "0";
    const [one, other] = [runsOf(name), beside && beside !== name ? runsOf(beside) : null];
    if (!one) {
      element.replaceChildren(answer.element);
      return;
    }
    const inner: Context = { ...ctx, life: life.signal };
    const title = other
      ? ctx.t("outcomes.beside_title", { one: titleOf(name), other: titleOf(beside) })
      : titleOf(name);
    const innerWidget = other
      ? compare(inner, positioned(store, pairOf(titleOf(name), one, titleOf(beside), other)), title)
      : stepThrough(inner, positioned(store, traced(one)), title);
    Object.assign(keys, innerWidget.keys);
    element.replaceChildren(
      h("h4", {}, ctx.t("outcomes.player", { title })),
      answer.element,
      ...(other ? parting(titleOf(name), one, titleOf(beside), other) : []),
      ...innerWidget.body,
    );
  }

  function pairOf(title: string, one: RunRecord[], otherTitle: string, other: RunRecord[]): CompareRecord {
    const side = (of: string, runs: RunRecord[]): CompareRecord["sides"][number] => ({
      title: of,
      trace: traced(runs),
      marks: { nodes: [], edges: [], blocks: [] },
    });
    return { version: 1, kind: "compare", sides: [side(title, one), side(otherTitle, other)] };
  }

  function parting(a: string, one: RunRecord[], b: string, other: RunRecord[]): HTMLElement[] {
    const at = firstTurnDifference(one, other);
    if (!at) return [h("p", { "data-testid": "parting" }, ctx.t("outcomes.part_none"))];
    const { run, step } = at;
    const turn = (of: typeof at.one): string => (of ? nodeName(graph, of.node) : ctx.t("outcomes.part_end"));
    const differing = firstValueDifference(one, other);
    const words = { run: run + 1, step, a, b, one: turn(at.one), other: turn(at.other) };
    return [
      h(
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
          act: () => store.set({ run, step }),
        }),
      ),
    ];
  }

  return { element, show };
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

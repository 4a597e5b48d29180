/** The races: the two nodes, the result of each of their two orders, and the line that ends the race, to be tried on a copy. */

import { h, section } from "../base/dom";
import { passage, shorten } from "../base/text";
import { unpack } from "../base/unpacking";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import type { Graph } from "../model/graph";
import { describeEdge, nodeName } from "../model/graph-item";
import type { OutcomesRecord, RaceRecord } from "../record";
import { joinElements, type OrderActions, type OrderPart, orderPart } from "./possible-results";

/** The number of results in words, with a note if the search was not exhaustive. */
export function resultCountText(
  ctx: Context,
  { exact, results, more_results, turns }: OutcomesRecord,
): string {
  const count = results.length + more_results;
  if (!exact) return ctx.t("outcomes.at_least", { count, turns });
  return ctx.t(count === 1 ? "outcomes.one" : "outcomes.many", { count });
}

export function createRaceList(
  ctx: Context,
  graph: Graph,
  record: OutcomesRecord,
  actions: OrderActions,
  open: (copy: OutcomesRecord) => void,
): OrderPart | null {
  const { races, more_races: more } = record;
  if (races.length === 0) return null;
  const parts: OrderPart[] = [];
  const cards = races.map((race, at) => card(race, at));
  const element = section(
    { class: "panel races", "data-testid": "races" },
    h("h4", {}, ctx.t("race.title")),
    ...cards,
    more > 0 && h("p", { class: "hint" }, ctx.t("outcomes.more_races", { count: more })),
    !record.exact && h("p", { class: "hint" }, ctx.t("race.at_least")),
  );
  return joinElements(element, parts);

  function card(race: RaceRecord, at: number): HTMLElement {
    const names = { first: nodeName(graph, race.first), second: nodeName(graph, race.second) };
    const sites = new Map(
      [race.first, race.second].flatMap((id) => {
        const site = graph.node.get(id)?.site;
        return site ? [[site.label, site.source]] : [];
      }),
    );
    const witnesses = ([race.one, race.other] as const).map(({ text, way }, side) => {
      const part = orderPart(ctx, graph, `${at}.${side}`, way, actions, false);
      parts.push(part);
      const [first, second] = side === 0 ? [names.first, names.second] : [names.second, names.first];
      return h(
        "li",
        { "data-testid": `witness-${at}-${side}` },
        h(
          "p",
          { dir: "auto" },
          ctx.t("outcomes.before", { first, second }),
          ": ",
          h("code", {}, shorten(text, 200)),
        ),
        part.element,
      );
    });
    return h(
      "article",
      { class: "race-card", "data-testid": `race-${at}` },
      h("h5", {}, ctx.t("race.name", { n: at + 1 })),
      h("p", { dir: "auto" }, ctx.t(`race.${race.kind}`, { ...names, variable: race.variable })),
      h(
        "ul",
        { class: "sites" },
        ...[...sites].map(([label, source]) =>
          h(
            "li",
            { dir: "auto" },
            `${shorten(label, 80)}  `,
            h("code", { dir: "ltr" }, shorten(source, 120)),
          ),
        ),
      ),
      h("ul", { class: "witnesses" }, ...witnesses),
      h("p", { dir: "auto" }, ctx.t(`race.${race.advice}`, names)),
      race.line && h("pre", {}, h("code", { dir: "ltr" }, passage(race.line, 400))),
      race.line && fixing(ctx, [...record.fixes, [race.first, race.second]], open),
    );
  }
}

/** Tries the line that ends a race on a copy of the program, and tells which results are left. */
function fixing(
  ctx: Context,
  fixes: readonly (readonly [number, number])[],
  open: (copy: OutcomesRecord) => void,
): HTMLElement {
  const answer = createQuestionStatus(ctx);
  const after = h("div", { class: "after-fix", "data-testid": "after-fix" });
  const attempt = button({
    testid: "try-fix",
    words: ctx.t("race.try"),
    wide: true,
    act: () => answer.ask<OutcomesRecord>("fixed", { fixes }, showFixed),
  });
  const showFixed = (message: OutcomesRecord): void => {
    const copy = unpack(message);
    after.replaceChildren(
      h("p", {}, ctx.t("race.after")),
      h("p", {}, resultCountText(ctx, copy)),
      h(
        "ul",
        {},
        ...copy.results.map(({ values, error }) =>
          h(
            "li",
            {},
            h("code", { dir: "auto" }, shorten([...values, error ?? ""].filter(Boolean).join(" → "), 200)),
          ),
        ),
      ),
      button({ testid: "open-fix", words: ctx.t("race.open"), wide: true, act: () => open(copy) }),
    );
  };
  return h("div", {}, attempt, answer.element, after);
}

/** Why there are no other results: for each pair of nodes that touch one variable, what orders them. */
export function orderedSection(ctx: Context, graph: Graph, record: OutcomesRecord): HTMLElement | null {
  if (!record.exact || record.results.length > 1 || record.more_results > 0) return null;
  const items = record.ordered.map(({ code, first, second, variable, path }) => {
    const names = { first: nodeName(graph, first), second: nodeName(graph, second), variable };
    if (code === "alike") return h("li", { dir: "auto" }, ctx.t("outcomes.alike", names));
    const edges = path.slice(1).flatMap((id, i) => {
      const edge = (graph.inputs.get(id) ?? []).find(({ source }) => source === path[i]);
      return edge ? [h("li", { dir: "auto" }, describeEdge(ctx.t, graph, edge))] : [];
    });
    return h(
      "li",
      {},
      h("p", { dir: "auto" }, ctx.t(`outcomes.order.${code}`, names)),
      h("ul", { class: "edges-of" }, ...edges),
    );
  });
  const more = record.more_ordered;
  return section(
    { class: "panel ordered", "data-testid": "ordered" },
    h("h4", {}, ctx.t("outcomes.ordered")),
    items.length > 0 ? h("ul", {}, ...items) : h("p", {}, ctx.t("outcomes.pure")),
    more > 0 && h("p", { class: "hint" }, ctx.t("outcomes.more_pairs", { count: more })),
  );
}

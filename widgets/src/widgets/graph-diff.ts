/** GraphDiff: two graphs as one picture with marked differences, and a list of these. */

import { h, section } from "../base/dom";
import { batched, type Store } from "../base/store";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { rove } from "../controls/roving-focus";
import { CHANGE_SIGNS, CHANGES } from "../explore/change-signs";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { graphDrawers } from "../graph/graph-drawers";
import { type SessionTraits, storedSession } from "../graph/graph-session";
import { drawnLegend, lineKey } from "../graph/legend";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { fitButton, pictureMenu } from "../graph/picture-tools";
import { autoCollapse, idleScopes, LIMIT } from "../model/collapse";
import { type Graph, indexGraph } from "../model/graph";
import { showDiffMarks } from "../picture/diff-marks";
import { createPicture } from "../picture/picture";
import type { GraphDiffRecord, InputChangeRecord, NodeChangeRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface DiffTraits extends SessionTraits {
  record: GraphDiffRecord;
}

/** How many changes are listed at first. */
const LISTED = 200;

export const graphDiff: Widget<DiffTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const graph = indexGraph(record.graph);
  const details = createDetails(ctx, graph, null, {
    isClosed: (path) => session.collapsed().includes(path),
  });
  const source = createCodeListing(ctx, graph.record.codes);
  const refresh = (): void => {
    details.show(session.about(), null);
    details.element.hidden = session.about() === null;
    source.mark({ just: lineOf(graph, session.about()) });
  };
  const isFresh = store.get("collapsed") === null;
  const changed = new Set(record.nodes.map(({ node }) => node));
  const same = new Set(record.graph.nodes.map(({ id }) => id).filter((id) => !changed.has(id)));
  const session = storedSession(graph, title, store as Store<SessionTraits>, {
    // Scopes in which nothing changed are closed at first.
    closed: () => autoCollapse(graph, LIMIT, idleScopes(graph, same, changed)),
    refresh,
  });
  const stage = h("div", { class: "window" });
  const legend = drawnLegend(ctx, stage);
  const key = lineKey(ctx, graph, stage);
  const picture = createPicture(ctx, {
    ...session,
    marks: null,
    like: null,
    first: isFresh ? { room: { w: 722, h: 559 }, marked: changed, directions: [false, true] } : null,
    layer(drawn) {
      showDiffMarks(drawn, record);
      // The legend reads sizes of the drawing, which has sizes only once it is on the page.
      queueMicrotask(() => {
        legend.refresh();
        key.refresh();
        key.count(drawn.visible);
      });
    },
  });
  stage.append(picture.element);
  picture.redraw();
  const outline = createOutline(ctx, session);
  const list = changeList(ctx, graph, record, (id) => {
    session.choose({ kind: "node", id });
    setTimeout(() => !ctx.life.aborted && picture.reveal(id), 0);
  });
  const redraw = (): void => {
    picture.redraw();
    outline.redraw();
  };
  store.watch(["collapsed"], batched(redraw, ctx.life), ctx.life);
  const select = (): void => {
    picture.select(store.get("selected"));
    list.select(store.get("selected"));
    refresh();
  };
  store.watch(["selected"], batched(select, ctx.life), ctx.life);
  select();
  const side = h(
    "div",
    { class: "inspector" },
    h("div", { class: "inspected" }, list.element, ...notices(ctx, record.graph.notices)),
    h("div", { class: "explorer-side" }, details.element),
  );
  return createStage(ctx, {
    kind: "explorer-stage",
    tools: [fitButton(ctx, picture)],
    menu: pictureMenu(ctx, picture, session),
    picture: stage,
    side,
    sentence: h("p", { "data-testid": "counts" }, countsText(ctx, record)),
    drawers: graphDrawers(ctx, { code: source.element, outline, legend: legend.element }),
    foot: key.element,
    keys: picture.keys,
    steps: false,
  }).parts;
};

function countsText(ctx: Context, { same, nodes, edges, blocks }: GraphDiffRecord): string {
  if (nodes.length + edges.length + blocks.length === 0) return ctx.t("diff.none");
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, nodes.filter((node) => node.changes.includes(change)).length]),
  );
  return ctx.t("diff.counts", { same, ...counts });
}

/** The changes, one button a node: arrow keys go through them, Enter leads to the node. */
function changeList(ctx: Context, graph: Graph, record: GraphDiffRecord, choose: (id: number) => void) {
  const { t } = ctx;
  const listed = record.nodes.slice(0, LISTED);
  const buttons = listed.map((change) =>
    h(
      "button",
      { type: "button", "data-node": change.node, click: () => choose(change.node) },
      ...sentences(ctx, graph, change),
    ),
  );
  const list = h(
    "ol",
    { class: "hits", "data-testid": "changes" },
    ...buttons.map((each) => h("li", {}, each)),
  );
  for (const { change } of record.blocks)
    list.append(h("li", { class: "hint" }, `${CHANGE_SIGNS[change]} ${t(`diff.block_${change}`)}`));
  if (record.nodes.length > LISTED)
    list.append(h("li", { class: "hint" }, t("diff.more", { n: record.nodes.length - LISTED })));
  rove(list, () => buttons);
  const element = section(
    { class: "panel changes", "aria-label": t("diff.list") },
    h("h4", {}, t("diff.list")),
    list,
  );
  element.hidden = record.nodes.length + record.blocks.length === 0;
  return {
    element,
    select(id: number) {
      for (const each of buttons) each.setAttribute("aria-current", String(Number(each.dataset.node) === id));
    },
  };
}

function sentences(ctx: Context, graph: Graph, change: NodeChangeRecord): HTMLElement[] {
  const { t } = ctx;
  const node = graph.node.get(change.node);
  const params = { name: change.after || change.before, type: node?.type ?? "", before: change.before };
  return change.changes.map((what) =>
    h(
      "span",
      { class: "change", dir: "auto" },
      h("span", { "aria-hidden": "true", class: `sign ${what}` }, CHANGE_SIGNS[what]),
      h("span", {}, t(`diff.${what}`, params)),
      ...(what === "rewired" ? change.inputs.map((input) => h("small", {}, inputText(ctx, input))) : []),
      ...(what === "changed"
        ? change.attrs.map(([key, before, after]) =>
            h(
              "small",
              {},
              `${shorten(key, 40)}: ${shorten(before, 60) || "–"} → ${shorten(after, 60) || "–"}`,
            ),
          )
        : []),
    ),
  );
}

function inputText(ctx: Context, { input, before, after }: InputChangeRecord): string {
  const params = { before: before || "–", after: after || "–" };
  return input === null ? ctx.t("diff.control_input", params) : ctx.t("diff.input", { n: input, ...params });
}

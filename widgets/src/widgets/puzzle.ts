/** Parsons and Repair: pieces of a program as nodes; the user draws the edges, Python writes the code and runs it. */

import { h, setText } from "../base/dom";
import { batched, localStore } from "../base/store";
import { passage } from "../base/text";
import { button } from "../controls/button";
import { liveRegion } from "../controls/live-line";
import { createQuestionStatus } from "../controls/question-status";
import { edgeLegend } from "../graph/legend";
import { createOutline, type Outline } from "../graph/outline";
import { indexGraph } from "../model/graph";
import { collapsedAfterChoice, type GraphItem } from "../model/graph-item";
import { gradePanel } from "../panels/puzzle-grade";
import { type PieceActions, pieceEditor } from "../panels/puzzle-piece";
import { followDrags } from "../picture/edge-drag";
import { createPicture, type Picture } from "../picture/picture";
import type { ArrangedRecord, LinkRecord, PuzzleRecord } from "../record";
import type { Widget } from "../widget";
import { graphView } from "./graph-view";

export interface PuzzleTraits {
  record: PuzzleRecord;
  arranged: ArrangedRecord;
}

export const puzzle: Widget<PuzzleTraits> = (ctx, store, title) => {
  const { pieces, prompt } = store.get("record");
  const { t } = ctx;
  let arranged = store.get("arranged");
  let chosen: number | null = null;
  /** The ends of the edge that the user is drawing. */
  let from: number | null = null;
  let to: number | null = null;
  let graph = indexGraph(arranged.canvas);
  /** The closed scopes. */
  let collapsed: string[] = [];
  let picture: Picture | null = null;
  let outlined: Outline | null = null;
  let back: (() => void) | null = null;
  const answer = createQuestionStatus(ctx);
  const send = (question: string, args: Record<string, unknown> = {}): void => {
    // The answer redraws the picture; the focus returns to where it was.
    const at = document.activeElement;
    const testid = at?.getAttribute("data-testid") ?? null;
    const inPicture = picture?.element.contains(at) ?? false;
    back = () => {
      if (inPicture && chosen !== null) picture?.focus({ kind: "node", id: chosen });
      else if (testid) body.querySelector<HTMLElement>(`[data-testid="${CSS.escape(testid)}"]`)?.focus();
    };
    answer.ask(question, args, () => {});
  };
  const piece = (id: number | null) => pieces.find((one) => one.id === id) ?? null;
  const name = (id: number | null): string => passage(piece(id)?.name ?? "", 48);

  const message = h("p", { "data-testid": "said", dir: "auto" });
  const linking = h("p", { class: "ask", "data-testid": "linking" });
  const live = liveRegion(message, linking);
  const chooser = h("div", { class: "panel chooser", role: "group", "data-testid": "chooser", hidden: true });
  const canvas = h("div", { class: "canvas" });
  const outline = h("div");
  const tray = h("section", { class: "panel tray", "data-testid": "tray" });
  const editor = h("section", { class: "panel piece", "data-testid": "piece" });
  const code = h("ol", { class: "listing", "data-testid": "code" });
  const mark = h("div", { role: "status" });
  const built = h("details", { "data-testid": "built" });
  const undo = button({ testid: "undo", wide: true, words: t("puzzle.undo"), act: () => send("undo") });

  const actions: PieceActions = {
    attach: (link) => send("attach", { ...link }),
    detach: (link) => send("detach", { ...link }),
    takeOut: (id) => send("take_out", { piece: id }),
    connect: (id) => {
      from = id;
      to = null;
      showLinking();
      picture?.focus({ kind: "node", id });
    },
  };
  const link = (source: number, target: number): void => {
    from = source;
    to = target;
    showLinking();
    chooser.querySelector("button")?.focus();
  };
  const choose = (item: GraphItem): void => {
    const folded = collapsedAfterChoice(graph, collapsed, item);
    if (folded !== collapsed) collapse(folded);
    if (item.kind !== "node") return;
    if (from !== null && item.id !== from) {
      link(from, item.id);
      return;
    }
    endLinking();
    chosen = item.id;
    picture?.select(item.id);
    showChosen();
  };
  /** Ends without an edge; the focus returns to where the edge began. */
  const giveUp = (): void => {
    const start = from;
    endLinking();
    if (start !== null) picture?.focus({ kind: "node", id: start });
  };
  const collapse = (paths: string[]): void => {
    collapsed = paths;
    picture?.redraw();
    outlined?.redraw();
  };
  const endLinking = (): void => {
    from = null;
    to = null;
    showLinking();
  };

  /** Offers what the drawn edge can be: the value of one of the target's holes, or a control edge. */
  function showLinking(): void {
    const source = piece(from);
    const target = piece(to);
    setText(linking, source && !target ? t("puzzle.connecting", { source: name(from) }) : "");
    chooser.hidden = !source || !target;
    if (!source || !target) {
      chooser.replaceChildren();
      return;
    }
    const choices: [string, string, Omit<LinkRecord, "source" | "target">][] = source.gives.flatMap(
      (outputName, output) =>
        target.holes.map((sign, hole): [string, string, Omit<LinkRecord, "source" | "target">] => [
          `into-${output}-${hole}`,
          source.gives.length > 1
            ? `${passage(outputName, 40)}: ${t("puzzle.into", { hole: sign })}`
            : t("puzzle.into", { hole: sign }),
          { output, hole },
        ]),
    );
    if (source.gives.length > 0) {
      const words = t("puzzle.order_only", { source: name(from), target: name(to) });
      choices.push(["order-only", words, { output: 0, hole: null }]);
    }
    const question = t("puzzle.where", { source: name(from), target: name(to) });
    chooser.setAttribute("aria-label", question);
    chooser.replaceChildren(
      h("p", {}, question),
      h(
        "div",
        { class: "tools" },
        ...choices.map(([testid, words, way]) =>
          button({
            testid,
            wide: true,
            words,
            act: () => {
              const newLink = { source: source.id, target: target.id, ...way };
              chosen = target.id;
              endLinking();
              picture?.focus({ kind: "node", id: target.id });
              send("attach", newLink);
            },
          }),
        ),
        button({ testid: "no-edge", wide: true, words: t("puzzle.cancel"), act: giveUp }),
      ),
    );
  }

  function showChosen(): void {
    editor.replaceChildren(
      h("h4", {}, t("puzzle.chosen")),
      ...pieceEditor(
        ctx,
        pieces,
        arranged,
        arranged.placed.includes(chosen ?? -1) ? piece(chosen) : null,
        actions,
      ),
    );
    for (const line of code.querySelectorAll("li"))
      line.toggleAttribute(
        "data-active",
        chosen !== null && line.getAttribute("data-piece") === String(chosen),
      );
  }

  function showTray(): void {
    const loose = pieces.filter(({ id }) => !arranged.placed.includes(id));
    tray.replaceChildren(
      h("h4", {}, t("puzzle.tray")),
      h("p", { class: "hint" }, t(loose.length > 0 ? "puzzle.tray_hint" : "puzzle.tray_empty")),
      h(
        "ul",
        {},
        ...loose.map(({ id, code: words }) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                "data-testid": `put-${id}`,
                "aria-label": t("puzzle.put_in", { piece: words }),
                click: () => {
                  chosen = id;
                  send("put", { piece: id });
                },
              },
              h("code", { dir: "ltr" }, passage(words, 200)),
            ),
          ),
        ),
      ),
    );
    tray.hidden = loose.length === 0 && store.get("record").task === "repair";
  }

  function showCanvas(): void {
    graph = indexGraph(arranged.canvas);
    const shared = { graph, title, collapsed: () => collapsed, collapse, choose };
    const drawn = createPicture(ctx, {
      ...shared,
      marks: null,
      like: picture,
      look: () => {},
    });
    picture = drawn;
    if (chosen !== null) drawn.select(chosen);
    canvas.replaceChildren(drawn.element);
    outlined = createOutline(ctx, shared);
    outline.replaceChildren(outlined.element);
  }

  function showCode(): void {
    code.replaceChildren(
      ...arranged.lines.map(({ text, indent, piece: of }) =>
        h(
          "li",
          { "data-piece": of ?? undefined },
          h("code", { dir: "ltr" }, "    ".repeat(indent) + passage(text, 1000)),
        ),
      ),
    );
  }

  function showBuilt(): void {
    const { built: record, error } = arranged;
    const wasOpen = built.open;
    built.hidden = record === null && error === "";
    const summary = h("summary", {}, t("puzzle.built"));
    built.replaceChildren(summary);
    if (error !== "")
      built.append(h("p", { class: "notice", "data-warning": true }, t("puzzle.cannot_build", { error })));
    const draw = (): void => {
      if (!built.open || record === null || built.children.length > 1) return;
      const own = localStore({ record, collapsed: [] as string[], selected: -1, boxes: false });
      built.append(...graphView(ctx, own, title).body);
    };
    built.ontoggle = draw;
    if (wasOpen) draw();
  }

  const show = (): void => {
    arranged = store.get("arranged");
    setText(message, arranged.said ? t(`puzzle.${arranged.said.code}`, arranged.said.params) : "");
    undo.setAttribute("aria-disabled", String(!arranged.undo));
    mark.replaceChildren(...(arranged.mark ? [gradePanel(ctx, arranged.mark)] : []));
    showCanvas();
    showTray();
    showCode();
    showBuilt();
    showChosen();
    showLinking();
    back?.();
    back = null;
  };
  const body = h(
    "div",
    { class: "puzzle" },
    ...(prompt ? [h("p", { class: "prompt", dir: "auto" }, passage(prompt, 2000))] : []),
    h("p", { class: "hint" }, t("puzzle.how")),
    live,
    answer.element,
    chooser,
    h(
      "div",
      { class: "bar" },
      h(
        "div",
        { class: "tools" },
        button({
          testid: "check",
          wide: true,
          primary: true,
          words: t("puzzle.check"),
          act: () => send("check"),
        }),
        undo,
        button({ testid: "restart", wide: true, words: t("puzzle.restart"), act: () => send("restart") }),
      ),
    ),
    mark,
    h(
      "div",
      { class: "columns" },
      h("div", { class: "main" }, canvas, edgeLegend(ctx)),
      h("div", { class: "aside" }, tray, editor),
    ),
    h("section", { class: "program" }, h("h4", {}, t("puzzle.code")), code),
    built,
    outline,
  );
  followDrags(canvas, link, ctx.life);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || from === null) return;
    event.stopPropagation();
    event.preventDefault();
    giveUp();
  });
  store.watch(["arranged"], batched(show, ctx.life), ctx.life);
  show();
  return { body: [body], keys: {}, steps: false };
};

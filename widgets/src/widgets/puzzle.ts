/** Parsons and Repair: pieces of a program as nodes; the user draws the edges, Python writes the code and runs it. */

import { h, setText } from "../base/dom";
import { batched } from "../base/store";
import { passage } from "../base/text";
import { button } from "../controls/button";
import { liveRegion } from "../controls/live-line";
import { createQuestionStatus } from "../controls/question-status";
import { type CodeListing, createCodeListing, lineLabel } from "../graph/code-listing";
import { localSession } from "../graph/graph-session";
import { edgeKey } from "../graph/legend";
import { createOutline, type Outline } from "../graph/outline";
import { indexGraph } from "../model/graph";
import { collapsedAfterChoice, type GraphItem } from "../model/graph-item";
import { gradeDetails, headline } from "../panels/puzzle-grade";
import { type PieceActions, pieceEditor } from "../panels/puzzle-piece";
import { followDrags } from "../picture/edge-drag";
import { createPicture, type Picture } from "../picture/picture";
import type { ArrangedRecord, CodeRecord, LinkRecord, PuzzleRecord } from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface PuzzleTraits {
  record: PuzzleRecord;
  arranged: ArrangedRecord;
}

const PROGRAM: CodeRecord = { place: "", first: 1, lines: [] };

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
  let listings: CodeListing[] = [];
  let checking = false;
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
  const code = h("div", { class: "room", "data-testid": "code" });
  const narrow = h("div");
  const mark = h("p", { role: "status", "data-testid": "mark" });
  const result = h("div", { "data-testid": "result" });
  const built = h("div", { class: "built", "data-testid": "built" });
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
    const just = arranged.lines.flatMap(({ piece: of }, i) =>
      chosen !== null && of === chosen ? [lineLabel({ ...PROGRAM, place: t("puzzle.code") }, i)] : [],
    );
    for (const listing of listings) listing.mark({ just });
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
    const lines = arranged.lines.map(({ text, indent }) => "    ".repeat(indent) + passage(text, 1000));
    listings = [code, narrow].map((room) => {
      const listing = createCodeListing(ctx, [{ ...PROGRAM, place: t("puzzle.code"), lines }]);
      room.replaceChildren(listing.element);
      return listing;
    });
  }

  /** The graph that the program builds is drawn when the user asks for it. */
  function drawBuilt(): void {
    const { built: record, error } = arranged;
    if (record === null) {
      const words = error ? t("puzzle.cannot_build", { error }) : t("puzzle.unfinished");
      built.replaceChildren(h("p", { class: "notice", "data-warning": error !== "" }, words));
      return;
    }
    const session = localSession(indexGraph(record), title, [], { refresh: () => {} });
    const drawn = createPicture(ctx, { ...session, marks: null, like: null });
    session.attach(drawn);
    built.replaceChildren(drawn.element);
  }

  function check(): void {
    checking = true;
    send("check");
  }

  /** The grade stands beside the buttons; what is missing is in a drawer, which opens after a check. */
  function showGrade(): void {
    const { mark: grade } = arranged;
    setText(mark, grade ? headline(ctx, grade) : "");
    mark.dataset.grade = grade?.grade ?? "";
    const details = grade ? gradeDetails(ctx, grade) : [];
    result.replaceChildren(
      ...(details.length > 0 ? details : [h("p", { class: "hint" }, t("puzzle.no_result"))]),
    );
    if (checking && details.length > 0) drawers.open("result");
    checking = false;
  }

  const show = (): void => {
    arranged = store.get("arranged");
    setText(
      message,
      arranged.said ? t(`puzzle.${arranged.said.code}`, arranged.said.params) : t("puzzle.how"),
    );
    undo.setAttribute("aria-disabled", String(!arranged.undo));
    showCanvas();
    showTray();
    showCode();
    showGrade();
    if (drawers.isOpen("built")) drawBuilt();
    drawers.refresh();
    showChosen();
    showLinking();
    back?.();
    back = null;
  };
  const { parts, drawers } = createStage(ctx, {
    kind: "puzzle",
    code,
    picture: h("div", { class: "room" }, canvas, chooser),
    side: h("div", { class: "pieces" }, tray, editor),
    sentence: h("div", { class: "said" }, live, answer.element),
    transport: h(
      "div",
      { class: "transport" },
      button({ testid: "check", wide: true, primary: true, words: t("puzzle.check"), act: check }),
      undo,
      button({ testid: "restart", wide: true, words: t("puzzle.restart"), act: () => send("restart") }),
      mark,
    ),
    foot: edgeKey(ctx),
    menu: [
      button({
        testid: "show-outline",
        words: t("stage.outline"),
        wide: true,
        act: () => drawers.open("outline"),
      }),
    ],
    drawers: [
      { id: "code", words: t("puzzle.code"), element: h("div", {}, narrow), narrow: true },
      {
        id: "result",
        words: t("puzzle.result"),
        element: result,
        count: () => arranged.mark?.missed.length ?? 0,
      },
      { id: "built", words: t("puzzle.built"), element: built, opens: (open) => open && drawBuilt() },
    ],
    extra: [{ id: "outline", words: t("stage.outline"), element: outline }],
    keys: { "0": () => picture?.fit() },
    steps: false,
  });
  if (prompt) parts.body.unshift(h("p", { class: "task", dir: "auto" }, passage(prompt, 2000)));
  const body = h("div", { class: "puzzle-frame" }, ...parts.body);
  followDrags(canvas, link, ctx.life);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || from === null) return;
    event.stopPropagation();
    event.preventDefault();
    giveUp();
  });
  store.watch(["arranged"], batched(show, ctx.life), ctx.life);
  show();
  return { ...parts, body: [body] };
};

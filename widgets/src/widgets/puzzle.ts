/** Parsons and Repair: pieces of a program as nodes; the user draws the edges, Python writes the code and runs it. */

import { h, section, setText } from "../base/dom";
import { batched } from "../base/store";
import { passage } from "../base/text";
import type { Context } from "../context";
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
import { createLinking } from "../panels/puzzle-link";
import { type PieceActions, pieceEditor } from "../panels/puzzle-piece";
import { followDrags } from "../picture/edge-drag";
import { createPicture, type Picture } from "../picture/picture";
import {
  type ArrangedRecord,
  type CodeRecord,
  EDGE_KINDS,
  type FragmentRecord,
  type GraphRecord,
  type PuzzleRecord,
} from "../record";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";

export interface PuzzleTraits {
  record: PuzzleRecord;
  arranged: ArrangedRecord;
}

const PROGRAM: CodeRecord = { place: "", first: 1, lines: [] };

/** The picture and the outline of the pieces that are put in. */
function createCanvas(ctx: Context, title: string, pick: (piece: number) => void) {
  const element = h("div", { class: "canvas" });
  const outline = h("div");
  let collapsed: string[] = [];
  let picture: Picture | null = null;
  let outlined: Outline | null = null;
  const collapse = (paths: string[]): void => {
    collapsed = paths;
    picture?.redraw();
    outlined?.redraw();
  };
  return {
    element,
    outline,
    show(record: GraphRecord, chosen: number | null): void {
      const graph = indexGraph(record);
      const choose = (item: GraphItem): void => {
        const folded = collapsedAfterChoice(graph, collapsed, item);
        if (folded !== collapsed) collapse(folded);
        if (item.kind === "node") pick(item.id);
      };
      const shared = { graph, title, collapsed: () => collapsed, collapse, choose };
      picture = createPicture(ctx, { ...shared, marks: null, like: picture, look: () => {} });
      if (chosen !== null) picture.select(chosen);
      element.replaceChildren(picture.element);
      outlined = createOutline(ctx, shared);
      outline.replaceChildren(outlined.element);
    },
    select: (id: number): void => picture?.select(id),
    focus: (id: number): void => picture?.focus({ kind: "node", id }),
    fit: (): void => picture?.fit(),
  };
}

/** The program that the pieces make. */
function createProgram(ctx: Context) {
  const place = ctx.t("puzzle.code");
  const code = h("div", { class: "room", "data-testid": "code" });
  let listing: CodeListing | null = null;
  return {
    code,
    show(arranged: ArrangedRecord): void {
      const lines = arranged.lines.map(({ text, indent }) => "    ".repeat(indent) + passage(text, 1000));
      listing = createCodeListing(ctx, [{ ...PROGRAM, place, lines }]);
      code.replaceChildren(listing.element);
    },
    /** Marks the lines of a piece. */
    mark(arranged: ArrangedRecord, chosen: number | null): void {
      const just = arranged.lines.flatMap(({ piece }, i) =>
        chosen !== null && piece === chosen ? [lineLabel({ ...PROGRAM, place }, i)] : [],
      );
      listing?.mark({ just });
    },
  };
}

/** The pieces that are not put in. */
function trayOf(
  { t }: Context,
  loose: readonly FragmentRecord[],
  put: (piece: number) => void,
): HTMLElement[] {
  const entry = ({ id, code }: FragmentRecord): HTMLElement => {
    const attributes = {
      type: "button",
      "data-testid": `put-${id}`,
      "aria-label": t("puzzle.put_in", { piece: code }),
      click: () => put(id),
    };
    return h("li", {}, h("button", attributes, h("code", { dir: "ltr" }, passage(code, 200))));
  };
  return [
    h("h4", {}, t("puzzle.tray")),
    h("p", { class: "hint" }, t(loose.length > 0 ? "puzzle.tray_hint" : "puzzle.tray_empty")),
    h("ul", {}, ...loose.map(entry)),
  ];
}

function createTray(ctx: Context, { pieces, task }: PuzzleRecord, put: (piece: number) => void) {
  const element = section({ class: "panel tray", "data-testid": "tray" });
  return {
    element,
    show({ placed }: ArrangedRecord): void {
      const loose = pieces.filter(({ id }) => !placed.includes(id));
      element.replaceChildren(...trayOf(ctx, loose, put));
      element.hidden = loose.length === 0 && task === "repair";
    },
  };
}

/** The grade stands beside the buttons; what is missing is in a drawer. */
function createGrade(ctx: Context) {
  const mark = h("p", { role: "status", "data-testid": "mark" });
  const result = h("div", { "data-testid": "result" });
  let missed = 0;
  return {
    mark,
    result,
    /** How many things are missing. */
    missed: () => missed,
    /** Whether there are details. */
    show(grade: ArrangedRecord["mark"]): boolean {
      missed = grade?.missed.length ?? 0;
      setText(mark, grade ? headline(ctx, grade) : "");
      mark.dataset.grade = grade?.grade ?? "";
      const details = grade ? gradeDetails(ctx, grade) : [];
      const none = h("p", { class: "hint" }, ctx.t("puzzle.no_result"));
      result.replaceChildren(...(details.length > 0 ? details : [none]));
      return details.length > 0;
    },
  };
}

/** The graph that the program builds, or why it builds none. */
function drawBuilt(ctx: Context, title: string, { built: record, error }: ArrangedRecord): HTMLElement {
  if (record === null) {
    const words = error ? ctx.t("puzzle.cannot_build", { error }) : ctx.t("puzzle.unfinished");
    return h("p", { class: "notice", "data-warning": error !== "" }, words);
  }
  const session = localSession(indexGraph(record), title, [], { refresh: () => {} });
  const drawn = createPicture(ctx, { ...session, marks: null, like: null });
  session.attach(drawn);
  return drawn.element;
}

/** The answer redraws the picture; the focus returns to where it was. */
function focusReturn(
  canvas: ReturnType<typeof createCanvas>,
  body: HTMLElement,
  chosen: () => number | null,
): () => void {
  const at = document.activeElement;
  const testid = at?.getAttribute("data-testid") ?? null;
  const inPicture = canvas.element.contains(at);
  return () => {
    const piece = chosen();
    if (inPicture && piece !== null) canvas.focus(piece);
    else if (testid) body.querySelector<HTMLElement>(`[data-testid="${CSS.escape(testid)}"]`)?.focus();
  };
}

function endOnEscape(body: HTMLElement, linking: ReturnType<typeof createLinking>): void {
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || linking.from() === null) return;
    event.stopPropagation();
    event.preventDefault();
    linking.giveUp();
  });
}

type Send = (question: string, args?: Record<string, unknown>) => void;

/** What the editor of a piece asks of Python. */
const pieceActions = (send: Send, connect: (piece: number) => void): PieceActions => ({
  attach: (link) => send("attach", { ...link }),
  detach: (link) => send("detach", { ...link }),
  takeOut: (id) => send("take_out", { piece: id }),
  connect,
});

const createAct = (
  ctx: Context,
  question: "check" | "undo" | "restart",
  act: () => void,
): HTMLButtonElement =>
  button({
    testid: question,
    wide: true,
    primary: question === "check",
    words: ctx.t(`puzzle.${question}`),
    act,
  });

export const puzzle: Widget<PuzzleTraits> = (ctx, store, title) => {
  const { pieces, prompt } = store.get("record");
  const { t } = ctx;
  let arranged = store.get("arranged");
  let chosen: number | null = null;
  let back: (() => void) | null = null;
  let checking = false;
  const body = h("div", { class: "bands" });
  const answer = createQuestionStatus(ctx);
  const send: Send = (question, args = {}) => {
    back = focusReturn(canvas, body, () => chosen);
    answer.ask(question, args, () => {});
  };
  const canvas = createCanvas(ctx, title, (piece) => {
    const from = linking.from();
    if (from !== null && piece !== from) {
      linking.link(from, piece);
      return;
    }
    linking.end();
    chosen = piece;
    canvas.select(piece);
    showChosen();
  });
  const linking = createLinking(ctx, pieces, {
    focus: canvas.focus,
    attach(link) {
      chosen = link.target;
      canvas.focus(link.target);
      send("attach", { ...link });
    },
  });
  const program = createProgram(ctx);
  const message = h("p", { "data-testid": "said", dir: "auto" });
  const tray = createTray(ctx, store.get("record"), (piece) => {
    chosen = piece;
    send("put", { piece });
  });
  const editor = section({ class: "panel piece", "data-testid": "piece" });
  const grade = createGrade(ctx);
  const built = h("div", { class: "built", "data-testid": "built" });
  const act = (question: "check" | "undo" | "restart"): HTMLButtonElement =>
    createAct(ctx, question, () => {
      checking ||= question === "check";
      send(question);
    });
  const undo = act("undo");
  const actions = pieceActions(send, linking.begin);

  function showChosen(): void {
    const piece = pieces.find(({ id }) => id === chosen && arranged.placed.includes(id)) ?? null;
    const parts = pieceEditor(ctx, pieces, arranged, piece, actions);
    editor.replaceChildren(h("h4", {}, t("puzzle.chosen")), ...parts);
    program.mark(arranged, chosen);
  }

  function show(): void {
    arranged = store.get("arranged");
    const { said } = arranged;
    setText(message, said ? t(`puzzle.${said.code}`, said.params) : t("puzzle.how"));
    undo.setAttribute("aria-disabled", String(!arranged.undo));
    canvas.show(arranged.canvas, chosen);
    tray.show(arranged);
    program.show(arranged);
    const isGraded = grade.show(arranged.mark);
    if (checking && isGraded) drawers.open("result");
    checking = false;
    if (drawers.isOpen("built")) showBuilt();
    drawers.refresh();
    showChosen();
    linking.show();
    back?.();
    back = null;
  }
  const showBuilt = (): void => built.replaceChildren(drawBuilt(ctx, title, arranged));
  const { parts, drawers } = createStage(ctx, {
    kind: "puzzle",
    codeWords: t("puzzle.code"),
    code: program.code,
    picture: h("div", { class: "room" }, canvas.element, linking.chooser),
    side: h("div", { class: "pieces" }, tray.element, editor),
    sentence: h("div", { class: "said" }, liveRegion(message, linking.said), answer.element),
    transport: h("div", { class: "transport" }, act("check"), undo, act("restart"), grade.mark),
    drawers: [
      { id: "result", words: t("puzzle.result"), element: grade.result, count: grade.missed },
      { id: "built", words: t("puzzle.built"), element: built, opens: (open) => open && showBuilt() },
    ],
    foot: edgeKey(ctx, new Set(EDGE_KINDS)),
    outline: canvas.outline,
    keys: { "0": canvas.fit },
    steps: false,
  });
  if (prompt) parts.body.unshift(h("p", { class: "task", dir: "auto" }, passage(prompt, 2000)));
  body.append(...parts.body);
  followDrags(canvas.element, linking.link, ctx.life);
  endOnEscape(body, linking);
  store.watch(["arranged"], batched(show, ctx.life), ctx.life);
  show();
  return { ...parts, body: [body] };
};

/** BeTheExecutor: the user chooses the node that runs next; Python says whether the engine could do so, too. */

import { h, setText } from "../base/dom";
import { batched, localStore } from "../base/store";
import { inline, oneLine, passage, shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { liveRegion } from "../controls/live-line";
import { createQuestionStatus } from "../controls/question-status";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeKey } from "../graph/legend";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { boxSwitch, fitButton, pictureMenu } from "../graph/picture-tools";
import { autoCollapse } from "../model/collapse";
import { type Graph, indexGraph, outerBoxes } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import { iterationText } from "../model/loop-iterations";
import { createNodeValues, fetchLabel } from "../model/node-values";
import { about, type Frame, frameAt } from "../model/replay";
import { cameraKeys, createPicture } from "../picture/picture";
import type { GameRecord, PlayedRecord, RunEndRecord, StepRecord, TraceRecord } from "../record";
import { iterationSentence } from "../run/step-sentences";
import { createTape } from "../run/tape";
import { embedded } from "../stage/head";
import { createSheet } from "../stage/sheet";
import { createStage } from "../stage/stage";
import type { Widget } from "../widget";
import { stepThrough } from "./step-through";

export interface GameTraits {
  record: GameRecord;
  played: PlayedRecord;
}

/** How many nodes, or iterations of one, are named. */
const LISTED = 12;
/** The room of a value, as no later value is known beforehand. */
const ROOM_FOR_VALUE = "0000.000";

export const beTheExecutor: Widget<GameTraits> = (ctx, store, title) => {
  const game = store.get("record");
  const graph = indexGraph(game.graph);
  let played = store.get("played");
  /** Whether the result has been opened: Python can explain a finished game, and the widget is then drawn anew. */
  let endShown = false;
  let frame: Frame | null = null;
  const details = createDetails(ctx, graph, null, {
    isClosed: (path) => session.collapsed().includes(path),
  });
  const source = createCodeListing(ctx, graph.record.codes);
  const answer = createQuestionStatus(ctx);
  const send = (question: string, args: Record<string, unknown> = {}): void =>
    answer.ask(question, args, () => {});

  const session = localSession(graph, title, autoCollapse(graph), {
    refresh: () => refresh(),
    // After the end, a chosen node is not run: its details can be read.
    canChoose: () => played.end !== null,
    chose: (item) => item.kind === "node" && !played.end && send("take", { node: item.id }),
  });
  const refresh = (): void => {
    const item = session.about(frame?.last?.node);
    details.show(item, frame);
    source.mark({ just: lineOf(graph, item) });
  };
  const outline = createOutline(ctx, session);
  const picture = createPicture(ctx, {
    ...session,
    marks: null,
    values: createNodeValues(graph, null, ROOM_FOR_VALUE),
    like: null,
  });
  session.attach(picture, outline);
  const boxes = boxSwitch(graph, session.collapse, (on) => (on ? outerBoxes(graph) : autoCollapse(graph)));

  const task = h("p", { "data-testid": "task" });
  const reply = h("p", { "data-testid": "reply", dir: "auto" });
  const hinted = h("p", { "data-testid": "hinted" });
  const question = h("p", { class: "ask" });
  const live = liveRegion(reply, hinted);
  const score = h("p", { class: "score", "data-testid": "score" });
  const choice = createChoice(ctx, (node, iteration) => send("take", { node, iteration }));
  const value = createValueForm(ctx, (text) => send("tell", { value: text }));
  const tape = h("div");
  const end = h("section", { class: "panel end", "data-testid": "end" });
  const replayed = createSheet(ctx, "replay");
  const hint = button({ testid: "hint", wide: true, words: ctx.t("play.hint"), act: () => send("hint") });
  const goOn = button({ testid: "go-on", wide: true, words: ctx.t("play.go_on"), act: () => send("go_on") });
  const restart = button({
    testid: "restart",
    wide: true,
    words: ctx.t("play.restart"),
    act: () => send("restart"),
  });

  const labels = new Map(game.fetches.map((fetch) => [fetch.label, fetchLabel(graph, fetch)]));
  const { parts, drawers } = createStage(ctx, {
    kind: "steps",
    code: source.element,
    picture: picture.element,
    side: h(
      "div",
      { class: "game" },
      ...(game.prompt ? [h("p", { class: "prompt", dir: "auto" }, passage(game.prompt, 2000))] : []),
      task,
      answer.element,
      h("div", { class: "actions" }, hint, goOn),
    ),
    subject: score,
    sentence: live,
    transport: h("div", { class: "transport" }, choice.element, value.element, question, restart),
    foot: edgeKey(ctx),
    tools: [fitButton(ctx, picture)],
    menu: [...pictureMenu(ctx, picture, { ...session, boxes })],
    drawers: [
      { id: "inspect", words: ctx.t("stage.inspect"), element: details.element, key: "i" },
      { id: "table", words: ctx.t("stage.table"), element: tape, key: "t" },
      { id: "end", words: ctx.t("play.result"), element: end, count: () => (played.end ? 1 : 0) },
    ],
    outline: outline.element,
    notes: notices(ctx, game.graph.notices),
    keys: { ...cameraKeys(() => [picture]) },
    steps: false,
  });

  const show = (): void => {
    const before = played;
    played = store.get("played");
    const { runs, move, asked } = played;
    const run = runs.length - 1;
    const steps = runs[run]?.steps.length ?? 0;
    // The user is to find the nodes that never run: the trace so far gives no reasons.
    const fetches = runs.some(({ fetched }) => fetched.length > 0) ? game.fetches : [];
    const trace: TraceRecord = {
      version: 1,
      kind: "trace",
      graph: game.graph,
      fetches,
      pruned: [],
      needed: [],
      runs,
      tensors: [],
      number: null,
    };
    frame = frameAt(trace, { run, step: steps });
    if (frame && asked !== null) frame = about(frame, asked);
    session.unpoint();
    session.unchoose();
    picture.show(frame);
    outline.show(frame);
    const fetched = [...labels.values()].map((label) => shorten(label, 40)).join(", ");
    setText(task, ctx.t("play.fetched", { run: run + 1, runs: game.runs, labels: fetched }));
    setText(reply, move ? moveSentence(ctx, move, lastStep(played)) : "");
    reply.dataset.legal = move ? String(move.legal && move.code !== "wrong") : "";
    const ready = frame && !played.end ? frame.queue : [];
    setText(hinted, ready.length > 0 ? ctx.t("play.hinted", { nodes: readyNames(graph, ready) }) : "");
    setText(
      question,
      played.end || asked !== null || played.choices.length > 0 ? "" : ctx.t("play.question"),
    );
    const { legal, illegal, hints, right, wrong } = played;
    const valueScore = right + wrong > 0 ? `  ${ctx.t("play.score_values", { right, wrong })}` : "";
    setText(score, ctx.t("play.score", { legal, illegal, hints }) + valueScore);
    const hadFocus = choice.element.contains(document.activeElement);
    choice.show(move?.node ?? null, played.choices);
    if (hadFocus && played.choices.length === 0 && before.move)
      picture.focus({ kind: "node", id: before.move.node });
    value.show(asked === null ? null : names(graph, [asked]));
    if (before.asked !== null && asked === null) picture.focus({ kind: "node", id: before.asked });
    const table = createTape(ctx, graph, trace);
    if (frame) table.show(frame);
    tape.replaceChildren(table.element);
    hint.hidden = goOn.hidden = played.end !== null;
    showEnd(ctx, end, { ...played, labels }, () => {
      if (!played.end) return;
      const steps = stepThrough(ctx, localStore({ record: played.end.trace, run: 0, step: 0 }), title);
      replayed.open(ctx.t("play.replay"), [embedded(ctx, title, steps)]);
    });
    drawers.refresh();
    if (played.end && !endShown) drawers.open("end");
    endShown = played.end !== null;
    refresh();
  };
  store.watch(["played"], batched(show, ctx.life), ctx.life);
  show();
  return {
    ...parts,
    body: [...parts.body, replayed.element],
    close: () => replayed.close() || drawers.close(),
  };
};

/** The names of the ready nodes, with the number of iterations of each. */
function readyNames(graph: Graph, ready: readonly number[]): string {
  const times = new Map<number, number>();
  for (const id of ready) times.set(id, (times.get(id) ?? 0) + 1);
  const listed = [...times].slice(0, LISTED).map(([id, n]) => nodeName(graph, id) + (n > 1 ? ` ×${n}` : ""));
  return (times.size > LISTED ? [...listed, "…"] : listed).join(", ");
}

/** The last step of the last run that has one. */
function lastStep({ runs }: PlayedRecord): StepRecord | null {
  return runs.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome !== "fed")).at(-1) ?? null;
}

function moveSentence(
  ctx: Context,
  move: NonNullable<PlayedRecord["move"]>,
  step: StepRecord | null,
): string {
  const { code } = move;
  const isTurn = step !== null && (code === "ran" || code === "dead" || code === "right" || code === "wrong");
  const where = isTurn ? iterationSentence(ctx.t, { last: step }) : null;
  return [turnSentence(ctx, move, step), where ?? ""].join(" ").trim();
}

function turnSentence(
  ctx: Context,
  { code, params }: NonNullable<PlayedRecord["move"]>,
  step: StepRecord | null,
): string {
  if (code !== "ran" || !step) return ctx.t(`play.${code}`, params);
  const [write] = step.writes;
  if (write) {
    const [variable, before, after] = write;
    return ctx.t("play.wrote", { ...params, variable, before: before || ctx.t("tape.unset"), after });
  }
  const outputText = (step.outputs.find(({ dead }) => !dead) ?? step.outputs[0])?.text;
  return outputText === undefined
    ? ctx.t("play.ran", params)
    : ctx.t("play.value", { ...params, value: oneLine(outputText) });
}

interface Choice {
  element: HTMLElement;
  /** Asks in which of these iterations the node is to run; hides if there are none. */
  show: (node: number | null, iterations: readonly number[][]) => void;
}

function createChoice(ctx: Context, take: (node: number, iteration: number[]) => void): Choice {
  const element = h("div", {
    class: "actions",
    role: "group",
    "aria-label": ctx.t("play.iterations"),
    "data-testid": "iterations",
    hidden: true,
  });
  return {
    element,
    show(node, iterations) {
      element.hidden = node === null || iterations.length === 0;
      element.replaceChildren();
      if (node === null || element.hidden) return;
      const buttons = iterations.slice(0, LISTED).map((iteration, i) => {
        const n = iterationText(iteration);
        return button({
          testid: `iteration-${n}`,
          words: ctx.t(i === 0 ? "play.iteration_oldest" : "loop.iteration", { n }),
          wide: true,
          primary: i === 0,
          act: () => take(node, iteration),
        });
      });
      element.append(...buttons);
      // The engine would take the oldest: Enter alone chooses it.
      buttons[0]?.focus();
    },
  };
}

interface ValueForm {
  element: HTMLElement;
  /** Asks for the value of this node; null hides the question. */
  show: (node: string | null) => void;
}

function createValueForm(ctx: Context, tell: (text: string) => void): ValueForm {
  const id = `${ctx.prefix}-value`;
  const label = h("label", { for: id });
  const act = (): void => {
    if (field.value.trim()) tell(field.value);
  };
  const field = h("input", {
    type: "text",
    id,
    spellcheck: "false",
    autocomplete: "off",
    "data-testid": "value",
    keydown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.isComposing) act();
    },
  });
  const element = h(
    "div",
    { class: "value-form", hidden: true },
    label,
    field,
    button({ testid: "tell", wide: true, primary: true, words: ctx.t("play.tell"), act }),
  );
  return {
    element,
    show(node) {
      const opens = element.hidden && node !== null;
      element.hidden = node === null;
      if (node === null) return;
      setText(label, ctx.t("play.tell_label", { node }));
      if (!opens) return;
      field.value = "";
      field.focus();
    },
  };
}

/** The results of the runs in a row, under the labels of the fetches; an error in TensorFlow's words. */
const results = (all: RunEndRecord[], labels: ReadonlyMap<string, string>): string =>
  all
    .map(({ fetched, error }) =>
      error !== null
        ? oneLine(error)
        : fetched
            .map(({ label, text }) => `${inline(labels.get(label) ?? label)} = ${inline(oneLine(text), 200)}`)
            .join(", "),
    )
    .join(" → ");

/** The results, the order that gave them, and the way to step through it. */
function showEnd(
  ctx: Context,
  element: HTMLElement,
  { runs, end, labels }: PlayedRecord & { labels: ReadonlyMap<string, string> },
  replay: () => void,
): void {
  if (!end) {
    element.replaceChildren(h("p", { class: "hint" }, ctx.t("play.not_over")));
    return;
  }
  const values = results(runs, labels);
  const sentence = end.differs
    ? ctx.t("play.over_other", { values, usual: results(end.usual, labels) })
    : ctx.t("play.over_same", { values });
  const { possible, found } = end;
  element.replaceChildren(
    h("p", { role: "status", "data-differs": String(end.differs) }, sentence),
    ...(possible > 1 ? [h("p", { "data-testid": "found" }, ctx.t("play.found", { possible, found }))] : []),
    h("p", {}, ctx.t("play.order")),
    ...end.schedules.map((text) =>
      h("p", {}, h("code", { dir: "ltr" }, `schedule="${passage(text, 2000)}"`)),
    ),
    button({ testid: "show-replay", wide: true, words: ctx.t("play.replay"), act: replay }),
  );
}

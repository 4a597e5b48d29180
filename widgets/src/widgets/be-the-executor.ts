/** BeTheExecutor: the user chooses the node that runs next; Python says whether the engine could do so, too. */

import { h, section, setText } from "../base/dom";
import { batched, localStore } from "../base/store";
import { inline, oneLine, passage, shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { liveRegion } from "../controls/live-line";
import { createQuestionStatus } from "../controls/question-status";
import { createCodeListing, lineOf } from "../graph/code-listing";
import { createDetails } from "../graph/details";
import { localSession } from "../graph/graph-session";
import { edgeKey, edgeKinds } from "../graph/legend";
import { notices } from "../graph/notices";
import { createOutline } from "../graph/outline";
import { boxSwitch, fitButton, pictureMenu } from "../graph/picture-tools";
import { autoCollapse } from "../model/collapse";
import { type Graph, indexGraph, outerBoxes } from "../model/graph";
import { names, nodeName } from "../model/graph-item";
import { iterationText } from "../model/loops/loop-iterations";
import { createNodeValues, fetchLabel } from "../model/node-values";
import { variableName } from "../model/program-names";
import { about, type Frame, frameAt } from "../model/steps/replay";
import { cameraKeys, createPicture } from "../picture/picture";
import type { GameRecord, PlayedRecord, RunEndRecord, StepRecord, TraceRecord } from "../record";
import { iterationSentence } from "../run/step-sentences";
import { createStepTable } from "../run/step-table";
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
/** The answers to clicks that are neither right nor wrong, and that the score leaves out. */
const UNCOUNTED: ReadonlySet<string> = new Set(["over", "answer_first", "which"]);
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
    // The learner may choose any node: none is put away.
    first: { room: { w: 446, h: 491 }, directions: [false, true], keeps: () => true },
  });
  session.attach(picture, outline);
  const boxes = boxSwitch(graph, session.collapse, (on) => (on ? outerBoxes(graph) : autoCollapse(graph)));

  const said = createSaid(ctx, graph, game);
  const forms = createForms(ctx, graph, send, (id) => picture.focus({ kind: "node", id }));
  const table = h("div");
  const end = createEnd(ctx, title, said.labels);
  const act = (testid: string, words: string, asked: string): HTMLButtonElement =>
    button({ testid, wide: true, words, act: () => send(asked) });
  const hint = act("hint", ctx.t("play.hint"), "hint");
  const goOn = act("go-on", ctx.t("play.go_on"), "go_on");
  const restart = act("restart", ctx.t("play.restart"), "restart");
  const actions = h("div", { class: "actions" }, hint, goOn);

  const { parts, drawers } = createStage(ctx, {
    kind: "steps",
    code: source.element,
    picture: picture.element,
    side: h("div", { class: "game" }, ...said.task, answer.element, actions),
    subject: said.score,
    sentence: said.live,
    transport: h("div", { class: "transport" }, ...forms.elements, said.question, restart),
    foot: edgeKey(ctx, edgeKinds(game.graph)),
    tools: [fitButton(ctx, picture)],
    menu: [...pictureMenu(ctx, picture, { ...session, boxes })],
    drawers: [
      { id: "inspect", words: ctx.t("stage.inspect"), element: details.element, key: "i" },
      { id: "table", words: ctx.t("stage.table"), element: table, key: "t" },
      { id: "end", words: ctx.t("play.result"), element: end.element, count: () => (played.end ? 1 : 0) },
    ],
    outline: outline.element,
    notes: notices(ctx, game.graph.notices),
    keys: { ...cameraKeys(() => [picture]) },
    steps: false,
  });

  const show = (): void => {
    const before = played;
    played = store.get("played");
    const trace = traceSoFar(game, played);
    frame = lastFrame(trace, played.asked);
    session.unpoint();
    session.unchoose();
    picture.show(frame);
    outline.show(frame);
    said.show(played, frame);
    forms.show(before, played);
    const steps = createStepTable(ctx, graph, trace, null);
    if (frame) steps.show(frame);
    table.replaceChildren(steps.element);
    hint.hidden = goOn.hidden = played.end !== null;
    end.show(played);
    drawers.refresh();
    if (played.end && !endShown) drawers.open("end");
    endShown = played.end !== null;
    refresh();
  };
  store.watch(["played"], batched(show, ctx.life), ctx.life);
  show();
  return {
    ...parts,
    body: [...parts.body, end.replay.element],
    close: () => end.replay.close() || drawers.close(),
  };
};

/** What has been played, as a trace. */
const traceSoFar = ({ graph, fetches }: GameRecord, { runs }: PlayedRecord): TraceRecord => ({
  version: 1,
  kind: "trace",
  graph,
  // The user is to find the nodes that never run: the trace so far gives no reasons.
  fetches: runs.some(({ fetched }) => fetched.length > 0) ? fetches : [],
  pruned: [],
  needed: [],
  runs,
  tensors: [],
  number: null,
});

/** The frame that the game has come to, about the node whose value is asked for. */
function lastFrame(trace: TraceRecord, asked: number | null): Frame | null {
  const run = trace.runs.length - 1;
  const frame = frameAt(trace, { run, step: trace.runs[run]?.steps.length ?? 0 });
  return frame && asked !== null ? about(frame, asked) : frame;
}

/** What the game tells the user: the task, the answer to the last move, what a hint names, the question, the score. */
function createSaid(ctx: Context, graph: Graph, game: GameRecord) {
  const task = h("p", { "data-testid": "task" });
  const reply = h("p", { "data-testid": "reply", dir: "auto" });
  const hinted = h("p", { "data-testid": "hinted" });
  const question = h("p", { class: "ask" });
  const score = h("p", { class: "score", "data-testid": "score" });
  const prompt = game.prompt && h("p", { class: "prompt", dir: "auto" }, passage(game.prompt, 2000));
  const labels = new Map(game.fetches.map((fetch) => [fetch.label, fetchLabel(graph, fetch)]));
  const fetched = [...labels.values()].map((label) => shorten(label, 40)).join(", ");
  return {
    task: prompt ? [prompt, task] : [task],
    live: liveRegion(reply, hinted),
    question,
    score,
    /** The labels of the fetches. */
    labels,
    show(played: PlayedRecord, frame: Frame | null): void {
      const { runs, move, asked, choices, end } = played;
      setText(task, ctx.t("play.fetched", { run: runs.length, runs: game.runs, labels: fetched }));
      setText(reply, move ? moveSentence(ctx, graph, move, lastStep(played)) : "");
      reply.dataset.legal =
        move && !UNCOUNTED.has(move.code) ? String(move.legal && move.code !== "wrong") : "";
      const ready = frame && !end ? frame.queue : [];
      setText(hinted, ready.length > 0 ? ctx.t("play.hinted", { nodes: readyNames(graph, ready) }) : "");
      setText(question, end || asked !== null || choices.length > 0 ? "" : ctx.t("play.question"));
      const { legal, illegal, hints, right, wrong } = played;
      const valueScore = right + wrong > 0 ? `  ${ctx.t("play.score_values", { right, wrong })}` : "";
      setText(score, ctx.t("play.score", { legal, illegal, hints }) + valueScore);
    },
  };
}

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
  graph: Graph,
  move: NonNullable<PlayedRecord["move"]>,
  step: StepRecord | null,
): string {
  const { code } = move;
  const isTurn = step !== null && (code === "ran" || code === "dead" || code === "right" || code === "wrong");
  const where = isTurn ? iterationSentence(ctx.t, { last: step }) : null;
  return [turnSentence(ctx, graph, move, step), where ?? ""].join(" ").trim();
}

function turnSentence(
  ctx: Context,
  graph: Graph,
  { code, params }: NonNullable<PlayedRecord["move"]>,
  step: StepRecord | null,
): string {
  if (code !== "ran" || !step) return ctx.t(`play.${code}`, params);
  const [write] = step.writes;
  if (write) {
    const [name, before, after] = write;
    const variable = variableName(graph, name);
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

/** The questions beside the picture: in which iteration, and which value. The focus goes back to the node of an answered one. */
function createForms(
  ctx: Context,
  graph: Graph,
  send: (question: string, args: Record<string, unknown>) => void,
  focus: (node: number) => void,
) {
  const choice = createChoice(ctx, (node, iteration) => send("take", { node, iteration }));
  const value = createValueForm(ctx, (text) => send("tell", { value: text }));
  return {
    elements: [choice.element, value.element],
    show(before: PlayedRecord, { move, asked, choices }: PlayedRecord): void {
      const hadFocus = choice.element.contains(document.activeElement);
      choice.show(move?.node ?? null, choices);
      if (hadFocus && choices.length === 0 && before.move) focus(before.move.node);
      value.show(asked === null ? null : names(graph, [asked]));
      if (before.asked !== null && asked === null) focus(before.asked);
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
function createEnd(ctx: Context, title: string, labels: ReadonlyMap<string, string>) {
  const element = section({ class: "panel end", "data-testid": "end" });
  const replay = createSheet(ctx, "replay");
  return {
    element,
    replay,
    show(played: PlayedRecord): void {
      const { end } = played;
      if (!end) {
        element.replaceChildren(h("p", { class: "hint" }, ctx.t("play.not_over")));
        return;
      }
      const act = (): void => {
        const steps = stepThrough(ctx, localStore({ record: end.trace, run: 0, step: 0 }), title);
        replay.open(ctx.t("play.replay"), [embedded(ctx, title, steps)]);
      };
      element.replaceChildren(
        ...drawEnd(ctx, played, end, labels),
        button({ testid: "show-replay", wide: true, words: ctx.t("play.replay"), act }),
      );
    },
  };
}

function drawEnd(
  ctx: Context,
  { runs }: PlayedRecord,
  { differs, usual, possible, found, schedules }: NonNullable<PlayedRecord["end"]>,
  labels: ReadonlyMap<string, string>,
): HTMLElement[] {
  const values = results(runs, labels);
  const sentence = differs
    ? ctx.t("play.over_other", { values, usual: results(usual, labels) })
    : ctx.t("play.over_same", { values });
  return [
    h("p", { role: "status", "data-differs": String(differs) }, sentence),
    ...(possible > 1 ? [h("p", { "data-testid": "found" }, ctx.t("play.found", { possible, found }))] : []),
    h("p", {}, ctx.t("play.order")),
    ...schedules.map((text) => h("p", {}, h("code", { dir: "ltr" }, `schedule="${passage(text, 2000)}"`))),
  ];
}

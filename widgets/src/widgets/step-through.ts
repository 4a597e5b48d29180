/** StepThrough: the runs of one program, forward and back, with breakpoints and forks. */

import { h, setAttribute } from "../base/dom";
import { batched, type Store } from "../base/store";
import { inline } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createLiveLine } from "../controls/live-line";
import type { Place } from "../controls/timeline";
import { createTransport } from "../controls/transport";
import { edgeKey } from "../graph/legend";
import { notices } from "../graph/notices";
import { clamp, type Frame, type Position, runLengths } from "../model/replay";
import { type Timeline, timelinesOf } from "../model/timelines";
import type { Lane } from "../model/track";
import { cameraKeys } from "../picture/picture";
import type { BranchRecord, BreakRecord, BreaksRecord, LeavesRecord, TraceRecord } from "../record";
import { createBreakpoints, hitsAt } from "../run/breakpoints";
import { createForks } from "../run/forks";
import { createLoopViews } from "../run/loop-views";
import { changeText, printedText, sentence } from "../run/step-sentences";
import { createStepTable } from "../run/step-table";
import { createTimelineEnds } from "../run/timeline-ends";
import { laneName, lanesOf, stepTitle } from "../run/timeline-lanes";
import { createTracedProgram } from "../run/traced-program";
import { createStage, type Surroundings } from "../stage/stage";
import type { Widget, WidgetParts } from "../widget";

export interface StepTraits {
  record: TraceRecord;
  run: number;
  step: number;
  /** The current timeline, and the number of forks; each fork is a trait of its own, `branch_1` and so on. */
  branch: number;
  branches: number;
  leaves: Partial<LeavesRecord> | undefined;
  breaks: Partial<BreaksRecord> | undefined;
}

/** How many timelines keep their pictures, so that going back to one is quick. */
const KEPT = 6;
const NONE: BreakRecord[] = [];

export const stepThrough: Widget<StepTraits> = (ctx, store, title) => createSteps(ctx, store, title);

export function createSteps(
  ctx: Context,
  store: Store<StepTraits>,
  title: string,
  { lead, drawers: around = [] }: Surroundings = {},
): WidgetParts {
  const first = store.get("record");
  if (first.runs.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("steps.none"))], keys: {}, steps: false };
  }
  let lines: Timeline[] = timelinesOf(first, []);
  // Inside another widget, Python answers no questions about forks and breakpoints.
  const answered = store.get("branches") !== undefined;
  const line = (): Timeline => lines[Math.trunc(store.get("branch")) || 0] ?? (lines[0] as Timeline);
  const position = (): Position => clamp(runLengths(line().trace), store.get("run"), store.get("step"));
  const place = (): Place => ({ timeline: line().number, ...position() });
  const move = ({ run, step }: Position): void => store.set({ run, step });
  const go = ({ timeline, run, step }: Place): void => store.set({ branch: timeline, run, step });

  // -- the panels of one timeline: pictures are drawn once, and kept for a quick way back
  const views = new Map<number, ReturnType<typeof createView>>();
  let current: ReturnType<typeof createView> | null = null;
  function createView({ trace }: Timeline) {
    const side = createTracedProgram(ctx, trace, title, null, move, {
      like: current?.side.picture ?? null,
      ...(current ? { closed: current.side.closed() } : {}),
      chose() {
        drawers.open("inspect");
        presentNode();
        present();
        ctx.panels.settle(forks.element);
      },
    });
    const loops = createLoopViews(ctx, side.graph, trace, {
      changed(cycle) {
        side.picture.element.hidden = !cycle;
      },
      chosen: side.picked,
      chose: side.choose,
    });
    return { side, loops, rows: createStepTable(ctx, side.graph, trace, move), frame: null as Frame | null };
  }
  function view(): ReturnType<typeof createView> {
    const { number } = line();
    const known = views.get(number) ?? createView(line());
    views.delete(number);
    views.set(number, known);
    for (const old of views.keys()) if (views.size > KEPT) views.delete(old);
    if (known !== current) {
      current = known;
      const { side, loops, rows } = known;
      for (const [room, parts] of [
        [rooms.code, [side.source, side.step.element]],
        [rooms.line, [side.step.line]],
        [rooms.picture, [side.picture.element, loops.element]],
        [rooms.side, [side.state]],
        [rooms.chooser, loops.chooser ? [loops.chooser] : []],
        [rooms.tools, [side.tools]],
        [rooms.inspect, [side.details]],
        [rooms.queue, [side.queue]],
        [rooms.table, [rows.element, side.tape]],
        [rooms.outline, [side.outline]],
      ] as const)
        room.replaceChildren(...parts);
      side.stops(stopped());
    }
    return known;
  }

  // -- breakpoints
  const breakpoints = (): BreakRecord[] => store.get("breaks")?.breaks ?? NONE;
  const stopped = (): Set<number> =>
    new Set(breakpoints().flatMap(({ kind, node }) => (kind === "node" && node !== null ? [node] : [])));
  const breaks = createBreakpoints(ctx, move);
  const toggle = (): void => {
    // The focused node in the picture or outline; else the chosen one.
    const at = document.activeElement;
    const named =
      at?.closest("g.node")?.getAttribute("data-id") ?? at?.closest("[data-key]")?.getAttribute("data-key");
    const focused = /^(?:node )?(\d+)$/.exec(named ?? "")?.[1];
    const node = focused === undefined ? current?.side.chosen() : Number(focused);
    if (node != null) breaks.toggle(node);
  };

  // -- the panels that all timelines share
  const forks = createForks(ctx, first);
  let lanes: Lane[] = lanesOf(lines, NONE);
  const leaves = createTimelineEnds(ctx, (timeline) => store.set({ branch: timeline }));
  const transport = createTransport(ctx, {
    lanes: () => lanes,
    position: place,
    move: go,
    name: ({ number }) => laneName(ctx, lines, number),
    printed: (run) => printedText(line().trace, run),
    step: (at) => stepTitle(ctx, view().side.graph, lines, at, hitsAt(breakpoints(), at)),
  });
  const live = createLiveLine();
  const room = (): HTMLElement => h("div", { class: "room" });
  const rooms = {
    code: room(),
    line: room(),
    picture: room(),
    side: room(),
    chooser: room(),
    tools: room(),
    inspect: room(),
    queue: room(),
    table: room(),
    outline: room(),
  };
  const onNode = button({
    testid: "break-node",
    words: ctx.t("break.node"),
    wide: true,
    act: toggle,
  });
  breaks.element.prepend(onNode);

  /** Updates what depends on the chosen node. */
  function present(): void {
    const frame = current?.frame;
    if (!current || !frame) return;
    const { number, trace } = line();
    const node = current.side.chosen();
    forks.show({ timeline: number, trace, graph: current.side.graph, frame, node });
  }

  /** The label and target of the breakpoint button follow the chosen node. */
  function presentNode(): void {
    const node = current?.side.chosen() ?? null;
    setAttribute(onNode, "aria-pressed", String(node !== null && stopped().has(node)));
    setAttribute(onNode, "aria-disabled", String(node === null));
  }

  function show(): void {
    gather();
    const before = current;
    transport.show();
    const { side, loops, rows } = view();
    const at = place();
    const frame = side.show(at);
    if (!frame || !current) return;
    current.frame = frame;
    const { trace, branch, number } = line();
    loops.show(frame);
    rows.show(at);
    breaks.show(breakpoints(), at);
    presentNode();
    present();
    ctx.panels.tell(live.element, () => {
      const { now, after } = sentence(ctx, side.graph, trace, frame);
      // The first step of a fork is where the reader came to it.
      const isFork = branch && at.run === branch.run && at.step === branch.step + 1;
      const fork = isFork ? ctx.t("live.timeline", { number, change: changeText(ctx.t, branch.change) }) : "";
      const texts = hitsAt(breakpoints(), at).map(({ text }) => inline(text));
      const hit = texts.length > 0 ? ctx.t("break.live", { texts: texts.join(", ") }) : "";
      live.say([now, fork || after, hit]);
    });
    const record = store.get("leaves");
    leaves.show(record?.leaves ? (record as LeavesRecord) : null, lines, number);
    drawers.refresh();
    // The panels of another timeline are at the position where it was left.
    if (current !== before) ctx.panels.settle();
  }

  let known: BreakRecord[] | null = null;

  /** Reads the forks that Python made, and the hits of the breakpoints. */
  function gather(): void {
    const count = Math.max(0, Math.trunc(store.get("branches")) || 0);
    const breaks = breakpoints();
    if (count === lines.length - 1 && breaks === known) return;
    if (count !== lines.length - 1) {
      const branches = Array.from(
        { length: count },
        (_, i) => store.get(`branch_${i + 1}` as "branch") as unknown,
      );
      lines = timelinesOf(first, branches.filter((branch) => branch) as BranchRecord[]);
    }
    known = breaks;
    lanes = lanesOf(lines, breaks);
    current?.side.stops(stopped());
  }

  const told = first.graph.notices;
  const { parts, drawers } = createStage(ctx, {
    kind: "steps",
    code: lead?.element ?? rooms.code,
    ...(lead && { codeWords: lead.words }),
    picture: rooms.picture,
    side: rooms.side,
    sentence: live.element,
    line: rooms.line,
    transport: transport.element,
    foot: edgeKey(ctx),
    tools: [
      rooms.chooser,
      button({
        testid: "fit",
        icon: "fit",
        words: ctx.t("action.fit"),
        act: () => current?.side.picture.fit(),
      }),
    ],
    menu: [
      button({
        testid: "show-outline",
        words: ctx.t("stage.outline"),
        wide: true,
        act: () => drawers.open("outline"),
      }),
      rooms.tools,
    ],
    drawers: [
      ...around,
      ...(lead ? [{ id: "source", words: ctx.t("stage.code"), element: rooms.code }] : []),
      { id: "inspect", words: ctx.t("stage.inspect"), element: rooms.inspect, key: "i" },
      {
        id: "queue",
        words: ctx.t("stage.queue"),
        element: rooms.queue,
        key: "q",
        count: () => current?.frame?.ready ?? 0,
      },
      ...(answered
        ? [
            {
              id: "change",
              words: ctx.t("stage.change"),
              element: h("div", {}, forks.element, leaves.element),
              count: () => lines.length - 1,
            },
            {
              id: "breakpoints",
              words: ctx.t("stage.breakpoints"),
              element: breaks.element,
              count: () => breakpoints().length,
            },
          ]
        : []),
      {
        id: "table",
        words: ctx.t("stage.table"),
        element: rooms.table,
        key: "t",
      },
      ...(told.length > 0
        ? [
            {
              id: "notes",
              words: ctx.t("stage.notes"),
              element: h("div", {}, ...notices(ctx, told)),
              count: () => told.length,
            },
          ]
        : []),
    ],
    extra: [{ id: "outline", words: ctx.t("stage.outline"), element: rooms.outline }],
    keys: {
      ...transport.keys,
      ...cameraKeys(() => [current?.side.picture]),
      ...(answered ? { b: toggle } : {}),
    },
    steps: true,
    forks: answered,
  });
  store.watch(["run", "step", "branch", "branches", "leaves", "breaks"], batched(show, ctx.life), ctx.life);
  show();
  return parts;
}

/** Three drawings of a loop: its iterations as lanes, the cycle in the graph, and the open frames. */

import { h, section, setText } from "../base/dom";
import { watchSize } from "../base/element-size";
import { inline } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { type Loop, loopsOf } from "../model/loops/loop-iterations";
import { planOf } from "../model/loops/loop-plan";
import type { Position } from "../model/steps/replay";
import type { TraceRecord } from "../record";
import { drawFrames } from "./loop-frames";
import { createLoopLanes, type LoopLanes } from "./loop-lanes";

const VIEWS = ["lanes", "cycle", "frames"] as const;
type View = (typeof VIEWS)[number];
/** The lanes come first if they draw or count at least this share of the nodes. */
const MOST = 0.5;

export interface LoopViews {
  /** The choice of drawing, for the head of the stage; null if no run has a loop. */
  chooser: HTMLElement | null;
  /** The drawing that replaces the picture, unless that is the cycle. */
  element: HTMLElement;
  show: (at: Position) => void;
}

export interface LoopViewsOptions {
  /** The drawing has changed: whether it is the picture of the graph. */
  changed: (cycle: boolean) => void;
  /** The node that is described, and the one that the user chose. */
  chosen: () => number | null;
  chose: (node: number) => void;
}

interface DrawnLanes extends LoopLanes {
  counts: string;
  /** The part of the graph that is in the loop. */
  share: number;
}

/** The lanes of each loop, drawn once. */
function createLanes(ctx: Context, graph: Graph, trace: TraceRecord): (of: Loop) => DrawnLanes {
  const drawn = new Map<Loop, DrawnLanes>();
  return (of) => {
    const known = drawn.get(of);
    if (known) return known;
    const plan = planOf(graph, trace, of);
    const total = graph.node.size;
    const counts = ctx.t("loop.counts", { total, drawn: plan.drawn, counted: total - plan.drawn });
    const made = {
      ...createLoopLanes(ctx, { graph, trace, plan }),
      counts,
      share: of.variables.length > 0 ? 1 - plan.beside / total : 0,
    };
    drawn.set(of, made);
    return made;
  };
}

export function createLoopViews(
  ctx: Context,
  graph: Graph,
  trace: TraceRecord,
  { changed, chosen, chose }: LoopViewsOptions,
): LoopViews {
  const { t } = ctx;
  const loops = loopsOf(trace);
  const lanesOf = createLanes(ctx, graph, trace);
  let view: View = "cycle";
  let loop = loops[0];
  let at: Position = { run: 0, step: 0 };

  const chooser = h("div", { class: "loop-view", role: "radiogroup", "aria-label": t("loop.view") });
  const radios = VIEWS.map((name) => {
    const act = (): void => choose(name);
    const radio = h("input", {
      type: "radio",
      name: `${ctx.prefix}-loop`,
      "data-testid": `loop-${name}`,
      change: act,
    });
    chooser.append(h("label", {}, radio, h("span", {}, t(`loop.${name}`))));
    return radio;
  });
  const select = h("select", {
    "data-testid": "loop-frame",
    "aria-label": t("loop.which"),
    change: () => take(),
  });
  for (const { name } of loops) select.append(h("option", {}, inline(name)));
  const counts = h("span", { class: "counts", "data-testid": "loop-counts" });
  const foot = h("div", { class: "loop-foot" }, loops.length > 1 && select, counts);
  const body = h("div", { class: "loop-body" });
  /** The width of the body; 0 until it is known. */
  let room = 0;
  watchSize(body, ctx.life, ({ w }) => {
    if (w === room) return;
    room = w;
    draw();
  });
  const element = section({ class: "loops", "aria-label": t("loop.view"), hidden: true }, body, foot);

  function take(): void {
    loop = loops[select.selectedIndex];
    choose(view);
  }

  function choose(name: View): void {
    view = name;
    element.hidden = view === "cycle";
    foot.hidden = view !== "lanes";
    radios.forEach((radio, i) => {
      radio.checked = VIEWS[i] === view;
    });
    changed(view === "cycle");
    draw();
  }

  const pick = (event: Event): void => {
    const id = (event.target as Element).closest("g.node")?.getAttribute("data-id");
    if (id === null || id === undefined) return;
    chose(Number(id));
    draw();
  };
  body.addEventListener("click", pick);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    pick(event);
  });
  keepNames(body);

  function draw(): void {
    if (!loop || view === "cycle") return;
    if (view === "frames") {
      body.replaceChildren(drawFrames(ctx, trace, loops, at));
      return;
    }
    const lanes = lanesOf(loop);
    if (body.firstElementChild !== lanes.element) body.replaceChildren(lanes.element);
    setText(counts, lanes.counts);
    follow(body, lanes.show(at, chosen(), room));
  }

  if (loop && lanesOf(loop).share >= MOST) choose("lanes");
  else if (loop) choose("cycle");
  return {
    chooser: loops.length > 0 ? chooser : null,
    element,
    show(position) {
      at = position;
      draw();
    },
  };
}

/** The names stay at the edge when the lanes are wider than their room. */
function keepNames(body: HTMLElement): void {
  body.addEventListener("scroll", () => {
    const names = body.querySelector<SVGGElement>(".loop-names");
    const svg = names?.ownerSVGElement;
    const scale = svg ? svg.clientWidth / svg.viewBox.baseVal.width || 1 : 1;
    names?.setAttribute("transform", `translate(${body.scrollLeft / scale} 0)`);
  });
}

/** Brings the current iteration into view. */
function follow(body: HTMLElement, now: { from: number; to: number } | null): void {
  const width = body.scrollWidth;
  if (!now || width <= body.clientWidth) return;
  if (now.to * width > body.scrollLeft + body.clientWidth)
    body.scrollLeft = now.to * width - body.clientWidth;
  if (now.from * width < body.scrollLeft) body.scrollLeft = now.from * width;
}

/** Draws a loop's iterations side by side: values at their start, the nodes that compute the next ones, and the test. */

import { renew, s, setAttribute } from "../base/dom";
import { inline, shorten } from "../base/text";
import type { Context } from "../context";
import { CHIP } from "../draw/chip";
import { NAME, TYPE } from "../draw/node";
import { type LoopWidths, loopScene } from "../layout/loop-columns";
import { roundAt } from "../model/loops/loop-iterations";
import { columnsOf, type Station } from "../model/loops/loop-plan";
import { type DrawnLoop, lastIteration, longestTexts, nameOf } from "../model/loops/loop-texts";
import { fetchLabels } from "../model/node-values";
import type { Position } from "../model/steps/replay";
import {
  type Drawing,
  drawGround,
  drawLines,
  drawNames,
  drawNodes,
  LETTERS,
  type Moment,
} from "./loop-marks";

const LANE = { size: 15, weight: 650 };
/** The most columns, and the smallest scale at which they are read. */
const MOST = 5;
const SMALLEST = 0.7;

export interface LoopLanes {
  element: SVGSVGElement;
  /** Draws a position in a room of this width; returns the current column, in parts of the picture's width. */
  show: (at: Position, chosen: number | null, room: number) => { from: number; to: number } | null;
}

export function createLoopLanes(ctx: Context, loop: DrawnLoop): LoopLanes {
  const { plan, trace } = loop;
  const drawing: Drawing = {
    ctx,
    loop,
    widths: measure(ctx, loop),
    labels: fetchLabels(loop.graph, trace),
  };
  const layers = { grounds: s("g"), lines: s("g"), nodes: s("g"), names: s("g", { class: "loop-names" }) };
  const element = s(
    "svg",
    {
      class: "loop-lanes",
      role: "group",
      "data-testid": "lanes",
      "aria-label": ctx.t("loop.caption", { frame: inline(plan.loop.name) }),
    },
    ...Object.values(layers),
  );
  element.addEventListener("keydown", (event) => walk(element, event));

  function moments(at: Position, chosen: number | null, room: number): Moment[] {
    const round = roundAt(trace, at, plan.loop);
    if (!round) return [];
    const turn = trace.runs[at.run]?.steps[at.step - 1];
    const { frame } = plan.loop;
    const isInside = turn !== undefined && (turn.frame === frame || turn.frame.startsWith(`${frame}/`));
    const now = isInside ? (turn.iteration[round.outer.length] ?? 0) : -1;
    const last = lastIteration(loop, at.run, round);
    // As many columns as there is room for, and at least two.
    let scene = loopScene(plan, columnsOf(round.count, now, MOST), last, drawing.widths);
    for (let most = MOST - 1; most >= 2 && room > 0 && scene.width * SMALLEST > room; most -= 1)
      scene = loopScene(plan, columnsOf(round.count, now, most), last, drawing.widths);
    return scene.columns.map((column) => ({
      at,
      chosen,
      scene,
      round,
      column,
      path: [...round.outer, column.iteration ?? 0],
      isNow: column.iteration === now,
    }));
  }

  return {
    element,
    show(at, chosen, room) {
      const columns = moments(at, chosen, room);
      const scene = columns[0]?.scene;
      if (!scene) return null;
      setAttribute(element, "viewBox", `0 0 ${scene.width} ${scene.height}`);
      element.style.setProperty("--w", `${scene.width}px`);
      element.style.setProperty("--h", `${scene.height}px`);
      const had = element.contains(document.activeElement);
      const focused = had ? document.activeElement?.getAttribute("data-key") : null;
      renew(
        layers.grounds,
        columns.flatMap((column) => drawGround(drawing, column)),
      );
      renew(
        layers.lines,
        columns.flatMap((column) => drawLines(drawing, column)),
      );
      renew(
        layers.nodes,
        columns.flatMap((column) => drawNodes(drawing, column)),
      );
      renew(layers.names, drawNames(drawing, scene, at));
      // One box is in the order of the tab key.
      const boxes = boxesOf(element);
      const stop =
        boxes.find((box) => box.getAttribute("data-key") === focused) ??
        boxes.find((box) => box.getAttribute("data-state") === "active") ??
        boxes[0];
      stop?.setAttribute("tabindex", "0");
      if (had) stop?.focus({ preventScroll: true });
      const now = columns.find(({ isNow }) => isNow)?.column;
      return now ? { from: (now.x - scene.names) / scene.width, to: (now.x + now.w) / scene.width } : null;
    },
  };
}

const boxesOf = (element: Element): SVGGElement[] => [...element.querySelectorAll<SVGGElement>("g.node")];

/** The arrow keys walk from box to box. */
function walk(element: Element, event: KeyboardEvent): void {
  const ways: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const way = ways[event.key];
  const from = document.activeElement;
  if (!way || !from?.matches("g.node")) return;
  const place = (box: Element): [number, number] => [
    Number(box.getAttribute("data-x")),
    Number(box.getAttribute("data-y")),
  ];
  const [x, y] = place(from);
  const far = (box: Element): number => {
    const [dx, dy] = [place(box)[0] - x, place(box)[1] - y];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1] + dy * way[0]);
    return ahead > 1 ? ahead + 3 * aside : Number.POSITIVE_INFINITY;
  };
  const nearest = boxesOf(element).reduce((best, box) => (far(box) < far(best) ? box : best), from);
  event.preventDefault();
  event.stopPropagation();
  if (nearest === from) return;
  from.setAttribute("tabindex", "-1");
  nearest.setAttribute("tabindex", "0");
  (nearest as SVGGElement).focus();
}

/** The widths of what all runs show, so that no step moves a column. */
function measure(ctx: Context, loop: DrawnLoop): LoopWidths {
  const { t } = ctx;
  const { plan } = loop;
  const wide = (words: string, font: typeof NAME): number =>
    Math.ceil(ctx.width(shorten(words, LETTERS), font));
  const width = (station: Station): number => {
    const { value, detail } = longestTexts(loop, station);
    const below = station.kind === "exit" ? t("loop.out") : detail;
    const chip = station.kind === "test" ? 0 : wide(value, CHIP) + 8;
    return Math.max(32, wide(nameOf(loop, station), NAME), wide(below, TYPE), chip) + 16;
  };
  const of = (...kinds: Station["kind"][]): Station[] =>
    plan.stations.filter(({ kind }) => kinds.includes(kind));
  const ops = Array.from({ length: plan.ranks }, (_, at) =>
    Math.max(
      48,
      ...of("op", "exit")
        .filter(({ rank }) => rank === at)
        .map(width),
    ),
  );
  const value = Math.max(
    40,
    ...of("value").map((station) => wide(longestTexts(loop, station).value, LANE) + 16),
  );
  const lanes = plan.lanes.map(({ name }) => Math.ceil(ctx.width(shorten(name, LETTERS), LANE, true)));
  return {
    names: Math.max(32, wide(t("loop.test"), NAME), ...lanes),
    value,
    ops,
    test: Math.max(value + 16, ...of("test").map(width)),
    words: Math.max(wide(t("loop.round"), TYPE), wide(t("loop.leaves"), TYPE)),
    title: wide(t("loop.iteration", { n: "10" }), NAME),
  };
}

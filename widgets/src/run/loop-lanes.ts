/** Draws a loop's iterations side by side: values at their start, the nodes that compute the next ones, and the test. */

import { renew, s, setAttribute } from "../base/dom";
import { inline, leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { circle, FLAG, fetchFlag, pill, stateBadge } from "../draw/badge";
import { CHIP, chipMiddle, drawChip } from "../draw/chip";
import { strokes } from "../draw/edge";
import { NAME, nodeOutline, TYPE } from "../draw/node";
import type { Box } from "../layout/geometry";
import {
  type Column,
  columnBox,
  type LoopScene,
  type LoopWidths,
  loopScene,
  routesOf,
  stationBox,
} from "../layout/loop-columns";
import { iterationText, type Round, roundAt, textOf } from "../model/loop-iterations";
import { columnsOf, type Station } from "../model/loop-plan";
import {
  type DrawnLoop,
  lastIteration,
  longestTexts,
  nameOf,
  type StationText,
  stationText,
  turnOf,
} from "../model/loop-texts";
import { fetchLabels } from "../model/node-values";
import type { Position } from "../model/replay";

const LANE = { size: 15, weight: 650 };
/** The longest name. */
const LETTERS = 14;
/** The most columns, and the smallest scale at which they are read. */
const MOST = 5;
const SMALLEST = 0.7;

export interface LoopLanes {
  element: SVGSVGElement;
  /** Draws a position in a room of this width; returns the current column, in parts of the picture's width. */
  show: (at: Position, chosen: number | null, room: number) => { from: number; to: number } | null;
}

/** A column at a position. */
interface Moment {
  at: Position;
  chosen: number | null;
  scene: LoopScene;
  round: Round;
  column: Column;
  /** The iterations of the loops around and of this one. */
  path: number[];
  isNow: boolean;
}

function text(className: string, x: number, y: number, words: string, anchor = "start"): SVGTextElement {
  const made = s("text", { class: className, x, y, "text-anchor": anchor });
  made.textContent = words;
  return made;
}

export function createLoopLanes(ctx: Context, loop: DrawnLoop): LoopLanes {
  const { plan, trace } = loop;
  const draw = createMarks(ctx, loop);
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
    let scene = loopScene(plan, columnsOf(round.count, now, MOST), last, draw.widths);
    for (let most = MOST - 1; most >= 2 && room > 0 && scene.width * SMALLEST > room; most -= 1)
      scene = loopScene(plan, columnsOf(round.count, now, most), last, draw.widths);
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
      renew(layers.grounds, columns.flatMap(draw.ground));
      renew(layers.lines, columns.flatMap(draw.lines));
      renew(layers.nodes, columns.flatMap(draw.nodes));
      renew(layers.names, draw.names(scene, at));
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

/** The functions that draw the parts of a column. */
function createMarks(ctx: Context, loop: DrawnLoop) {
  const { t } = ctx;
  const { graph, plan, trace } = loop;
  const widths = measure(ctx, loop);
  const labels = fetchLabels(graph, trace);

  function ground({ at, scene, column, path, isNow }: Moment): SVGElement[] {
    const box = columnBox(column, scene);
    const area = { x: box.x, y: box.y, width: box.w, height: box.h, rx: 8 };
    if (column.iteration === null) {
      const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
      const words = t("loop.skipped", { n: column.skipped });
      return [
        s(
          "g",
          { class: "loop-stub", role: "img", "aria-label": words },
          s("rect", area),
          text("title", x, y - 6, "⋯", "middle"),
          text("title", x, y + 14, `+${column.skipped}`, "middle"),
        ),
      ];
    }
    const title = text("title", box.x + 12, scene.title, t("loop.iteration", { n: iterationText(path) }));
    if (isNow) setAttribute(title, "data-now", "");
    const parts: SVGElement[] = [s("rect", { class: "loop-ground", "data-now": isNow, ...area }), title];
    const decided = plan.condition === null ? null : turnOf(loop, at, plan.condition, path);
    const test = plan.stations.find(({ kind }) => kind === "test");
    if (test && decided) {
      const { x, y, w } = stationBox(test, column, scene, widths);
      const value = textOf(decided);
      const words = t(value === "False" ? "loop.leaves" : "loop.round");
      parts.push(text("decided", x + w + 8, y + 18, value), text("type", x + w + 8, y + 35, words));
    }
    return parts;
  }

  function nodes(moment: Moment): SVGElement[] {
    const { column } = moment;
    if (column.iteration === null) return [];
    return plan.stations
      .filter(({ kind }) => (kind === "op" ? !column.leaves : kind !== "exit" || column.leaves))
      .flatMap((station) => {
        const box = stationBox(station, column, moment.scene, widths);
        const facts = stationText(loop, moment.at, station, moment.path);
        return [drawStation(station, box, facts, moment), ...signs(station, box, facts)];
      });
  }

  function drawStation(
    station: Station,
    box: Box,
    facts: StationText,
    { path, chosen, column }: Moment,
  ): SVGElement {
    const { kind, node } = station;
    const role = graph.node.get(node)?.role ?? "op";
    const shape = kind === "value" || role === "control" ? "op" : role;
    const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
    const line = (className: string, words: string, dy: number): SVGTextElement =>
      text(className, x, y + dy, words, "middle");
    const detail = kind === "exit" ? t("loop.out") : facts.detail;
    const value = { waiting: t("loop.no_value"), dead: t("loop.dead"), error: t("state.error") };
    const label = [
      detail === "" ? inline(facts.name) : `${inline(facts.name)} ${detail}`,
      t("loop.iteration", { n: iterationText(path) }),
      value[facts.state as keyof typeof value] ?? facts.value,
    ];
    return s(
      "g",
      {
        class: `node ${kind}`,
        role: "button",
        "data-id": node,
        "data-role": shape,
        "data-state": facts.state,
        "data-key": `${node} ${column.iteration}`,
        "data-x": x,
        "data-y": y,
        "aria-label": label.filter((part) => part !== "").join(", "),
        "aria-pressed": String(node === chosen),
        tabindex: "-1",
      },
      s("rect", { class: "focus", x: box.x - 4, y: box.y - 4, width: box.w + 8, height: box.h + 8, rx: 9 }),
      nodeOutline(shape, box),
      ...(kind === "value"
        ? [line("amount", facts.state === "waiting" ? "·" : facts.short, 5)]
        : detail === ""
          ? [line("name", shorten(facts.name, LETTERS), 5)]
          : [line("name", shorten(facts.name, LETTERS), -3), line("type", shorten(detail, LETTERS), 13)]),
    );
  }

  /** What hangs on a node: its value, a cross where it is dead, a flag where it is fetched. */
  function signs({ kind, node, lane }: Station, box: Box, { state, short }: StationText): SVGElement[] {
    const found: SVGElement[] = [];
    const corner = { x: box.x + box.w - 2, y: box.y + 2 };
    if ((kind === "op" || kind === "exit") && short !== "" && (state === "ran" || state === "active")) {
      const middle = { x: box.x + box.w / 2, y: chipMiddle(box.y + box.h, false) };
      const chip = drawChip("own", middle, short, ctx.width(short, CHIP));
      if (state === "active") setAttribute(chip, "data-new", "");
      found.push(chip);
    }
    if (state === "dead") found.push(stateBadge("dead", corner.x, corner.y, "✕"));
    if (state === "error") found.push(circle("error", corner.x, corner.y, "!"));
    const label = kind === "value" ? undefined : labels.get(node);
    if (label !== undefined) {
      // What leaves the loop has the variable's name, unless the program names it anew.
      const isOwn = kind === "exit" && label === leaf(graph.node.get(node)?.name ?? "");
      const words = shorten(isOwn ? (plan.lanes[lane]?.name ?? label) : label, LETTERS);
      found.push(fetchFlag(box.x + 6, box.y - 4, words, ctx.width(words, FLAG)));
    }
    return found;
  }

  function lines({ at, scene, round, column, path }: Moment): SVGElement[] {
    const index = scene.columns.indexOf(column);
    const after = [...round.outer, (column.iteration ?? 0) + 1];
    const edge = (taken: boolean, sent: boolean, ...strokes: SVGElement[]): SVGElement =>
      s("g", { class: "edge", "data-kind": "data", "data-taken": taken, "data-idle": !sent }, ...strokes);
    const drawn = routesOf(plan, index, scene, widths).map(({ link, points, turned }) => {
      const [taker, where] = link.to
        ? [link.to.node, path]
        : [plan.lanes[link.next]?.variable?.merge ?? -1, after];
      const [taken, sent] = [turnOf(loop, at, taker, where), turnOf(loop, at, link.from.node, path)];
      const isLive = sent !== null && sent.record.outcome !== "dead";
      const isTaken = taken?.step === at.step && taken.record.outcome !== "dead";
      return edge(isTaken, isLive, ...strokes("data", points, turned));
    });
    // Behind a stub, the values come from iterations that are not drawn.
    const before = scene.columns[index - 1];
    if (before?.iteration !== null || column.iteration === null) return drawn;
    for (const station of plan.stations.filter(({ kind }) => kind === "value")) {
      const { x, y, h } = stationBox(station, column, scene, widths);
      const points = [before.x + before.w, x].map((each) => ({ x: each, y: y + h / 2 }));
      const sent = turnOf(loop, at, station.node, path);
      drawn.push(edge(sent?.step === at.step, sent !== null, ...strokes("data", points, true)));
    }
    return drawn;
  }

  /** The lanes' names, and how many nodes each counts: among them may be the one that just had its turn. */
  function names(scene: LoopScene, at: Position): SVGElement[] {
    const last = trace.runs[at.run]?.steps[at.step - 1]?.node ?? -1;
    const isDrawn = plan.stations.some(({ node }) => node === last);
    const middle = scene.names / 2 - 2;
    const area = { x: 0, y: 0, width: scene.names - 3, height: scene.height };
    const lanes = plan.lanes.flatMap(({ name, more }, i) => {
      const y = scene.lanes[i] ?? 0;
      const title =
        i === 0
          ? text("name", middle, y - 2, t("loop.test"), "middle")
          : text("lane", middle, y - 2, shorten(name, LETTERS), "middle");
      const words = `+${more}`;
      if (more === 0) return [title];
      const count = pill("more", middle, y + 16, words, ctx.width(words, TYPE));
      if (!isDrawn && plan.laneOf.get(last) === i) setAttribute(count, "data-now", "");
      return [title, count];
    });
    return [s("rect", { class: "loop-margin", ...area }), ...lanes];
  }

  return { widths, ground, nodes, lines, names };
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

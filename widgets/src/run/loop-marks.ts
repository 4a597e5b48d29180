/** The marks of a loop's lanes: the ground of an iteration, its nodes and lines, and the lanes' names. */

import { s, setAttribute } from "../base/dom";
import { inline, leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { circle, FLAG, fetchFlag, flagBox, pill, stateBadge } from "../draw/badge";
import { CHIP, chipMiddle, drawChip } from "../draw/chip";
import { strokes } from "../draw/edge";
import { nodeOutline, TYPE } from "../draw/node";
import type { Box } from "../layout/geometry";
import {
  type Column,
  columnBox,
  type LoopScene,
  type LoopWidths,
  routesOf,
  stationBox,
} from "../layout/loop-columns";
import { iterationText, type Round, textOf } from "../model/loops/loop-iterations";
import type { Station } from "../model/loops/loop-plan";
import { type DrawnLoop, type StationText, stationText, turnOf } from "../model/loops/loop-texts";
import type { Position } from "../model/steps/replay";

/** The longest name. */
export const LETTERS = 14;

/** A loop, and what the drawing of all its positions shares. */
export interface Drawing {
  ctx: Context;
  loop: DrawnLoop;
  widths: LoopWidths;
  /** What is fetched, by node. */
  labels: ReadonlyMap<number, string>;
}

/** A column at a position. */
export interface Moment {
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

export function drawGround(
  { ctx: { t }, loop, widths }: Drawing,
  { at, scene, column, path, isNow }: Moment,
): SVGElement[] {
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
  const decided = loop.plan.condition === null ? null : turnOf(loop, at, loop.plan.condition, path);
  const test = loop.plan.stations.find(({ kind }) => kind === "test");
  if (test && decided) {
    const { x, y, w } = stationBox(test, column, scene, widths);
    const value = textOf(decided);
    const words = t(value === "False" ? "loop.leaves" : "loop.round");
    parts.push(text("decided", x + w + 8, y + 18, value), text("type", x + w + 8, y + 35, words));
  }
  return parts;
}

export function drawNodes(drawing: Drawing, moment: Moment): SVGElement[] {
  const { column } = moment;
  const { loop, widths } = drawing;
  if (column.iteration === null) return [];
  return loop.plan.stations
    .filter(({ kind }) => (kind === "op" ? !column.leaves : kind !== "exit" || column.leaves))
    .flatMap((station) => {
      const box = stationBox(station, column, moment.scene, widths);
      const facts = stationText(loop, moment.at, station, moment.path);
      return [drawStation(drawing, station, box, facts, moment), ...drawSigns(drawing, station, box, facts)];
    });
}

function drawStation(
  { ctx: { t }, loop }: Drawing,
  station: Station,
  box: Box,
  facts: StationText,
  { path, chosen, column }: Moment,
): SVGElement {
  const { kind, node } = station;
  const role = loop.graph.node.get(node)?.role ?? "op";
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
function drawSigns(
  { ctx, loop, labels }: Drawing,
  { kind, node, lane }: Station,
  box: Box,
  { state, short }: StationText,
): SVGElement[] {
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
    // What leaves the loop has the variable's name, unless it alone is fetched and the program names it anew.
    const out = loop.plan.stations.filter((each) => each.kind === "exit" && labels.has(each.node));
    const given = leaf(loop.graph.node.get(node)?.name ?? "");
    const isOwn = kind === "exit" && (out.length > 1 || label === given);
    const words = shorten(isOwn ? (loop.plan.lanes[lane]?.name ?? label) : label, LETTERS);
    found.push(fetchFlag(flagBox(box.x + 6, box.y - 4, ctx.width(words, FLAG)), words));
  }
  return found;
}

export function drawLines(
  { loop, widths }: Drawing,
  { at, scene, round, column, path }: Moment,
): SVGElement[] {
  const index = scene.columns.indexOf(column);
  const after = [...round.outer, (column.iteration ?? 0) + 1];
  const edge = (taken: boolean, sent: boolean, ...strokes: SVGElement[]): SVGElement =>
    s("g", { class: "edge", "data-kind": "data", "data-taken": taken, "data-idle": !sent }, ...strokes);
  const drawn = routesOf(loop.plan, index, scene, widths).map(({ link, points, turned }) => {
    const [taker, where] = link.to
      ? [link.to.node, path]
      : [loop.plan.lanes[link.next]?.variable?.merge ?? -1, after];
    const [taken, sent] = [turnOf(loop, at, taker, where), turnOf(loop, at, link.from.node, path)];
    const isLive = sent !== null && sent.record.outcome !== "dead";
    const isTaken = taken?.step === at.step && taken.record.outcome !== "dead";
    return edge(isTaken, isLive, ...strokes("data", points, turned));
  });
  // Behind a stub, the values come from iterations that are not drawn.
  const before = scene.columns[index - 1];
  if (before?.iteration !== null || column.iteration === null) return drawn;
  for (const station of loop.plan.stations.filter(({ kind }) => kind === "value")) {
    const { x, y, h } = stationBox(station, column, scene, widths);
    const points = [before.x + before.w, x].map((each) => ({ x: each, y: y + h / 2 }));
    const sent = turnOf(loop, at, station.node, path);
    drawn.push(edge(sent?.step === at.step, sent !== null, ...strokes("data", points, true)));
  }
  return drawn;
}

/** The lanes' names, and how many nodes each counts: among them may be the one that just had its turn. */
export function drawNames(
  { ctx, loop: { plan, trace } }: Drawing,
  scene: LoopScene,
  at: Position,
): SVGElement[] {
  const last = trace.runs[at.run]?.steps[at.step - 1]?.node ?? -1;
  const isDrawn = plan.stations.some(({ node }) => node === last);
  const middle = scene.names / 2 - 2;
  const area = { x: 0, y: 0, width: scene.names - 3, height: scene.height };
  const lanes = plan.lanes.flatMap(({ name, more }, i) => {
    const y = scene.lanes[i] ?? 0;
    const title =
      i === 0
        ? text("name", middle, y - 2, ctx.t("loop.test"), "middle")
        : text("lane", middle, y - 2, shorten(name, LETTERS), "middle");
    const words = `+${more}`;
    if (more === 0) return [title];
    const count = pill("more", middle, y + 16, words, ctx.width(words, TYPE));
    if (!isDrawn && plan.laneOf.get(last) === i) setAttribute(count, "data-now", "");
    return [title, count];
  });
  return [s("rect", { class: "loop-margin", ...area }), ...lanes];
}

/**
 * What moves when a step is taken: inputs glide along their edges into the node, the node pulses, its value comes out, and a
 * variable's number rolls. The picture shows the end of the step from the beginning, and all this moves on top of it: a further
 * step removes it and loses nothing.
 */

import { setText } from "../base/dom";
import type { Context } from "../context";
import { CHIP, drawChip } from "../draw/chip";
import { nodeOutline } from "../draw/node";
import { drawToken } from "../draw/token";
import type { Box, Point } from "../layout/geometry";
import type { Graph } from "../model/graph";
import type { Frame } from "../model/steps/replay";
import type { EdgeRecord } from "../record";
import type { Drawing } from "./paint";

/** Milliseconds at speed 1. */
export const TIMES = { glide: 420, pulse: 420, out: 260, roll: 380, flash: 900, fade: 420 };
const IN_OUT = "cubic-bezier(.65,0,.35,1)";
const OUT = "cubic-bezier(.2,0,0,1)";
/** The points of a line between which a token moves straight. */
const POINTS = 16;
/** More nodes than this do not fade one by one. */
const FADING = 60;

const moving = new WeakMap<Drawing, Animation[]>();

/** Removes all that moves: the picture shows the step already. */
export function finishMotion(drawn: Drawing): void {
  const animations = moving.get(drawn);
  if (!animations) return;
  moving.delete(drawn);
  for (const animation of animations) animation.cancel();
  drawn.motion.replaceChildren();
}

/** Animates one element; one that is drawn only for this goes at the end. */
type Move = (element: Element, keyframes: Keyframe[], timing: Timing) => void;
interface Timing {
  time: number;
  delay?: number;
  easing?: string;
  /** Whether it was drawn for the motion; else it has its first place until the motion begins. */
  passing?: boolean;
}

/**
 * The edges on which values move at a step: those from which the node takes its inputs. Where sends are not drawn, a value moves to
 * the other device when it is sent, not when it is received.
 */
export function movedAt(graph: Graph, { visible }: Drawing, { last, consumed }: Frame): Set<number> {
  const isCarried = (id: number | undefined): boolean =>
    id !== undefined && graph.senders.has(id) && visible.shownAs.get(id) !== id;
  if (isCarried(last?.node)) return new Set(last?.produced);
  return new Set([...consumed].filter((id) => !isCarried(graph.edge.get(id)?.source)));
}

export function moveStep(ctx: Context, graph: Graph, drawn: Drawing, before: Frame, next: Frame): void {
  const { last } = next;
  const animations: Animation[] = [];
  moving.set(drawn, animations);
  const speed = ctx.pace.speed();
  const move: Move = (element, keyframes, { time, delay = 0, easing = OUT, passing = false }) => {
    if (passing) drawn.motion.append(element);
    const fill = passing ? "none" : "backwards";
    const animation = element.animate(keyframes, {
      duration: time / speed,
      delay: delay / speed,
      easing,
      fill,
    });
    if (passing) animation.onfinish = () => element.remove();
    animations.push(animation);
  };
  if (next.step <= 1) fadePruned(graph, drawn, next, move);
  if (!last || next.step === 0) return;
  const delay = glide(drawn, movedAt(graph, drawn, next), before, next, move) ? TIMES.glide : 0;
  const box = drawn.outlines.get(last.node);
  if (box && last.outcome !== "dead") pulse(graph, last.node, box, delay, move);
  const chip = drawn.chips.get(last.node);
  if (chip)
    move(
      chip,
      [
        { opacity: 0, transform: "translateY(-14px)" },
        { opacity: 1, transform: "none" },
      ],
      {
        time: TIMES.out,
        delay,
      },
    );
  if (last.writes.length > 0) roll(drawn, before, next, delay, move);
}

/** Moves the inputs along their lines, all at once; false if none is drawn. */
function glide(drawn: Drawing, moved: ReadonlySet<number>, before: Frame, next: Frame, move: Move): boolean {
  const { lines, words, shown } = drawn;
  let isMoving = false;
  for (const { line, group } of lines.values()) {
    if (!group.hasAttribute("data-taken")) continue;
    const edges = line.bundle.edges.filter(({ id }) => moved.has(id));
    const [edge] = edges;
    const path = group.querySelector<SVGPathElement>("path.line");
    if (!edge || !path) continue;
    const isDead = edges.every(({ id }) => before.tokens.get(id) === "dead");
    const given = edge.source === next.last?.node ? next : before;
    const text = edges.length > 1 ? `×${edges.length}` : tokenWords(shown, edge, given);
    const isAlias = edges.length === 1 && aliasOf(edge, given);
    const here = { x: 0, y: 0 };
    const token = isDead
      ? drawToken("dead", here)
      : text === null
        ? drawToken("control", here)
        : drawChip(isAlias ? "alias" : "own", here, text, words.text(text, CHIP));
    const total = path.getTotalLength();
    const steps = Array.from({ length: POINTS + 1 }, (_, i): Keyframe => {
      const { x, y } = path.getPointAtLength((total * i) / POINTS);
      return {
        transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`,
        opacity: isDead ? 1 - i / POINTS : 1,
      };
    });
    move(token, steps, { time: TIMES.glide, easing: IN_OUT, passing: true });
    isMoving = true;
  }
  return isMoving;
}

const outputOf = ({ source, output }: EdgeRecord, frame: Frame) =>
  frame.ran.get(source)?.outputs[output ?? 0];

const aliasOf = (edge: EdgeRecord, frame: Frame): boolean => Boolean(outputOf(edge, frame)?.alias);

/** The value on an edge; null for an edge that has only an order. */
function tokenWords(shown: Drawing["shown"], edge: EdgeRecord, frame: Frame): string | null {
  const value = edge.kind === "control" ? undefined : outputOf(edge, frame);
  return value && shown ? shown.token(edge.source, edge.output ?? 0, value) : null;
}

function pulse(graph: Graph, id: number, box: Box, delay: number, move: Move): void {
  const role = graph.node.get(id)?.role ?? "op";
  const wide = `scale(${1 + 22 / box.w}, ${1 + 22 / box.h})`;
  move(
    nodeOutline(role, box, "pulse"),
    [
      { opacity: 0.9, transform: "none" },
      { opacity: 0, transform: wide },
    ],
    {
      time: TIMES.pulse,
      delay,
      passing: true,
    },
  );
}

/** What a written variable showed before goes up, what it shows now follows it, and both are set off for a while. */
function roll(drawn: Drawing, before: Frame, next: Frame, delay: number, move: Move): void {
  const { shown, outlines, values, chips } = drawn;
  const flash = (element: SVGElement): void =>
    move(element, [{ opacity: 1 }, { opacity: 1, offset: 0.35 }, { opacity: 0 }], {
      time: TIMES.flash,
      delay,
      passing: true,
    });
  const change = (there: Element, old: SVGElement): void => {
    const up = (y: number): string => `translateY(${y}px)`;
    const timing = { time: TIMES.roll, delay };
    move(
      old,
      [
        { opacity: 1, transform: up(0) },
        { opacity: 0, transform: up(-12) },
      ],
      { ...timing, passing: true },
    );
    move(
      there,
      [
        { opacity: 0, transform: up(12) },
        { opacity: 1, transform: up(0) },
      ],
      timing,
    );
  };
  for (const [id, box] of outlines) {
    const [old, now] = [shown?.at(id, before), shown?.at(id, next)];
    if (!now || old?.words === now.words) continue;
    const line = values.get(id);
    const chip = chips.get(id);
    if (line) {
      const text = line.cloneNode() as SVGTextElement;
      setText(text, old?.words ?? "–");
      change(line, text);
      flash(nodeOutline("variable", box, "flash"));
    } else if (chip && old && now.alias && id !== next.last?.node) {
      const at: Point = { x: box.x + box.w / 2, y: box.chip };
      change(chip, drawChip("alias", at, old.words, drawn.words.text(old.words, CHIP)));
      const rect = chip.querySelector("rect")?.cloneNode() as SVGRectElement;
      rect.setAttribute("class", "flash");
      flash(rect);
    }
  }
}

/** When a run begins, the nodes that it does not need lose their outline. */
function fadePruned(graph: Graph, { outlines }: Drawing, next: Frame, move: Move): void {
  if (next.step === 1 && next.run > 0) return;
  const pruned = [...outlines].filter(([id]) => next.state.get(id) === "pruned").slice(0, FADING);
  for (const [id, box] of pruned) {
    const outline = nodeOutline(graph.node.get(id)?.role ?? "op", box, "fading");
    move(outline, [{ opacity: 1 }, { opacity: 0 }], { time: TIMES.fade, passing: true });
  }
}

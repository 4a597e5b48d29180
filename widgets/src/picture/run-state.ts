/**
 * The state of a run on top of a picture: node states, pending counts, queue, values, what lies on edges.
 * A step changes little, so the drawn marks are kept (`marksOf`), and only new ones touch the page.
 */

import { arrange, renew, s, setText } from "../base/dom";
import type { Context } from "../context";
import { circle, stateBadge } from "../draw/badge";
import { CHIP, drawChip } from "../draw/chip";
import { pointAlong } from "../draw/edge-path";
import { nodeLines } from "../draw/node";
import { drawToken } from "../draw/token";
import type { Box } from "../layout/geometry";
import type { Line } from "../layout/scene";
import type { End } from "../model/collapse";
import { type Graph, nodesUnder, ownNodes, push } from "../model/graph";
import { describe } from "../model/graph-item";
import { formulaOf, type ShownValue } from "../model/node-values";
import { type Changes, changesBetween, type Frame, type State, type Token } from "../model/steps/replay";
import { finishMotion, movedAt, moveStep } from "./motion";
import type { Drawing, Outline } from "./paint";

/** Where on its line a dead token lies. */
const TOKEN_AT = 0.62;
/** How many ready nodes of a run have their number in the queue; the others are counted beside the picture. */
const NUMBERED = 3;
/** Milliseconds: if steps follow each other faster, nobody could see what moves. */
const HASTE = 160;
const SYMBOL: Partial<Record<State, string>> = {
  ran: "✓",
  held: "‖",
  dead: "✕",
  fed: "↘",
  error: "!",
  visiting: "▶",
  visited: "✓",
  new: "+",
  leaves: "−",
  coded: "{}",
};
/** Whether a node in this state is pale: it takes no part. */
const IDLE: ReadonlySet<State | undefined> = new Set<State>(["pruned", "aside", "left"]);
/** The states in which a value is of now; else it is of a loop's iteration before. */
const FRESH: ReadonlySet<State> = new Set<State>(["active", "ran", "fed"]);

/** The marks on a picture, each with a key that says when it must be redrawn. */
interface RunMarks {
  nodes: Map<number, { signs: SVGGElement; as: string }>;
  scopes: Map<string, { signs: SVGGElement; as: string; state: string }>;
  /** The lines on which a dead token lies. */
  tokens: Map<string, SVGGElement>;
  /** The edges of each line that hold a token. */
  waiting: Map<string, Set<number>>;
  /** The nodes in each closed scope, and the line of each edge. */
  inside: Map<End, number[]>;
  lineOf: Map<number, string>;
  /** The nodes that show a variable's value: they change when it is written, wherever that happens. */
  living: Set<number>;
  /** When the last step came. */
  since: number;
  frame: Frame | null;
}

const marksOf = new WeakMap<Drawing, RunMarks>();

function runMarksOf(drawn: Drawing): RunMarks {
  const known = marksOf.get(drawn);
  if (known) return known;
  const { badges, scene, visible } = drawn;
  const place = (): { signs: SVGGElement; as: string; state: string } => {
    const signs = s("g");
    badges.append(signs);
    return { signs, as: "", state: "" };
  };
  const inside = new Map<End, number[]>();
  for (const [id, end] of visible.shownAs) push(inside, end, id);
  const marks: RunMarks = {
    nodes: new Map([...scene.nodes.keys()].map((id) => [id, place()])),
    scopes: new Map([...scene.closed.keys()].map((path) => [path, place()])),
    tokens: new Map(),
    waiting: new Map(),
    inside,
    lineOf: new Map(),
    living: new Set(drawn.values.keys()),
    since: Number.NEGATIVE_INFINITY,
    frame: null,
  };
  for (const [key, { line }] of drawn.lines) {
    marks.waiting.set(key, new Set());
    for (const { id } of line.bundle.edges) marks.lineOf.set(id, key);
  }
  marksOf.set(drawn, marks);
  return marks;
}

/** Whether a frame comes after another as a step does: the next one, or the beginning of the next run. */
const follows = (one: Frame, other: Frame): boolean =>
  other.run === one.run ? other.step === one.step + 1 : other.run === one.run + 1 && other.step === 0;

/** Shows a frame of a run, or none. What the step moves comes on top: the picture already shows its end. */
export function showRun(ctx: Context, graph: Graph, drawn: Drawing, next: Frame | null): void {
  // Without a run there is nothing to remove, and a large picture needs no places for signs.
  if (!next && !marksOf.has(drawn)) return;
  const before = runMarksOf(drawn);
  const last = before.frame;
  const changes = next && changesBetween(last, next);
  before.frame = next;
  const now = performance.now();
  const isSeen = now - before.since > HASTE;
  before.since = now;
  finishMotion(drawn);
  if (!next) {
    for (const kept of [...before.nodes.values(), ...before.scopes.values()]) {
      kept.as = "";
      kept.signs.replaceChildren();
    }
    before.tokens.clear();
    drawn.tokens.replaceChildren();
    return;
  }
  showNodes(ctx, graph, drawn, before, next, changes);
  showScopes(graph, drawn, before, next, changes);
  if (!changes) showBlocks(graph, drawn, next);
  showLines(graph, drawn, before, next, changes);
  if (last && isSeen && follows(last, next) && !ctx.calm()) moveStep(ctx, graph, drawn, last, next);
}

function showNodes(
  ctx: Context,
  graph: Graph,
  drawn: Drawing,
  before: RunMarks,
  next: Frame,
  changes: Changes | null,
): void {
  const { outlines, marks, values, shown } = drawn;
  const places = new Map(
    (shown ? next.queue.slice(0, NUMBERED) : next.queue).map((id, place) => [id, place + 1]),
  );
  const written = new Set(next.last?.writes.map(([name]) => name));
  for (const [id, box] of outlines) {
    if (changes && !changes.nodes.has(id) && !before.living.has(id)) continue;
    const kept = before.nodes.get(id);
    const node = graph.node.get(id);
    if (!kept || !node) continue;
    const state = next.state.get(id) ?? "waiting";
    const pending = state === "waiting" ? (next.pending.get(id) ?? 0) : 0;
    const queued = places.get(id) ?? 0;
    const isHeld = next.held.has(id);
    const value = shown?.at(id, next) ?? null;
    const isVariable = values.has(id);
    const isWritten = value !== null && written.has(isVariable ? node.name : (value.alias ?? ""));
    const as = `${state} ${isHeld} ${pending} ${queued} ${isWritten} ${value?.words} ${value?.iteration}`;
    if (kept.as === as) continue;
    kept.as = as;
    if (value?.alias) before.living.add(id);
    const line = values.get(id);
    if (line) setText(line, value?.words ?? "–");
    const group = marks.get(`node ${id}`)?.group;
    group?.setAttribute("data-state", state);
    group?.toggleAttribute("data-written", isWritten);
    const told = isHeld ? "held" : state;
    group?.setAttribute("aria-label", describe(ctx.t, graph, { kind: "node", id }, told, value?.words));
    const type = group?.querySelector(".type");
    if (type) setText(type, (state === "active" && formulaOf(graph, id, next)) || nodeLines(node).type);
    const chip = value && !isVariable ? chipOf(drawn, box, value, state, isWritten) : null;
    const signs = [...signsOf(box, node.role === "variable", told, pending, queued), ...(chip ? [chip] : [])];
    renew(kept.signs, signs);
    const there = kept.signs.lastElementChild;
    if (chip && there) drawn.chips.set(id, there as SVGGElement);
    else drawn.chips.delete(id);
  }
}

function signsOf(
  box: Box,
  isVariable: boolean,
  state: State,
  pending: number,
  queued: number,
): SVGGElement[] {
  const right = box.x + box.w - 4;
  // A cylinder has no corner.
  const top = box.y + (isVariable ? 8 : 0);
  const symbol = SYMBOL[state];
  const signs: SVGGElement[] = [];
  if (pending > 0) signs.push(circle("pending", box.x + 4, top, String(pending)));
  if (queued > 0) signs.push(circle("queued", right, top, String(queued)));
  if (symbol) signs.push(stateBadge(state, right, top, symbol));
  return signs;
}

/** The value of a node that has run, below it. */
function chipOf(
  { words }: Drawing,
  { x, w, chip: y }: Outline,
  value: ShownValue,
  state: State,
  isWritten: boolean,
): SVGGElement {
  const all = value.iteration === "" ? value.words : `${value.words} ↻${value.iteration}`;
  const at = { x: x + w / 2, y };
  const chip = drawChip(
    value.alias ? "alias" : "own",
    at,
    value.words,
    words.text(all, CHIP),
    value.iteration,
  );
  if (state === "active") chip.classList.add("new");
  else if (!FRESH.has(state)) chip.classList.add("old");
  chip.toggleAttribute("data-written", isWritten);
  return chip;
}

function showScopes(
  graph: Graph,
  drawn: Drawing,
  before: RunMarks,
  next: Frame,
  changes: Changes | null,
): void {
  const { scene, visible, marks, areas } = drawn;
  const touched = changes && new Set([...changes.nodes].map((id) => visible.shownAs.get(id)));
  // Within a run, the nodes without a part stay the same. Only a branch may turn out not to be taken.
  const isSettled = (path: string): boolean => changes !== null && graph.boxes.get(path)?.kind !== "branch";
  for (const [path, box] of scene.closed) {
    const kept = before.scopes.get(path);
    if (!kept || (touched && !touched.has(path))) continue;
    const active = next.last !== null && visible.shownAs.get(next.last.node) === path;
    if (!isSettled(path)) kept.state = stateOfAll(graph, path, before.inside.get(path) ?? [], next);
    const { state } = kept;
    const as = `${active} ${state}`;
    if (kept.as === as) continue;
    kept.as = as;
    const group = marks.get(`scope ${path}`)?.group;
    group?.toggleAttribute("data-active", active);
    mark(group, state);
    const symbol = { new: "+", dead: "✕" }[state];
    kept.signs.replaceChildren(...(symbol ? [stateBadge(state, box.x + box.w - 9, box.y, symbol)] : []));
  }
  for (const [path, area] of areas) {
    if (isSettled(path)) continue;
    const absent = nodesUnder(graph, path).every((id) => next.state.get(id) === "absent");
    const state = absent ? "absent" : isDead(graph, path, next) ? "dead" : "";
    for (const part of [area, marks.get(`scope ${path}`)?.group]) mark(part, state);
  }
}

/** The common state of the nodes in a closed scope. */
function stateOfAll(graph: Graph, path: string, inside: number[], next: Frame): string {
  if (inside.every((id) => IDLE.has(next.state.get(id)))) return "pruned";
  if (inside.every((id) => next.state.get(id) === "absent")) return "absent";
  if (inside.some((id) => next.state.get(id) === "new")) return "new";
  return isDead(graph, path, next) ? "dead" : "";
}

function mark(group: SVGGElement | undefined, state: string): void {
  if (state === (group?.getAttribute("data-state") ?? "")) return;
  if (state) group?.setAttribute("data-state", state);
  else group?.removeAttribute("data-state");
}

/** Hides the empty blocks that do not exist yet, with their lines. */
function showBlocks(graph: Graph, { svg, marks }: Drawing, next: Frame): void {
  for (const { id } of graph.record.blocks) {
    const isAbsent = next.blocks !== undefined && !next.blocks.has(id);
    const parts = [marks.get(`block ${id}`)?.group, ...svg.querySelectorAll(`[data-tie="${id}"]`)];
    for (const part of parts) {
      if (isAbsent) part?.setAttribute("data-state", "absent");
      else part?.removeAttribute("data-state");
    }
  }
}

/** Whether a box is a branch that is not taken: all nodes in it are dead, except the Switches at its entry. */
function isDead(graph: Graph, path: string, { state }: Frame): boolean {
  const isBranch = graph.boxes.get(path)?.kind === "branch";
  return isBranch && ownNodes(graph, path).some((id) => state.get(id) === "dead");
}

function showLines(
  graph: Graph,
  drawn: Drawing,
  before: RunMarks,
  next: Frame,
  changes: Changes | null,
): void {
  const lines = (edges: Iterable<number>) => new Set([...edges].map((id) => before.lineOf.get(id)));
  const touched = changes && lines(changes.edges);
  const taken = lines([...next.consumed, ...movedAt(graph, drawn, next)]);
  for (const id of changes?.edges ?? before.lineOf.keys()) {
    const waiting = before.waiting.get(before.lineOf.get(id) ?? "");
    if (next.tokens.has(id)) waiting?.add(id);
    else waiting?.delete(id);
  }
  for (const [key, { line, group }] of drawn.lines) {
    if (touched && !touched.has(key)) continue;
    group.toggleAttribute("data-taken", taken.has(key));
    // Within a run, the nodes without a part stay the same.
    if (!changes) showIdle(line, group, next);
    const tokens = [...(before.waiting.get(key) ?? [])].map((id) => next.tokens.get(id) as Token);
    const isDead = tokens.length > 0 && tokens.every((token) => token === "dead");
    group.toggleAttribute("data-holds", tokens.length > 0 && !isDead);
    group.toggleAttribute("data-dead", isDead);
    if (!isDead) before.tokens.delete(key);
    else if (!before.tokens.has(key))
      before.tokens.set(key, drawToken("dead", pointAlong(line.points, TOKEN_AT, line.turned)));
  }
  arrange(drawn.tokens, [...before.tokens.values()]);
}

function showIdle({ bundle }: Line, group: SVGGElement, { state }: Frame): void {
  const isAll = (is: (id: number) => boolean): boolean =>
    bundle.edges.every(({ source, target }) => is(source) || is(target));
  const idle = isAll((id) => IDLE.has(state.get(id)));
  const absent = isAll((id) => state.get(id) === "absent");
  group.toggleAttribute("data-idle", idle);
  group.toggleAttribute("data-absent", absent);
}

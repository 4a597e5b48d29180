/**
 * The state of a run on top of a picture: node states, pending counts, tokens, values of variables.
 * A step changes little, so the drawn marks are kept (`marksOf`), and only new ones touch the page.
 */

import { arrange, renew, s, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { circle } from "../draw/badge";
import { pointAlong } from "../draw/edge-path";
import { drawToken, recount, tokenKey } from "../draw/token";
import type { Line } from "../layout/scene";
import type { End } from "../model/collapse";
import { type Graph, nodesUnder, ownNodes } from "../model/graph";
import { describe } from "../model/graph-item";
import { iterationText } from "../model/loop-iterations";
import { type Changes, changesBetween, type Frame, type State, type Token } from "../model/replay";
import type { Drawing } from "./paint";

const TOKEN_AT = 0.62;
/** Milliseconds: if steps follow each other faster, nobody could see the tokens move. */
const HASTE = 160;
const SYMBOL: Partial<Record<State, string>> = {
  active: "▶",
  ran: "✓",
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

/** The marks on a picture, each with a key that says when it must be redrawn. */
interface RunMarks {
  nodes: Map<number, { signs: SVGGElement; as: string }>;
  scopes: Map<string, { signs: SVGGElement; as: string; state: string }>;
  tokens: Map<string, { token: SVGGElement; as: string; count: number }>;
  /** The edges of each line that hold a token. */
  waiting: Map<string, Set<number>>;
  /** The nodes in each closed scope, and the line of each edge. */
  inside: Map<End, number[]>;
  lineOf: Map<number, string>;
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
  for (const [id, end] of visible.shownAs) {
    const ids = inside.get(end);
    if (ids) ids.push(id);
    else inside.set(end, [id]);
  }
  const marks: RunMarks = {
    nodes: new Map([...scene.nodes.keys()].map((id) => [id, place()])),
    scopes: new Map([...scene.closed.keys()].map((path) => [path, place()])),
    tokens: new Map(),
    waiting: new Map(),
    inside,
    lineOf: new Map(),
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

/** Shows a frame of a run, or none; `forward` if it follows the frame shown before. */
export function showRun(
  ctx: Context,
  graph: Graph,
  drawn: Drawing,
  next: Frame | null,
  forward: boolean,
): void {
  // Without a run there is nothing to remove, and a large picture needs no places for signs.
  if (!next && !marksOf.has(drawn)) return;
  const before = runMarksOf(drawn);
  const changes = next && changesBetween(before.frame, next);
  before.frame = next;
  const now = performance.now();
  const isSeen = forward && now - before.since > HASTE;
  before.since = now;
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
  showLines(ctx, drawn, before, next, changes, isSeen);
}

function showNodes(
  ctx: Context,
  graph: Graph,
  drawn: Drawing,
  before: RunMarks,
  next: Frame,
  changes: Changes | null,
): void {
  const { scene, marks, values } = drawn;
  const labelled = new Set<number>();
  for (const [id, line] of values) {
    // A variable's node has its name.
    const value = next.variables.get(graph.node.get(id)?.name ?? "");
    const words = value === undefined ? "–" : `= ${shorten(value, 18)}`;
    if (line.textContent === words) continue;
    setText(line, words);
    labelled.add(id);
  }
  const places = new Map(next.queue.map((id, place) => [id, place + 1]));
  for (const [id, box] of scene.nodes) {
    if (changes && !changes.nodes.has(id) && !labelled.has(id)) continue;
    const kept = before.nodes.get(id);
    const state = next.state.get(id) ?? "waiting";
    const pending = state === "waiting" ? (next.pending.get(id) ?? 0) : 0;
    const queued = places.get(id) ?? 0;
    const alias =
      graph.node.get(id)?.role !== "variable" &&
      (next.ran.get(id)?.outputs.some((output) => Boolean(output.alias)) ?? false);
    const value = values.get(id)?.textContent;
    const as = `${state} ${pending} ${queued} ${alias} ${value}`;
    if (!kept || kept.as === as) continue;
    kept.as = as;
    const group = marks.get(`node ${id}`)?.group;
    group?.setAttribute("data-state", state);
    group?.setAttribute("aria-label", describe(ctx.t, graph, { kind: "node", id }, state, value));
    const right = box.x + box.w - 3;
    const symbol = SYMBOL[state];
    const signs = [
      pending > 0 && circle("pending", box.x + 3, box.y + 2, String(pending)),
      queued > 0 && circle("queued", right, box.y + 2, String(queued)),
      symbol && circle(state, right, box.y + 2, symbol),
      alias && circle("alias", right, box.y + box.h - 2, "≡"),
    ];
    renew(
      kept.signs,
      signs.filter((sign) => typeof sign === "object"),
    );
  }
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
    kept.signs.replaceChildren(...(symbol ? [circle(state, box.x + box.w - 10, box.y + 2, symbol)] : []));
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
  ctx: Context,
  drawn: Drawing,
  before: RunMarks,
  next: Frame,
  changes: Changes | null,
  forward: boolean,
): void {
  const fresh = (forward && next.last?.produced) || [];
  const lines = (edges: Iterable<number>) => new Set([...edges].map((id) => before.lineOf.get(id)));
  const touched = changes && lines(changes.edges);
  const consumed = lines(next.consumed);
  for (const id of changes?.edges ?? before.lineOf.keys()) {
    const waiting = before.waiting.get(before.lineOf.get(id) ?? "");
    if (next.tokens.has(id)) waiting?.add(id);
    else waiting?.delete(id);
  }
  const there: SVGGElement[] = [];
  for (const [key, { line, group }] of drawn.lines) {
    const kept = before.tokens.get(key);
    const waiting = before.waiting.get(key) ?? new Set();
    if (touched && !touched.has(key)) {
      if (kept) there.push(kept.token);
      continue;
    }
    group.toggleAttribute("data-taken", consumed.has(key));
    // Within a run, the nodes without a part stay the same.
    if (!changes) showIdle(line, group, next);
    if (waiting.size === 0) {
      before.tokens.delete(key);
      continue;
    }
    // The first of them, in the order of the record.
    const first = Math.min(...waiting);
    const kind = next.tokens.get(first) as Token;
    const iteration = iterationText(next.iterations.get(first) ?? []);
    const moving = fresh.some((id) => waiting.has(id));
    const count = waiting.size;
    const as = tokenKey(kind, count, iteration);
    if (kept && kept.as === as && !moving) {
      if (kept.count !== count) recount(kept.token, count);
      kept.count = count;
      there.push(kept.token);
      continue;
    }
    const token = drawToken(kind, { x: 0, y: 0 }, count, iteration);
    before.tokens.set(key, { token, as, count });
    there.push(token);
    travel(ctx, token, line, moving && !ctx.calm());
  }
  arrange(drawn.tokens, there);
}

function showIdle({ bundle }: Line, group: SVGGElement, { state }: Frame): void {
  const isAll = (is: (id: number) => boolean): boolean =>
    bundle.edges.every(({ source, target }) => is(source) || is(target));
  const idle = isAll((id) => IDLE.has(state.get(id)));
  const absent = isAll((id) => state.get(id) === "absent");
  group.toggleAttribute("data-idle", idle);
  group.toggleAttribute("data-absent", absent);
}

/** Puts a token on its line; a new one moves there from its producer. */
function travel(ctx: Context, token: SVGGElement, line: Line, moving: boolean): void {
  const put = (fraction: number): void => {
    const { x, y } = pointAlong(line.points, fraction, line.turned);
    token.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  };
  put(TOKEN_AT);
  if (!moving) return;
  const began = performance.now();
  const tick = (now: number): void => {
    const u = Math.max(0, Math.min(1, (now - began) / 320));
    put(TOKEN_AT * u * (2 - u));
    if (u < 1 && token.isConnected && !ctx.life.aborted) requestAnimationFrame(tick);
  };
  put(0);
  requestAnimationFrame(tick);
}

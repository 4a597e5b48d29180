/**
 * The state of a run on top of a picture: what ran, what waits, tokens on their way, values in variables.
 * A step changes little, so what is drawn of it is kept (`shown`), and only what is new touches the page.
 */
import type { End } from "../collapse";
import type { Context } from "../context";
import { s } from "../dom";
import { circle } from "../draw/badge";
import { along } from "../draw/curve";
import { drawToken } from "../draw/token";
import { type Graph, nodesUnder, ownNodes } from "../graph";
import { iterationText } from "../iterations";
import type { Line } from "../layout/scene";
import { describe } from "../parts/thing";
import type { Frame, State, Token } from "../replay";
import { shorten } from "../text";
import type { Drawn } from "./paint";

const TOKEN_AT = 0.62;
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
/** Whether a state means that the node is pale: it takes no part. */
const IDLE: ReadonlySet<State | undefined> = new Set<State>(["pruned", "aside", "left"]);

/** What is on a picture now, each with the words that say when it must be drawn anew. */
interface Shown {
  nodes: Map<number, { signs: SVGGElement; as: string }>;
  scopes: Map<string, { signs: SVGGElement; as: string }>;
  lines: Map<string, string>;
  tokens: Map<string, { token: SVGGElement; as: string }>;
  /** The nodes in each closed scope. */
  inside: Map<End, number[]>;
}

const shown = new WeakMap<Drawn, Shown>();

function shownOn(drawn: Drawn): Shown {
  const known = shown.get(drawn);
  if (known) return known;
  const { badges, scene, seen } = drawn;
  const place = (): { signs: SVGGElement; as: string } => {
    const signs = s("g");
    badges.append(signs);
    return { signs, as: "" };
  };
  const inside = new Map<End, number[]>();
  for (const [id, end] of seen.stand) {
    const ids = inside.get(end);
    if (ids) ids.push(id);
    else inside.set(end, [id]);
  }
  const made: Shown = {
    nodes: new Map([...scene.nodes.keys()].map((id) => [id, place()])),
    scopes: new Map([...scene.closed.keys()].map((path) => [path, place()])),
    lines: new Map(),
    tokens: new Map(),
    inside,
  };
  shown.set(drawn, made);
  return made;
}

/** Shows a moment of a run, or none; `forward` when it follows on the one shown before. */
export function showRun(
  ctx: Context,
  graph: Graph,
  drawn: Drawn,
  next: Frame | null,
  forward: boolean,
): void {
  const before = shownOn(drawn);
  if (!next) {
    for (const kept of [...before.nodes.values(), ...before.scopes.values()]) {
      kept.as = "";
      kept.signs.replaceChildren();
    }
    before.tokens.clear();
    drawn.tokens.replaceChildren();
    return;
  }
  showNodes(ctx, graph, drawn, before, next);
  showScopes(graph, drawn, before, next);
  showBlocks(graph, drawn, next);
  showLines(ctx, drawn, before, next, forward);
}

function showNodes(ctx: Context, graph: Graph, drawn: Drawn, before: Shown, next: Frame): void {
  const { scene, marks, values } = drawn;
  for (const { node, name } of graph.record.variables) {
    const line = values.get(node);
    const value = next.variables.get(name);
    const words = value === undefined ? "–" : `= ${shorten(value, 18)}`;
    if (line && line.textContent !== words) line.textContent = words;
  }
  const places = new Map(next.queue.map((id, place) => [id, place + 1]));
  for (const [id, box] of scene.nodes) {
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
    kept.signs.replaceChildren(...signs.filter((sign) => typeof sign === "object"));
  }
}

function showScopes(graph: Graph, drawn: Drawn, before: Shown, next: Frame): void {
  const { scene, seen, marks, areas } = drawn;
  for (const [path, box] of scene.closed) {
    const kept = before.scopes.get(path);
    const states = (before.inside.get(path) ?? []).map((id) => next.state.get(id));
    const active = next.last !== null && seen.stand.get(next.last.node) === path;
    let state = "";
    if (states.every((each) => IDLE.has(each))) state = "pruned";
    else if (states.every((each) => each === "absent")) state = "absent";
    else if (states.includes("new")) state = "new";
    else if (isDead(graph, path, next)) state = "dead";
    const as = `${active} ${state}`;
    if (!kept || kept.as === as) continue;
    kept.as = as;
    const group = marks.get(`scope ${path}`)?.group;
    group?.toggleAttribute("data-active", active);
    mark(group, state);
    const symbol = { new: "+", dead: "✕" }[state];
    kept.signs.replaceChildren(...(symbol ? [circle(state, box.x + box.w - 10, box.y + 2, symbol)] : []));
  }
  for (const [path, area] of areas) {
    const absent = nodesUnder(graph, path).every((id) => next.state.get(id) === "absent");
    const state = absent ? "absent" : isDead(graph, path, next) ? "dead" : "";
    for (const part of [area, marks.get(`scope ${path}`)?.group]) mark(part, state);
  }
}

function mark(group: SVGGElement | undefined, state: string): void {
  if (state === (group?.getAttribute("data-state") ?? "")) return;
  if (state) group?.setAttribute("data-state", state);
  else group?.removeAttribute("data-state");
}

/** An empty block that is not there yet is hidden with its lines, as nodes are. */
function showBlocks(graph: Graph, { svg, marks }: Drawn, next: Frame): void {
  for (const { id } of graph.record.blocks) {
    const isAbsent = next.blocks !== undefined && !next.blocks.has(id);
    const parts = [marks.get(`block ${id}`)?.group, ...svg.querySelectorAll(`[data-tie="${id}"]`)];
    for (const part of parts) {
      if (isAbsent) part?.setAttribute("data-state", "absent");
      else part?.removeAttribute("data-state");
    }
  }
}

/** Whether a box is a branch that is not taken: then what is made in it is dead, but for the Switches at its door. */
function isDead(graph: Graph, path: string, { state }: Frame): boolean {
  const isBranch = graph.boxes.get(path)?.kind === "branch";
  return isBranch && ownNodes(graph, path).some((id) => state.get(id) === "dead");
}

function showLines(ctx: Context, drawn: Drawn, before: Shown, next: Frame, forward: boolean): void {
  const fresh = new Set(forward ? next.last?.produced : []);
  const there: SVGGElement[] = [];
  const is = (id: number, ...states: (State | undefined)[]): boolean => states.includes(next.state.get(id));
  for (const [key, { line, group }] of drawn.lines) {
    const { edges } = line.bundle;
    const taken = edges.some((edge) => next.taken.has(edge.id));
    const idle = edges.every(({ source, target }) =>
      [source, target].some((id) => IDLE.has(next.state.get(id))),
    );
    const absent = edges.every(({ source, target }) => is(source, "absent") || is(target, "absent"));
    const as = `${taken} ${idle} ${absent}`;
    if (before.lines.get(key) !== as) {
      before.lines.set(key, as);
      group.toggleAttribute("data-taken", taken);
      group.toggleAttribute("data-idle", idle);
      group.toggleAttribute("data-absent", absent);
    }
    const here = edges.filter((edge) => next.tokens.has(edge.id));
    const [first] = here;
    if (!first) {
      before.tokens.delete(key);
      continue;
    }
    const kind = next.tokens.get(first.id) as Token;
    const iteration = iterationText(next.iterations.get(first.id) ?? []);
    const moving = here.some((edge) => fresh.has(edge.id));
    const looks = `${kind} ${here.length} ${iteration}`;
    const kept = before.tokens.get(key);
    if (kept && kept.as === looks && !moving) {
      there.push(kept.token);
      continue;
    }
    const token = drawToken(kind, { x: 0, y: 0 }, here.length, iteration);
    before.tokens.set(key, { token, as: looks });
    there.push(token);
    travel(ctx, token, line, moving && !ctx.calm());
  }
  const { children } = drawn.tokens;
  if (there.length !== children.length || there.some((token, i) => token !== children[i]))
    drawn.tokens.replaceChildren(...there);
}

/** Puts a token on its line; a fresh one comes from the node that made it. */
function travel(ctx: Context, token: SVGGElement, line: Line, moving: boolean): void {
  const put = (fraction: number): void => {
    const { x, y } = along(line.points, fraction, line.turned);
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

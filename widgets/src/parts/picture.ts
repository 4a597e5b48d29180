/** The picture of a graph: scopes that open and close, one tab stop with roving focus, and the state of a run on top. */
import {
  autoCollapse,
  type Bundle,
  type Counts,
  type End,
  REST,
  type Visible,
  visibleGraph,
} from "../collapse";
import type { Context } from "../context";
import { h, s } from "../dom";
import { circle, tag } from "../draw/badge";
import { BLOCK, drawBlock } from "../draw/block";
import { along, curve } from "../draw/curve";
import { drawEdge } from "../draw/edge";
import { drawNode, nodeSize } from "../draw/node";
import { drawClosed, drawOpen, TITLE } from "../draw/scope";
import { drawToken } from "../draw/token";
import { ancestors, type Graph, homeOf, nodesUnder, ownNodes, partners, ROOT } from "../graph";
import { iterationText } from "../iterations";
import { type Hint, hintFrom, type Line, layoutScene, type Scene, type Sizes } from "../layout/scene";
import { type BoxKind, EDGE_KINDS, type Marks } from "../record";
import type { Frame, State, Token } from "../replay";
import { shorten } from "../text";
import { describe, scopeTitle, type Thing, thingKey } from "./thing";

const MARGIN = 14;
const LABEL = { size: 11, weight: 400 };
const TOKEN_AT = 0.62;
/** The height that an unzoomed picture fits into, as in the style sheet. */
const ROOM = 720;
const SYMBOL: Partial<Record<State, string>> = {
  active: "▶",
  ran: "✓",
  dead: "✕",
  fed: "↘",
  error: "!",
  visiting: "▶",
  visited: "✓",
  new: "+",
};
/** Whether a state means that the node is pale: it takes no part. */
const IDLE: ReadonlySet<State | undefined> = new Set<State>(["pruned", "aside"]);

export interface PictureOptions {
  graph: Graph;
  title: string;
  collapsed: () => string[];
  collapse: (paths: string[]) => void;
  marks: Marks | null;
  /** The widest text that each variable's node will show. */
  values: Map<number, string>;
  /** The reader points at a thing or moves the focus to it. */
  look: (thing: Thing | null) => void;
  choose: (thing: Thing) => void;
  /** The picture beside which this one is looked at. */
  like: Picture | null;
}

export interface Picture {
  element: HTMLElement;
  redraw: () => void;
  show: (frame: Frame | null) => void;
  select: (id: number) => void;
  labels: (on: boolean) => void;
  zoom: (factor: number | null) => void;
  /** Whether the keyboard is in the picture. */
  focus: (thing: Thing) => void;
  /** Where everything is, for a picture that is to look alike. */
  hint: () => Hint;
}

export function createPicture(ctx: Context, options: PictureOptions): Picture {
  const { graph, marks } = options;
  const element = h("div", { class: "viewport" });
  const marked = {
    nodes: new Set(marks?.nodes),
    edges: new Set(marks?.edges),
    blocks: new Set(marks?.blocks),
  };
  let seen: Visible = visibleGraph(graph, new Set());
  let scene: Scene | null = null;
  let frame: Frame | null = null;
  let withLabels = false;
  let scale: number | null = null;
  let selected = -1;
  let current: string | null = null;
  let marksOf = new Map<string, { thing: Thing; group: SVGGElement }>();
  let valueLines = new Map<number, SVGTextElement>();
  let openAreas = new Map<string, SVGGElement>();
  let lineOf = new Map<string, { line: Line; group: SVGGElement }>();
  let badges = s("g");
  let tokens = s("g");
  let pairs = s("g");
  let overlay = s("g");

  const text = (words: string, font = LABEL): number => ctx.width(words, font);
  const label = (bundle: Bundle): string => {
    const [only] = bundle.edges;
    return bundle.edges.length > 1 ? `×${bundle.edges.length}` : shorten(only?.text ?? "", 36);
  };
  const counts = (own: Counts): string[] =>
    (["nodes", ...EDGE_KINDS] as const)
      .filter((what) => own[what] > 0)
      .map((what) => ctx.t(`badge.${what}`, { n: own[what] }));
  const openTitle = (path: string): string => scopeTitle(ctx.t, graph, path);
  const closedTitle = (path: string): string =>
    path === REST ? ctx.t("badge.rest", { n: seen.closed.get(REST)?.nodes ?? 0 }) : openTitle(path);
  const kindOf = (path: string): BoxKind => graph.boxes.get(path)?.kind ?? "scope";
  const blockLines = (id: number): string[] => {
    const site = graph.block.get(id)?.site;
    return site ? [shorten(site.source, 44), shorten(site.label, 44)] : [ctx.t("block.unknown_site")];
  };

  function redraw(): void {
    const asked = options.collapsed();
    // What the reader closed and opened is theirs; only a picture as it comes is made small enough.
    const closed = asked.length > 0 ? asked : autoCollapse(graph);
    // Told to Python once, so that both sides speak of the same picture.
    if (closed.length !== asked.length) options.collapse(closed);
    seen = visibleGraph(graph, new Set(closed));
    const sizes: Sizes = {
      node: (id) => {
        const node = graph.node.get(id);
        return node ? nodeSize(node, text, options.values.get(id)) : { w: 0, h: 0 };
      },
      closed: (path) => {
        const words = counts(seen.closed.get(path) ?? { nodes: 0, data: 0, control: 0, reference: 0 });
        const widest = Math.max(text(closedTitle(path), TITLE) + 16, ...words.map((word) => text(word)));
        const sides = ["cond", "loop"].includes(kindOf(path)) ? 60 : 36;
        return { w: Math.ceil(widest) + sides, h: 38 + 15 * words.length };
      },
      block: (id) => {
        const lines = blockLines(id);
        const code = lines.map((line) => ctx.width(line, BLOCK, true));
        return {
          w: Math.ceil(Math.max(text(ctx.t("block.empty"), BLOCK), ...code)) + 28,
          h: 36 + 17 * lines.length,
        };
      },
      title: (path) => ({ w: Math.ceil(text(openTitle(path), TITLE)) + 24, h: 18 }),
      label: (bundle) =>
        withLabels && (bundle.kind !== "control" || bundle.edges.length > 1)
          ? { w: Math.ceil(text(label(bundle))) + 14, h: 20 }
          : null,
    };
    scene = layoutScene(graph, seen, sizes, options.like?.hint());
    draw(scene);
  }

  function draw(now: Scene): void {
    const hadFocus = element.contains(document.activeElement);
    marksOf = new Map();
    valueLines = new Map();
    lineOf = new Map();
    openAreas = new Map();
    const areas = s("g");
    const edges = s("g", { class: "edges", "aria-hidden": "true" });
    const nodes = s("g");
    badges = s("g", { class: "badges", "aria-hidden": "true" });
    tokens = s("g", { class: "tokens", "aria-hidden": "true" });
    pairs = s("g", { class: "overlay", "aria-hidden": "true" });
    overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    const register = (thing: Thing, group: SVGGElement, target: Element = group): void => {
      const key = thingKey(thing);
      marksOf.set(key, { thing, group });
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      group.setAttribute("aria-label", describe(ctx.t, graph, thing));
      target.addEventListener("click", () => {
        // The picture takes the focus by mouse too, so that the arrow keys go on from there.
        moveTo(key);
        choose(thing);
      });
      target.addEventListener("pointerenter", () => look(thing));
      target.addEventListener("pointerleave", () => look(null));
    };
    for (const [path, box] of now.open) {
      const group = drawOpen(path, openTitle(path), kindOf(path), box, text(openTitle(path), TITLE));
      openAreas.set(path, group);
      const handle = group.querySelector<SVGGElement>(".handle");
      if (handle) {
        register({ kind: "scope", path }, handle);
        handle.setAttribute("aria-expanded", "true");
      }
      areas.append(group);
    }
    for (const [path, box] of now.closed) {
      const group = drawClosed(
        path,
        closedTitle(path),
        kindOf(path),
        box,
        counts(seen.closed.get(path) ?? { nodes: 0, data: 0, control: 0, reference: 0 }),
      );
      register({ kind: "scope", path }, group);
      if (path === REST) group.setAttribute("aria-label", closedTitle(path));
      else group.setAttribute("aria-expanded", "false");
      nodes.append(group);
    }
    for (const tie of now.ties) edges.append(s("path", { class: "tie", d: curve(tie) }));
    for (const line of now.lines) {
      const { bundle } = line;
      const { group, hit } = drawEdge(
        line,
        bundle,
        bundle.edges.some((edge) => marked.edges.has(edge.id)),
      );
      const thing: Thing = { kind: "edge", bundle };
      hit.addEventListener("pointerenter", () => look(thing));
      hit.addEventListener("pointerleave", () => look(null));
      hit.addEventListener("click", () => options.choose(thing));
      lineOf.set(bundle.key, { line, group });
      edges.append(group);
      const isLabelled = line.label !== null;
      if (isLabelled || bundle.edges.length > 1) {
        const at = line.label ?? along(line.points, 0.4);
        group.append(tag("edge-text", at.x, at.y, text(label(bundle)), label(bundle)));
      }
    }
    for (const [id, box] of now.nodes) {
      const node = graph.node.get(id);
      if (!node) continue;
      const isMarked = marked.nodes.has(id);
      const { group, value } = drawNode(node, box, isMarked, options.values.has(id));
      register({ kind: "node", id }, group);
      if (value) valueLines.set(id, value);
      if (graph.gradientOf.has(id)) {
        group.setAttribute("data-part", "gradient");
        group.append(circle("part", box.x + 3, box.y + box.h - 2, "∂"));
      }
      if (isMarked) badges.append(markTag(box.x + box.w / 2, box.y + box.h + 8));
      nodes.append(group);
    }
    for (const [id, box] of now.blocks) {
      const isMarked = marked.blocks.has(id);
      const group = drawBlock(id, box, blockLines(id), ctx.t("block.empty"), isMarked);
      register({ kind: "block", id }, group);
      if (isMarked) badges.append(markTag(box.x + box.w / 2, box.y + box.h + 8));
      nodes.append(group);
    }
    const w = Math.ceil(now.w + 2 * MARGIN);
    const height = Math.ceil(now.h + 2 * MARGIN);
    const svg = s(
      "svg",
      {
        viewBox: `${-MARGIN} ${-MARGIN} ${w} ${height}`,
        width: w,
        height,
        role: "application",
        "aria-label": ctx.t("graph.picture", { title: options.title }),
        "data-testid": "picture",
      },
      areas,
      edges,
      nodes,
      badges,
      tokens,
      pairs,
      overlay,
    );
    svg.addEventListener("keydown", keys);
    svg.addEventListener("focusout", () => look(null));
    element.replaceChildren(svg);
    resize();
    if (current === null || !marksOf.has(current)) {
      current = firstKey();
    }
    if (current !== null) marksOf.get(current)?.group.setAttribute("tabindex", "0");
    if (hadFocus && current !== null) moveTo(current);
    select(selected);
    show(frame);
  }

  const markTag = (x: number, y: number): SVGGElement => {
    const words = ctx.t("compare.mark");
    return tag("mark-tag", x, y, text(words), words);
  };
  const firstKey = (): string | null => marksOf.keys().next().value ?? null;

  /** What is set aside cannot be opened: that is why it is. */
  const choose = (thing: Thing): void => {
    if (thing.kind !== "scope" || thing.path !== REST) options.choose(thing);
  };

  function resize(): void {
    const svg = element.querySelector("svg");
    if (!svg || !scene) return;
    const w = Math.ceil(scene.w + 2 * MARGIN);
    // Unzoomed, the picture shrinks with its room, but never so far that its words cannot be read.
    const fit = Math.round((w * ROOM) / (scene.h + 2 * MARGIN));
    svg.style.width = scale === null ? `min(100%, ${Math.min(w, fit)}px)` : `${Math.round(w * scale)}px`;
    svg.style.minWidth = scale === null ? `${Math.round(w * 0.62)}px` : "";
  }

  function look(thing: Thing | null): void {
    const shown = thing ?? focused();
    overlay.replaceChildren();
    drawPairs(shown?.kind === "node" ? shown.id : (frame?.last?.node ?? null));
    for (const { group } of lineOf.values()) group.removeAttribute("data-near");
    if (shown && scene) {
      for (const { line, group } of lineOf.values()) {
        const { bundle } = line;
        const near =
          shown.kind === "edge"
            ? bundle === shown.bundle
            : bundle.source === endOf(shown) || bundle.target === endOf(shown);
        if (!near) continue;
        group.setAttribute("data-near", "");
        if (line.label || bundle.kind === "control" || bundle.edges.length > 1) continue;
        const at = along(line.points, 0.45);
        overlay.append(tag("edge-text", at.x, at.y, text(label(bundle)), label(bundle)));
      }
    }
    options.look(shown);
  }

  /** Ties a node to the nodes of its gradient, or these to it. */
  function drawPairs(id: number | null): void {
    for (const { group } of marksOf.values()) group.removeAttribute("data-partner");
    pairs.replaceChildren();
    const from = id === null ? undefined : boxOf(seen.stand.get(id));
    if (id === null || !from || !scene) return;
    const others = partners(graph, id).filter((other) => frame?.state.get(other) !== "absent");
    for (const other of others) {
      const end = seen.stand.get(other);
      if (end !== undefined) marksOf.get(endKey(end))?.group.setAttribute("data-partner", "");
    }
    // One line to the box that holds just them says the same as one to each.
    const home = homeOf(graph, others[0] ?? id);
    const whole = scene.open.get(home);
    const alone = nodesUnder(graph, home).every((inside) => others.includes(inside));
    const ends =
      whole && alone && home !== ROOT ? [whole] : others.map((other) => boxOf(seen.stand.get(other)));
    for (const to of new Set(ends)) {
      if (!to || to === from) continue;
      const right = from.x + from.w / 2 < to.x + to.w / 2;
      const [x, end] = right ? [from.x + from.w, to.x] : [from.x, to.x + to.w];
      const [y, below] = [from.y + from.h / 2, to.y + to.h / 2];
      const bend = Math.max(24, Math.abs(end - x) / 2) * (right ? 1 : -1);
      const d = `M${x} ${y}C${x + bend} ${y} ${end - bend} ${below} ${end} ${below}`;
      pairs.append(s("path", { class: "pair under", d }), s("path", { class: "pair", d }));
    }
  }

  const boxOf = (end: End | undefined) =>
    typeof end === "number" ? scene?.nodes.get(end) : scene?.closed.get(end ?? "");

  function focused(): Thing | null {
    if (!element.contains(document.activeElement) || current === null) return null;
    return marksOf.get(current)?.thing ?? null;
  }

  function moveTo(key: string): void {
    const next = marksOf.get(key);
    if (!next || next.group.getAttribute("data-state") === "absent") return;
    if (current !== null) marksOf.get(current)?.group.setAttribute("tabindex", "-1");
    current = key;
    next.group.setAttribute("tabindex", "0");
    next.group.focus({ preventScroll: true });
    reveal(next.group);
    look(next.thing);
  }

  /** Scrolls the picture, never the page. */
  function reveal(group: SVGGElement): void {
    const inner = group.getBoundingClientRect();
    const outer = element.getBoundingClientRect();
    if (inner.left < outer.left) element.scrollLeft -= outer.left - inner.left + MARGIN;
    if (inner.right > outer.right) element.scrollLeft += inner.right - outer.right + MARGIN;
    if (inner.top < outer.top) element.scrollTop -= outer.top - inner.top + MARGIN;
    if (inner.bottom > outer.bottom) element.scrollTop += inner.bottom - outer.bottom + MARGIN;
  }

  function keys(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || current === null) return;
    const thing = marksOf.get(current)?.thing;
    if (!thing) return;
    const moves: Record<string, () => string | null> = {
      ArrowLeft: () => neighbour(thing, "source"),
      ArrowRight: () => neighbour(thing, "target"),
      ArrowUp: () => sibling(thing, -1),
      ArrowDown: () => sibling(thing, 1),
      Home: firstKey,
      End: () => [...marksOf.keys()].at(-1) ?? null,
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      const key = move();
      if (key !== null) moveTo(key);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(thing);
    }
  }

  /** What lies before ("source") or after ("target") a thing along its first line on that side. */
  function neighbour(thing: Thing, side: "source" | "target"): string | null {
    if (thing.kind === "block") {
      const input = graph.block.get(thing.id)?.control_inputs[0];
      const end = input === undefined ? undefined : seen.stand.get(input);
      return side === "source" && end !== undefined ? endKey(end) : null;
    }
    if (thing.kind === "scope" && seen.open.includes(thing.path)) {
      const first = graph.scope.get(thing.path)?.nodes[0];
      return side === "target" && first !== undefined ? endKey(first) : null;
    }
    const other = side === "source" ? "target" : "source";
    const line = seen.bundles.find(
      (bundle) =>
        bundle[other] === endOf(thing) && bundle[side] !== endOf(thing) && isThere(endKey(bundle[side])),
    );
    return line ? endKey(line[side]) : null;
  }

  const isThere = (key: string): boolean => marksOf.get(key)?.group.getAttribute("data-state") !== "absent";

  function sibling(thing: Thing, by: 1 | -1): string | null {
    const home = homeOfThing(thing);
    const family = [...marksOf]
      .filter(([key, other]) => homeOfThing(other.thing) === home && isThere(key))
      .map(([key]) => key);
    // Up from the first thing in a scope is the scope itself, so that nothing is out of reach.
    const place = family.indexOf(thingKey(thing)) + by;
    if (place < 0 && marksOf.has(`scope ${home}`)) return `scope ${home}`;
    return family[(place + family.length) % family.length] ?? null;
  }

  function homeOfThing(thing: Thing): string {
    if (thing.kind === "node") return homeOf(graph, thing.id);
    if (thing.kind === "scope") return ancestors(graph, thing.path).at(-2) ?? "";
    return ROOT;
  }

  function select(id: number): void {
    selected = id;
    for (const { thing, group } of marksOf.values()) {
      if (thing.kind === "node") group.setAttribute("aria-pressed", String(thing.id === id));
    }
  }

  function show(next: Frame | null): void {
    const forward = frame !== null && next !== null && next.run === frame.run && next.step === frame.step + 1;
    frame = next;
    for (const group of badges.querySelectorAll(".badge")) group.remove();
    tokens.replaceChildren();
    if (!next || !scene) return;
    for (const [id, box] of scene.nodes) {
      const group = marksOf.get(`node ${id}`)?.group;
      const state = next.state.get(id) ?? "waiting";
      group?.setAttribute("data-state", state);
      group?.setAttribute("aria-label", describe(ctx.t, graph, { kind: "node", id }, state));
      const pending = next.pending.get(id) ?? 0;
      const queued = next.queue.indexOf(id);
      const right = box.x + box.w - 3;
      if (state === "waiting" && pending > 0)
        badges.append(circle("pending", box.x + 3, box.y + 2, String(pending)));
      if (queued >= 0) badges.append(circle("queued", right, box.y + 2, `${queued + 1}`));
      const symbol = SYMBOL[state];
      if (symbol) badges.append(circle(state, right, box.y + 2, symbol));
      const alias = next.ran.get(id)?.outputs.find((output) => output.alias !== null)?.alias;
      if (alias && graph.node.get(id)?.role !== "variable")
        badges.append(circle("alias", right, box.y + box.h - 2, "≡"));
    }
    for (const { node, name } of graph.record.variables) {
      const value = next.variables.get(name);
      const line = valueLines.get(node);
      if (line) line.textContent = value === undefined ? "–" : `= ${shorten(value, 18)}`;
    }
    for (const [path, box] of scene.closed) {
      const inside = next.last && seen.stand.get(next.last.node) === path;
      const group = marksOf.get(`scope ${path}`)?.group;
      group?.toggleAttribute("data-active", Boolean(inside));
      const states = [...seen.stand].filter(([, end]) => end === path).map(([id]) => next.state.get(id));
      if (states.every((state) => IDLE.has(state))) group?.setAttribute("data-state", "pruned");
      else if (states.every((state) => state === "absent")) group?.setAttribute("data-state", "absent");
      else if (states.includes("new")) {
        group?.setAttribute("data-state", "new");
        badges.append(circle("new", box.x + box.w - 10, box.y + 2, "+"));
      } else if (isDead(path, next)) {
        group?.setAttribute("data-state", "dead");
        badges.append(circle("dead", box.x + box.w - 10, box.y + 2, "✕"));
      } else group?.removeAttribute("data-state");
    }
    for (const [path, group] of openAreas) {
      const absent = nodesUnder(graph, path).every((id) => next.state.get(id) === "absent");
      for (const part of [group, marksOf.get(`scope ${path}`)?.group]) {
        if (absent) part?.setAttribute("data-state", "absent");
        else if (isDead(path, next)) part?.setAttribute("data-state", "dead");
        else part?.removeAttribute("data-state");
      }
    }
    const fresh = new Set(forward ? next.last?.produced : []);
    for (const { line, group } of lineOf.values()) {
      group.toggleAttribute(
        "data-taken",
        line.bundle.edges.some((edge) => next.taken.has(edge.id)),
      );
      const states = line.bundle.edges.map((edge) =>
        [edge.source, edge.target].map((id) => next.state.get(id)),
      );
      group.toggleAttribute(
        "data-idle",
        states.every((ends) => ends.some((state) => IDLE.has(state))),
      );
      group.toggleAttribute(
        "data-absent",
        states.every((ends) => ends.includes("absent")),
      );
      const here = line.bundle.edges.filter((edge) => next.tokens.has(edge.id));
      const [first] = here;
      if (!first) continue;
      const kind = next.tokens.get(first.id) as Token;
      const iteration = iterationText(next.iterations.get(first.id) ?? []);
      const token = drawToken(kind, { x: 0, y: 0 }, here.length, iteration);
      tokens.append(token);
      travel(token, line, here.some((edge) => fresh.has(edge.id)) && !ctx.calm());
    }
    const active = next.last ? seen.stand.get(next.last.node) : undefined;
    drawPairs(next.last?.node ?? null);
    const group = active === undefined ? undefined : marksOf.get(endKey(active))?.group;
    if (group && !element.contains(document.activeElement)) reveal(group);
  }

  /** Whether a box is a branch that is not taken: then what is made in it is dead, but for the Switches at its door. */
  function isDead(path: string, { state }: Frame): boolean {
    return (
      graph.boxes.get(path)?.kind === "branch" && ownNodes(graph, path).some((id) => state.get(id) === "dead")
    );
  }

  /** Puts a token on its line; a fresh one comes from the node that made it. */
  function travel(token: SVGGElement, line: Line, moving: boolean): void {
    const put = (fraction: number): void => {
      const { x, y } = along(line.points, fraction);
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

  redraw();
  // A picture broader than its room would else begin with an empty corner.
  requestAnimationFrame(() => {
    const top = Math.min(
      ...[...(scene?.nodes.values() ?? []), ...(scene?.closed.values() ?? [])].map(({ y }) => y),
    );
    const first = [...(scene?.nodes ?? [])].find(([, { y }]) => y === top)?.[0];
    const group = first === undefined ? undefined : marksOf.get(`node ${first}`)?.group;
    if (group && element.scrollLeft === 0 && element.scrollTop === 0) reveal(group);
  });
  return {
    element,
    redraw,
    show,
    select,
    labels(on) {
      withLabels = on;
      redraw();
    },
    zoom(factor) {
      const shown = element.querySelector("svg")?.getBoundingClientRect().width ?? 0;
      const natural = (scene?.w ?? 0) + 2 * MARGIN;
      scale = factor === null ? null : Math.max(0.3, Math.min(3, (scale ?? (shown / natural || 1)) * factor));
      resize();
    },
    focus: (thing) => moveTo(thingKey(thing)),
    hint: () => (scene ? hintFrom(graph, scene) : new Map()),
  };
}

const endKey = (end: End): string => (typeof end === "number" ? `node ${end}` : `scope ${end}`);
const endOf = (thing: Thing): End | null =>
  thing.kind === "node" ? thing.id : thing.kind === "scope" ? thing.path : null;

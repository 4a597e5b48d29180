/**
 * The first view of a picture: which scopes are closed, and in which direction values flow, so that its text can be read. Pure:
 * drafts, estimates and layouts come from the caller.
 *
 * The first of these ways is taken that makes the picture fit into its room at a readable scale: another direction; what no run
 * needs becomes one group in each scope; rows stand closer; scopes close in the order of what is lost with them. An estimate of
 * the picture's size says how far, and a layout checks the estimate.
 */
import type { Size } from "../layout/geometry";
import type { Memory, Plan } from "../layout/place-levels";
import type { Visible } from "../model/collapse";
import { UNPLACED } from "../model/device-lanes";
import { ancestors, type Graph, nodesUnder, ROOT } from "../model/graph";
import { gatherIdle } from "../model/unused";
import { READABLE } from "./camera";

export interface FirstViewOptions {
  /** The room at the design width, in pixels of the screen; the picture's own room takes its place. */
  room: Size;
  /** How high the picture may be, if it is as high as it needs to be. */
  highest?: number;
  /** Nodes that the reader is to see. */
  marked?: ReadonlySet<number>;
  /** Whether this scope stays open. */
  keeps?: (path: string) => boolean;
  /** Whether values flow to the right; the first direction is preferred. */
  directions?: readonly boolean[];
}

/** What a reader may change: the closed scopes; and what stays: the direction, and whether rows stand close. */
export interface View {
  collapsed: string[];
  turned: boolean;
  tight: boolean;
}

export interface FirstView extends View {
  scale: number;
  /** The picture's layout. */
  placements: Memory;
  /** Whether what no run needs is in groups. */
  gathered: boolean;
}

export interface Drafting {
  draft: (view: View) => { plan: Plan; visible: Visible };
  estimate: (plan: Plan) => Size;
  place: (plan: Plan) => Memory;
  /** The margin around the picture. */
  margin: number;
}

/** Larger pictures are overviews, or have closed scopes already. */
const MOST = 80;
/** A picture of fewer items says too little. */
const LEAST = 4;
/** How often a layout corrects the estimate, and how often the aim grows until more scopes close. */
const LAYOUTS = 3;
const AIMS = 12;
/** What is lost with a node that a closed scope holds, by role; 1 for others. */
const WORTH: Partial<Record<string, number>> = { variable: 5, update: 3, constant: 0.5 };
/** An estimate may be so much too small. */
const DOUBT = 0.8;

interface Found extends View {
  scale: number;
  placements: Memory;
  loss: number;
}

/** Null if the picture is too large to be tried out; the graph may get groups of what no run needs. */
export function firstView(
  graph: Graph,
  start: string[],
  options: FirstViewOptions & { idle?: ReadonlySet<number> },
  drafting: Drafting,
): FirstView | null {
  const { directions = [false], idle = new Set(), room } = options;
  const [first = false] = directions;
  const shown = drafting.draft({ collapsed: start, turned: first, tight: false }).visible;
  if (shown.lanes || shown.nodes.length + shown.closed.size > MOST) return null;
  const trial = createTrial(room, drafting);
  const whole = (collapsed: string[], tight: boolean): Found | null => {
    for (const turned of directions) {
      const view = { collapsed, turned, tight };
      if (trial.estimate(view) < READABLE * DOUBT) continue;
      const found = trial.measure(view);
      if (found.scale >= READABLE) return found;
    }
    return null;
  };
  const found = whole(start, false);
  if (found) return { ...found, gathered: false };
  const groups = idle.size > 0 ? gatherIdle(graph, idle) : [];
  const gathered = groups.length > 0;
  const closed = [...start, ...groups];
  const without = (gathered ? whole(closed, false) : null) ?? whole(closed, true);
  if (without) return { ...without, gathered };
  const visible = gathered
    ? drafting.draft({ collapsed: closed, turned: first, tight: true }).visible
    : shown;
  const closable = closableScopes(graph, visible, options);
  const all = directions.map((turned) => {
    const start = { collapsed: closed, turned, tight: true };
    const first = fitted(graph, start, closable, trial);
    if (first.scale >= READABLE) return first;
    // A picture with many long lines is larger than estimated, and in one direction more than in the other.
    trial.learn();
    return better(first, fitted(graph, start, closable, trial));
  });
  return { ...all.reduce(better), gathered };
}

/** Among readable views that with the least loss, else the largest. */
function better(a: Found, b: Found): Found {
  if (a.scale >= READABLE && b.scale >= READABLE) return b.loss < a.loss ? b : a;
  return b.scale > a.scale ? b : a;
}

type Trial = ReturnType<typeof createTrial>;

/** Finds the scale at which a view fits into the room. */
function createTrial(room: Size, { draft, estimate, place, margin }: Drafting) {
  const scaleOf = ({ w, h }: Size): number => Math.min(room.w / (w + 2 * margin), room.h / (h + 2 * margin));
  /** How many times as wide and as high as estimated a layout was. */
  let off: Size = { w: 1, h: 1 };
  let last = off;
  const corrected = ({ w, h }: Size): Size => ({ w: w * off.w, h: h * off.h });
  return {
    /** By an estimate; 0 for a picture that says too little. */
    estimate(view: View): number {
      const { plan, visible } = draft(view);
      return visible.nodes.length + visible.closed.size >= LEAST ? scaleOf(corrected(estimate(plan))) : 0;
    },
    /** Corrects further estimates by the last layout. */
    learn(): void {
      off = last;
    },
    measure(view: View): Found {
      const { plan } = draft(view);
      const placements = place(plan);
      const { w, h } = placements.get(ROOT)?.frame ?? off;
      const real = plan.turned ? { w: h, h: w } : { w, h };
      const guessed = estimate(plan);
      last = { w: real.w / guessed.w, h: real.h / guessed.h };
      return { ...view, placements, scale: scaleOf(real), loss: 0 };
    },
  };
}

interface Closable {
  path: string;
  loss: number;
}

/** The open scopes in the order in which they close, inner ones before those around them. */
function closableScopes(
  graph: Graph,
  shown: Visible,
  options: FirstViewOptions & { idle?: ReadonlySet<number> },
): Closable[] {
  const { idle = new Set(), marked = new Set() } = options;
  // The lanes of devices are what the picture is about; only that of no device closes.
  const keeps = options.keeps ?? ((path: string) => graph.lanes.includes(path) && path !== UNPLACED);
  const loss = (id: number): number => {
    const role = graph.node.get(id)?.role;
    const base = WORTH[role ?? "op"] ?? 1;
    return marked.has(id) ? 6 : idle.has(id) ? base / 10 : base;
  };
  const lossOf = (path: string): number => {
    const closed = new Set<string>();
    let sum = 0;
    for (const id of nodesUnder(graph, path)) {
      const end = shown.shownAs.get(id);
      if (typeof end === "string") closed.add(end);
      else sum += loss(id);
    }
    return sum + closed.size;
  };
  return shown.open
    .filter((path) => !keeps(path))
    .map((path) => ({ path, loss: lossOf(path) }))
    .sort((a, b) => a.loss - b.loss || b.path.length - a.path.length);
}

function fitted(graph: Graph, start: View, closable: Closable[], trial: Trial): Found {
  let aim = READABLE;
  let best: Found | null = null;
  let last = -1;
  for (let aims = 0, layouts = 0; aims < AIMS && layouts < LAYOUTS; aims += 1) {
    const closing = closedFor(graph, start, closable, aim, trial.estimate);
    if (closing.length === last) {
      aim *= 1.02;
      continue;
    }
    layouts += 1;
    last = closing.length;
    const found = trial.measure({
      ...start,
      collapsed: [...start.collapsed, ...closing.map(({ path }) => path)],
    });
    found.loss = closing.reduce((sum, own) => sum + own.loss, 0);
    best = best && best.scale >= found.scale ? best : found;
    if (best.scale >= READABLE) break;
    aim *= (READABLE / found.scale) * 1.01;
  }
  return best as Found;
}

/** The scopes to close until the picture has this scale, or as large a scale as it can have. */
function closedFor(
  graph: Graph,
  start: View,
  closable: Closable[],
  aim: number,
  estimate: Trial["estimate"],
): Closable[] {
  const scale = (some: Closable[]): number =>
    estimate({ ...start, collapsed: [...start.collapsed, ...some.map(({ path }) => path)] });
  let closing: Closable[] = [];
  let reached = scale(closing);
  for (const next of closable) {
    if (reached >= aim) break;
    const own = scale([...closing, next]);
    // A scope around almost everything stays open.
    if (own === 0) continue;
    closing = [...closing, next];
    reached = own;
  }
  const least = Math.min(aim, reached * 0.98);
  for (const one of closing.toReversed()) {
    const others = closing.filter((other) => other !== one);
    if (scale(others) >= least) closing = others;
  }
  // What is in a closed scope opens with it.
  const paths = new Set(closing.map(({ path }) => path));
  return closing.filter(({ path }) => !ancestors(graph, path).some((at) => at !== path && paths.has(at)));
}

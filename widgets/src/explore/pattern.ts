/** Regular expressions in linear time: no pattern, however it is written, can freeze the page.
 *
 * `compile("^grad.*mul$")` returns a test of a text. It follows all ways through the pattern at once, character by
 * character (Thompson, 1968), so that it never backtracks; back references and look-arounds, which would need that, are
 * refused with a message.
 */

export type Reason = "group" | "class" | "repeat" | "escape" | "unsupported" | "large";

/** Not a pattern, or one that cannot be matched in bounded time. */
export class PatternError extends Error {
  constructor(readonly reason: Reason) {
    super(reason);
  }
}

type Fits = (character: string) => boolean;
type Assertion = "start" | "end" | "edge" | "inside";

type Part =
  | { kind: "character"; fits: Fits }
  | { kind: "assertion"; what: Assertion }
  | { kind: "row"; parts: Part[] }
  | { kind: "choice"; parts: Part[] }
  | { kind: "repeat"; part: Part; least: number; most: number };

/** One instruction: take a character, go on if an assertion holds, fork, or match. */
type Step =
  | { kind: "character"; fits: Fits }
  | { kind: "assertion"; what: Assertion }
  | { kind: "fork"; to: [number, number] }
  | { kind: "found" };

const MOST_STEPS = 2000;
const MOST_DEPTH = 100;
const isWord: Fits = (c) => /[A-Za-z0-9_]/.test(c);
const not =
  (fits: Fits): Fits =>
  (c) =>
    !fits(c);
const CLASSES: Record<string, Fits> = {
  d: (c) => c >= "0" && c <= "9",
  w: isWord,
  s: (c) => /\s/.test(c),
};
const CONTROLS: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

class Reader {
  private at = 0;
  private readonly characters: string[];

  constructor(
    pattern: string,
    private readonly fold: boolean,
  ) {
    this.characters = [...pattern];
  }

  whole(): Part {
    const part = this.choice(0);
    if (this.at < this.characters.length) throw new PatternError("group");
    return part;
  }

  private peek(by = 0): string | undefined {
    return this.characters[this.at + by];
  }

  private take(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.at += 1;
    return true;
  }

  private choice(depth: number): Part {
    if (depth > MOST_DEPTH) throw new PatternError("large");
    const parts = [this.row(depth)];
    while (this.take("|")) parts.push(this.row(depth));
    return parts.length === 1 && parts[0] ? parts[0] : { kind: "choice", parts };
  }

  private row(depth: number): Part {
    const parts: Part[] = [];
    for (let next = this.peek(); next !== undefined && next !== "|" && next !== ")"; next = this.peek()) {
      parts.push(this.repeated(this.atom(depth)));
    }
    return { kind: "row", parts };
  }

  private atom(depth: number): Part {
    const character = this.peek() ?? "";
    this.at += 1;
    switch (character) {
      case "(": {
        if (this.take("?") && !this.take(":")) throw new PatternError("unsupported");
        const part = this.choice(depth + 1);
        if (!this.take(")")) throw new PatternError("group");
        return part;
      }
      case "[":
        return { kind: "character", fits: this.set() };
      case ".":
        return { kind: "character", fits: () => true };
      case "^":
        return { kind: "assertion", what: "start" };
      case "$":
        return { kind: "assertion", what: "end" };
      case "*":
      case "+":
      case "?":
        throw new PatternError("repeat");
      case "\\":
        if (this.take("b")) return { kind: "assertion", what: "edge" };
        if (this.take("B")) return { kind: "assertion", what: "inside" };
        return { kind: "character", fits: this.escape() };
      default:
        return { kind: "character", fits: this.same(character) };
    }
  }

  private same(character: string): Fits {
    if (!this.fold) return (c) => c === character;
    const low = character.toLowerCase();
    return (c) => c.toLowerCase() === low;
  }

  /** The meaning of an escape: a class of characters, a control character, or the character itself. */
  private escape(): Fits {
    const character = this.peek();
    if (character === undefined) throw new PatternError("escape");
    this.at += 1;
    const known = CLASSES[character.toLowerCase()];
    if (known) return character === character.toLowerCase() ? known : not(known);
    const control = CONTROLS[character];
    if (control) return (c) => c === control;
    if (/[1-9k]/.test(character)) throw new PatternError("unsupported");
    if (/[A-Za-z0]/.test(character)) throw new PatternError("escape");
    return this.same(character);
  }

  private set(): Fits {
    const inverted = this.take("^");
    const fits: Fits[] = [];
    for (let first = true; first || this.peek() !== "]"; first = false) {
      const low = this.peek();
      if (low === undefined) throw new PatternError("class");
      this.at += 1;
      if (low === "\\") {
        fits.push(this.escape());
        continue;
      }
      const high = this.peek(1);
      if (this.peek() === "-" && high !== undefined && high !== "]") {
        if (high === "\\" || high < low) throw new PatternError("class");
        this.at += 2;
        fits.push((c) => c >= low && c <= high);
        // In a range, the other case matches, too.
        if (this.fold)
          fits.push((c) => [c.toLowerCase(), c.toUpperCase()].some((other) => other >= low && other <= high));
      } else fits.push(this.same(low));
    }
    this.at += 1;
    return (c) => fits.some((each) => each(c)) !== inverted;
  }

  private repeated(part: Part): Part {
    const times = this.times();
    if (!times) return part;
    // Greedy or lazy, a repetition matches the same texts.
    this.take("?");
    if (part.kind === "assertion" || this.times()) throw new PatternError("repeat");
    return { kind: "repeat", part, least: times[0], most: times[1] };
  }

  private times(): [number, number] | null {
    if (this.take("*")) return [0, Infinity];
    if (this.take("+")) return [1, Infinity];
    if (this.take("?")) return [0, 1];
    // A brace that is no count stands for itself, as in JavaScript and Python.
    const brace = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.characters.slice(this.at, this.at + 12).join(""));
    if (!brace) return null;
    this.at += brace[0].length;
    const least = Number(brace[1]);
    const most = brace[2] === undefined ? least : brace[3] ? Number(brace[3]) : Infinity;
    if (most < least) throw new PatternError("repeat");
    return [least, most];
  }
}

function emit(part: Part, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new PatternError("large");
  if (part.kind === "row") for (const each of part.parts) emit(each, steps);
  else if (part.kind === "choice") emitChoice(part.parts, steps);
  else if (part.kind === "repeat") emitRepeat(part, steps);
  else steps.push(part);
}

/** A fork whose targets are set later, when they are known. */
function fork(steps: Step[]): [number, number] {
  const to: [number, number] = [steps.length + 1, steps.length + 1];
  steps.push({ kind: "fork", to });
  return to;
}

function emitChoice(parts: Part[], steps: Step[]): void {
  const ends: [number, number][] = [];
  parts.forEach((part, i) => {
    const targets = i + 1 < parts.length ? fork(steps) : null;
    emit(part, steps);
    if (!targets) return;
    ends.push(fork(steps));
    targets[1] = steps.length;
  });
  for (const end of ends) end[0] = end[1] = steps.length;
}

function emitRepeat({ part, least, most }: Part & { kind: "repeat" }, steps: Step[]): void {
  for (let i = 0; i < least; i += 1) emit(part, steps);
  if (most === Infinity) {
    const targets = fork(steps);
    const start = steps.length - 1;
    emit(part, steps);
    fork(steps).fill(start);
    targets[1] = steps.length;
    return;
  }
  const targets: [number, number][] = [];
  for (let i = least; i < most; i += 1) {
    targets.push(fork(steps));
    emit(part, steps);
  }
  for (const way of targets) way[1] = steps.length;
}

/** A test of whether the pattern matches anywhere in a text; `fold` ignores case.
 *
 * Throws PatternError for a text that is no pattern.
 */
export function compile(pattern: string, fold = false): (text: string) => boolean {
  const steps: Step[] = [];
  emit(new Reader(pattern, fold).whole(), steps);
  steps.push({ kind: "found" });
  if (steps.length > MOST_STEPS) throw new PatternError("large");
  const visited = new Int32Array(steps.length);
  let mark = 0;

  /** Follows forks and assertions from a step; true if the pattern ends there. */
  function reach(
    from: number,
    before: string | undefined,
    after: string | undefined,
    into: number[],
  ): boolean {
    const todo = [from];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (visited[at] === mark) continue;
      visited[at] = mark;
      const step = steps[at];
      if (!step || step.kind === "found") return true;
      if (step.kind === "fork") todo.push(step.to[1], step.to[0]);
      else if (step.kind === "character") into.push(at);
      else if (holds(step.what, before, after)) todo.push(at + 1);
    }
    return false;
  }

  return (text) => {
    const characters = [...text];
    let now: number[] = [];
    for (let i = 0; i <= characters.length; i += 1) {
      const [before, here] = [characters[i - 1], characters[i]];
      const next: number[] = [];
      mark += 1;
      for (const at of now) {
        const step = steps[at];
        if (step?.kind === "character" && before !== undefined && step.fits(before)) {
          if (reach(at + 1, before, here, next)) return true;
        }
      }
      // The match may begin at every place.
      if (reach(0, before, here, next)) return true;
      now = next;
    }
    return false;
  };
}

function holds(what: Assertion, before: string | undefined, after: string | undefined): boolean {
  if (what === "start") return before === undefined;
  if (what === "end") return after === undefined;
  const edge = (before !== undefined && isWord(before)) !== (after !== undefined && isWord(after));
  return edge === (what === "edge");
}

/** Shows names as data: control characters made visible, long names cut, right-to-left names isolated. */

const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the point
const CONTROL = /[\u0000-\u001f\u007f]/g;

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** Characters that stand for themselves; Python's own texts have an ellipsis. */
const PLAIN = /^[\x20-\x7e…]*$/;

function graphemes(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);
}

/** The text with every character visible: ␀ for NUL, ⟨U+202E⟩ for one that would reverse the line. */
export function visible(text: string): string {
  return text
    .replace(CONTROL, (c) => (c === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + c.charCodeAt(0))))
    .replace(BIDI, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** At most `limit` characters of a name, cut in the middle, since names differ at their ends. */
export function shorten(text: string, limit = 28): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  // A megabyte need not be split to show its two ends; this part holds that many graphemes, save for walls of emoji.
  const reach = limit * 4 + 64;
  const tail = Math.floor(limit / 3);
  const [begin, end] = [text.slice(0, reach), text.slice(-reach)];
  if (PLAIN.test(begin) && PLAIN.test(end)) return `${text.slice(0, limit - tail - 1)}…${text.slice(-tail)}`;
  const start = graphemes(begin);
  if (start.length <= limit && text.length <= reach) return visible(text);
  return visible(`${start.slice(0, limit - tail - 1).join("")}…${graphemes(end).slice(-tail).join("")}`);
}

/** A passage, such as a value or an error: it keeps its lines, and ends in "…" if it is too long. */
export function passage(text: string, limit: number): string {
  const start = text.slice(0, limit);
  const lines = start.replace(/\r\n?/g, "\n").split("\n");
  const visibleText = lines.map((line) => line.split("\t").map(visible).join("\t")).join("\n");
  return text.length > limit ? `${visibleText}…` : visibleText;
}

/** A text of several lines as part of a sentence. */
export function oneLine(text: string): string {
  return text.slice(0, 2000).replace(/\s+/g, " ").trim();
}

/** A name inside a sentence: short, and isolated if it runs from right to left. */
export function inline(text: string, limit = 60): string {
  const short = shorten(text, limit);
  return RTL.test(short) ? `\u2068${short}\u2069` : short;
}

/** The last part of a scoped name. */
export function leaf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1) || name;
}

/** The tokens of Python text, for its colours; pure, and never wrong about the text: the tokens of a line are the line. */

/** kk: keyword, kc: called name, kn: number, ks: string, kx: comment. */
export type TokenKind = "kk" | "kc" | "kn" | "ks" | "kx" | "";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

const PART =
  /(#.*)|((?:[rbuf]{0,2})("""|'''))|([rbuf]{0,2}(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?))|((?:0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d+)?)j?)|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)|(\s+|.)/giuy;

/** The tokens of each line. */
export function pythonTokens(lines: readonly string[]): Token[][] {
  /** The quotes that end the string around the line's start. */
  let quotes = "";
  return lines.map((line) => {
    const tokens: Token[] = [];
    const add = (kind: TokenKind, text: string): void => {
      const last = tokens.at(-1);
      if (last?.kind === kind) last.text += text;
      else if (text) tokens.push({ kind, text });
    };
    let at = 0;
    /** Takes a string that began with triple quotes, from `begin` on. */
    const string = (begin: number): void => {
      const end = line.indexOf(quotes, begin);
      const next = end < 0 ? line.length : end + quotes.length;
      add("ks", line.slice(at, next));
      at = next;
      if (end >= 0) quotes = "";
    };
    if (quotes) string(0);
    while (at < line.length) {
      PART.lastIndex = at;
      const [text = line.slice(at), comment, opening, triple, short, number, name] = PART.exec(line) ?? [];
      if (opening && triple) {
        quotes = triple;
        string(at + opening.length);
        continue;
      }
      at += text.length;
      if (comment) add("kx", text);
      else if (short) add("ks", text);
      else if (number) add("kn", text);
      else if (name) add(kindOfName(name, line.slice(at)), text);
      else add("", text);
    }
    return tokens;
  });
}

function kindOfName(name: string, after: string): TokenKind {
  if (KEYWORDS.has(name)) return "kk";
  return /^\s*\(/.test(after) ? "kc" : "";
}

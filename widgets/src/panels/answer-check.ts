/**
 * A prediction beside the answer that a self-check carries, as tfedu/explain/mental_models/diagnose.py compares them: leniently, "1" is
 * 1.0, "[1, 2]" a list, "error" a run that fails.
 */
import type { PredictResult, SelfCheckRecord } from "../record";

/** Characters of a prediction; reading a longer text would only take time. */
const LONGEST = 1000;
const ERRORS: ReadonlySet<string> = new Set([
  ..."error err fails".split(" "),
  ..."오류 에러 错误 报错".split(" "),
]);
const WORDS: Record<string, Value> = {
  true: true,
  false: false,
  none: null,
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
};

/** A number with a point or an exponent is near what it means; a whole number is exact. */
type Value = bigint | number | boolean | null | string | Value[] | { values: Value[] };

/** The answer beside what the learner wrote, by the keys of the targets. */
export function judged(
  { question, answer, keys }: SelfCheckRecord,
  draft: Record<string, string[]>,
): PredictResult {
  const targets = answer.targets.map((target, i) => {
    const { actual = [], models = [] } = keys[i] ?? {};
    const predicted = Array.from({ length: question.runs }, (_, run) => draft[target.key]?.[run] ?? "");
    const verdicts = (texts: string[], literals: string[]): boolean[] =>
      predicted.map((written, run) => agrees(written, texts[run] ?? "", literals[run] ?? ""));
    const right = verdicts(target.actual, actual);
    return {
      ...target,
      predicted,
      right,
      correct: right.every(Boolean),
      models: target.models.map((model, m) => ({
        ...model,
        matches: verdicts(model.predicts, models[m] ?? []).every(Boolean),
      })),
    };
  });
  return { ...answer, targets };
}

/** Whether a learner's text means a value. text: the value as it prints; literal: as an AnswerKeyRecord has it. */
export function agrees(written: string, text: string, literal: string): boolean {
  const own = [...written].slice(0, LONGEST).join("").normalize("NFKC").replaceAll("−", "-").trim();
  if (literal.startsWith("!")) return ERRORS.has(own.toLowerCase()) || own === literal.slice(1);
  if (own === "") return false;
  if (own === text) return true;
  if (literal === "?") return false;
  const lower = own.toLowerCase();
  const given = Object.hasOwn(WORDS, lower) ? (WORDS[lower] as Value) : read(own, false);
  return isEqual(given === undefined ? own : given, read(literal, true) as Value);
}

function isEqual(given: Value, value: Value): boolean {
  if (typeof value === "object" && value !== null) {
    const own = Array.isArray(value) ? given : isDict(given) ? given.values : given;
    const wanted = Array.isArray(value) ? value : value.values;
    return (
      Array.isArray(own) &&
      own.length === wanted.length &&
      wanted.every((each, i) => isEqual(own[i] as Value, each))
    );
  }
  if (typeof value === "boolean") return typeof given === "boolean" ? given === value : isOne(given, value);
  if (typeof value !== "number" && typeof value !== "bigint") return given === value;
  if (typeof given !== "number" && typeof given !== "bigint") return false;
  const [number, wanted] = [Number(given), Number(value)];
  if (Object.is(number, wanted) || number === wanted) return true;
  // A float32 is written with fewer digits than it has.
  const isNear = Math.abs(number - wanted) <= 1e-6 + 1e-4 * Math.abs(wanted);
  return typeof value === "number" && Number.isFinite(wanted) && isNear;
}

const isDict = (value: Value): value is { values: Value[] } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOne = (given: Value, value: boolean): boolean =>
  (typeof given === "bigint" || typeof given === "number") && Number(given) === Number(value);

const TOKEN =
  /\s*(?:([-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?)|(True|False|None|nan|inf|-inf)|b?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([[\](){},:]))/y;

/** The value of a Python literal; undefined for what is none. isKey: whether nan, inf and values in braces may stand in it. */
function read(text: string, isKey: boolean): Value | undefined {
  const tokens: RegExpExecArray[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) return undefined;
    tokens.push(found);
  }
  let at = 0;
  const sign = (): string | undefined => tokens[at]?.[4];
  const one = (): Value | undefined => {
    const [, number, word, quoted, opening] = tokens[at] ?? [];
    at += 1;
    if (number !== undefined) return numberOf(number);
    if (quoted !== undefined) return textOf(quoted);
    if (word !== undefined) return word.endsWith("e") || isKey ? WORDS[word.toLowerCase()] : undefined;
    if (opening === "[" || opening === "(" || opening === "{") return several(opening);
    return undefined;
  };
  const several = (opening: string): Value | undefined => {
    const closing = { "[": "]", "(": ")", "{": "}" }[opening];
    const items: Value[] = [];
    let commas = 0;
    while (sign() !== closing) {
      let item = one();
      if (opening === "{" && !isKey) {
        if (sign() !== ":") return undefined;
        at += 1;
        item = one();
      }
      if (item === undefined) return undefined;
      items.push(item);
      if (sign() === ",") {
        at += 1;
        commas += 1;
      } else if (sign() !== closing) return undefined;
    }
    at += 1;
    if (opening === "(" && items.length === 1 && commas === 0) return items[0];
    return opening === "{" ? { values: items } : items;
  };
  const value = one();
  // "1, 2" is a tuple, too.
  if (value !== undefined && sign() === "," && !isKey) return read(`(${text})`, false);
  return at === tokens.length ? value : undefined;
}

function numberOf(text: string): Value | undefined {
  const plain = text.replace(/(\d)_(?=\d)/g, "$1");
  if (plain.includes("_")) return undefined;
  if (!/^[-+]?\d+$/.test(plain)) return Number(plain);
  // Python has no whole numbers with zeros before them.
  return /^[-+]?0+[1-9]/.test(plain) ? undefined : BigInt(plain.replace("+", ""));
}

function textOf(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(u[0-9a-f]{4}|x[0-9a-f]{2}|.)/gs, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }[code] ?? code;
  });
}

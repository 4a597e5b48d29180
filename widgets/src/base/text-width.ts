/** The width of a text: measured by the browser's canvas, else estimated from its characters. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const NARROW = /[iljtfrI.,:;'|![\](){} /\\]/;
const BROAD = /[mwMW@%—…⟨⟩]/;

/** The width of one character in em, rather too wide, so that a text never leaves its box. */
function em(character: string): number {
  if (/\p{Mark}|\u200d|\ufe0f/u.test(character)) return 0;
  if (WIDE.test(character)) return 1.05;
  if (NARROW.test(character)) return 0.38;
  if (BROAD.test(character)) return 0.98;
  return /[A-Z0-9]/.test(character) ? 0.7 : 0.62;
}

/** The estimated width in pixels. */
export function estimate(text: string, size: number): number {
  let sum = 0;
  for (const character of text) sum += em(character);
  return sum * size;
}

export type Measure = (text: string, font: { size: number; family: string; weight: number }) => number;

/** Measures with a canvas, if there is one. */
export function createMeasure(): Measure {
  const known = new Map<string, number>();
  let context: CanvasRenderingContext2D | null = null;
  if (typeof document !== "undefined" && typeof CanvasRenderingContext2D === "function") {
    context = document.createElement("canvas").getContext("2d");
  }
  return (text, { size, family, weight }) => {
    const font = `${weight} ${size}px ${family}`;
    const key = `${font}\n${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (context) context.font = font;
    const width = context ? context.measureText(text).width : estimate(text, size);
    known.set(key, width);
    return width;
  };
}

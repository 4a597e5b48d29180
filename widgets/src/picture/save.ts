/** A picture as a file: its drawing with the styles that it has on the page, as one SVG text, or as an image of it. */
import { h, s } from "../base/dom";
import { contentOf, type Drawing } from "./paint";

/** The attributes that make a shape; classes and labels stay behind. */
const SHAPE = [
  ..."d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points transform id viewBox".split(" "),
  ..."patternUnits patternTransform offset preserveAspectRatio".split(" "),
];
/** The styles that a child inherits, and so repeats only where it differs. */
const INHERITED = [
  ..."fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin".split(
    " ",
  ),
  ..."font-family font-size font-weight font-style font-variant-numeric text-anchor visibility paint-order".split(
    " ",
  ),
];
/** What XML cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
const FOREIGN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

function copy(element: Element, around: CSSStyleDeclaration | null): Element | null {
  const style = getComputedStyle(element);
  if (style.display === "none" && !element.closest("defs")) return null;
  const own = s(element.localName as keyof SVGElementTagNameMap);
  for (const name of SHAPE) {
    const value = element.getAttribute(name);
    if (value !== null) own.setAttribute(name, value);
  }
  for (const name of INHERITED) {
    const value = style.getPropertyValue(name);
    if (value !== "" && value !== around?.getPropertyValue(name)) own.setAttribute(name, value);
  }
  if (style.opacity !== "1" && style.opacity !== "") own.setAttribute("opacity", style.opacity);
  for (const child of element.childNodes) {
    if (child instanceof Text) own.append(child.data.replace(FOREIGN, "\ufffd"));
    else if (child instanceof Element) {
      const part = copy(child, style);
      if (part) own.append(part);
    }
  }
  return own;
}

/** The colour behind an element. */
function groundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (backgroundColor && !/^transparent$|, 0\)$/.test(backgroundColor)) return backgroundColor;
  }
  return "white";
}

/** The text of an SVG file with all that the picture shows now. */
export function drawnSvg(drawing: Drawing, title: string): string {
  const { svg, over, sheet } = drawing;
  const { x, y, w: width, h: height } = contentOf(drawing);
  const root = s("svg", { viewBox: `${x} ${y} ${width} ${height}`, width, height, role: "img" });
  root.setAttribute("aria-label", title.replace(FOREIGN, "\ufffd"));
  root.append(s("rect", { x, y, width, height, fill: groundOf(sheet) }));
  for (const layer of [svg, over]) {
    const own = s("g");
    const parts = copy(layer, null);
    for (const { name, value } of parts?.attributes ?? [])
      if (INHERITED.includes(name)) own.setAttribute(name, value);
    own.append(...(parts?.childNodes ?? []));
    root.append(own);
  }
  return new XMLSerializer().serializeToString(root);
}

const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80) || "graph";

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  link.click();
  // The browser begins to read it after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const saveSvg = (drawing: Drawing, title: string): void =>
  offer(new Blob([drawnSvg(drawing, title)], { type: "image/svg+xml" }), `${fileName(title)}.svg`);

/** The pixels of an image for each pixel of the picture, and how many an image has at most in a direction. */
const FINE = 2;
const MOST = 8192;

export async function savePng(drawing: Drawing, title: string): Promise<void> {
  const { w: width, h: height } = contentOf(drawing);
  const scale = Math.min(FINE, MOST / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawnSvg(drawing, title))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((then) => canvas.toBlob(then));
  if (blob) offer(blob, `${fileName(title)}.png`);
}

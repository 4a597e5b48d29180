/** The signs on buttons, drawn: a font may lack them. */
import { s } from "../dom";

const PATHS = {
  back: "M11 3v10L4 8z",
  collapse: "M2.5 2.5h11v11h-11zM5 8h6",
  end: "M3 3v10l7-5zM11.5 3v10",
  expand: "M2.5 2.5h11v11h-11zM5 8h6M8 5v6",
  fit: "M2 4v8M14 4v8M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.6v.6",
  labels: "M2 8h2.5M11.5 8H14M4.5 4.5h7v7h-7zM6.5 8h3",
  minus: "M3.5 8h9",
  pause: "M5 3v10M11 3v10",
  play: "M2 3v10l6-5zM8 3v10l6-5z",
  plus: "M3.5 8h9M8 3.5v9",
  start: "M13 3v10L6 8zM4.5 3v10",
  step: "M5 3v10l7-5z",
  target: "M2 8h7M6.5 5.5 9 8l-2.5 2.5M12 3v10",
} as const;

export type Icon = keyof typeof PATHS;

/** Those whose areas are filled; the others are lines. */
const SOLID = new Set<Icon>(["back", "end", "play", "start", "step"]);

export function drawIcon(icon: Icon): SVGSVGElement {
  const svg = s("svg", { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" });
  svg.append(s("path", { d: PATHS[icon], fill: SOLID.has(icon) ? "currentColor" : "none" }));
  return svg;
}

/** The icons of buttons, as paths: a font may lack them. */
import { s } from "../base/dom";

const PATHS = {
  back: "M3.5 3v10M12.5 3.5 7 8l5.5 4.5",
  clock: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.4",
  collapse: "M2.5 2.5h11v11h-11zM5 8h6",
  copy: "M5.5 5.5h8v8h-8zM10.5 5V2.5h-8v8H5",
  cross: "M4 4l8 8M12 4l-8 8",
  down: "M3 6l5 5 5-5",
  expand: "M2.5 2.5h11v11h-11zM5 8h6M8 5v6",
  fit: "M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M8 7.5v1",
  find: "M10.5 10.5 14 14M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9z",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.6v.6",
  labels: "M2 8h2.5M11.5 8H14M4.5 4.5h7v7h-7zM6.5 8h3",
  left: "M10 3 5 8l5 5",
  minus: "M3.5 8h9",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  pause: "M5 3v10M11 3v10",
  play: "M4.5 2.5v11l9-5.5z",
  present: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.2 2.8 9.3 6.7M2.8 13.2l3.9-3.9",
  pin: "M5.5 2h5M6.5 2v5l-2 2.5h7L9.5 7V2M8 9.5V14",
  plus: "M3.5 8h9M8 3.5v9",
  right: "M6 3l5 5-5 5",
  save: "M8 2.5V10M4.8 6.8 8 10l3.2-3.2M2.5 13.5h11",
  step: "M3.5 3.5 9 8l-5.5 4.5M12.5 3v10",
  turn: "M8 2v5M5.5 4.5 8 7l2.5-2.5M9 11h5M11.5 8.5 14 11l-2.5 2.5M8 7v2a2 2 0 0 0 2 2",
  up: "M3 10l5-5 5 5",
  target: "M2 8h7M6.5 5.5 9 8l-2.5 2.5M12 3v10",
} as const;

export type Icon = keyof typeof PATHS;

/** The icons that are filled; the others are lines. */
const SOLID = new Set<Icon>(["play"]);

/** The path alone, for use inside a picture. */
export const iconPath = (icon: Icon): string => PATHS[icon];

export function drawIcon(icon: Icon): SVGSVGElement {
  const svg = s("svg", { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" });
  svg.append(s("path", { d: PATHS[icon], fill: SOLID.has(icon) ? "currentColor" : "none" }));
  return svg;
}

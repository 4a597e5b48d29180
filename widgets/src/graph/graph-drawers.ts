/** The drawers of a graph's stage: the program, the outline, and all signs that the picture has. */

import type { Context } from "../context";
import type { Drawer } from "../stage/drawers";
import type { Outline } from "./outline";

export const graphDrawers = (
  ctx: Context,
  { code, outline, legend }: { code: HTMLElement; outline: Outline; legend: HTMLElement },
): Drawer[] => [
  { id: "code", words: ctx.t("stage.code"), element: code },
  { id: "outline", words: ctx.t("stage.outline"), element: outline.element, opens: outline.open },
  { id: "legend", words: ctx.t("legend.title"), element: legend },
];

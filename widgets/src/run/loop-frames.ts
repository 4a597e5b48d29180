/** The loops around a step, as a stack of frames: in each its iteration, and what its variables hold. */

import { h } from "../base/dom";
import { inline, oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import { iterationText, type Loop, stack } from "../model/loops/loop-iterations";
import type { Position } from "../model/steps/replay";
import type { TraceRecord } from "../record";

export function drawFrames(
  { t }: Context,
  trace: TraceRecord,
  loops: readonly Loop[],
  at: Position,
): HTMLElement {
  const held = (text: string, dead: boolean): HTMLElement =>
    dead
      ? h("span", { class: "dead" }, h("span", { "aria-hidden": "true" }, "✕ "), h("s", {}, t("loop.dead")))
      : h("code", { dir: "auto" }, shorten(oneLine(text), 40));
  const levels = stack(trace, loops, at).map(({ loop, iteration, values }) =>
    h(
      "li",
      { class: "frame", "data-frame": loop.frame },
      h("h5", {}, t("loop.frame", { frame: inline(loop.name), n: iterationText(iteration) })),
      h(
        "ul",
        {},
        ...values.map(({ name, text, dead }) =>
          h("li", {}, h("b", { dir: "auto" }, shorten(name)), " = ", held(text, dead)),
        ),
      ),
    ),
  );
  const root = h("li", { class: "frame root" }, h("h5", {}, t("loop.root")));
  return h("ol", { class: "frames", "data-testid": "frames" }, ...levels, root);
}

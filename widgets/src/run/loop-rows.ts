/** The loop variables in the state column: what each holds in the current iteration of the innermost loop. */

import { h, setText } from "../base/dom";
import { inline, oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import { iterationText, type Loop, loopsOf, stack } from "../model/loops/loop-iterations";
import type { Position } from "../model/steps/replay";
import type { TraceRecord } from "../record";

export interface LoopRows {
  parts: HTMLElement[];
  show: (at: Position) => void;
}

/** Null for runs without a loop. */
export function createLoopRows({ t }: Context, trace: TraceRecord): LoopRows | null {
  const loops = loopsOf(trace).filter(({ variables }) => variables.length > 0);
  const [first] = loops;
  if (!first) return null;
  const title = h("h4", { class: "loop-now" });
  const rows = h("div", {
    class: "variables many",
    tabindex: "0",
    role: "group",
    "aria-label": t("loop.which"),
  });
  let shown: Loop | null = null;
  function fill(loop: Loop): void {
    shown = loop;
    rows.replaceChildren(
      ...loop.variables.map(({ name }) =>
        h(
          "div",
          { class: "variable" },
          h("code", { dir: "auto" }, shorten(name, 18)),
          h("span", { class: "held" }),
        ),
      ),
    );
  }
  fill(first);
  return {
    parts: [title, rows],
    show(at) {
      const [inner] = stack(trace, loops, at);
      if (inner && inner.loop !== shown) fill(inner.loop);
      const name = inline(shown?.name ?? "");
      setText(title, inner ? t("loop.frame", { frame: name, n: iterationText(inner.iteration) }) : name);
      const last = trace.runs[at.run]?.steps[at.step - 1];
      for (const [i, { merge }] of (shown?.variables ?? []).entries()) {
        const row = rows.children[i];
        const value = inner?.values.find(({ node }) => node === merge);
        if (row?.lastElementChild)
          setText(row.lastElementChild, value ? shorten(oneLine(value.text), 16) : "·");
        row?.toggleAttribute("data-now", last?.node === merge && value !== undefined);
      }
    },
  };
}

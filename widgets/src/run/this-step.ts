/** What the last step computed: the formula with its numbers, and the line of the program that made the node. */

import { h, renew, section } from "../base/dom";
import { oneLine, shorten } from "../base/text";
import type { Context } from "../context";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import { formulaOf } from "../model/node-values";
import { variableName } from "../model/program-names";
import type { Frame } from "../model/steps/replay";

export interface ThisStep {
  /** The box below the code. */
  element: HTMLElement;
  /** The line of code, for a frame that is too narrow for the program. */
  line: HTMLElement;
  show: (frame: Frame) => void;
}

/** The longest value, in characters. */
const MOST = 26;

export function createThisStep(ctx: Context, graph: Graph): ThisStep {
  const body = h("p", { class: "formula", dir: "ltr" });
  const element = section({ class: "this-step" }, h("h5", {}, ctx.t("stage.this_step")), body);
  const line = h("code", { class: "line-now", "aria-hidden": "true" });
  const short = (text: string): string => shorten(oneLine(text), MOST);

  /** What is computed, and what comes out. */
  function parts(frame: Frame): [Node | string, string] | null {
    const { last } = frame;
    if (!last || last.outcome === "dead") return null;
    const formula = formulaOf(graph, last.node, frame);
    const [write] = last.writes;
    if (write) {
      const [name, , after] = write;
      const variable = h("em", {}, shorten(variableName(graph, name), MOST));
      if (formula === null) return [h("span", {}, variable, " ← ", short(after)), ""];
      return [h("span", {}, variable, " ← ", formula), `= ${short(after)}`];
    }
    const value = last.outputs.find(({ dead }) => !dead)?.text;
    if (value === undefined) return null;
    return [formula ?? shorten(nodeName(graph, last.node), MOST), `= ${short(value)}`];
  }

  return {
    element,
    line,
    show(frame) {
      const shown = parts(frame);
      element.toggleAttribute("hidden", shown === null);
      renew(body, shown ? [h("span", {}, shown[0]), h("br"), h("span", {}, shown[1])] : []);
      const site = frame.last && graph.node.get(frame.last.node)?.site;
      renew(
        line,
        site
          ? [h("span", { class: "number" }, String(site.line)), new Text(` ${shorten(site.source, 120)}`)]
          : [],
      );
    },
  };
}

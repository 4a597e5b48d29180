/** Forks at the current position: another ready node, another value, a control edge more or less. Python makes the timeline. */

import { arrange, h, section, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { createTextField } from "../controls/text-field";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import type { Frame } from "../model/steps/replay";
import type { TraceRecord } from "../record";

const LISTED = 24;
/** How many names are offered; any other can be typed. */
const OFFERED = 400;

interface Now {
  timeline: number;
  trace: TraceRecord;
  graph: Graph;
  frame: Frame;
  node: number | null;
}

export interface Forks {
  element: HTMLElement;
  show: (now: Now) => void;
}

/** Asks for a fork at the current position. */
type Fork = (code: string, what: Record<string, unknown>) => void;

export function createForks(ctx: Context, trace: TraceRecord): Forks {
  const answer = createQuestionStatus(ctx);
  let now: Now | null = null;
  const fork: Fork = (code, what) => {
    if (!now) return;
    const { timeline, frame } = now;
    answer.ask("fork", { code, run: frame.run, step: frame.step, timeline, ...what }, () => {
      value.clear();
      edges.clear();
    });
  };
  const value = createValueChange(ctx, fork);
  const ready = createReadyChoice(ctx, fork);
  const edges = createEdgeChange(ctx, fork, trace);
  const element = section(
    { class: "forks", "data-testid": "forks" },
    h("p", { class: "hint" }, ctx.t("fork.hint")),
    value.element,
    ready.element,
    ...edges.elements,
    answer.element,
  );
  return {
    element,
    show(next) {
      const moved = !now || now.frame !== next.frame || now.timeline !== next.timeline;
      const chose = !now || now.node !== next.node || now.graph !== next.graph;
      now = next;
      if (moved) ctx.panels.draw(ready.element, () => ready.show(next));
      if (moved || chose) ctx.panels.draw(value.element, () => value.show(next));
      if (chose) ctx.panels.draw(edges.waits, () => edges.show(next));
    },
  };
}

/** A button for each ready node but the next one. */
function createReadyChoice(ctx: Context, fork: Fork) {
  const element = h("div", { class: "actions", "data-testid": "choose" });
  const upNext = h("p", { class: "next" });
  const none = h("p", { class: "hint" }, ctx.t("fork.none_ready"));
  const more = h("span");
  let buttons = new Map<string, HTMLElement>();
  return {
    element,
    show({ graph, frame, trace: { runs } }: Now): void {
      const next = runs[frame.run]?.steps[frame.step];
      const others = frame.queue.filter((node) => next?.outcome === "fed" || node !== next?.node);
      // Most of them were ready before this step, too.
      const before = buttons;
      buttons = new Map();
      for (const node of others.slice(0, LISTED)) {
        const words = ctx.t("fork.next", { node: nodeName(graph, node) });
        const act = (): void => fork("choose", { node });
        const own = before.get(words) ?? button({ testid: `choose-${node}`, words, wide: true, act });
        buttons.set(words, own);
      }
      const there = next && frame.queue.includes(next.node);
      setText(upNext, there ? ctx.t("fork.runs_next", { node: nodeName(graph, next.node) }) : "");
      setText(more, `+${others.length - LISTED}`);
      arrange(element, [
        ...(there ? [upNext] : []),
        ...(buttons.size > 0 ? buttons.values() : [none]),
        ...(others.length > LISTED ? [more] : []),
      ]);
    },
  };
}

/** A list of the values that can be changed, and a field for the new one. */
function createValueChange(ctx: Context, fork: Fork) {
  const id = `${ctx.prefix}-fork-what`;
  const what = h("select", { id, "data-testid": "fork-what" });
  const field = createTextField({
    id: `${ctx.prefix}-fork-value`,
    testid: "fork-value",
    label: ctx.t("fork.value_field"),
    words: ctx.t("fork.set_button"),
    before: [h("label", { for: id }, ctx.t("fork.what")), what],
    act(text) {
      const [node, output] = what.value.split(":");
      if (what.value.startsWith("=")) fork("variable", { name: what.value.slice(1), value: text });
      else if (node) fork("value", { node: Number(node), output: Number(output), value: text });
    },
  });
  let frame: Frame | null = null;
  /** Lists all values that can be changed. */
  let fill = (): void => {};

  /** Puts the value that would be changed into the empty field. */
  function showPresent(): void {
    const [node, output] = what.value.split(":").map(Number);
    const current = what.value.startsWith("=")
      ? frame?.variables.get(what.value.slice(1))
      : frame?.ran.get(node ?? -1)?.outputs[output ?? 0]?.text;
    field.input.placeholder = shorten(current ?? "", 40);
  }
  what.addEventListener("change", showPresent);
  for (const reach of ["focus", "pointerdown"]) what.addEventListener(reach, () => fill());
  return {
    element: field.element,
    clear(): void {
      field.input.value = "";
    },
    show({ graph, frame: now, node }: Now): void {
      frame = now;
      const ran = node === null ? undefined : frame.ran.get(node);
      const outputs = (ran?.outputs ?? []).flatMap(({ alias, dead }, output) =>
        node === null || alias !== null || dead
          ? []
          : [
              {
                key: `${node}:${output}`,
                words: `${shorten(graph.node.get(node)?.name ?? "", 40)}:${output}`,
              },
            ],
      );
      const variables: string[] = [];
      for (const name of frame.variables.keys()) if (variables.push(`=${name}`) === OFFERED) break;
      const own = graph.record.variables.find((variable) => variable.node === node)?.name;
      const keys = [...outputs.map(({ key }) => key), ...variables].slice(0, OFFERED);
      const wanted = own === undefined ? (outputs[0]?.key ?? what.value) : `=${own}`;
      const words = new Map(outputs.map(({ key, words }) => [key, words]));
      const list = (keys: string[]): void => {
        const before = new Map([...what.options].map((option) => [option.value, option]));
        const option = (key: string): HTMLElement =>
          before.get(key) ?? h("option", { value: key }, words.get(key) ?? shorten(key.slice(1), 40));
        arrange(what, keys.map(option));
      };
      fill = () => list(keys);
      // A long list is filled when the user reaches for it: at each step it would cost more than the picture.
      if (keys.length <= LISTED || what === document.activeElement) fill();
      else list(keys.filter((key) => key === wanted || key === what.value));
      if (keys.includes(wanted)) what.value = wanted;
      field.element.hidden = keys.length === 0;
      showPresent();
    },
  };
}

/** The control inputs of the chosen node, each to be cut, and a field for another one. */
function createEdgeChange(ctx: Context, fork: Fork, trace: TraceRecord) {
  let node: number | null = null;
  const names = h("datalist", { id: `${ctx.prefix}-fork-names` });
  for (const needed of trace.needed.slice(0, OFFERED)) {
    const name = trace.graph.nodes.find(({ id }) => id === needed.node)?.name;
    if (name) names.append(h("option", { value: name }));
  }
  const label = h("label");
  const first = createTextField({
    id: `${ctx.prefix}-fork-first`,
    testid: "fork-first",
    label,
    words: ctx.t("fork.add_button"),
    list: names.id,
    act(text) {
      if (node !== null && text !== "") fork("add", { first: text, node });
    },
  });
  first.element.append(names);
  const waits = h("ul", { "data-testid": "fork-waits" });
  const choose = h("p", { class: "hint" }, ctx.t("fork.choose_node"));
  return {
    elements: [waits, first.element, choose],
    waits,
    clear(): void {
      first.input.value = "";
    },
    show({ graph, node: chosen }: Now): void {
      node = chosen;
      choose.hidden = node !== null;
      first.element.hidden = node === null;
      const all = node === null ? [] : (graph.inputs.get(node) ?? []);
      const then = node === null ? "" : nodeName(graph, node);
      setText(label, ctx.t("fork.add_field", { node: then }));
      const into = all.filter(({ kind }) => kind === "control").slice(0, LISTED);
      waits.replaceChildren(
        ...into.map(({ source, target }) => {
          const params = { first: nodeName(graph, source), node: then };
          const cut = h(
            "button",
            {
              type: "button",
              "data-testid": `cut-${source}`,
              "aria-label": ctx.t("fork.cut_named", params),
              click: () => fork("cut", { first: source, node: target }),
            },
            ctx.t("fork.cut_button"),
          );
          return h("li", { class: "bar" }, h("span", { dir: "auto" }, ctx.t("fork.waits", params)), cut);
        }),
      );
    },
  };
}

/** Forks at the current position: another ready node, another value, a control edge more or less. Python makes the timeline. */

import { arrange, h, setText } from "../base/dom";
import { createRoom } from "../base/panel-schedule";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import { createTextField } from "../controls/text-field";
import type { Graph } from "../model/graph";
import { nodeName } from "../model/graph-item";
import type { Frame } from "../model/replay";
import type { TraceRecord } from "../record";

const LISTED = 24;
/** How many names are offered; any other can be typed. */
const OFFERED = 400;

export interface Forks {
  element: HTMLElement;
  show: (now: {
    timeline: number;
    trace: TraceRecord;
    graph: Graph;
    frame: Frame;
    node: number | null;
  }) => void;
}

type Now = Parameters<Forks["show"]>[0];

export function createForks(ctx: Context, trace: TraceRecord): Forks {
  const answer = createQuestionStatus(ctx);
  let now: Now | null = null;
  const fork = (code: string, what: Record<string, unknown>): void => {
    if (!now) return;
    const { timeline, frame } = now;
    answer.ask("fork", { code, run: frame.run, step: frame.step, timeline, ...what }, () => {
      value.input.value = "";
      first.input.value = "";
    });
  };
  const id = (name: string): string => `${ctx.prefix}-fork-${name}`;

  const ready = h("div", { class: "actions", "data-testid": "choose" });
  const upNext = h("p", { class: "next" });
  const none = h("p", { class: "hint" }, ctx.t("fork.none_ready"));
  const more = h("span");
  let buttons = new Map<string, HTMLElement>();

  const what = h("select", { id: id("what"), "data-testid": "fork-what" });
  const value = createTextField({
    id: id("value"),
    testid: "fork-value",
    label: ctx.t("fork.value_field"),
    words: ctx.t("fork.set_button"),
    before: [h("label", { for: what.id }, ctx.t("fork.what")), what],
    act(text) {
      const [node, output] = what.value.split(":");
      if (what.value.startsWith("=")) fork("variable", { name: what.value.slice(1), value: text });
      else if (node) fork("value", { node: Number(node), output: Number(output), value: text });
    },
  });

  const names = h("datalist", { id: id("names") });
  for (const { node } of trace.needed.slice(0, OFFERED)) {
    const name = trace.graph.nodes.find((other) => other.id === node)?.name;
    if (name) names.append(h("option", { value: name }));
  }
  const firstLabel = h("label");
  const first = createTextField({
    id: id("first"),
    testid: "fork-first",
    label: firstLabel,
    words: ctx.t("fork.add_button"),
    list: names.id,
    act(text) {
      if (now && now.node !== null && text !== "") fork("add", { first: text, node: now.node });
    },
  });
  first.element.append(names);
  const waits = h("ul", { "data-testid": "fork-waits" });
  const choose = h("p", { class: "hint" }, ctx.t("fork.choose_node"));
  const element = h(
    "section",
    { class: "forks", "data-testid": "forks" },
    h("p", { class: "hint" }, ctx.t("fork.hint")),
    value.element,
    ready,
    waits,
    first.element,
    choose,
    answer.element,
  );

  /** Lists all values that can be changed. */
  let fill = (): void => {};

  function showReady({ graph, frame, trace: { runs } }: Now, most: number): boolean {
    const pieces = createRoom(most);
    const next = runs[frame.run]?.steps[frame.step];
    const others = frame.queue.filter((node) => next?.outcome === "fed" || node !== next?.node);
    // Most of them were ready before this step, too.
    const before = buttons;
    buttons = new Map();
    for (const node of others.slice(0, LISTED)) {
      const words = ctx.t("fork.next", { node: nodeName(graph, node) });
      const act = (): void => fork("choose", { node });
      const create = (): HTMLElement => button({ testid: `choose-${node}`, words, wide: true, act });
      const own = pieces.take(before.get(words), create);
      if (own) buttons.set(words, own);
    }
    const there = next && frame.queue.includes(next.node);
    setText(upNext, there ? ctx.t("fork.runs_next", { node: nodeName(graph, next.node) }) : "");
    setText(more, `+${others.length - LISTED}`);
    arrange(ready, [
      ...(there ? [upNext] : []),
      ...(buttons.size > 0 ? buttons.values() : [none]),
      ...(others.length > LISTED ? [more] : []),
    ]);
    return pieces.isFull();
  }

  function showValues({ graph, frame, node }: Now): void {
    const ran = node === null ? undefined : frame.ran.get(node);
    const outputs = (ran?.outputs ?? []).flatMap(({ alias, dead }, output) =>
      node === null || alias !== null || dead
        ? []
        : [{ key: `${node}:${output}`, words: `${shorten(graph.node.get(node)?.name ?? "", 40)}:${output}` }],
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
    value.element.hidden = keys.length === 0;
    showPresent();
  }

  /** Puts the value that would be changed into the empty field. */
  function showPresent(): void {
    const [node, output] = what.value.split(":").map(Number);
    const current = what.value.startsWith("=")
      ? now?.frame.variables.get(what.value.slice(1))
      : now?.frame.ran.get(node ?? -1)?.outputs[output ?? 0]?.text;
    value.input.placeholder = shorten(current ?? "", 40);
  }

  function showEdges({ graph, node }: Now): void {
    choose.hidden = node !== null;
    first.element.hidden = node === null;
    const into = node === null ? [] : (graph.inputs.get(node) ?? []).filter(({ kind }) => kind === "control");
    const then = node === null ? "" : nodeName(graph, node);
    setText(firstLabel, ctx.t("fork.add_field", { node: then }));
    waits.replaceChildren(
      ...into.slice(0, LISTED).map(({ source, target }) => {
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
  }

  what.addEventListener("change", showPresent);
  for (const reach of ["focus", "pointerdown"]) what.addEventListener(reach, () => fill());
  return {
    element,
    show(next) {
      const moved = !now || now.frame !== next.frame || now.timeline !== next.timeline;
      const chose = !now || now.node !== next.node || now.graph !== next.graph;
      now = next;
      if (moved) ctx.panels.draw(ready, (most) => showReady(next, most));
      if (moved || chose) ctx.panels.draw(value.element, () => showValues(next));
      if (chose) ctx.panels.draw(waits, () => showEdges(next));
    },
  };
}

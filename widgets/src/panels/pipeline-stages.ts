/** The stages of one pipeline beside each other, what moves between them, and what the consumer received. */

import { arrange, h, setAttribute } from "../base/dom";
import type { Context } from "../context";
import { rove } from "../controls/roving-focus";
import { drawFlowChip } from "../draw/flow-chip";
import { columnsOf, hasEpochs, heldIn } from "../model/pipeline-state";
import type { FlowingRecord, PipelineStageRecord, PipeRecord } from "../record";
import { createPipelineBox, elementTexts, type PipelineBox } from "./pipeline-box";
import { drawPipelineWires } from "./pipeline-wires";

const GLIDE = 420;
const IN_OUT = "cubic-bezier(.65,0,.35,1)";

export interface PipelineStages {
  element: HTMLElement;
  received: HTMLElement;
  /** Shows the state after so many moments; `acts`: the last of them is the last move of all; `glides`: it was taken just now. */
  show: (moments: number, acts: boolean, glides: boolean) => void;
}

/** `chose`: the reader asks about a stage. `motion`: the layer that elements glide in. */
export function createPipelineStages(
  ctx: Context,
  pipe: PipeRecord,
  motion: HTMLElement,
  chose: (stage: number) => void,
): PipelineStages {
  const epochs = hasEpochs(pipe);
  const consumer = pipe.stages.length - 1;
  const chips = new Map<number, HTMLElement>();
  const boxes = new Map<number, PipelineBox>();

  function chip(id: number): HTMLElement {
    const known = chips.get(id) ?? drawFlowChip(id, pipe.elements[id] as FlowingRecord, epochs);
    chips.set(id, known);
    return known;
  }
  function draw(stage: PipelineStageRecord): HTMLElement {
    const box = createPipelineBox(ctx, pipe, stage, chip, () => chose(stage.id));
    boxes.set(stage.id, box);
    return box.element;
  }
  const stages = columnsOf(pipe);
  const columns = stages.map((column, at) => {
    const wires = drawPipelineWires(stages[at - 1] ?? [], column);
    return h("li", { class: "pipe-column" }, at > 0 && wires, ...column.map(draw));
  });
  const element = h("ol", { class: "pipe-row", "data-testid": "stages" }, ...columns);
  const strip = h("span", { class: "strip", role: "img", "data-testid": "received" });
  const received = h("p", { class: "pipe-received" }, h("span", {}, ctx.t("pipeline.received")), strip);
  walkAlong(element);

  /** Where an element comes from: the last element that it was made of, or its stage. */
  function origin({ stage, sources }: FlowingRecord): DOMRect | undefined {
    const from = sources.map((id) => chips.get(id)).findLast((each) => each?.isConnected);
    return (from ?? boxes.get(stage)?.slots)?.getBoundingClientRect();
  }

  return {
    element,
    received,
    show(moments, acts, glides) {
      const moment = pipe.moments[moments - 1];
      const moved = glides && !ctx.calm() ? (moment?.element ?? null) : null;
      const from = moved === null ? undefined : origin(pipe.elements[moved] as FlowingRecord);
      for (const box of boxes.values()) box.show(moments, acts);
      const got = heldIn(pipe, consumer, moments);
      const nothing = ctx.t("pipeline.nothing_received");
      arrange(strip, got.length > 0 ? got.map(chip) : [h("em", {}, nothing)]);
      setAttribute(strip, "aria-label", got.length > 0 ? elementTexts(ctx, pipe, got) : nothing);
      strip.scrollLeft = strip.scrollWidth;
      strip.tabIndex = strip.scrollWidth > strip.clientWidth + 1 ? 0 : -1;
      const acting = moment && boxes.get(moment.stage);
      if (acting) reveal(element, acting.element);
      for (const { slots } of boxes.values()) revealNewest(slots);
      const there = boxes
        .get(pipe.elements[moved ?? -1]?.to ?? -1)
        ?.slots.querySelector(`[data-element="${moved}"]`);
      if (from && there) glide(ctx, motion, there as HTMLElement, from);
    },
  };
}

/** One tab stop; the arrow keys go from stage to stage. */
function walkAlong(row: HTMLElement): void {
  const names = (): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(".pipe-name")];
  const stopAt = rove(row, names);
  row.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = by && names()[names().indexOf(event.target as HTMLElement) + by];
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    stopAt(next);
    next.focus();
  });
}

/** Moves an element from where it was to its place, on a layer of its own, so that no box cuts it off. */
function glide(ctx: Context, motion: HTMLElement, there: HTMLElement, from: DOMRect): void {
  if (!there.animate) return;
  const to = there.getBoundingClientRect();
  const base = motion.getBoundingClientRect();
  const passing = there.cloneNode(true) as HTMLElement;
  passing.style.left = `${to.left - base.left}px`;
  passing.style.top = `${to.top - base.top}px`;
  motion.append(passing);
  const duration = GLIDE / ctx.pace.speed();
  const start = `translate(${from.left + from.width / 2 - to.left - to.width / 2}px, ${from.top - to.top}px)`;
  const moving = passing.animate([{ transform: start }, { transform: "none" }], { duration, easing: IN_OUT });
  moving.onfinish = () => passing.remove();
  there.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

/** Moves the chips of a box that is too low for all of them so that the newest one is in view; only such a box takes the focus. */
function revealNewest(slots: HTMLElement): void {
  slots.tabIndex = slots.scrollHeight > slots.clientHeight + 1 ? 0 : -1;
  const newest = [...slots.querySelectorAll(".flow-chip")].at(-1);
  if (!newest) return;
  slots.scrollTop += Math.max(
    0,
    newest.getBoundingClientRect().bottom - slots.getBoundingClientRect().bottom,
  );
}

/** Moves the row so that the box that acts is in view; the page stays. */
function reveal(row: HTMLElement, box: HTMLElement): void {
  const [around, inside] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inside.left < around.left) row.scrollLeft += inside.left - around.left - 24;
  else if (inside.right > around.right) row.scrollLeft += inside.right - around.right + 24;
  if (inside.top < around.top) row.scrollTop += inside.top - around.top - 6;
  else if (inside.bottom > around.bottom) row.scrollTop += inside.bottom - around.bottom + 6;
}

/** StepThrough: some runs of one program, forward and back. */
import { h, setText } from "../dom";
import { edgeLegend } from "../parts/legend";
import { endSentence, iterationSentence, stepSentence } from "../parts/live";
import { createLoops } from "../parts/loops";
import { notices } from "../parts/notices";
import { createSide } from "../parts/side";
import { createTransport } from "../parts/transport";
import type { TraceRecord } from "../record";
import { clamp, lengths } from "../replay";
import { batched } from "../store";
import type { Widget } from "./widget";

export interface StepTraits {
  record: TraceRecord;
  run: number;
  step: number;
}

export const stepThrough: Widget<StepTraits> = (ctx, store, title) => {
  const trace = store.get("record");
  const runs = lengths(trace);
  if (runs.length === 0) {
    return { body: [h("p", { class: "hint" }, ctx.t("steps.none"))], keys: {}, steps: false };
  }
  const position = () => clamp(runs, store.get("run"), store.get("step"));
  const side = createSide(ctx, trace, title, null, (to) => store.set(to));
  const transport = createTransport(ctx, { runs, position, move: (to) => store.set(to), more: [] });
  const loops = createLoops(ctx, side.graph, trace, (cycle) => {
    side.picture.element.hidden = !cycle;
  });
  const now = h("p");
  const where = h("p");
  const end = h("p");
  const live = h(
    "div",
    { class: "live", role: "status", "aria-live": "polite", "data-testid": "status" },
    now,
    where,
    end,
  );
  const show = (): void => {
    transport.show();
    const frame = side.show(position());
    if (!frame) return;
    loops.show(frame);
    setText(now, stepSentence(ctx.t, side.graph, trace, frame));
    setText(where, iterationSentence(ctx.t, frame) ?? "");
    setText(end, endSentence(ctx.t, trace, frame) ?? "");
  };
  store.watch(["run", "step"], batched(show, ctx.life), ctx.life);
  show();
  return {
    body: [
      ...notices(ctx, trace.graph.notices),
      transport.element,
      live,
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "main" },
          h("div", { class: "bar" }, side.queue, side.tools),
          loops.chooser,
          side.picture.element,
          loops.element,
          edgeLegend(ctx),
          side.tape,
        ),
        h("div", { class: "aside" }, side.details, side.source),
      ),
      side.outline,
    ],
    keys: { ".": () => transport.by(1), ",": () => transport.by(-1), " ": transport.togglePlay },
    steps: true,
  };
};

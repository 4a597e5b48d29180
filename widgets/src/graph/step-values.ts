/** The values of a node at a step, as tables, images and so on; the viewers stay while the user looks around. */

import { arrange, h } from "../base/dom";
import { createViewer, type LookPreference, type Viewer } from "../charts/value-viewer";
import type { Context } from "../context";
import { button } from "../controls/button";
import { createQuestionStatus } from "../controls/question-status";
import type { Frame } from "../model/steps/replay";
import type { StepRecord, TensorRecord, TraceRecord, ValueRecord } from "../record";

/** How many outputs of a node are shown. */
const OUTPUTS = 4;

export interface StepValues {
  element: HTMLElement;
  show: (step: StepRecord | undefined, frame: Frame | null) => void;
}

export function createStepValues(ctx: Context, trace: TraceRecord): StepValues {
  const element = h("div", { class: "values", "data-testid": "values" });
  const taste: LookPreference = { look: null };
  let drawnKey = "";
  /** The viewers by output; null where the value is yet to be asked for. */
  let viewers: (Viewer | null)[] = [];

  /** A variable's buffer may hold another value by now: the viewer of an earlier step would then be wrong. */
  const isOfNow = (output: ValueRecord, frame: Frame): boolean =>
    output.alias === null || frame.variables.get(output.alias) === output.text;

  /** Reuses the viewer that is there, if it can show the value. */
  function viewer(
    output: ValueRecord,
    place: Record<string, number>,
    there: Viewer | null,
  ): Viewer | HTMLElement {
    const asking = trace.number === null ? null : { question: "value", args: place };
    const known = output.tensor === null ? undefined : trace.tensors[output.tensor];
    if (known) {
      if (!there) return createViewer(ctx, known, asking, taste);
      there.show(known, asking);
      return there;
    }
    const answer = createQuestionStatus(ctx);
    const open = button({
      testid: "value-open",
      words: ctx.t("value.open"),
      wide: true,
      act: () =>
        answer.ask<TensorRecord>("value", place, (record) =>
          box.replaceChildren(createViewer(ctx, record, asking, taste).element),
        ),
    });
    const box = h("div", { class: "value" }, open, answer.element);
    return box;
  }

  return {
    element,
    show(step, frame) {
      const index = step && frame ? (trace.runs[frame.run]?.steps.indexOf(step) ?? -1) : -1;
      const outputs = (index < 0 ? [] : (step?.outputs ?? []).slice(0, OUTPUTS)).flatMap((output, number) => {
        const isSeen =
          frame && !output.dead && (output.tensor !== null || output.asks) && isOfNow(output, frame);
        return isSeen ? [{ output, number }] : [];
      });
      const key = outputs.map(({ number }) => `${frame?.run} ${index} ${number}`).join();
      if (key === drawnKey) return;
      drawnKey = key;
      const run = frame?.run ?? 0;
      const before = viewers;
      const now = outputs.map(({ output, number }, i) =>
        viewer(output, { number: trace.number ?? 0, run, step: index, output: number }, before[i] ?? null),
      );
      viewers = now.map((each) => (each instanceof HTMLElement ? null : each));
      arrange(
        element,
        now.map((each) => (each instanceof HTMLElement ? each : each.element)),
      );
    },
  };
}

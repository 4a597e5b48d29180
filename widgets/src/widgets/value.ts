/** Value: the viewer of one value. */
import { h } from "../base/dom";
import { createViewer } from "../charts/value-viewer";
import type { Look, TensorRecord } from "../record";
import type { Widget } from "../widget";

export interface ValueTraits {
  record: TensorRecord;
  look: string;
}

export const value: Widget<ValueTraits> = (ctx, store) => {
  const record = store.get("record");
  const look = record.looks.find((each) => each === store.get("look")) ?? null;
  const taste = { look: look as Look | null };
  const { element } = createViewer(ctx, record, { question: "value", args: {} }, taste);
  return { body: [h("div", { class: "panel" }, element)], keys: {}, steps: false, help: [] };
};

/** SelfCheck: a question that carries its answer, and judges a prediction without Python. */
import { batched, localStore, type Store } from "../base/store";
import { judged } from "../panels/answer-check";
import type { PredictResult, SelfCheckRecord } from "../record";
import type { Widget } from "../widget";
import { type PredictTraits, predict } from "./predict";

interface SelfCheckTraits extends Omit<PredictTraits, "record" | "question"> {
  record: SelfCheckRecord;
}

export const selfCheck: Widget<SelfCheckTraits> = (ctx, store, title) => {
  const record = store.get("record");
  const given = { draft: store.get("draft") ?? {}, reason: store.get("reason") ?? "" };
  const committed = store.get("committed") ?? false;
  const result: PredictResult | Record<string, never> = committed ? judged(record, given.draft) : {};
  const own: Store<PredictTraits> = localStore<PredictTraits>({
    ...given,
    record: record.question,
    question: "",
    committed,
    result,
  });
  const follow = (): void => {
    store.set({ draft: own.get("draft"), reason: own.get("reason") });
    if (!own.get("committed") || store.get("committed")) return;
    const result = judged(record, own.get("draft"));
    own.set({ result });
    store.set({ committed: true, result });
  };
  own.watch(["draft", "reason", "committed"], batched(follow, ctx.life), ctx.life);
  return predict(ctx, own, title);
};

/** Questions to Python, answered by tfedu/widgets/questions.py: `await ctx.ask("why", { node: 3 })`. */
import type { AnyModel } from "@anywidget/types";
import type { Params } from "../record";

/** Resolves to Python's answer; rejects with Python's message if it cannot answer. */
export type Ask = <T>(question: string, args?: Record<string, unknown>) => Promise<T>;

/** Milliseconds: a status is shown only for slower answers, since a user who clicks on wants the answer alone. */
export const NOTICEABLE = 300;
/** Milliseconds without an answer after which there may be no kernel. A later answer still counts. */
export const PATIENCE = 4000;

interface Reply {
  answer?: number;
  value?: unknown;
  error?: string;
  code?: string;
  params?: Params;
}

/** Python's message; if the catalogue has it, also its code and params. */
export class AskError extends Error {
  constructor(
    words: string,
    readonly code = "",
    readonly params: Params = {},
  ) {
    super(words);
  }
}

interface Waiting {
  done: (value: never) => void;
  failed: (error: AskError) => void;
}

/** All questions of a widget use one listener; open questions are dropped when the widget ends. */
export function createAsk(model: AnyModel, life: AbortSignal): Ask {
  const open = new Map<number, Waiting>();
  const listen = (reply: Reply): void => {
    const waiting = open.get(reply?.answer ?? -1);
    if (!waiting) return;
    open.delete(reply.answer ?? -1);
    if (typeof reply.error === "string") waiting.failed(new AskError(reply.error, reply.code, reply.params));
    else waiting.done(reply.value as never);
  };
  model.on("msg:custom", listen);
  life.addEventListener("abort", () => {
    model.off("msg:custom", listen);
    open.clear();
  });
  return (question, args = {}) =>
    new Promise((done, failed) => {
      // Two views of one model hear the same replies: their numbers must differ.
      const ask = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      open.set(ask, { done, failed });
      model.send({ ask, question, args });
    });
}

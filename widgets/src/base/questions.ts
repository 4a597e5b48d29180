/** Questions to Python, answered by tfedu/widgets/questions.py: `await ctx.ask("why", { node: 3 })`. */
import type { AnyModel } from "@anywidget/types";
import type { Params } from "../record";

/** Python's reply; it rejects with Python's own words when the question cannot be answered. */
export type Ask = <T>(question: string, args?: Record<string, unknown>) => Promise<T>;

/** An answer that comes within this time is nothing to speak of: a reader who clicks on wants to hear the answer alone. */
export const NOTICEABLE = 300;
/** What is not answered in this time may never be: the page may have no kernel. The answer still counts when it comes. */
export const PATIENCE = 4000;

interface Reply {
  answer?: number;
  value?: unknown;
  error?: string;
  code?: string;
  params?: Params;
}

/** Python's words; where the catalogue has them, their code and params. */
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

/** Every widget's questions go through one listener; what is open when the widget ends is forgotten. */
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

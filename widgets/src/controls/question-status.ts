/** Shows the status of a question to Python once it takes noticeably long: asked, waiting for a kernel, failed. */

import { h, setText } from "../base/dom";
import { type AskError, NOTICEABLE, PATIENCE } from "../base/questions";
import type { Context } from "../context";
import { isKey } from "../i18n";

export interface QuestionStatus {
  element: HTMLElement;
  /** Asks, and passes the answer to `then` unless a newer question was asked meanwhile. */
  ask: <T>(question: string, args: Record<string, unknown>, then: (value: T) => void) => void;
  /** The answer is no longer wanted. */
  drop: () => void;
}

export function createQuestionStatus(ctx: Context): QuestionStatus {
  const element = h("p", { class: "hint", role: "status", "data-testid": "asked", hidden: true });
  let latest = 0;
  const say = (words: string): void => {
    setText(element, words);
    element.hidden = words === "";
  };
  return {
    element,
    drop() {
      latest += 1;
      say("");
    },
    ask: (question, args, then) => {
      latest += 1;
      const own = latest;
      const isOpen = (): boolean => own === latest && !ctx.life.aborted;
      say("");
      const timers = [
        setTimeout(() => isOpen() && say(ctx.t("ask.asked")), NOTICEABLE),
        setTimeout(() => isOpen() && say(ctx.t("ask.waiting")), PATIENCE),
      ];
      ctx
        .ask<never>(question, args)
        .then(
          (value) => {
            if (!isOpen()) return;
            say("");
            then(value);
          },
          ({ code, params, message }: AskError) => {
            const key = `refused.${code}`;
            if (isOpen()) say(isKey(key) ? ctx.t(key, params) : ctx.t("ask.failed", { error: message }));
          },
        )
        .finally(() => timers.forEach(clearTimeout));
    },
  };
}

import type { AnyModel } from "@anywidget/types";
import { expect, test, vi } from "vitest";
import { createAsk, NOTICEABLE, PATIENCE } from "../../src/base/questions";
import type { Context } from "../../src/context";
import { createQuestionStatus } from "../../src/controls/question-status";
import { translator } from "../../src/i18n";
import { FakeModel, settle } from "../fake";

function made() {
  const model = new FakeModel({});
  const life = new AbortController();
  const ask = createAsk(model as unknown as AnyModel, life.signal);
  const ctx = { ask, life: life.signal, t: translator("en") } as unknown as Context;
  return { model, life, ask, ctx };
}

test("each question gets the reply with its number", async () => {
  const { model, ask } = made();
  const one = ask<number>("double", { number: 1 });
  const two = ask<number>("double", { number: 2 });
  const [first, second] = model.asked.splice(0);
  expect(second).toMatchObject({ question: "double", args: { number: 2 } });
  for (const asked of [second, first]) {
    model.asked = asked ? [asked] : [];
    model.reply({ value: 2 * Number(asked?.args.number) });
  }
  expect([await one, await two]).toEqual([2, 4]);
});

test("a reply with an error rejects with Python's message", async () => {
  const { model, ask } = made();
  const asked = ask("refuse");
  model.reply({ error: "not today" });
  await expect(asked).rejects.toThrow("not today");
});

test("a widget that ended has no listeners", () => {
  const { model, life, ask } = made();
  void ask("double", { number: 1 });
  life.abort();
  expect(model.count()).toBe(0);
});

test("a slow question shows its status: asked, no answer yet, and then the answer", async () => {
  vi.useFakeTimers();
  const { model, ctx } = made();
  const answer = createQuestionStatus(ctx);
  const got: string[] = [];
  answer.ask<string>("why", {}, (value) => got.push(value));
  vi.advanceTimersByTime(NOTICEABLE - 1);
  expect([answer.element.hidden, answer.element.textContent]).toEqual([true, ""]);
  vi.advanceTimersByTime(1);
  expect(answer.element.textContent).toBe("Asking Python …");
  vi.advanceTimersByTime(PATIENCE);
  expect(answer.element.textContent).toContain("No answer yet");
  vi.useRealTimers();
  model.reply({ value: "late" });
  await settle();
  expect([got, answer.element.hidden]).toEqual([["late"], true]);
  answer.ask<string>("why", {}, (value) => got.push(value));
  model.reply({ error: "gone" });
  await settle();
  expect(answer.element.textContent).toBe("Python says: gone");
});

test("a quick answer shows no status, neither before nor after", async () => {
  vi.useFakeTimers();
  const { model, ctx } = made();
  const answer = createQuestionStatus(ctx);
  const said: (string | null)[] = [];
  const seen = new MutationObserver(() => said.push(answer.element.textContent));
  seen.observe(answer.element, { childList: true, characterData: true, subtree: true });
  for (let click = 0; click < 3; click += 1) {
    answer.ask("take", {}, () => {});
    await vi.advanceTimersByTimeAsync(NOTICEABLE / 3);
    model.reply({ value: null });
    await vi.advanceTimersByTimeAsync(NOTICEABLE * 3);
  }
  await vi.advanceTimersByTimeAsync(PATIENCE);
  vi.useRealTimers();
  expect([said, answer.element.hidden]).toEqual([[], true]);
});

test("a refusal in the catalogue is shown in the user's language, another one in Python's words", async () => {
  const { model, ctx } = made();
  const answer = createQuestionStatus({ ...ctx, t: translator("ko") });
  const refused = async (code: string): Promise<string | null> => {
    answer.ask("fork", {}, () => {});
    model.reply({ error: "in English", code, params: { node: "y", first: "x" } });
    await settle();
    return answer.element.textContent;
  };
  expect(await refused("fork.waits_already")).toBe("y은(는) 이미 x을(를) 기다립니다.");
  expect(await refused("fork.of_another_version")).toBe("Python의 답: in English");
});

test("only the newest question is answered on the page", async () => {
  const { model, ctx } = made();
  const answer = createQuestionStatus(ctx);
  const got: string[] = [];
  answer.ask<string>("why", {}, (value) => got.push(value));
  answer.ask<string>("why", {}, (value) => got.push(value));
  model.reply({ value: "old" });
  model.reply({ value: "new" });
  await settle();
  expect(got).toEqual(["new"]);
});

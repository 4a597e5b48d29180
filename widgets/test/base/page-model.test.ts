import { expect, test, vi } from "vitest";
import { pageModel } from "../../src/base/page-model";
import { createAsk } from "../../src/base/questions";

test("a trait that is set is told to those who listen, and to nobody else", () => {
  const model = pageModel({ step: 0 }, { noPython: "no" });
  const told = vi.fn();
  model.on("change:step", told);
  model.set("step", 3);
  expect(model.get("step")).toBe(3);
  expect(told).toHaveBeenCalledTimes(1);
  model.set("title", "x");
  model.off("change:step", told);
  model.set("step", 4);
  expect(told).toHaveBeenCalledTimes(1);
});

test("who shows the model hears of each trait that is set", () => {
  const heard = vi.fn();
  pageModel({}, { noPython: "no", heard }).set("step", 3);
  expect(heard.mock.calls).toEqual([["step", 3]]);
});

test("a question to Python is answered by the sentence of the page", async () => {
  const ask = createAsk(
    pageModel({}, { noPython: "Only Python can answer this." }),
    new AbortController().signal,
  );
  await expect(ask("fork", { step: 1 })).rejects.toThrow("Only Python can answer this.");
});

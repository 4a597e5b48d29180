import { expect, test } from "vitest";
import pipelineJson from "../../../tests/golden/pipeline.json";
import { columnsOf, heldIn, momentsAt, movesOf } from "../../src/model/pipeline-state";
import { drawPipelineWires } from "../../src/panels/pipeline-wires";
import type { PipelineRecord, PipelineStageRecord } from "../../src/record";
import { press, settle, show } from "../fake";

const record = pipelineJson as unknown as PipelineRecord;
const moves = movesOf(record);
const [first, second] = record.pipes as [PipelineRecord["pipes"][0], PipelineRecord["pipes"][0]];
const alone = { ...record, pipes: [second], differs: [] };

test("both pipelines move on one clock, and every move is one step", () => {
  const times = moves.map(({ moment }) => moment.time);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(moves).toHaveLength(first.moments.length + second.moments.length);
  expect(momentsAt(moves, 0, moves.length)).toBe(first.moments.length);
});

test("an element is in one stage at a time, and no buffer holds more than it may", () => {
  for (const pipe of record.pipes) {
    for (let moments = 0; moments <= pipe.moments.length; moments += 1) {
      const held = pipe.stages.map(({ id }) => heldIn(pipe, id, moments));
      expect(new Set(held.flat()).size).toBe(held.flat().length);
      for (const { id, capacity } of pipe.stages)
        if (capacity !== null) expect(held[id]?.length).toBeLessThanOrEqual(capacity);
    }
  }
});

test("stages stand in columns from the source to the consumer", () => {
  const kinds = columnsOf(second).map((column) => column.map(({ kind }) => kind));
  expect(kinds[0]).toEqual(["source"]);
  expect(kinds.at(-1)).toEqual(["consumer"]);
  expect(kinds.flat()).toHaveLength(second.stages.length);
});

test("a step moves one chip, and stepping back shows the same again", async () => {
  const { root, model, close } = show("pipeline", alone);
  const look = (): string =>
    `${root.querySelector(".pipes")?.innerHTML.replace(/ tabindex="[^"]*"/g, "")}${root.querySelector(".live")?.innerHTML}`;
  const looks: string[] = [];
  for (let step = 0; step < second.moments.length; step += 1) {
    looks.push(look());
    press(root, ".");
    await settle();
    expect(model.get("step")).toBe(step + 1);
  }
  for (const before of looks.toReversed()) {
    press(root, ",");
    await settle();
    expect(look()).toBe(before);
  }
  close();
});

test("passes differ by number and border, and the strip has what was received in order", async () => {
  const { root, at, close } = show("pipeline", alone, { step: second.moments.length });
  await settle();
  const received = second.elements.filter(({ to }) => to === second.stages.length - 1);
  const chips = [...at("received").querySelectorAll(".flow-chip")];
  expect(chips.map((chip) => chip.querySelector("strong")?.textContent)).toEqual(
    received.map(({ text }) => text),
  );
  expect(at("received").getAttribute("aria-label")).toContain(received[0]?.text);
  const { root: other, close: shut } = show("pipeline", record, { step: 40 });
  await settle();
  const passes = new Set(
    [...other.querySelectorAll(".flow-chip[data-pass]")].map((chip) => chip.getAttribute("data-pass")),
  );
  expect([...passes].sort()).toEqual(["0", "1"]);
  expect(root.querySelectorAll(".pipe")).toHaveLength(1);
  expect(other.querySelectorAll(".pipe")).toHaveLength(2);
  shut();
  close();
});

test("what is to be seen is told on demand", () => {
  const { at, close } = show("pipeline", record);
  const found = [record.differs, ...record.pipes.map((pipe) => pipe.findings)].flat();
  expect(at("drawer").hidden).toBe(true);
  expect(at("tab-findings").textContent).toMatch(new RegExp(`${found.length}$`));
  at("tab-findings").click();
  expect(at("drawer").contains(at("findings"))).toBe(true);
  expect(at("findings").querySelectorAll("li")).toHaveLength(found.length);
  close();
});

test("every move and finding has a sentence in all languages", async () => {
  for (const lang of ["en", "ko", "zh"]) {
    const { at, model, close } = show("pipeline", record, { lang });
    expect(at("findings").textContent).not.toMatch(/[{}]|pipeline\./);
    for (let step = 0; step <= moves.length; step += 1) {
      model.set("step", step);
      await settle();
      expect(at("status").textContent).not.toBe("");
      expect(at("status").textContent).not.toMatch(/[{}]|pipeline\./);
    }
    close();
  }
});

test("a chosen stage is described, and the table has its times", async () => {
  const { root, at, close } = show("pipeline", alone);
  const shuffle = [...root.querySelectorAll<HTMLElement>(".pipe-name")].find((name) =>
    name.textContent?.startsWith("shuffle"),
  );
  shuffle?.click();
  expect(at("drawer").hidden).toBe(false);
  expect(at("stage-card").textContent).toContain("Its buffer holds up to 3 elements.");
  expect(at("times").querySelectorAll("tbody tr")).toHaveLength(second.stages.length);
  close();
});

test("the stages are one tab stop, and arrows go from one to the next", () => {
  const { root, close } = show("pipeline", alone);
  const names = [...root.querySelectorAll<HTMLElement>(".pipe-name")];
  expect(names.filter(({ tabIndex }) => tabIndex === 0)).toEqual([names[0]]);
  names[0]?.focus();
  press(names[0] as HTMLElement, "ArrowRight");
  expect(names.filter(({ tabIndex }) => tabIndex === 0)).toEqual([names[1]]);
  close();
});

test("a line goes from each stage to the one that asks it, and no other", () => {
  const stage = (id: number, inputs: number[]) =>
    ({ ...second.stages[0], id, inputs }) as PipelineStageRecord;
  const wires = drawPipelineWires([stage(0, []), stage(1, [])], [stage(2, [0, 1]), stage(3, [])]);
  expect(wires.querySelector(".lines path")?.getAttribute("d")).toBe("M0 25H6V25H12M0 75H6V25H12");
  expect(wires.querySelectorAll(".head")).toHaveLength(1);
});

test("a sentence names stages briefly, and two of one name by their whole calls", async () => {
  const said = async (labels: string[]): Promise<string> => {
    const stages = first.stages.map((stage, at) => ({ ...stage, label: labels[at] ?? "" }));
    const { at, close } = show(
      "pipeline",
      { ...record, pipes: [{ ...first, stages }], differs: [] },
      { step: 1 },
    );
    await settle();
    const text = at("status").textContent ?? "";
    close();
    return text;
  };
  expect(await said(["range(count=5)", "shuffle(buffer_size=3).repeat(count=2)"])).toContain(
    "range hands #0 = 0 of epoch 1 to shuffle.repeat.",
  );
  expect(await said(["range(count=5)", "range(count=6)"])).toContain(
    "range(count=5) hands #0 = 0 of epoch 1 to range(count=6).",
  );
});

test("a stage that joins shuffle and repeat says so", () => {
  const { root, at, close } = show("pipeline", { ...record, pipes: [first], differs: [] });
  root.querySelector<HTMLElement>('[data-stage="1"] .pipe-name')?.click();
  expect(at("stage-card").textContent).toContain("TensorFlow makes one stage of the two calls");
  close();
});

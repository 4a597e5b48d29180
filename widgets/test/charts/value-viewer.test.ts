import { expect, test } from "vitest";
import flow from "../../../tests/golden/gradient_flow.json";
import type { GridRecord, TensorRecord, TraceRecord } from "../../src/record";
import { press, settle, show, type WidgetOnPage } from "../fake";
import { counterTrace } from "../fixtures/counter";

const grid = (more: Partial<GridRecord> = {}): GridRecord => ({
  part: "",
  rows: ["0", "1"],
  columns: ["0", "1", "2"],
  all_rows: 2,
  all_columns: 3,
  block: [1, 1],
  cells: [
    ["0", "1.5", "nan"],
    ["3", "inf", "-inf"],
  ],
  levels: [
    [0, 4, -1],
    [8, -4, -3],
  ],
  low: "0",
  high: "3",
  ...more,
});

const tensor = (more: Partial<TensorRecord> = {}): TensorRecord => ({
  version: 1,
  kind: "tensor",
  name: "",
  dtype: "float32",
  shape: [2, 3],
  looks: ["table", "heat", "histogram"],
  text: "[[0, 1.5, nan], …]",
  length: null,
  stats: { count: 6, nan: 1, inf: 2, zero: 1, low: "0", high: "3", mean: "1.5", std: "1.2" },
  table: grid({ levels: [] }),
  heat: null,
  bars: null,
  gallery: null,
  ...more,
});

function choose(widget: WidgetOnPage, look: string): void {
  const select = widget.at("look") as HTMLSelectElement;
  select.value = look;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

test("a table has indices, and statistics below it", () => {
  const { at, close } = show("value", tensor());
  const heads = [...at("value").querySelectorAll("th")].map((cell) => cell.textContent);
  expect(heads).toEqual(["0", "1", "2", "0", "1"]);
  expect([...at("value").querySelectorAll("tbody td")].map((cell) => cell.textContent)).toEqual(
    grid().cells.flat(),
  );
  expect(at("value").textContent).toContain("6 elements from 0 to 3, mean 1.5, standard deviation 1.2");
  expect(at("value").textContent).toContain("NaN: 1");
  expect(at("value").textContent).toContain("Infinite: 2");
  close();
});

test("looks missing in the record are requested, the others are not", async () => {
  const widget = show("value", tensor());
  const { model, at, close } = widget;
  choose(widget, "heat");
  expect(model.asked).toMatchObject([{ question: "value", args: { look: "heat", part: 0 } }]);
  expect((at("look") as HTMLSelectElement).value).toBe("table");
  model.reply({ value: tensor({ table: null, heat: grid() }) });
  await settle();
  expect((at("look") as HTMLSelectElement).value).toBe("heat");
  expect(at("heat").querySelectorAll(".cell").length).toBe(6);
  choose(widget, "table");
  choose(widget, "heat");
  expect(model.asked).toHaveLength(0);
  expect(at("heat")).toBeTruthy();
  close();
});

test("a missing answer or a refusal leaves the value as it was", async () => {
  const widget = show("value", tensor());
  choose(widget, "histogram");
  widget.model.reply({ error: "the prediction comes first" });
  await settle();
  expect(widget.at("asked").textContent).toContain("the prediction comes first");
  expect((widget.at("look") as HTMLSelectElement).value).toBe("table");
  expect(widget.at("value").querySelector("table")).not.toBeNull();
  widget.close();
});

test("arrow keys read a heat map cell by cell, and do not leak", () => {
  const { at, close } = show("value", tensor({ looks: ["heat"], heat: grid() }));
  const leaked: string[] = [];
  const listen = (event: Event): void => void leaked.push((event as KeyboardEvent).key);
  document.addEventListener("keydown", listen);
  const heat = at("heat");
  heat.dispatchEvent(new Event("focus"));
  const read: string[] = [at("cell").textContent ?? ""];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "Home"]) {
    press(heat, key);
    read.push(at("cell").textContent ?? "");
  }
  expect(read).toEqual([
    "row 0, column 0: 0",
    "row 0, column 1: 1.5",
    "row 0, column 2: nan",
    "row 0, column 2: nan",
    "row 1, column 2: -inf",
    "row 1, column 2: -inf",
    "row 1, column 0: 3",
  ]);
  document.removeEventListener("keydown", listen);
  expect(leaked).toEqual([]);
  close();
});

test("a value that is not finite is a sign, and a block that contains one says so", () => {
  const block = grid({
    block: [4, 2],
    cells: [
      ["0", "1.5", ""],
      ["3", "2", ""],
    ],
  });
  const { at, close } = show("value", tensor({ looks: ["heat"], heat: block }));
  const signs = [...at("heat").querySelectorAll(".odd text")].map((text) => text.textContent);
  expect(signs).toEqual(["×", "+∞", "−∞"]);
  press(at("heat"), "ArrowRight");
  press(at("heat"), "ArrowRight");
  expect(at("cell").textContent).toBe("row 0, column 2: –; NaN is among them");
  press(at("heat"), "ArrowDown");
  expect(at("cell").textContent).toBe("row 1, column 2: –; minus infinity is among them");
  expect(at("value").textContent).toContain("Each cell is the mean of 4 × 2 elements");
  close();
});

test("slices follow one another, from the first to the last", async () => {
  const record = tensor({ shape: [3, 2, 3], table: grid({ part: "[0, :, :]", levels: [] }) });
  const { at, model, close } = show("value", record);
  at("slice-back").click();
  expect(model.asked).toHaveLength(0);
  at("slice-on").click();
  expect(model.asked).toMatchObject([{ args: { look: "table", part: 1 } }]);
  model.reply({ value: { ...record, table: grid({ part: "[1, :, :]", levels: [] }) } });
  await settle();
  expect(at("value").textContent).toContain("Slice [1, :, :]");
  // another look keeps the slice
  const select = at("look") as HTMLSelectElement;
  select.value = "heat";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  expect(model.asked).toMatchObject([{ args: { look: "heat", part: 1 } }]);
  close();
});

test("bars show their bounds and counts, and an image says what it leaves out", () => {
  const bars = [
    { low: "0", high: "1", count: 3 },
    { low: "7", high: "7", count: 0 },
  ];
  let widget = show("value", tensor({ looks: ["histogram"], bars }));
  expect([...widget.root.querySelectorAll(".bars li")].map((item) => item.textContent)).toEqual([
    "0 … 13",
    "70",
  ]);
  widget.close();
  const images = [{ label: "[0]", width: 8, height: 8, every: 3, data: "iVBORw0KGgo=" }];
  const gallery = { images, total: 9, black: "-1", white: "2" };
  widget = show("value", tensor({ looks: ["image"], gallery }));
  expect(widget.root.querySelector("img")?.alt).toBe("Image [0], 8 × 8 pixels");
  for (const words of [
    "Black is -1, white is 2",
    "The first 1 of 9 images",
    "One of 3 pixels in each row and column is shown",
  ])
    expect(widget.at("value").textContent).toContain(words);
  widget.close();
});

// -- in a run ----------------------------------------------------------------------------------------------------

function trace(): TraceRecord {
  const copy = structuredClone(counterTrace(true));
  copy.tensors = [tensor()];
  copy.number = 1;
  const step = copy.runs[0]?.steps[1];
  const [output] = step?.outputs ?? [];
  if (!output) throw new Error("no output");
  Object.assign(output, { tensor: 0, asks: true, alias: null });
  return copy;
}

test("the value of the step's node is shown by a viewer, and requested by its position", async () => {
  const widget = show("step-through", trace(), { step: 2 });
  expect(widget.at("values").querySelector("table")).not.toBeNull();
  choose(widget, "heat");
  expect(widget.model.asked).toMatchObject([
    { question: "value", args: { number: 1, run: 0, step: 1, output: 0, look: "heat", part: 0 } },
  ]);
  widget.model.set("step", 3);
  await settle();
  expect(widget.at("values").children).toHaveLength(0);
  widget.close();
});

test("pointing elsewhere and back keeps the viewer as the user left it", () => {
  const widget = show("step-through", trace(), { step: 2 });
  const before = widget.at("value");
  widget.root.querySelector("g.node")?.dispatchEvent(new MouseEvent("pointermove", { bubbles: true }));
  widget.root.querySelector(".viewport svg")?.dispatchEvent(new Event("pointerleave"));
  expect(widget.at("value")).toBe(before);
  widget.close();
});

test("a value too large for the trace is requested on demand", async () => {
  const large = trace();
  const output = large.runs[0]?.steps[1]?.outputs[0];
  if (output) output.tensor = null;
  const widget = show("step-through", large, { step: 2 });
  widget.at("value-open").click();
  expect(widget.model.asked).toMatchObject([{ question: "value", args: { number: 1, run: 0, step: 1 } }]);
  widget.model.reply({ value: tensor() });
  await settle();
  expect(widget.at("value").querySelector("table")).not.toBeNull();
  widget.close();
});

test("a buffer that holds another value by now is not shown by its old viewer", () => {
  const changed = trace();
  const output = changed.runs[0]?.steps[1]?.outputs[0];
  if (output) Object.assign(output, { alias: "Variable", text: "something before" });
  const widget = show("step-through", changed, { step: 2 });
  expect(widget.at("values").children).toHaveLength(0);
  widget.close();
});

test("a gradient that is no single number has a viewer, once it exists", async () => {
  const film = structuredClone(flow) as unknown as {
    turns: { arrivals: { total: { tensor: number | null } }[] }[];
  };
  const last = film.turns.length;
  const carrier = film.turns[last - 1]?.arrivals[0]?.total;
  if (!carrier) throw new Error("no gradient");
  carrier.tensor = 0;
  const widget = show("gradient-flow", { ...film, tensors: [tensor()] }, { step: 0, collapsed: [] });
  expect(widget.at("values").hidden).toBe(true);
  const name = (carrier as unknown as { node: number }).node;
  widget.model.set("step", last);
  await settle();
  const closed = () => widget.root.querySelector(".viewport g.scope.closed");
  for (let scope = closed(); scope; scope = closed())
    scope.dispatchEvent(new Event("click", { bubbles: true }));
  await settle();
  widget.root
    .querySelector(`g.node[data-id="${name}"]`)
    ?.dispatchEvent(new Event("click", { bubbles: true }));
  expect(widget.at("values").hidden).toBe(false);
  // a missing look is not offered, so Python is not asked
  expect((widget.at("look") as HTMLSelectElement).options).toHaveLength(1);
  widget.close();
});

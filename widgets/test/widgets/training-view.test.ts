import { describe, expect, test, vi } from "vitest";
import { numberText, scale, spanText } from "../../src/model/chart-scale";
import { allX, evenly, lineOf, nearest, nearestIndex, overlay } from "../../src/model/curve-series";
import type { CurveRecord } from "../../src/record";
import { observer, press, random, settle, show, type, type WidgetOnPage } from "../fake";
import { HOSTILE } from "../fixtures/hostile";
import { curve, distribution, empty, piece, START, training } from "../fixtures/training";

const TRAITS = { news: empty(), smoothing: 0, axis: "step", log: false, bands: false, hidden: [] };
const open = (record = training(), traits = {}): WidgetOnPage =>
  show("training", record, { ...structuredClone(TRAITS), ...traits });
const cards = ({ root }: WidgetOnPage, tag: string): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(".tag-card")].filter((card) => card.dataset.tag === tag);
const card = (widget: WidgetOnPage, tag: string): HTMLElement => {
  const [cardOfTag] = cards(widget, tag);
  if (!cardOfTag) throw new Error(`no card ${tag}`);
  return cardOfTag;
};
const within = <E extends Element>(element: Element, testid: string): E => {
  const control = element.querySelector<E>(`[data-testid="${testid}"]`);
  if (!control) throw new Error(`nothing called ${testid}`);
  return control;
};
const reading = (element: Element): HTMLInputElement => within(element, "reading");
const openTable = (element: Element): HTMLTableElement[] => {
  const table = within<HTMLDetailsElement>(element, "table");
  table.open = true;
  table.dispatchEvent(new Event("toggle"));
  return [...table.querySelectorAll("table")];
};

describe("news are merged", () => {
  test("news replace a series from their start on, and leave the rest as it is", () => {
    const base = training();
    const news = { ...empty(), curves: [curve(0, "loss", [0.4, 0.3], 4), curve(1, "new", [1])] };
    const all = overlay(base, news);
    const loss = all.curves.find(({ run, tag }) => run === 0 && tag === "loss");
    expect(loss?.pieces.flatMap(({ points }) => points.map((point) => point[2]))).toEqual([
      8, 4, 2, 1, 0.4, 0.3,
    ]);
    expect(loss?.total).toBe(6);
    expect(all.curves.map(({ tag }) => tag)).toEqual(["loss", "loss", "weights/w", "new"]);
    expect(all.curves[1]).toBe(base.curves[1]);
    expect(all.runs).toBe(base.runs);
  });

  test("a line breaks at values that are not finite and where steps restart", () => {
    const again = curve(0, "x", [1, 2, Number.NaN, 3, 4]);
    again.pieces.push(piece(1, 5), piece(2, 6));
    const { samples } = lineOf(again, "step", START, 0);
    expect(samples.map(({ breaks }) => breaks)).toEqual([true, false, true, true, false, true, false]);
    const timed = lineOf(again, "relative", START, 0);
    expect(timed.samples.map(({ x }) => x)).toEqual([0, 2, 4, 6, 8, 2, 4]);
  });

  test("the smoothed value is the mean of all samples so far, older ones weighing less", () => {
    const next = random(7);
    const values = Array.from({ length: 40 }, () => next());
    const { samples } = lineOf(curve(0, "x", values), "step", START, 0.9);
    values.forEach((_, last) => {
      const weights = values.slice(0, last + 1).map((_, i) => 0.9 ** (last - i));
      const mean =
        weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0) /
        weights.reduce((a, b) => a + b);
      expect(samples[last]?.smooth).toBeCloseTo(mean, 10);
    });
  });

  test("a piece of many samples weighs as many", () => {
    const long: CurveRecord = { ...curve(0, "x", []), total: 101 };
    long.pieces = [
      piece(0, 0),
      {
        count: 100,
        mean: 1,
        points: [
          [1, START, 1],
          [100, START, 1],
        ],
        odd: [],
      },
    ];
    const apart = lineOf(curve(0, "x", [0, ...Array(100).fill(1)]), "step", START, 0.97);
    const together = lineOf(long, "step", START, 0.97);
    expect(together.samples.at(-1)?.smooth).toBeCloseTo(apart.samples.at(-1)?.smooth ?? 0, 10);
  });

  test("the nearest sample and the nearest index are found", () => {
    const line = lineOf(curve(0, "x", [5, 6, 7]), "step", START, 0);
    expect(allX([line])).toEqual([0, 1, 2]);
    expect(nearest(line, 1.2)?.value).toBe(6);
    const next = random(3);
    const sorted = Array.from({ length: 50 }, () => next()).sort((a, b) => a - b);
    for (let i = 0; i < 200; i += 1) {
      const x = next() * 1.4 - 0.2;
      const best = Math.min(...sorted.map((place) => Math.abs(place - x)));
      expect(Math.abs((sorted[nearestIndex(sorted, x)] ?? 0) - x)).toBeCloseTo(best, 12);
    }
    expect(evenly([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
  });
});

describe("scales", () => {
  test("values keep their order and ends, and ticks are round numbers inside", () => {
    const next = random(11);
    for (let i = 0; i < 300; i += 1) {
      const low = (next() - 0.5) * 10 ** Math.floor(next() * 30 - 15);
      const high = low + next() * 10 ** Math.floor(next() * 30 - 15);
      const result = scale(low, high, 0, 100);
      const [a, b] = [result.at(low) ?? -1, result.at(high) ?? -1];
      expect(a).toBeGreaterThanOrEqual(-1e-6);
      expect(b).toBeLessThanOrEqual(100 + 1e-6);
      expect(b).toBeGreaterThanOrEqual(a);
      expect(result.ticks.length).toBeLessThan(9);
      for (const tick of result.ticks) expect(result.at(tick)).toBeLessThanOrEqual(100.001);
    }
  });

  test("a single value, no value above zero on a logarithmic scale, and huge values have scales too", () => {
    expect(scale(3, 3, 0, 100).at(3)).toBeCloseTo(50);
    expect(scale(0, 0, 0, 100).at(0)).toBeCloseTo(50);
    expect(scale(2, 2, 0, 100, { log: true }).at(2)).toBeCloseTo(50);
    expect(scale(0, 1, 0, 100, { log: true }).at(0)).toBeNull();
    expect(scale(1, 1000, 0, 90, { log: true }).at(10)).toBeCloseTo(30);
    expect(scale(-1e38, 1e38, 0, 100).at(0)).toBeCloseTo(50);
  });

  test("ticks of times are round times", () => {
    expect(scale(0, 210, 0, 100, { clock: true, count: 4 }).ticks).toEqual([0, 60, 120, 180]);
    expect(scale(0, 4000, 0, 100, { clock: true, count: 4 }).ticks).toEqual([0, 1800, 3600]);
  });

  test("numbers are short and keep their significant digits", () => {
    const texts = [0.30000001192, 123456.78, 1e-9, 3.4e38, Number.NaN, Number.NEGATIVE_INFINITY, 0];
    expect(texts.map((value) => numberText(value))).toEqual([
      "0.3",
      "123460",
      "1e-9",
      "3.4e38",
      "NaN",
      "-∞",
      "0",
    ]);
    expect([4.2, 187, 7509].map(spanText)).toEqual(["4.2 s", "3:07 min", "2:05:09 h"]);
  });
});

test("curves of one tag share a chart, and each run has its own dash and marker", () => {
  const widget = open();
  expect(cards(widget, "loss")).toHaveLength(1);
  const lines = [...card(widget, "loss").querySelectorAll(".run-line")];
  expect(lines).toHaveLength(2);
  expect(new Set(lines.map((line) => line.getAttribute("stroke-dasharray"))).size).toBe(2);
  const marks = [...card(widget, "loss").querySelectorAll("[data-run]")].map(
    (group) => group.querySelector(".run-mark")?.tagName,
  );
  expect(new Set(marks).size).toBe(2);
  widget.close();
});

test("values that are not finite are drawn, counted and read", async () => {
  const widget = open();
  expect(card(widget, "loss").querySelectorAll(".odd")).toHaveLength(2);
  expect(within(card(widget, "loss"), "odd").textContent).toBe(
    "eval: 2 values are not finite, the first drawn one is NaN at step 1.",
  );
  type(reading(card(widget, "loss")), "1");
  expect(reading(card(widget, "loss")).getAttribute("aria-valuetext")).toBe("Step 1 · train: 4 · eval: NaN");
  widget.close();
});

test("the slider reads a curve, starting at its last value", () => {
  const widget = open(training(), { smoothing: 0.5 });
  const slider = reading(card(widget, "weights/w"));
  expect(slider.getAttribute("aria-label")).toBe("Read weights/w");
  expect(slider.value).toBe("2");
  expect(slider.getAttribute("aria-valuetext")).toBe("Step 2 · train: 3, smoothed 2.4286");
  type(slider, "0");
  expect(card(widget, "weights/w").querySelector(".told")?.textContent).toContain("Step 0 · train: 1");
  expect(card(widget, "weights/w").querySelectorAll(".raw")).toHaveLength(1);
  widget.close();
});

test("a pointer over a chart reads the nearest value", () => {
  const widget = open();
  const chart = within<SVGElement>(card(widget, "weights/w"), "chart");
  chart.getBoundingClientRect = () => ({ left: 0, width: 440 }) as DOMRect;
  const readText = (): string => card(widget, "weights/w").querySelector(".told")?.textContent ?? "";
  chart.dispatchEvent(new MouseEvent("pointermove", { clientX: 240 }));
  expect(readText()).toBe("Step 1 · train: 2");
  chart.dispatchEvent(new MouseEvent("pointerleave"));
  expect(readText()).toBe("Step 2 · train: 3");
  chart.dispatchEvent(new MouseEvent("pointerdown", { clientX: 0 }));
  expect(reading(card(widget, "weights/w")).value).toBe("0");
  widget.close();
});

test("news redraw only their charts, and change nothing that the user is using", async () => {
  const widget = open();
  const [loss, weights] = [card(widget, "loss"), card(widget, "weights/w")];
  const still = within(weights, "chart").firstElementChild;
  type(reading(loss), "1");
  reading(loss).focus();
  widget.model.set("news", { ...empty(), curves: [curve(0, "loss", [0.25, 0.1], 5)] });
  await settle();
  expect(card(widget, "loss")).toBe(loss);
  expect(document.activeElement).toBe(reading(loss));
  expect(reading(loss).value).toBe("1");
  expect(reading(loss).max).toBe("6");
  expect(within(loss, "counts").textContent).toBe("12 of 12 values drawn");
  expect(within(weights, "chart").firstElementChild).toBe(still);
  expect(widget.model.synced).toEqual({});
  widget.close();
});

test("a user at the end stays at the end, also when the whole record comes anew", async () => {
  const widget = open();
  const complete = training();
  complete.curves = [curve(0, "loss", [8, 4, 2, 1, 0.5, 0.25])];
  widget.model.set("record", complete);
  widget.model.set("news", empty());
  await settle();
  expect(reading(card(widget, "loss")).getAttribute("aria-valuetext")).toContain("Step 5 · train: 0.25");
  widget.close();
});

test("a user in the middle keeps the place when the curve is thinned", async () => {
  const widget = open();
  const values = Array.from({ length: 100 }, (_, i) => i);
  widget.model.set("record", { ...training(), curves: [curve(0, "loss", values)] });
  await settle();
  type(reading(card(widget, "loss")), "50");
  const thin = curve(0, "loss", values);
  thin.pieces = thin.pieces.filter((_, i) => i % 10 === 0);
  widget.model.set("record", { ...training(), curves: [{ ...thin, total: 101 }] });
  await settle();
  expect(reading(card(widget, "loss")).getAttribute("aria-valuetext")).toBe("Step 50 · train: 50");
  widget.close();
});

test("the table has the same values, and counts those left out", () => {
  const widget = open();
  const [summary, train] = openTable(card(widget, "loss"));
  const cells = [...(summary?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent));
  expect(cells[2]).toEqual(["eval", "5", "1 (step 4)", "1 (step 4)", "9 (step 0)", "2"]);
  expect(train?.caption?.textContent).toBe("train: 5 of 5 values");
  expect(train?.rows).toHaveLength(6);
  widget.close();
});

test("settings are synced, and values set by Python are shown", async () => {
  const widget = open();
  type(widget.at("smoothing") as HTMLInputElement, "0.8");
  const axis = widget.at("axis") as HTMLSelectElement;
  axis.value = "relative";
  axis.dispatchEvent(new Event("change"));
  (widget.at("log") as HTMLInputElement).click();
  await settle();
  expect(widget.model.synced).toMatchObject({ smoothing: 0.8, axis: "relative", log: true });
  expect(card(widget, "loss").querySelector(".told")?.textContent).toContain("8 s after the start");
  widget.model.set("record", { ...training(), curves: [curve(0, "loss", Array(91).fill(1))] });
  await settle();
  const marks = [...card(widget, "loss").querySelectorAll(".tick")].map((tick) => tick.textContent);
  expect(marks.filter((mark) => mark?.match(/ s| min/))).toEqual(["0 s", "1:00 min", "2:00 min", "3:00 min"]);
  widget.model.set("smoothing", 0);
  widget.model.set("axis", "wall");
  await settle();
  expect((widget.at("smoothing") as HTMLInputElement).value).toBe("0");
  expect(axis.value).toBe("wall");
  widget.close();
});

test("an unticked run is not drawn", async () => {
  const widget = open();
  const boxes = [...widget.at("runs").querySelectorAll<HTMLInputElement>("input")];
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true]);
  boxes[0]?.click();
  await settle();
  expect(widget.model.synced).toEqual({ hidden: ["train"] });
  expect(card(widget, "loss").querySelectorAll("[data-run]")).toHaveLength(1);
  expect(cards(widget, "weights/w")).toHaveLength(0);
  widget.close();
});

test("values without a place on a logarithmic scale are counted", () => {
  const record = training();
  record.curves = [curve(0, "x", [-1, 0, 1, 10])];
  const widget = open(record, { log: true });
  expect(within(card(widget, "x"), "odd").textContent).toContain("2 drawn values are zero or less");
  widget.close();
});

test("tags can be searched", async () => {
  const widget = open();
  type(widget.at("filter") as HTMLInputElement, "WEIGHTS");
  await settle();
  expect(
    [...widget.root.querySelectorAll(".tag-card")].map((each) => (each as HTMLElement).dataset.tag),
  ).toEqual(["weights/w"]);
  widget.close();
});

test.each([false, true])("histograms are read step by step, as bands: %s", (bands) => {
  const widget = open(training(), { bands });
  const histogram = card(widget, "w");
  expect(histogram.querySelector("h5")?.textContent).toBe("w (train)");
  expect(histogram.querySelectorAll(bands ? ".band" : ".ridge:not(.chosen)")).toHaveLength(bands ? 4 : 3);
  expect(reading(histogram).getAttribute("aria-valuetext")).toBe(
    "Step 6: 8 values from -6 to 7, mean 0.5, median about 0.5",
  );
  type(reading(histogram), "0");
  expect(reading(histogram).getAttribute("aria-valuetext")).toContain("Step 0");
  expect(histogram.textContent).toContain("3 of 7 kept");
  const [table] = openTable(histogram);
  expect(table?.rows).toHaveLength(4);
  for (const path of histogram.querySelectorAll("path"))
    expect(path.getAttribute("d") ?? "").not.toMatch(/NaN|Infinity/);
  widget.close();
});

test("images and texts show the last, and the ones before on a slider", () => {
  const widget = open();
  const image = widget.at("image") as HTMLImageElement;
  expect(image.src).toMatch(/^data:image\/png;base64,iVBOR/);
  expect(image.alt).toBe("digits, train, step 2");
  type(reading(card(widget, "digits")), "0");
  expect(image.alt).toBe("digits, train, step 1");
  expect(widget.at("text").textContent).toBe("<b>*bold*</b>");
  expect(widget.at("text").children).toHaveLength(0);
  expect(widget.root.textContent).toContain("voice (train): sound, 3 times, is not played here.");
  widget.close();
});

test("before the first value a hint says so; then the chart appears", async () => {
  const widget = open(empty());
  expect(widget.at("empty").hidden).toBe(false);
  widget.model.set("news", {
    ...empty(),
    runs: [{ name: ".", start: START }],
    curves: [curve(0, "loss", [1])],
  });
  await settle();
  expect(widget.at("empty").hidden).toBe(true);
  expect(reading(card(widget, "loss")).getAttribute("aria-valuetext")).toBe("Step 0 · 1");
  expect(widget.at("runs").hidden).toBe(true);
  widget.close();
});

test("of very many tags the rest is drawn on request", async () => {
  const record = training();
  record.curves = Array.from({ length: 60 }, (_, i) => curve(0, `tag ${i}`, [1, 2]));
  const widget = open(record);
  expect(widget.root.querySelectorAll("[data-testid=chart]")).toHaveLength(24);
  const more = widget.root.querySelector<HTMLDetailsElement>("details.more");
  expect(more?.textContent).toContain("36 more");
  if (more) more.open = true;
  more?.dispatchEvent(new Event("toggle"));
  expect(widget.root.querySelectorAll("[data-testid=chart]")).toHaveLength(60);
  widget.close();
});

test("a chart far from the window is drawn when it comes near", async () => {
  const report = observer("IntersectionObserver");
  const widget = open();
  const target = card(widget, "loss");
  const move = (isIntersecting: boolean): void => report([{ target, isIntersecting }]);
  move(false);
  widget.model.set("news", { ...empty(), curves: [curve(0, "loss", [0.25], 5)] });
  await settle();
  expect(within(target, "counts").textContent).toBe("10 of 10 values drawn");
  move(true);
  expect(within(target, "counts").textContent).toBe("11 of 11 values drawn");
  widget.close();
  vi.unstubAllGlobals();
});

test("keys stay in the widget, the help is its own, and removal leaves nothing behind", () => {
  const leaked: string[] = [];
  const listen = (event: Event): void => void leaked.push((event as KeyboardEvent).key);
  document.addEventListener("keydown", listen);
  const widget = open();
  for (const key of ["ArrowLeft", "Home", "a", "d", "?"]) press(reading(card(widget, "loss")), key);
  expect(leaked).toEqual([]);
  expect(widget.at("help").hidden).toBe(false);
  expect(widget.at("help").textContent).toContain("✕ is NaN");
  expect(widget.at("help").textContent).not.toContain("Variable");
  document.removeEventListener("keydown", listen);
  widget.close();
  expect(widget.model.count()).toBe(0);
});

test("100,000 samples of a curve are drawn as a few thousand, fast enough for live updates", () => {
  const record = training();
  const pieces = Array.from({ length: 1024 }, (_, i) => ({
    count: 100,
    mean: i,
    points: [0, 30, 60, 99].map((j): [number, number, number] => [i * 100 + j, START + i, Math.sin(i) * j]),
    odd: [],
  }));
  record.curves = [{ run: 0, tag: "loss", total: 102_400, odd: 0, at: 0, pieces }];
  const widget = open(record, { smoothing: 0.9 });
  expect(within(card(widget, "loss"), "counts").textContent).toBe("4,096 of 102,400 values drawn");
  expect(card(widget, "loss").querySelectorAll("*").length).toBeLessThan(120);
  const [, values] = openTable(card(widget, "loss"));
  expect(values?.rows).toHaveLength(61);
  widget.close();
});

test("a distribution of one value has a picture", () => {
  const record = training();
  const one = { ...distribution(0), low: 2, high: 2, quantiles: Array(9).fill(2), bins: [8] };
  record.histograms = [{ run: 0, tag: "w", total: 1, at: 0, items: [one] }];
  for (const bands of [false, true]) {
    const widget = open(record, { bands });
    for (const path of card(widget, "w").querySelectorAll("path"))
      expect(path.getAttribute("d") ?? "").not.toMatch(/NaN|Infinity/);
    widget.close();
  }
});

test.each(HOSTILE.map((name): [string, string] => [name.slice(0, 24), name]))(
  "%s is text, as a run, a tag, a text and a reason",
  (_, name) => {
    const record = training();
    for (const run of record.runs) run.name = name;
    for (const series of [
      record.curves,
      record.histograms,
      record.images,
      record.texts,
      record.others,
    ].flat()) {
      series.tag = name;
    }
    for (const text of record.texts[0]?.items ?? []) text.text = name;
    record.notices = [{ code: "training_file", params: { file: name, why: name } }];
    const widget = open(record, { title: name });
    const tables = [...widget.root.querySelectorAll<HTMLElement>(".tag-card")].flatMap((each) =>
      each.querySelector("details") ? openTable(each) : [],
    );
    expect(tables.length).toBeGreaterThan(1);
    expect(
      widget.root.querySelector("script, iframe, style, object, embed, a, form, b, foreignObject"),
    ).toBeNull();
    for (const element of widget.root.querySelectorAll("*")) {
      for (const attribute of element.attributes) expect(attribute.name).not.toMatch(/^on/);
    }
    expect(
      [...widget.root.querySelectorAll("img")].every(({ src }) => src.startsWith("data:image/png;base64,")),
    ).toBe(true);
    expect((globalThis as { hacked?: boolean }).hacked).toBeUndefined();
    expect((widget.root.textContent ?? "").length).toBeLessThan(60_000);
    widget.close();
  },
);

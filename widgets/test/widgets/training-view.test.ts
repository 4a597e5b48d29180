import { describe, expect, test, vi } from "vitest";
import { numberText, scale, spanText } from "../../src/model/chart-scale";
import { evenly, lineOf, nearest, nearestIndex, overlay, places } from "../../src/model/curve-series";
import type { CurveRecord } from "../../src/record";
import { observer, press, random, type ShownWidget, settle, show, type } from "../fake";
import { HOSTILE } from "../fixtures/hostile";
import { curve, distribution, empty, piece, START, training } from "../fixtures/training";

const TRAITS = { news: empty(), smoothing: 0, axis: "step", log: false, bands: false, hidden: [] };
const open = (record = training(), traits = {}): ShownWidget =>
  show("training", record, { ...structuredClone(TRAITS), ...traits });
const cards = ({ root }: ShownWidget, tag: string): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(".tag-card")].filter((card) => card.dataset.tag === tag);
const card = (shown: ShownWidget, tag: string): HTMLElement => {
  const [found] = cards(shown, tag);
  if (!found) throw new Error(`no card ${tag}`);
  return found;
};
const within = <E extends Element>(element: Element, testid: string): E => {
  const found = element.querySelector<E>(`[data-testid="${testid}"]`);
  if (!found) throw new Error(`nothing called ${testid}`);
  return found;
};
const reading = (element: Element): HTMLInputElement => within(element, "reading");
const openTable = (element: Element): HTMLTableElement[] => {
  const table = within<HTMLDetailsElement>(element, "table");
  table.open = true;
  table.dispatchEvent(new Event("toggle"));
  return [...table.querySelectorAll("table")];
};

describe("what came is put together", () => {
  test("news replace what follows the part that stands, and leave the rest as it is", () => {
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

  test("a line breaks at what is not finite and where steps begin again", () => {
    const again = curve(0, "x", [1, 2, Number.NaN, 3, 4]);
    again.pieces.push(piece(1, 5), piece(2, 6));
    const { samples } = lineOf(again, "step", START, 0);
    expect(samples.map(({ breaks }) => breaks)).toEqual([true, false, true, true, false, true, false]);
    const timed = lineOf(again, "relative", START, 0);
    expect(timed.samples.map(({ x }) => x)).toEqual([0, 2, 4, 6, 8, 2, 4]);
  });

  test("smoothing is the mean of all numbers so far, the older ones weighing less", () => {
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

  test("a piece of many numbers weighs as many", () => {
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

  test("the nearest place is found, of lines and of many places", () => {
    const line = lineOf(curve(0, "x", [5, 6, 7]), "step", START, 0);
    expect(places([line])).toEqual([0, 1, 2]);
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
  test("values keep their order and their ends, and marks are round numbers inside", () => {
    const next = random(11);
    for (let i = 0; i < 300; i += 1) {
      const low = (next() - 0.5) * 10 ** Math.floor(next() * 30 - 15);
      const high = low + next() * 10 ** Math.floor(next() * 30 - 15);
      const made = scale(low, high, 0, 100);
      const [a, b] = [made.at(low) ?? -1, made.at(high) ?? -1];
      expect(a).toBeGreaterThanOrEqual(-1e-6);
      expect(b).toBeLessThanOrEqual(100 + 1e-6);
      expect(b).toBeGreaterThanOrEqual(a);
      expect(made.ticks.length).toBeLessThan(9);
      for (const tick of made.ticks) expect(made.at(tick)).toBeLessThanOrEqual(100.001);
    }
  });

  test("one value, none above zero on a logarithmic scale and huge ones have a scale too", () => {
    expect(scale(3, 3, 0, 100).at(3)).toBeCloseTo(50);
    expect(scale(0, 0, 0, 100).at(0)).toBeCloseTo(50);
    expect(scale(2, 2, 0, 100, { log: true }).at(2)).toBeCloseTo(50);
    expect(scale(0, 1, 0, 100, { log: true }).at(0)).toBeNull();
    expect(scale(1, 1000, 0, 90, { log: true }).at(10)).toBeCloseTo(30);
    expect(scale(-1e38, 1e38, 0, 100).at(0)).toBeCloseTo(50);
  });

  test("times are marked as clocks are", () => {
    expect(scale(0, 210, 0, 100, { clock: true, count: 4 }).ticks).toEqual([0, 60, 120, 180]);
    expect(scale(0, 4000, 0, 100, { clock: true, count: 4 }).ticks).toEqual([0, 1800, 3600]);
  });

  test("numbers are short and say what they are", () => {
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

test("curves of one tag share a chart, and each run has a dash and a mark of its own", () => {
  const shown = open();
  expect(cards(shown, "loss")).toHaveLength(1);
  const lines = [...card(shown, "loss").querySelectorAll(".run-line")];
  expect(lines).toHaveLength(2);
  expect(new Set(lines.map((line) => line.getAttribute("stroke-dasharray"))).size).toBe(2);
  const marks = [...card(shown, "loss").querySelectorAll("[data-run]")].map(
    (group) => group.querySelector(".run-mark")?.tagName,
  );
  expect(new Set(marks).size).toBe(2);
  shown.close();
});

test("what is not finite is drawn, counted and read", async () => {
  const shown = open();
  expect(card(shown, "loss").querySelectorAll(".odd")).toHaveLength(2);
  expect(within(card(shown, "loss"), "odd").textContent).toBe(
    "eval: 2 values are not finite, the first drawn one is NaN at step 1.",
  );
  type(reading(card(shown, "loss")), "1");
  expect(reading(card(shown, "loss")).getAttribute("aria-valuetext")).toBe("Step 1 · train: 4 · eval: NaN");
  shown.close();
});

test("a curve is read with the slider, from the last value on", () => {
  const shown = open(training(), { smoothing: 0.5 });
  const slider = reading(card(shown, "weights/w"));
  expect(slider.getAttribute("aria-label")).toBe("Read weights/w");
  expect(slider.value).toBe("2");
  expect(slider.getAttribute("aria-valuetext")).toBe("Step 2 · train: 3, smoothed 2.4286");
  type(slider, "0");
  expect(card(shown, "weights/w").querySelector(".told")?.textContent).toContain("Step 0 · train: 1");
  expect(card(shown, "weights/w").querySelectorAll(".raw")).toHaveLength(1);
  shown.close();
});

test("a pointer over a chart reads the nearest value", () => {
  const shown = open();
  const chart = within<SVGElement>(card(shown, "weights/w"), "chart");
  chart.getBoundingClientRect = () => ({ left: 0, width: 440 }) as DOMRect;
  const told = (): string => card(shown, "weights/w").querySelector(".told")?.textContent ?? "";
  chart.dispatchEvent(new MouseEvent("pointermove", { clientX: 240 }));
  expect(told()).toBe("Step 1 · train: 2");
  chart.dispatchEvent(new MouseEvent("pointerleave"));
  expect(told()).toBe("Step 2 · train: 3");
  chart.dispatchEvent(new MouseEvent("pointerdown", { clientX: 0 }));
  expect(reading(card(shown, "weights/w")).value).toBe("0");
  shown.close();
});

test("news move the charts they are about, and nothing that the reader holds", async () => {
  const shown = open();
  const [loss, weights] = [card(shown, "loss"), card(shown, "weights/w")];
  const still = within(weights, "chart").firstElementChild;
  type(reading(loss), "1");
  reading(loss).focus();
  shown.model.set("news", { ...empty(), curves: [curve(0, "loss", [0.25, 0.1], 5)] });
  await settle();
  expect(card(shown, "loss")).toBe(loss);
  expect(document.activeElement).toBe(reading(loss));
  expect(reading(loss).value).toBe("1");
  expect(reading(loss).max).toBe("6");
  expect(within(loss, "counts").textContent).toBe("12 of 12 values drawn");
  expect(within(weights, "chart").firstElementChild).toBe(still);
  expect(shown.model.synced).toEqual({});
  shown.close();
});

test("a reader at the end stays at the end, also when the whole comes anew", async () => {
  const shown = open();
  const whole = training();
  whole.curves = [curve(0, "loss", [8, 4, 2, 1, 0.5, 0.25])];
  shown.model.set("record", whole);
  shown.model.set("news", empty());
  await settle();
  expect(reading(card(shown, "loss")).getAttribute("aria-valuetext")).toContain("Step 5 · train: 0.25");
  shown.close();
});

test("a reader in the middle stays at their place when the curve is thinned", async () => {
  const shown = open();
  const values = Array.from({ length: 100 }, (_, i) => i);
  shown.model.set("record", { ...training(), curves: [curve(0, "loss", values)] });
  await settle();
  type(reading(card(shown, "loss")), "50");
  const thin = curve(0, "loss", values);
  thin.pieces = thin.pieces.filter((_, i) => i % 10 === 0);
  shown.model.set("record", { ...training(), curves: [{ ...thin, total: 101 }] });
  await settle();
  expect(reading(card(shown, "loss")).getAttribute("aria-valuetext")).toBe("Step 50 · train: 50");
  shown.close();
});

test("the table has the same values, and counts those that it leaves out", () => {
  const shown = open();
  const [summary, train] = openTable(card(shown, "loss"));
  const cells = [...(summary?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent));
  expect(cells[2]).toEqual(["eval", "5", "1 (step 4)", "1 (step 4)", "9 (step 0)", "2"]);
  expect(train?.caption?.textContent).toBe("train: 5 of 5 values");
  expect(train?.rows).toHaveLength(6);
  shown.close();
});

test("settings sync, and what Python sets is shown", async () => {
  const shown = open();
  type(shown.at("smoothing") as HTMLInputElement, "0.8");
  const axis = shown.at("axis") as HTMLSelectElement;
  axis.value = "relative";
  axis.dispatchEvent(new Event("change"));
  (shown.at("log") as HTMLInputElement).click();
  await settle();
  expect(shown.model.synced).toMatchObject({ smoothing: 0.8, axis: "relative", log: true });
  expect(card(shown, "loss").querySelector(".told")?.textContent).toContain("8 s after the start");
  shown.model.set("record", { ...training(), curves: [curve(0, "loss", Array(91).fill(1))] });
  await settle();
  const marks = [...card(shown, "loss").querySelectorAll(".tick")].map((tick) => tick.textContent);
  expect(marks.filter((mark) => mark?.match(/ s| min/))).toEqual(["0 s", "1:00 min", "2:00 min", "3:00 min"]);
  shown.model.set("smoothing", 0);
  shown.model.set("axis", "wall");
  await settle();
  expect((shown.at("smoothing") as HTMLInputElement).value).toBe("0");
  expect(axis.value).toBe("wall");
  shown.close();
});

test("a run that is not ticked is not drawn", async () => {
  const shown = open();
  const boxes = [...shown.at("runs").querySelectorAll<HTMLInputElement>("input")];
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true]);
  boxes[0]?.click();
  await settle();
  expect(shown.model.synced).toEqual({ hidden: ["train"] });
  expect(card(shown, "loss").querySelectorAll("[data-run]")).toHaveLength(1);
  expect(cards(shown, "weights/w")).toHaveLength(0);
  shown.close();
});

test("values without a place on a logarithmic scale are counted", () => {
  const record = training();
  record.curves = [curve(0, "x", [-1, 0, 1, 10])];
  const shown = open(record, { log: true });
  expect(within(card(shown, "x"), "odd").textContent).toContain("2 drawn values are zero or less");
  shown.close();
});

test("names are searched for", async () => {
  const shown = open();
  type(shown.at("filter") as HTMLInputElement, "WEIGHTS");
  await settle();
  expect(
    [...shown.root.querySelectorAll(".tag-card")].map((each) => (each as HTMLElement).dataset.tag),
  ).toEqual(["weights/w"]);
  shown.close();
});

test.each([false, true])("histograms are read step by step, as bands: %s", (bands) => {
  const shown = open(training(), { bands });
  const found = card(shown, "w");
  expect(found.querySelector("h5")?.textContent).toBe("w (train)");
  expect(found.querySelectorAll(bands ? ".band" : ".ridge:not(.chosen)")).toHaveLength(bands ? 4 : 3);
  expect(reading(found).getAttribute("aria-valuetext")).toBe(
    "Step 6: 8 values from -6 to 7, mean 0.5, median about 0.5",
  );
  type(reading(found), "0");
  expect(reading(found).getAttribute("aria-valuetext")).toContain("Step 0");
  expect(found.textContent).toContain("3 of 7 kept");
  const [table] = openTable(found);
  expect(table?.rows).toHaveLength(4);
  for (const path of found.querySelectorAll("path"))
    expect(path.getAttribute("d") ?? "").not.toMatch(/NaN|Infinity/);
  shown.close();
});

test("images and texts show the last, and the ones before on a slider", () => {
  const shown = open();
  const image = shown.at("image") as HTMLImageElement;
  expect(image.src).toMatch(/^data:image\/png;base64,iVBOR/);
  expect(image.alt).toBe("digits, train, step 2");
  type(reading(card(shown, "digits")), "0");
  expect(image.alt).toBe("digits, train, step 1");
  expect(shown.at("text").textContent).toBe("<b>*bold*</b>");
  expect(shown.at("text").children).toHaveLength(0);
  expect(shown.root.textContent).toContain("voice (train): sound, 3 times, is not played here.");
  shown.close();
});

test("before anything is written, that is said; then it appears", async () => {
  const shown = open(empty());
  expect(shown.at("empty").hidden).toBe(false);
  shown.model.set("news", {
    ...empty(),
    runs: [{ name: ".", start: START }],
    curves: [curve(0, "loss", [1])],
  });
  await settle();
  expect(shown.at("empty").hidden).toBe(true);
  expect(reading(card(shown, "loss")).getAttribute("aria-valuetext")).toBe("Step 0 · 1");
  expect(shown.at("runs").hidden).toBe(true);
  shown.close();
});

test("very many tags are there, and drawn when they are asked for", async () => {
  const record = training();
  record.curves = Array.from({ length: 60 }, (_, i) => curve(0, `tag ${i}`, [1, 2]));
  const shown = open(record);
  expect(shown.root.querySelectorAll("[data-testid=chart]")).toHaveLength(24);
  const more = shown.root.querySelector<HTMLDetailsElement>("details.more");
  expect(more?.textContent).toContain("36 more");
  if (more) more.open = true;
  more?.dispatchEvent(new Event("toggle"));
  expect(shown.root.querySelectorAll("[data-testid=chart]")).toHaveLength(60);
  shown.close();
});

test("what is far from the window is drawn when it comes near", async () => {
  const report = observer("IntersectionObserver");
  const shown = open();
  const target = card(shown, "loss");
  const move = (isIntersecting: boolean): void => report([{ target, isIntersecting }]);
  move(false);
  shown.model.set("news", { ...empty(), curves: [curve(0, "loss", [0.25], 5)] });
  await settle();
  expect(within(target, "counts").textContent).toBe("10 of 10 values drawn");
  move(true);
  expect(within(target, "counts").textContent).toBe("11 of 11 values drawn");
  shown.close();
  vi.unstubAllGlobals();
});

test("keys stay in the widget, the help is its own, and leaving leaves nothing behind", () => {
  const leaked: string[] = [];
  const listen = (event: Event): void => void leaked.push((event as KeyboardEvent).key);
  document.addEventListener("keydown", listen);
  const shown = open();
  for (const key of ["ArrowLeft", "Home", "a", "d", "?"]) press(reading(card(shown, "loss")), key);
  expect(leaked).toEqual([]);
  expect(shown.at("help").hidden).toBe(false);
  expect(shown.at("help").textContent).toContain("✕ is NaN");
  expect(shown.at("help").textContent).not.toContain("Variable");
  document.removeEventListener("keydown", listen);
  shown.close();
  expect(shown.model.count()).toBe(0);
});

test("100,000 numbers of a curve are drawn from at most a few thousand, quickly enough to be live", () => {
  const record = training();
  const pieces = Array.from({ length: 1024 }, (_, i) => ({
    count: 100,
    mean: i,
    points: [0, 30, 60, 99].map((j): [number, number, number] => [i * 100 + j, START + i, Math.sin(i) * j]),
    odd: [],
  }));
  record.curves = [{ run: 0, tag: "loss", total: 102_400, odd: 0, at: 0, pieces }];
  const shown = open(record, { smoothing: 0.9 });
  expect(within(card(shown, "loss"), "counts").textContent).toBe("4,096 of 102,400 values drawn");
  expect(card(shown, "loss").querySelectorAll("*").length).toBeLessThan(120);
  const [, values] = openTable(card(shown, "loss"));
  expect(values?.rows).toHaveLength(61);
  shown.close();
});

test("a distribution of one value has a picture", () => {
  const record = training();
  const one = { ...distribution(0), low: 2, high: 2, quantiles: Array(9).fill(2), bins: [8] };
  record.histograms = [{ run: 0, tag: "w", total: 1, at: 0, items: [one] }];
  for (const bands of [false, true]) {
    const shown = open(record, { bands });
    for (const path of card(shown, "w").querySelectorAll("path"))
      expect(path.getAttribute("d") ?? "").not.toMatch(/NaN|Infinity/);
    shown.close();
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
    const shown = open(record, { title: name });
    const tables = [...shown.root.querySelectorAll<HTMLElement>(".tag-card")].flatMap((each) =>
      each.querySelector("details") ? openTable(each) : [],
    );
    expect(tables.length).toBeGreaterThan(1);
    expect(
      shown.root.querySelector("script, iframe, style, object, embed, a, form, b, foreignObject"),
    ).toBeNull();
    for (const element of shown.root.querySelectorAll("*")) {
      for (const attribute of element.attributes) expect(attribute.name).not.toMatch(/^on/);
    }
    expect(
      [...shown.root.querySelectorAll("img")].every(({ src }) => src.startsWith("data:image/png;base64,")),
    ).toBe(true);
    expect((globalThis as { hacked?: boolean }).hacked).toBeUndefined();
    expect((shown.root.textContent ?? "").length).toBeLessThan(60_000);
    shown.close();
  },
);

import { expect, test } from "vitest";
import records from "../../../tests/golden/reads.json";
import { cellText, gridScene } from "../../src/layout/element-grids";
import { changedPlaces, linksOf, placeKey } from "../../src/model/element-links";
import { type CellPlace, nextCell } from "../../src/model/element-steps";
import type { CellsRecord, ReadsRecord } from "../../src/record";
import { press, settle, show, type, type WidgetOnPage } from "../fake";

const found = records as unknown as Record<string, ReadsRecord>;
const record = (name: string): ReadsRecord => structuredClone(found[name]) as ReadsRecord;
const TRAITS = { chosen: [], draft: {}, seen: 0, changed: false };
const open = (name: string, more: object = {}): WidgetOnPage =>
  show("reads", record(name), { ...TRAITS, ...more });

/** The test ids of the cells that have a state, without "cell-". */
const marked = ({ root }: WidgetOnPage, state: string): string[] =>
  [...root.querySelectorAll(`.element[data-state~="${state}"]`)].map((cell) =>
    (cell.getAttribute("data-testid") ?? "").replace("cell-", ""),
  );
const click = (element: Element): void => {
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const words = (widget: WidgetOnPage): string[] =>
  [...widget.at("status").children].map(({ textContent }) => textContent ?? "");

test("an element of a product marks a row and a column, with windows around them, and says how it is computed", async () => {
  const widget = open("product");
  click(widget.at("cell-2-1"));
  await settle();
  expect(marked(widget, "now")).toEqual(["2-1"]);
  expect(marked(widget, "read")).toEqual(["0-0", "0-1", "0-2", "1-1", "1-3", "1-5"]);
  expect(widget.root.querySelectorAll(".window")).toHaveLength(2);
  expect(words(widget)).toEqual(["Elements that y[0, 1] reads: 6.", "y[0, 1] = 1·1 + 2·0 + 0·3 = 1"]);
  expect(widget.at("cell-1-5").getAttribute("aria-label")).toBe("b[2, 1]: 3 ×0, it reads");
  widget.close();
});

test("an element of an input marks its readers, and says where its gradient comes from", async () => {
  const widget = open("product");
  click(widget.at("cell-0-2"));
  await settle();
  expect(marked(widget, "reader")).toEqual(["2-0", "2-1"]);
  expect(words(widget)).toEqual([
    "a[0, 2] is an input: change it and see. Elements that read it: 2.",
    "∂(Σ y) / ∂a[0, 2] = 1 + 3 = 4",
  ]);
  widget.close();
});

test("what is read through other tensors is marked apart", async () => {
  const widget = open("attention", { chosen: [5, 0] });
  expect(marked(widget, "read").sort()).toEqual(["2-0", "2-2", "2-4", "4-0", "4-1", "4-2"].sort());
  expect(marked(widget, "indirect").length).toBeGreaterThan(8);
  widget.close();
});

test("the pointer shows another element until it leaves, and does not change the choice", async () => {
  const widget = open("product", { chosen: [2, 0] });
  widget.at("cell-2-3").dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(marked(widget, "now")).toEqual(["2-3"]);
  widget.at("grids").dispatchEvent(new Event("pointerleave"));
  expect(marked(widget, "now")).toEqual(["2-0"]);
  expect(widget.model.get("chosen")).toEqual([2, 0]);
  widget.close();
});

test("arrow keys walk through a tensor and on to the next, and there is one tab stop", async () => {
  const widget = open("product", { chosen: [0, 0] });
  const stop = (): string | null =>
    widget.root.querySelector('.element[tabindex="0"]')?.getAttribute("data-testid") ?? null;
  const go = async (key: string): Promise<string | null> => {
    press(widget.root.querySelector('.element[tabindex="0"]') as Element, key);
    await settle();
    expect(widget.root.querySelectorAll('.element[tabindex="0"]')).toHaveLength(1);
    return stop();
  };
  expect(await go("ArrowRight")).toBe("cell-0-1");
  expect(await go("End")).toBe("cell-0-2");
  expect(await go("ArrowRight")).toBe("cell-2-0");
  expect(await go("ArrowUp")).toBe("cell-1-4");
  expect(await go("ArrowDown")).toBe("cell-2-0");
  expect(await go("ArrowLeft")).toBe("cell-0-2");
  expect(await go("PageDown")).toBe("cell-1-0");
  expect(await go("PageDown")).toBe("cell-2-0");
  expect(await go("PageDown")).toBe("cell-2-0");
  widget.close();
});

test("a digit opens the field of an input; Enter sends the number, and a refusal is told", async () => {
  const widget = open("product", { chosen: [0, 1] });
  press(widget.at("cell-0-1"), "7");
  const field = widget.at("element-value") as HTMLInputElement;
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe("7");
  press(field, "Enter");
  expect(widget.model.asked[0]).toMatchObject({ question: "change", args: { tensor: 0, at: 1, text: "7" } });
  widget.model.reply({ error: "x is no number", code: "reads.unreadable", params: { text: "x" } });
  await settle();
  expect(widget.at("asked").textContent).toBe("x is no number.");
  widget.close();
});

test("a change marks the elements that have another value, until another element is chosen", async () => {
  const widget = open("product", { chosen: [0, 1] });
  const next = record("product");
  for (const [tensor, at] of [
    [0, 1],
    [2, 0],
    [2, 1],
  ] as const) {
    const element = next.tensors[tensor]?.elements[at];
    if (element) element.text = "99";
  }
  widget.model.set("changed", true);
  widget.model.set("record", next);
  await settle();
  expect(marked(widget, "changed")).toEqual(["0-1", "2-0", "2-1"]);
  expect(words(widget)[0]).toMatch(/^Changed elements: 3\./);
  expect(widget.at("restore").hidden).toBe(false);
  click(widget.at("cell-2-2"));
  await settle();
  expect(marked(widget, "changed")).toEqual([]);
  click(widget.at("restore"));
  expect(widget.model.asked.at(-1)).toMatchObject({ question: "restore" });
  widget.close();
});

test("a question about a value hides it, wants a number, and sends it with the reason", async () => {
  const widget = open("asked_value");
  expect(widget.at("cell-2-2").textContent).toBe("?");
  expect(marked(widget, "read")).toEqual([]);
  expect(words(widget)).toEqual(["y[1, 0] is asked for."]);
  expect(widget.at("formulas").textContent).toContain("y[1, 0] = ?");
  expect(widget.root.textContent).not.toContain("3·0 + (−1)·2");
  click(widget.at("commit"));
  expect(widget.at("problem").textContent).toBe("Write a number first, then commit.");
  type(widget.at("element-answer") as HTMLInputElement, "5");
  type(widget.at("reason") as HTMLInputElement, "row times column");
  await settle();
  click(widget.at("commit"));
  expect(widget.model.asked[0]).toMatchObject({
    question: "answer",
    args: { value: "5", picked: [], reason: "row times column" },
  });
  widget.close();
});

test("an answered question is judged, with the formula; then the next one is asked", async () => {
  const widget = open("answered_value");
  expect(widget.at("verdict").textContent).toBe("✗ Not yet: y[1, 0] is 2, not 7.");
  expect(widget.root.querySelector(".told")?.textContent).toBe("You wrote: a guess");
  expect(words(widget)[1]).toBe("y[1, 0] = 3·0 + (−1)·2 + 4·1 = 2");
  click(widget.at("next"));
  await settle();
  expect(widget.at("verdict").closest("[hidden]")).not.toBeNull();
  expect(widget.root.querySelector(".asked")?.textContent).toBe("What is the value of y[0, 1]?");
  expect(widget.model.get("seen")).toBe(1);
  widget.close();
});

test("in a question about reads a click chooses elements, also by the keyboard, and not those of the output", async () => {
  const widget = open("asked_reads");
  click(widget.at("cell-0-3"));
  await settle();
  press(widget.at("cell-0-3"), "ArrowRight");
  press(widget.at("cell-0-4"), "Enter");
  press(widget.at("cell-2-0"), " ");
  await settle();
  expect(marked(widget, "picked")).toEqual(["0-3", "0-4"]);
  expect(widget.at("picked").textContent).toBe("Chosen: 2");
  click(widget.at("cell-0-3"));
  await settle();
  expect(widget.model.get("draft")).toEqual({ picked: [[0, 4]] });
  click(widget.at("commit"));
  expect(widget.model.asked[0]).toMatchObject({ question: "answer", args: { value: "", picked: [[0, 4]] } });
  widget.close();
});

test("the answer about reads has a sign for right, missed and wrong elements", async () => {
  const widget = open("answered_reads");
  expect(marked(widget, "right")).toEqual(["0-3"]);
  expect(marked(widget, "extra")).toEqual(["0-0"]);
  expect(marked(widget, "missed")).toEqual(["0-4", "0-5", "1-0", "1-2", "1-4"]);
  expect(widget.at("cell-0-4").getAttribute("aria-label")).toMatch(/missed$/);
  widget.close();
});

test("without a kernel the widget says that nobody answers", async () => {
  const widget = open("product", { chosen: [0, 0] });
  const field = widget.at("element-value") as HTMLInputElement;
  type(field, "3");
  press(field, "Enter");
  await new Promise((done) => setTimeout(done, 400));
  expect(widget.at("asked").textContent).toBe("Asking Python …");
  widget.close();
});

// -- the parts ---------------------------------------------------------------------------------------------------------

test("readers are the reverse of reads", () => {
  for (const each of Object.values(found)) {
    const links = linksOf(each);
    for (const [tensor, { elements }] of each.tensors.entries()) {
      for (const at of elements.keys()) {
        for (const read of links.reads({ tensor, at })) {
          expect(links.readers(read).map(placeKey)).toContain(placeKey({ tensor, at }));
        }
      }
    }
  }
});

test("hidden values count as no change", () => {
  expect(changedPlaces(record("asked_value"), record("product")).size).toBe(0);
});

test("grids of one picture never overlap, and a factor stands above the columns of its product", () => {
  const widths = { cells: () => 40, heading: () => 90 };
  for (const { tensors } of Object.values(found)) {
    const { places, size, w, h } = gridScene(tensors, { w: 900, h: 420 }, widths);
    const boxes = tensors.map((tensor, i) => {
      const rows = Math.max(...tensor.panels.map(({ cells }) => cells.length));
      const place = places[i] as (typeof places)[number];
      return {
        l: place.x,
        r: place.x + place.width,
        t: place.y,
        b: place.y + 40 + rows * (size.height + 2) - 2,
      };
    });
    for (const [i, one] of boxes.entries()) {
      expect(one.r).toBeLessThanOrEqual(w);
      expect(one.b).toBeLessThanOrEqual(h);
      for (const other of boxes.slice(i + 1)) {
        const apart = one.r <= other.l || other.r <= one.l || one.b <= other.t || other.b <= one.t;
        expect(apart).toBe(true);
      }
    }
  }
  const { tensors } = record("product");
  const { places } = gridScene(tensors, { w: 900, h: 420 }, widths);
  expect([places[1]?.x, places[1]?.cell]).toEqual([places[2]?.x, places[2]?.cell]);
  expect(places[0]?.y).toBe(places[2]?.y);
});

test("each arrow key that leads somewhere leads back", () => {
  const back: Record<string, string> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };
  const { tensors } = record("broadcast");
  const cells: CellPlace[] = tensors.flatMap((tensor: CellsRecord, t) =>
    tensor.panels.flatMap(({ cells: rows }, panel) =>
      rows.flatMap((numbers, row) => numbers.map((_, column) => ({ tensor: t, panel, row, column }))),
    ),
  );
  for (const from of cells) {
    for (const [key, reverse] of Object.entries(back)) {
      const to = nextCell(tensors, cells, from, key);
      if (to) expect(nextCell(tensors, cells, to, reverse)).toEqual(from);
    }
  }
});

test("where room is short, a cell rounds its number and never says 0 of one that is not 0", () => {
  const roomy = { pad: 6, height: 28, font: 12, between: 16, heading: 80 };
  expect(cellText("−0.0515", roomy)).toBe("−0.0515");
  const short = (text: string): string => cellText(text, { ...roomy, places: 2 });
  expect(
    ["0.474", "−0.0515", "0.00206", "−0.001", "12.345", "3", "0", "?", "1e-05", "nan"].map(short),
  ).toEqual(["0.47", "−0.05", "≈0", "≈0", "12.35", "3", "0", "?", "1e-05", "nan"]);
});

/** The slots of one target of a question: one value for each run, and under it what was printed. */

import { h, section, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import type { PredictRecord, PredictResult } from "../record";

type Target = PredictRecord["targets"][number];
type Answer = PredictResult["targets"][number];

export interface Slots {
  element: HTMLElement;
  /** The fields: one text field a run, or one radio button a choice. */
  fields: HTMLInputElement[];
  /** The first field that still needs an answer; its siblings are marked as missing. */
  missing: () => HTMLInputElement | undefined;
  lock: (locked: boolean) => void;
  /** Shows what came out, or takes it away. */
  reveal: (answer: Answer | null) => void;
}

/** `changed` gets the texts of all runs. */
export function createSlots(
  ctx: Context,
  target: Target,
  texts: string[],
  changed: (texts: string[]) => void,
): Slots {
  const { key, label, choices } = target;
  const runs = Array.from(texts.keys());
  const head = h(
    "tr",
    {},
    h("td"),
    ...runs.map((run) => h("th", { scope: "col" }, ctx.t("predict.run", { run: run + 1 }))),
  );
  const rows =
    choices.length > 0 ? choiceRows(ctx, target, texts, changed) : [fieldRow(ctx, target, texts, changed)];
  const values = runs.map(() => h("td", {}, h("span", { class: "slot" }, "?")));
  const printed = h(
    "tr",
    { class: "printed-row" },
    h("th", { scope: "row" }, ctx.t("predict.printed")),
    ...values,
  );
  const verdict = h("p", { class: "verdict" });
  const element = section(
    { class: "answer-slots", "data-testid": `slots-${key}`, "aria-label": shorten(label, 80) },
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "slot-table" },
        h("thead", {}, head),
        h("tbody", {}, ...rows.map(({ row }) => row), printed),
      ),
    ),
    verdict,
  );
  element.style.setProperty("--runs", String(runs.length));
  const fields = rows.flatMap(({ fields }) => fields);
  const isRadio = choices.length > 0;
  return {
    element,
    fields,
    missing() {
      if (isRadio) return fields.some(({ checked }) => checked) ? undefined : fields[0];
      const empty = fields.filter((field) => field.value.trim() === "");
      for (const field of empty) field.setAttribute("aria-invalid", "true");
      return empty[0];
    },
    lock(locked) {
      for (const field of fields) {
        if (isRadio) field.disabled = locked;
        else field.readOnly = locked;
      }
    },
    reveal(answer) {
      for (const [run, cell] of values.entries()) {
        const text = answer ? answer.actual[run] || ctx.t("predict.empty") : "?";
        setText(cell.firstElementChild as Element, shorten(text, 80));
        cell.title = text.length > 12 ? shorten(text, 400) : "";
      }
      printed.toggleAttribute("data-out", answer !== null);
      for (const mark of element.querySelectorAll(".sign")) mark.remove();
      const own = rows.find(({ fields }) => !isRadio || fields[0]?.checked);
      // Without a prediction the answer is shown, and nothing is judged.
      const given = answer?.predicted.some((text) => text !== "") ?? false;
      for (const [run, cell] of own && given ? own.cells.entries() : []) {
        const right = answer?.right[run] ?? false;
        cell.append(
          h(
            "span",
            {
              class: right ? "sign right" : "sign wrong",
              role: "img",
              "aria-label": ctx.t(right ? "predict.cell_right" : "predict.cell_wrong"),
            },
            right ? "✓" : "✗",
          ),
        );
      }
      element.toggleAttribute("data-answered", answer !== null);
      element.dataset.testid = `${answer ? "verdict" : "slots"}-${key}`;
      element.dataset.correct = answer ? String(answer.correct) : "";
      const judged = answer?.correct ? "right" : "not_yet";
      const sign = given && h("span", { "aria-hidden": "true" }, answer?.correct ? "✓ " : "✗ ");
      verdict.replaceChildren(
        ...(answer ? [sign || "", ctx.t(`predict.${given ? judged : "unanswered"}`)] : []),
      );
      verdict.className = !given ? "verdict" : answer?.correct ? "verdict right" : "verdict wrong";
    },
  };
}

interface Row {
  row: HTMLElement;
  /** The cells of the runs. */
  cells: HTMLElement[];
  fields: HTMLInputElement[];
}

/** One text field for each run. */
function fieldRow(
  ctx: Context,
  { key, label }: Target,
  texts: string[],
  changed: (texts: string[]) => void,
): Row {
  const fields = texts.map((text, run) => {
    const field = h("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      dir: "auto",
      "data-slot": "",
      "aria-label": ctx.t("predict.field", { target: label, run: run + 1 }),
      "data-testid": `predict-${key}-${run}`,
      input: () => {
        field.removeAttribute("aria-invalid");
        changed(fields.map(({ value }) => value));
      },
    });
    field.value = text;
    return field;
  });
  const cells = fields.map((field) => h("td", {}, field));
  return {
    row: h("tr", { class: "own" }, h("th", { scope: "row" }, ctx.t("predict.you")), ...cells),
    cells,
    fields,
  };
}

/** One answer out of several, each of which a mental model predicts, with one value for each run. */
function choiceRows(
  ctx: Context,
  { key, choices, label }: Target,
  texts: string[],
  changed: (texts: string[]) => void,
): Row[] {
  const chosen = JSON.stringify(texts);
  return choices.map((choice) => {
    const radio = h("input", {
      type: "radio",
      name: `${ctx.prefix}-choice-${key}`,
      "data-testid": `choice-${key}`,
      "data-slot": "",
      "aria-label": `${shorten(label, 80)}: ${shorten(choice.join(", "), 300)}`,
      change: () => changed([...choice]),
    });
    radio.checked = JSON.stringify(choice) === chosen;
    const cells = choice.map((text) =>
      h("td", {}, h("span", { class: "slot", dir: "auto" }, shorten(text, 80))),
    );
    const row = h("tr", { class: "choice", click: () => radio.click() }, h("td", {}, radio), ...cells);
    return { row, cells, fields: [radio] };
  });
}

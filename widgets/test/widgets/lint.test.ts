import { expect, test, vi } from "vitest";
import found from "../../../tests/golden/lint.json";
import type { LintRecord } from "../../src/record";
import { press, settle, show } from "../fake";

const record = found as unknown as LintRecord;
const codes = record.findings.map(({ code }) => code);
const traits = { rule: "", chosen: 0 };
const click = (element: Element): void => {
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const rows = (root: Element): HTMLButtonElement[] => [
  ...root.querySelectorAll<HTMLButtonElement>('[data-testid="lint-row"]'),
];
const stops = (root: Element): string[] =>
  rows(root)
    .filter((row) => row.tabIndex === 0)
    .map((row) => row.dataset.code ?? "");

test("each finding has a row with its severity in words, its line and its code", () => {
  const { root, at, close } = show("lint", record, traits);
  expect(rows(root).map((row) => row.dataset.code)).toEqual(codes);
  expect(rows(root)[0]?.textContent).toContain("mistake");
  expect(rows(root)[0]?.textContent).toContain("program.py, line 3");
  expect(rows(root)[0]?.textContent).toContain("with tf.control_dependencies([up]):");
  expect(rows(root)[2]?.textContent).toContain("advice");
  expect(at("lint-summary").textContent).toContain(`Findings: ${codes.length}.`);
  close();
});

test("the chosen finding is shown in full: its lines, the reason, and the code of the fix", () => {
  const { at, close } = show("lint", record, traits);
  expect(at("lint-what").textContent).toContain("nothing waits for up");
  expect(at("lint-lines").textContent).toContain('up = tf.assign_add(x, 1.0, name="up")');
  expect(at("lint-why").textContent).toContain("makes no node");
  expect(at("lint-fix").textContent).toContain("tf.identity");
  expect(at("lint-around").parentElement?.textContent).toContain("up (AssignAdd)");
  expect(at("lint-around").querySelectorAll("g.node[data-marked]").length).toBe(1);
  close();
});

test("the list is one tab stop, arrows go through it, and changes are spoken", async () => {
  const { root, model, at, close } = show("lint", record, traits);
  expect(stops(root)).toEqual(["empty_block"]);
  expect(at("status").textContent).toBe("");
  rows(root)[0]?.focus();
  expect(press(rows(root)[0] as Element, "ArrowDown").defaultPrevented).toBe(true);
  await settle();
  expect(model.get("chosen")).toBe(1);
  expect(stops(root)).toEqual(["late_seed"]);
  expect((document.activeElement as HTMLElement).dataset.code).toBe("late_seed");
  expect(at("status").textContent).toContain("Finding 2 of 4, mistake:");
  press(rows(root)[1] as Element, "End");
  await settle();
  expect(stops(root)).toEqual([codes.at(-1)]);
  press(rows(root)[3] as Element, "ArrowDown");
  await settle();
  expect(model.get("chosen")).toBe(3);
  close();
});

test("a filter by rule hides the others, and chooses a visible finding", async () => {
  const { root, model, at, close } = show("lint", record, traits);
  const select = at("lint-rule") as HTMLSelectElement;
  expect([...select.options].map(({ value }) => value)).toEqual(["", ...codes]);
  select.value = "slices";
  select.dispatchEvent(new Event("change"));
  await settle();
  expect(model.synced.rule).toBe("slices");
  expect(rows(root).filter((row) => !(row.parentElement as HTMLElement).hidden).length).toBe(1);
  expect(stops(root)).toEqual(["slices"]);
  expect(at("lint-what").textContent).toContain("table:0");
  close();
});

test("a node's button selects it in the picture", async () => {
  const { root, at, close } = show("lint", record, traits);
  click(root.querySelector('[data-testid="lint-node"]') as Element);
  await settle();
  expect(at("lint-around").querySelector('g.node[data-name="up"]')?.getAttribute("aria-pressed")).toBe(
    "true",
  );
  close();
});

test("the code can be copied; without a clipboard a message says so", async () => {
  const { at, close } = show("lint", record, traits);
  const written: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void written.push(text) } });
  click(at("lint-copy"));
  await settle();
  expect(written).toEqual(["y = tf.identity(x)"]);
  expect(at("lint-copied").textContent).toBe("Copied.");
  vi.stubGlobal("navigator", {});
  click(at("lint-copy"));
  await settle();
  expect(at("lint-copied").textContent).toContain("does not let it be copied");
  vi.unstubAllGlobals();
  close();
});

test("nodes missing in the record are requested from Python and drawn", async () => {
  const bare = structuredClone(record);
  const around = bare.findings[1]?.around;
  for (const finding of bare.findings) finding.around = null;
  const { model, at, close } = show("lint", bare, { ...traits, chosen: 1 });
  expect(model.asked).toMatchObject([{ question: "around", args: { finding: 1 } }]);
  await vi.waitFor(() => expect(at("lint-around").textContent).toContain("Asking Python"));
  model.reply({ value: around });
  await settle();
  expect(at("lint-around").querySelectorAll("g.node[data-marked]").length).toBe(1);
  close();
});

test("no findings are reported in words", () => {
  const { root, at, close } = show("lint", { ...record, findings: [] }, traits);
  expect(at("lint-none").textContent).toBe("Nothing looks like a mistake.");
  expect(rows(root)).toEqual([]);
  close();
});

test("a rule of a newer Python is shown by its code", () => {
  const [first] = structuredClone(record.findings);
  if (!first) throw new Error("no finding");
  const newer = { ...record, findings: [{ ...first, code: "brand_new", text: "brand_new" }] };
  const { at, close } = show("lint", newer, traits);
  expect(at("lint-what").textContent).toBe("brand_new");
  close();
});

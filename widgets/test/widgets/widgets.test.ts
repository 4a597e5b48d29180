import { expect, test, vi } from "vitest";
import { press, settle, show, type } from "../fake";
import {
  counterCompare,
  counterGraph,
  counterPredict,
  counterResult,
  counterTrace,
} from "../fixtures/counter";

const click = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new Event("click", { bubbles: true }));
};

test("step and back walk through all runs and end where they began", async () => {
  const { at, model, root, close } = show("step-through", counterTrace(true));
  const looks: string[] = [];
  const look = (): string =>
    `${root.querySelector(".viewport")?.innerHTML}${at("rows").innerHTML}${at("queue").innerHTML}`;
  for (let i = 0; i < 17; i += 1) {
    looks.push(look());
    click(at("step"));
    await settle();
  }
  expect([model.get("run"), model.get("step")]).toEqual([2, 5]);
  for (const before of looks.toReversed()) {
    click(at("back"));
    await settle();
    expect(look()).toBe(before);
  }
  expect([model.get("run"), model.get("step")]).toEqual([0, 0]);
  close();
});

test("each step is spoken, and the end of a run with its result", async () => {
  const { at, close } = show("step-through", counterTrace(true));
  expect(at("status").getAttribute("aria-live")).toBe("polite");
  expect(at("status").textContent).toBe("Nothing has run yet.x holds 0.0.");
  for (let i = 0; i < 4; i += 1) click(at("step"));
  await settle();
  expect(at("status").textContent).toBe("AssignAdd writes x: 0.0 → 1.0.Identity waited for this.");
  click(at("step"));
  await settle();
  expect(at("status").textContent).toBe("Identity gives 1.0.Run 1 prints 1.0.");
  close();
});

test("values, the queue and pending counts are in the picture", async () => {
  const { at, root, close } = show("step-through", counterTrace(true), { run: 0, step: 3 });
  const chips = [...root.querySelectorAll(".viewport .chip")].map((chip) => chip.textContent);
  expect(chips.sort()).toEqual(["1.0", "≡ x 0.0"]);
  expect(root.querySelectorAll(".viewport .edge[data-holds]")).toHaveLength(3);
  expect(at("queue").textContent).toBe("AssignAddruns next");
  expect(root.querySelector(".viewport .badge.queued")?.textContent).toBe("1");
  expect(root.querySelector(".viewport .badge.pending text")?.textContent).toBe("1");
  expect(root.querySelectorAll(".viewport .chip.alias")).toHaveLength(1);
  expect(root.querySelector('g.node[data-name="Variable"] .value')?.textContent).toBe("= 0.0");
  expect(root.querySelector('g.node[data-name="init"]')?.getAttribute("data-state")).toBe("pruned");
  expect(root.querySelector(".ports .fetch-flag")?.textContent).toBe("y");
  close();
});

test("a pruned node shows its reason, an alias its variable", async () => {
  const { at, root, close } = show("step-through", counterTrace(true), { step: 4 });
  const look = (name: string): string => {
    root
      .querySelector(`g.node[data-name="${name}"]`)
      ?.dispatchEvent(new MouseEvent("pointermove", { bubbles: true }));
    return at("details").textContent ?? "";
  };
  expect(look("init")).toContain("nothing that is fetched needs its value");
  expect(look("Variable/read")).toContain("the same buffer as the variable Variable, which now holds 1.0");
  expect(look("Identity")).toContain("no value yet");
  expect(look("Identity")).toContain("Made inside control_dependencies([AssignAdd])");
  close();
});

test("run to node goes to its step, and the timeline anywhere", async () => {
  const { at, root, model, close } = show("step-through", counterTrace(true));
  click(root.querySelector('g.node[data-name="AssignAdd"]'));
  click(at("run-to"));
  await settle();
  expect([model.get("run"), model.get("step")]).toEqual([0, 4]);
  const scrub = at("scrub");
  expect(scrub.getAttribute("aria-valuemax")).toBe("17");
  for (const [key, place] of [
    ["PageUp", [0, 5]],
    ["PageUp", [1, 5]],
    ["ArrowLeft", [1, 4]],
    ["ArrowUp", [1, 5]],
    ["End", [2, 5]],
    ["PageDown", [2, 0]],
    ["Home", [0, 0]],
  ] as const) {
    press(scrub, key);
    await settle();
    expect([model.get("run"), model.get("step")]).toEqual(place);
  }
  expect(scrub.getAttribute("aria-valuetext")).toBe("Run 1 of 3 · step 0 of 5");
  close();
});

test("Python can move the position, out of range too", async () => {
  const { at, model, close } = show("step-through", counterTrace(true));
  model.set("run", 1);
  model.set("step", 99);
  await settle();
  expect(at("scrub").getAttribute("aria-valuetext")).toBe("Run 2 of 3 · over, step 5 of 5");
  expect(at("position").textContent).toBe("Run 22.0");
  close();
});

test("play goes on by itself and stops at the end; nothing plays on its own", () => {
  vi.useFakeTimers();
  const { at, model, close } = show("step-through", counterTrace(false));
  vi.advanceTimersByTime(10_000);
  expect(model.get("step")).toBe(0);
  click(at("play"));
  vi.advanceTimersByTime(60_000);
  expect([model.get("run"), model.get("step")]).toEqual([2, 1]);
  expect(at("play").getAttribute("aria-pressed")).toBe("false");
  close();
  vi.useRealTimers();
});

test("two programs step together, each stops at its own end, and their output is below", async () => {
  const { root, at, close } = show("compare", counterCompare(), { run: 2, step: 5 });
  const printed = [...root.querySelectorAll('[data-testid="printed"]')].map((list) =>
    [...list.querySelectorAll("li")].map((line) => line.getAttribute("data-value")),
  );
  expect(printed).toEqual([
    ["0.0", "0.0", "0.0"],
    ["1.0", "2.0", "3.0"],
  ]);
  expect(at("status").textContent).toContain("Run 3 prints 0.0.");
  close();
});

test("the difference is marked: the empty block on one side, the node and its edges on the other", () => {
  const { root, close } = show("compare", counterCompare());
  const [left, right] = [...root.querySelectorAll(".side")];
  expect(left?.querySelectorAll("[data-marked]")).toHaveLength(1);
  expect(left?.querySelector("g.block[data-marked]")?.textContent).toContain("no node was made here");
  expect(right?.querySelector("g.node[data-marked]")?.getAttribute("data-name")).toBe("Identity");
  const edges = [...(right?.querySelectorAll("g.edge[data-marked]") ?? [])];
  expect(edges.map((edge) => edge.getAttribute("data-kind")).sort()).toEqual(["control", "data"]);
  expect(right?.querySelectorAll(".mark-tag")).toHaveLength(1);
  expect(root.querySelectorAll(".difference")[1]?.textContent).toContain("control edge AssignAdd → Identity");
  close();
});

test("edges of pruned nodes are told apart: those into and those out of the pruned part", () => {
  const { root, close } = show("compare", counterCompare());
  const [left, right] = [...root.querySelectorAll(".side .viewport")];
  expect(left?.querySelectorAll("g.edge:not([data-idle])")).toHaveLength(0);
  expect(right?.querySelectorAll("g.edge:not([data-idle])")).toHaveLength(5);
  close();
});

test("kinds of edge differ by dash and head, in the picture and in the legend", () => {
  const { root, at, close } = show("graph-view", counterGraph(true));
  for (const where of [root.querySelector(".viewport"), at("legend")]) {
    expect(where?.querySelector('.edge[data-kind="reference"] .line.core')).toBeTruthy();
    expect(where?.querySelector('.edge[data-kind="reference"] rect.head')).toBeTruthy();
    expect(where?.querySelector('.edge[data-kind="control"] .head.open')).toBeTruthy();
    expect(where?.querySelector('.edge[data-kind="data"] path.head:not(.open)')).toBeTruthy();
  }
  close();
});

test("types are on the edges on request, and when an edge's node is pointed at", () => {
  const { root, at, close } = show("graph-view", counterGraph(true));
  expect(root.querySelectorAll(".edge-text")).toHaveLength(0);
  root
    .querySelector('g.node[data-name="AssignAdd"]')
    ?.dispatchEvent(new MouseEvent("pointermove", { bubbles: true }));
  expect([...root.querySelectorAll(".edge-text text")].map((text) => text.textContent)).toEqual([
    "float32_ref ()",
    "float32 ()",
  ]);
  root.querySelector(".viewport svg")?.dispatchEvent(new Event("pointerleave"));
  click(at("labels"));
  expect(root.querySelectorAll(".edges .edge-text")).toHaveLength(6);
  close();
});

test("a prediction is synced while typing and is there again after a reload", () => {
  const first = show("predict", counterPredict);
  type(first.at("predict-without-0") as HTMLInputElement, "0");
  type(first.at("predict-with-2") as HTMLInputElement, "3");
  type(first.at("reason") as HTMLTextAreaElement, "왜냐하면");
  expect(first.model.synced.draft).toEqual({ without: ["0", "", ""], with: ["", "", "3"] });
  first.close();
  const { draft, reason } = first.model.synced;
  const again = show("predict", counterPredict, { draft, reason });
  expect((again.at("predict-with-2") as HTMLInputElement).value).toBe("3");
  expect((again.at("reason") as HTMLTextAreaElement).value).toBe("왜냐하면");
  again.close();
});

test("committing needs every run, and happens once, by the button alone", async () => {
  const { at, root, model, close } = show("predict", counterPredict);
  click(at("commit"));
  expect(at("problem").textContent).toBe("Fill in every run first, then commit.");
  expect(model.get("committed")).toBe(false);
  const fields = [...root.querySelectorAll<HTMLInputElement>('input[type="text"]')];
  for (const field of fields) type(field, "1");
  fields[0]?.focus();
  press(fields[0] as HTMLInputElement, "Enter");
  expect(document.activeElement).toBe(fields[1]);
  press(fields[1] as HTMLInputElement, "Enter", { isComposing: true });
  expect(document.activeElement).toBe(fields[1]);
  press(fields[5] as HTMLInputElement, "Enter");
  expect(model.get("committed")).toBe(false);
  click(at("commit"));
  await settle();
  expect(model.synced.committed).toBe(true);
  expect(at("waiting").textContent).toContain("running");
  expect(fields.every((field) => field.readOnly)).toBe(true);
  expect(at("commit").closest("[hidden]")).toBeTruthy();
  close();
});

test("before the commit the page holds no answer; after it verdict, model, step and runs are there", async () => {
  const draft = { without: ["1", "2", "3"], with: ["1", "2", "3"] };
  const { at, root, model, close } = show("predict", counterPredict, { draft });
  expect(root.querySelector("[data-testid^=verdict-], .model, .side, .viewport")).toBeNull();
  expect(root.textContent).not.toContain("0.0,");
  model.set("committed", true);
  model.set("result", counterResult());
  await settle();
  expect(at("verdict-without").dataset.correct).toBe("false");
  expect(at("verdict-with").dataset.correct).toBe("true");
  const printed = [...root.querySelectorAll(".printed-row .slot")].map((slot) => slot.textContent);
  expect(printed).toEqual(["0.0", "0.0", "0.0", "1.0", "2.0", "3.0"]);
  const signs = [...root.querySelectorAll(".slot-table .sign")].map((sign) =>
    sign.getAttribute("aria-label"),
  );
  expect(signs).toEqual(["wrong", "wrong", "wrong", "right", "right", "right"]);
  expect(at("idea").dataset.model).toBe("M2");
  expect(at("idea").textContent).toContain("You may think that the block makes everything in it wait.");
  expect(root.textContent).toContain("First goes wrong in run 1, step 1.");
  const ideas = [...root.querySelectorAll<HTMLElement>(".model")];
  expect(ideas.map(({ dataset }) => dataset.matches)).toEqual(["true", "false", "false"]);
  expect(ideas[0]?.textContent).toContain("run 1, step 1, at AssignAdd: it expects 1.0, the engine has 0.0");
  expect(at("phase-see").getAttribute("aria-current")).toBe("step");
  expect(root.querySelectorAll(".side")).toHaveLength(2);
  expect(root.querySelector<HTMLElement>(".watching")?.hidden).toBe(true);
  click(at("watch"));
  await settle();
  expect(root.querySelector<HTMLElement>(".watching")?.hidden).toBe(false);
  expect(at("phase-watch").getAttribute("aria-current")).toBe("step");
  expect(at("position").textContent).toContain("step 1 of 5");
  click(at("phase-see"));
  expect(root.querySelector<HTMLElement>(".watching")?.hidden).toBe(true);
  click(ideas[2]?.querySelector('[data-testid="show-step"]'));
  await settle();
  expect(at("position").textContent).toBe("Run 2step 4 of 5");
  press(root, ".");
  await settle();
  expect(at("position").textContent).toBe("Run 20.0 | 2.0");
  close();
});

test("a locked widget says that it waits, and shows nothing of its record", async () => {
  const { at, root, model, close } = show("compare", {}, { locked: true });
  expect(at("locked").textContent).toContain("Commit your prediction first. Then this opens.");
  expect(root.querySelector(".side, .viewport")).toBeNull();
  model.set("record", counterCompare());
  model.set("locked", false);
  await settle();
  expect(root.querySelectorAll(".side")).toHaveLength(2);
  close();
});

test("the key at the foot lists the kinds of edge that the graph has, and the order that a fork can add", () => {
  for (const kinds of [["data"], ["data", "reference"], ["data", "control"], ["reference"]]) {
    const trace = structuredClone(counterTrace(true));
    trace.graph.edges = trace.graph.edges.filter(({ kind }) => kinds.includes(kind));
    const { at, close } = show("step-through", trace);
    const listed = [...at("legend").querySelectorAll(".edge")].map((edge) => edge.getAttribute("data-kind"));
    expect(new Set(listed)).toEqual(new Set([...kinds, "control"]));
    close();
  }
});

test("switching the language in the widget is synced, and the position stays", async () => {
  const { at, root, model, close } = show("step-through", counterTrace(true), { step: 4 });
  const select = at("lang") as HTMLSelectElement;
  select.value = "ko";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await settle();
  expect(model.synced.lang).toBe("ko");
  expect(root.lang).toBe("ko");
  expect(at("status").textContent).toBe("AssignAdd: x에 쓰기, 0.0 → 1.0.Identity이(가) 이것을 기다렸습니다.");
  model.set("lang", "zh");
  await settle();
  expect(at("status").textContent).toBe("AssignAdd 写入 x：0.0 → 1.0。Identity 等的就是它。");
  close();
});

test("a re-run cell has a notice, and an unknown notice is shown by its code", () => {
  const record = {
    ...counterGraph(true),
    notices: [
      { code: "rerun", params: { again: "Variable_1", first: "Variable", where: "Cell In[2], line 1" } },
      { code: "from_the_future", params: {} },
    ],
  };
  const { root, close } = show("graph-view", record);
  const texts = [...root.querySelectorAll('[data-testid="notice"]')].map(
    (notice) => notice.textContent ?? "",
  );
  expect(texts[0]).toContain("Variable_1 was made by running again the cell that had made Variable");
  expect(texts[1]).toContain("from_the_future");
  close();
});

test("an unknown kind, a newer record and an empty graph have messages", () => {
  for (const [kind, record, words] of [
    ["no-such", { version: 1 }, "no-such"],
    ["graph-view", { ...counterGraph(true), version: 2 }, "version 2"],
    [
      "graph-view",
      { ...counterGraph(true), nodes: [], edges: [], scopes: [], blocks: [], variables: [] },
      "no nodes",
    ],
    ["step-through", { ...counterTrace(true), runs: [] }, "no run"],
  ] as const) {
    const { root, close } = show(kind, record);
    expect(root.textContent).toContain(words);
    close();
  }
});

test("a widget that is closed leaves nothing behind", async () => {
  const { model, close } = show("compare", counterCompare());
  expect(model.count()).toBeGreaterThan(0);
  close();
  expect(model.count()).toBe(0);
  expect(document.querySelector(".tfedu")).toBeNull();
  model.set("step", 1);
  await settle();
});

test("every button and field has a name, every id is its widget's own, every picture one tab stop", () => {
  const first = show("predict", counterPredict, { committed: true, result: counterResult() });
  const second = show("compare", counterCompare());
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => id.startsWith("tfedu-"))).toBe(true);
  for (const { root } of [first, second]) {
    for (const control of root.querySelectorAll(
      "button, [role=button], input, select, textarea, [role=tree], svg[role]",
    )) {
      const label = control.id && root.querySelector(`label[for="${control.id}"]`)?.textContent;
      expect(control.getAttribute("aria-label") || control.textContent || label).toBeTruthy();
    }
    for (const picture of root.querySelectorAll('[data-testid="picture"]')) {
      expect(picture.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    }
  }
  first.close();
  second.close();
});

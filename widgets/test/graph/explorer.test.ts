/** The tools around a picture: search, tracing, pins, colours, what a scope holds, and legends that list what is drawn. */
import { expect, test, vi } from "vitest";
import { amountText, scaleUpTo, stepOf, unitOf } from "../../src/explore/amounts";
import { placeBeside } from "../../src/explore/beside";
import { COLOURS, colouring } from "../../src/explore/node-classes";
import { reach } from "../../src/explore/reach";
import { summarize } from "../../src/explore/scope-summary";
import { translator } from "../../src/i18n";
import { layoutScene, type Sizes } from "../../src/layout/scene";
import { type Counts, LIMIT, tally, visibleGraph } from "../../src/model/collapse";
import { indexGraph } from "../../src/model/graph";
import { EDGE_KINDS, type GraphRecord, type RunFactsRecord } from "../../src/record";
import { openedOutline, press, random, settle, show, type, type WidgetOnPage } from "../fake";
import { counterGraph } from "../fixtures/counter";
import { makeGraph, type NodeSpec } from "../fixtures/make";

const click = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new Event("click", { bubbles: true }));
};

/** Two equal layers, a loss, and an update. */
function net(): GraphRecord {
  const layer = (name: string, from: string): NodeSpec[] => [
    { name: `${name}/w`, type: "VariableV2", role: "variable", out: "float32_ref (2, 2)" },
    { name: `${name}/w/read`, type: "Identity", role: "read", inputs: [`&${name}/w`] },
    { name: `${name}/MatMul`, type: "MatMul", inputs: [from, `${name}/w/read`] },
    { name: `${name}/Relu`, type: "Relu", inputs: [`${name}/MatMul`] },
  ];
  const record = makeGraph([
    { name: "x", type: "Placeholder", role: "placeholder" },
    ...layer("a", "x"),
    ...layer("b", "a/Relu"),
    { name: "loss/mean", type: "Mean", inputs: ["b/Relu"] },
    { name: "step", type: "NoOp", role: "noop", inputs: ["^loss/mean"] },
  ]);
  for (const variable of record.variables) variable.shape = [2, 2];
  return record;
}

const idOf = (record: GraphRecord, name: string): number =>
  record.nodes.find((node) => node.name === name)?.id ?? -1;

function factsOf(record: GraphRecord): RunFactsRecord {
  const healths = ["fine", "nan", "zero", "inf", "tiny", "", "dead"] as const;
  return {
    version: 1,
    kind: "run-facts",
    fetches: ["loss/mean:0"],
    nodes: record.nodes
      .filter(({ name }) => name !== "step")
      .map(({ id }) => ({
        node: id,
        outcome: id === 0 ? "fed" : id === 5 ? "dead" : "ran",
        turns: 1,
        nanoseconds: 10 ** (id + 1),
        bytes: 10 ** id,
        health: healths[id % healths.length] ?? "",
        values: [`value ${id}`],
      })),
  };
}

/** The signs drawn in the picture, by their names in the legend. */
function drawnSigns(root: HTMLElement): Set<string> {
  const picture = root.querySelector(".viewport");
  const signs = new Set<string>();
  const each = (selector: string, name: (element: Element) => string): void => {
    for (const element of picture?.querySelectorAll(selector) ?? []) signs.add(name(element));
  };
  each(".edge", (edge) => `edge ${edge.getAttribute("data-kind")}`);
  each('.edge:not([data-count="1"])', () => "bundle");
  each(".edge[data-change]", (edge) => `edge-${edge.getAttribute("data-change")}`);
  each(".node", (node) => `role ${node.getAttribute("data-role")}`);
  each(".scope.closed", () => "closed");
  each(".scope.open", () => "open");
  each(".block", () => "block");
  each(".cable", () => "bundle");
  each(".port", () => "port");
  each(".tie", () => "tie");
  each(".pair", () => "pair");
  each("[data-unused]", () => "unused");
  each(".badge", (badge) => {
    const [, name = ""] = (badge.getAttribute("class") ?? "").split(" ");
    return name === "class" ? `class ${badge.getAttribute("data-class")}` : name;
  });
  // The number on a box says itself what it is.
  signs.delete("inscribed");
  each("[data-class]", (part) => `class ${part.getAttribute("data-class")}`);
  return signs;
}

const legendSigns = (widget: WidgetOnPage): Set<string> =>
  new Set(
    ["legend", "colour-legend"].flatMap((name) =>
      [...widget.at(name).querySelectorAll<HTMLElement>("[data-sign]")].map(
        (item) => item.dataset.sign ?? "",
      ),
    ),
  );

/** Waits for batched work and answers. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 4; i += 1) await settle();
}

// -- search ------------------------------------------------------------------------------------------------------------

async function searchFor(widget: WidgetOnPage, text: string): Promise<void> {
  type(widget.at("search") as HTMLInputElement, text);
  await new Promise((done) => setTimeout(done, 170));
  await quiet();
}

test("search hits are counted, listed and marked, in closed scopes by their number", async () => {
  const widget = show("graph-view", net(), { collapsed: ["a", "a/w"] });
  await searchFor(widget, "type:MatMul");
  expect(widget.at("search-status").textContent).toBe("2 of 11");
  expect([...widget.at("hits").querySelectorAll("button")].map((each) => each.textContent)).toEqual([
    "MatMulaMatMul",
    "MatMulbMatMul",
  ]);
  const badges = [...widget.root.querySelectorAll(".viewport .badge.hit")].map((badge) => badge.textContent);
  expect(badges.sort()).toEqual(["", "1"]);
  const closed = widget.root.querySelector('.scope.closed[data-scope="a"]');
  expect(closed?.getAttribute("aria-description")).toBe("contains 1 matches");
  expect(widget.model.synced.search).toBe("type:MatMul");
  widget.close();
});

test("the field's Enter and a choice from the list open the scopes around what was found", async () => {
  const widget = show("graph-view", net(), { collapsed: ["a", "a/w", "b", "b/w"] });
  await searchFor(widget, "matmul");
  const field = widget.at("search");
  press(field, "Enter");
  await quiet();
  expect(widget.at("search-status").textContent).toBe("1 of 2 found");
  expect(widget.model.get("collapsed")).toEqual(["a/w", "b", "b/w"]);
  expect(widget.model.get("selected")).toBe(idOf(net(), "a/MatMul"));
  expect(widget.root.querySelectorAll(".hit-ring.now")).toHaveLength(1);
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, bubbles: true }));
  await quiet();
  expect(widget.at("search-status").textContent).toBe("2 of 2 found");
  press(field, "Enter");
  await quiet();
  expect(widget.at("search-status").textContent).toBe("1 of 2 found");
  press(field, "ArrowDown");
  expect(document.activeElement?.querySelector(".at")?.textContent).toBe("a");
  expect(document.activeElement?.querySelector("mark")?.textContent).toBe("MatMul");
  press(document.activeElement as Element, "ArrowDown");
  click(document.activeElement);
  await quiet();
  expect(widget.model.get("selected")).toBe(idOf(net(), "b/MatMul"));
  widget.close();
});

test("the search opens by its key over the side column, and Escape takes it and its marks away", async () => {
  const widget = show("graph-view", net());
  await quiet();
  const panel = widget.at("search").closest<HTMLElement>(".find");
  expect(panel?.hidden).toBe(true);
  press(widget.root.querySelector(".viewport .node") as Element, "/");
  expect(panel?.hidden).toBe(false);
  expect(document.activeElement).toBe(widget.at("search"));
  await searchFor(widget, "matmul");
  expect(widget.root.querySelectorAll(".hit-ring")).toHaveLength(2);
  press(widget.at("search"), "Escape");
  expect(panel?.hidden).toBe(true);
  expect(widget.root.querySelectorAll(".hit-ring")).toHaveLength(0);
  expect(document.activeElement).toBe(widget.at("search-open"));
  expect(widget.model.get("search")).toBe("");
  // What was typed is still there.
  click(widget.at("search-open"));
  await quiet();
  expect(widget.root.querySelectorAll(".hit-ring")).toHaveLength(2);
  widget.close();
});

test("an invalid pattern shows a message and throws nothing", async () => {
  const widget = show("graph-view", net());
  await searchFor(widget, "/(/");
  expect(widget.at("search-status").textContent).toContain("Not a regular expression");
  expect(widget.at("search").getAttribute("aria-invalid")).toBe("true");
  await searchFor(widget, "colour:red");
  expect(widget.at("search-status").textContent).toContain("name: in: type: device: shape:");
  await searchFor(widget, "nothing of the kind");
  expect(widget.at("search-status").textContent).toBe("None found");
  expect(widget.at("search").hasAttribute("aria-invalid")).toBe(false);
  widget.close();
});

test("a search that Python set is shown", async () => {
  const widget = show("graph-view", net(), { search: "relu" });
  await quiet();
  expect((widget.at("search") as HTMLInputElement).value).toBe("relu");
  expect(widget.at("search-status").textContent).toBe("2 of 11");
  widget.model.set("search", "type:Mean");
  await quiet();
  expect(widget.at("search-status").textContent).toBe("1 of 11");
  widget.close();
});

// -- tracing -----------------------------------------------------------------------------------------------------------

test("reach has all ancestors or descendants with their distance, and each edge once", () => {
  const graph = indexGraph(net());
  const relu = idOf(graph.record, "b/Relu");
  const back = reach(graph, relu, "inputs", Infinity);
  expect(back.nodes.size).toBe(8);
  expect(back.nodes.get(idOf(graph.record, "x"))).toBe(4);
  expect(back.counts).toEqual({ data: 6, control: 0, reference: 2 });
  expect(reach(graph, relu, "inputs", 1).nodes.size).toBe(1);
  expect(reach(graph, relu, "outputs", Infinity).counts).toEqual({ data: 1, control: 1, reference: 0 });
});

test("reach ends on a cycle, with the node itself among the result", () => {
  const graph = indexGraph(
    makeGraph([
      { name: "a", type: "Merge", inputs: ["c"] },
      { name: "b", type: "Add", inputs: ["a"] },
      { name: "c", type: "NextIteration", inputs: ["b"] },
    ]),
  );
  const round = reach(graph, 0, "inputs", Infinity);
  expect([...round.nodes]).toEqual([
    [2, 1],
    [1, 2],
    [0, 3],
  ]);
  expect(round.edges.size).toBe(3);
});

test("traced inputs and outputs are marked, counted by kind, and end at the chosen distance", async () => {
  const record = net();
  const widget = show("graph-view", record, { selected: idOf(record, "b/Relu"), collapsed: ["a", "a/w"] });
  await quiet();
  click(widget.at("trace-inputs"));
  await quiet();
  expect(widget.at("trace-told").textContent).toContain("Nodes that it comes from: 8");
  expect(widget.at("trace-told").textContent).toContain("reference 2");
  expect(widget.root.querySelector('.node[data-name="step"]')?.hasAttribute("data-off")).toBe(true);
  expect(widget.root.querySelector('.scope.closed[data-scope="a"]')?.hasAttribute("data-off")).toBe(false);
  expect(
    widget.root.querySelector('.scope.closed[data-scope="a"]')?.getAttribute("aria-description"),
  ).toContain("2 edges");
  const steps = widget.at("trace-steps") as HTMLSelectElement;
  steps.value = "0";
  steps.dispatchEvent(new Event("change"));
  await quiet();
  expect(widget.at("trace-told").textContent).toContain("Nodes that it comes from: 1");
  click(widget.at("trace-inputs"));
  await quiet();
  expect(widget.root.querySelectorAll("[data-off], [data-traced]")).toHaveLength(0);
  widget.close();
});

test("in a picture that flows to the right, the trace arrows point right, in the legend too", async () => {
  const record = net();
  const widget = show("graph-view", record, { selected: idOf(record, "a/Relu"), orientation: "right" });
  await quiet();
  for (const direction of ["inputs", "outputs"]) click(widget.at(`trace-${direction}`));
  await quiet();
  for (const [direction, arrow] of [
    ["inputs", "←"],
    ["outputs", "→"],
  ] as const) {
    const badges = [...widget.root.querySelectorAll(`.viewport .badge.reach-${direction} text`)];
    expect(badges.length).toBeGreaterThan(0);
    for (const badge of badges) expect(badge.textContent).toMatch(new RegExp(`^${arrow}\\d`));
    expect(widget.at("legend").querySelector(`[data-sign="reach-${direction}"] text`)?.textContent).toBe(
      `${arrow}1`,
    );
  }
  widget.close();
});

// -- beside ------------------------------------------------------------------------------------------------------------

test("whatever is set beside the graph and whatever is closed: drawn and counted make the total", () => {
  const next = random(11);
  const record = net();
  const graph = indexGraph(record);
  const paths = record.scopes.map(({ path }) => path);
  for (let i = 0; i < 200; i += 1) {
    const collapsed = new Set(paths.filter(() => next() < 0.4));
    const beside = record.nodes.filter(() => next() < 0.3).map(({ id }) => id);
    const seen = visibleGraph(graph, collapsed, LIMIT, beside);
    for (const { drawn, folded, total } of Object.values(tally(graph, seen)))
      expect(drawn + folded).toBe(total);
    for (const counts of seen.closed.values())
      for (const n of Object.values(counts as Counts)) expect(n).toBeGreaterThanOrEqual(0);
    const ends = new Set<unknown>([...seen.nodes, ...seen.beside.nodes, ...seen.closed.keys()]);
    for (const { source, target } of [...seen.bundles, ...seen.beside.stubs]) {
      expect(ends.has(source)).toBe(true);
      expect(ends.has(target)).toBe(true);
    }
  }
});

test("nodes set beside the graph touch nothing else", () => {
  const graph = indexGraph(net());
  const seen = visibleGraph(graph, new Set(), LIMIT, [0, 3, 7]);
  const size = { w: 80, h: 40 };
  const sizes: Sizes = {
    node: () => size,
    closed: () => size,
    block: () => size,
    title: () => ({ w: 60, h: 18 }),
    label: () => null,
  };
  const scene = placeBeside(seen, layoutScene(graph, seen, sizes), sizes);
  const boxes = [...scene.nodes.values()];
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
    }
    expect(a.x + a.w).toBeLessThanOrEqual(scene.w);
    expect(a.y + a.h).toBeLessThanOrEqual(scene.h);
  }
});

test("a node set beside the graph has numbered stubs at both ends of each edge, and can be put back", async () => {
  const record = net();
  const widget = show("graph-view", record, { selected: idOf(record, "a/Relu") });
  await quiet();
  click(widget.at("beside"));
  await quiet();
  expect(widget.model.get("beside")).toEqual([idOf(record, "a/Relu")]);
  const stubs = [...widget.root.querySelectorAll(".edge.stub")];
  expect(stubs).toHaveLength(2);
  for (const stub of stubs) {
    const [one, other] = [...stub.querySelectorAll(".badge.number")].map((badge) => badge.textContent);
    expect(one).toBe(other);
  }
  expect(new Set(stubs.map((stub) => stub.querySelector(".badge")?.textContent)).size).toBe(2);
  expect(openedOutline(widget).textContent).toContain("a/Relu");
  expect(widget.at("beside").textContent).toBe("Put back");
  click(widget.at("beside"));
  await quiet();
  expect(widget.model.get("beside")).toEqual([]);
  expect(widget.root.querySelectorAll(".edge.stub")).toHaveLength(0);
  widget.close();
});

// -- pins --------------------------------------------------------------------------------------------------------------

test("a pinned node has a sign, and a button that leads to it", async () => {
  const record = net();
  const widget = show("graph-view", record, { pinned: [idOf(record, "a/MatMul")], collapsed: ["a", "a/w"] });
  await quiet();
  expect(widget.root.querySelectorAll(".viewport .badge.pin")).toHaveLength(1);
  expect(
    widget.root.querySelector('.scope.closed[data-scope="a"]')?.getAttribute("aria-description"),
  ).toContain("contains 1 pinned nodes");
  click(widget.root.querySelector(`[data-testid="pinned-${idOf(record, "a/MatMul")}"]`));
  await quiet();
  expect(widget.model.get("collapsed")).toEqual(["a/w"]);
  click(widget.at("pin"));
  await quiet();
  expect(widget.model.get("pinned")).toEqual([]);
  expect(widget.root.querySelectorAll(".viewport .badge.pin")).toHaveLength(0);
  widget.close();
});

// -- details -----------------------------------------------------------------------------------------------------------

test("the details list the consumers, and of a run the value, the time and the memory", async () => {
  const record = net();
  const widget = show("graph-view", record, { facts: factsOf(record), selected: idOf(record, "x") + 3 });
  await quiet();
  const details = widget.at("details").textContent ?? "";
  for (const words of ["Consumers", "a/Relu", "value 3", "10 µs", "1000 B", "has run"])
    expect(details).toContain(words);
  widget.close();
});

test("the details of a constant have its value without a run", async () => {
  const record = makeGraph([{ name: "c", type: "Const", role: "constant" }]);
  const [node] = record.nodes;
  node?.attrs.push(["value", "[1.5, 2.5]"]);
  const widget = show("graph-view", record, { selected: 0 });
  await quiet();
  expect(widget.at("details").querySelector("dl")?.textContent).toContain("[1.5, 2.5]");
  widget.close();
});

// -- colours -----------------------------------------------------------------------------------------------------------

const STRUCTURES: [string, number][] = [
  ["a", 0],
  ["a/w", 1],
  ["b", 0],
  ["b/w", 1],
];

test.each(
  COLOURS.flatMap(
    (colour) =>
      [
        [colour, []],
        [colour, ["a", "a/w"]],
        [colour, ["a", "a/w", "b", "b/w", "loss"]],
      ] as [typeof colour, string[]][],
  ),
)(
  "coloured by %s with %j closed, the legend is what is drawn, and no letter is there twice",
  async (colour, collapsed) => {
    const record = net();
    const widget = show("graph-view", record, {
      colour,
      collapsed,
      facts: factsOf(record),
      structures: STRUCTURES,
      pinned: [1],
      beside: [0],
      search: "mul",
    });
    await quiet();
    widget.root
      .querySelector('.node[data-name="step"]')
      ?.dispatchEvent(new Event("click", { bubbles: true }));
    await quiet();
    click(widget.at("trace-inputs"));
    await quiet();
    expect(legendSigns(widget)).toEqual(drawnSigns(widget.root));
    const letters = [...legendSigns(widget)].filter((sign) => sign.startsWith("class "));
    expect(new Set(letters).size).toBe(letters.length);
    const isScale = ["time", "memory"].includes(colour);
    expect(letters.length > 0).toBe(!isScale && colour !== "none");
    expect(widget.at("colour-legend").querySelectorAll(".scale li")).toHaveLength(isScale ? 5 : 0);
    // Colour is never alone: a coloured node has the letter and the pattern of its class.
    const filled = [...widget.root.querySelectorAll<SVGElement>(".viewport .shape")].filter(
      (shape) => shape.style.fill,
    );
    if (!["none", "structure", "time", "memory"].includes(colour)) {
      expect(filled.length).toBe(widget.root.querySelectorAll(".viewport .node").length);
      expect(widget.root.querySelectorAll(".viewport .badge.class").length).toBe(filled.length);
    }
    widget.close();
  },
);

test("a closed scope is filled by the share of the classes of its nodes, and says them", async () => {
  const record = net();
  const widget = show("graph-view", record, {
    colour: "part",
    collapsed: ["a", "a/w", "b", "b/w", "loss"],
  });
  await quiet();
  const card = [...widget.root.querySelectorAll<SVGElement>('.scope.closed[data-scope="a"] .card')].at(-1);
  const id = /#([\w-]+)/.exec(card?.style.fill ?? "")?.[1] ?? "";
  const strips = [...widget.root.querySelectorAll(`#${id} rect`)];
  expect(strips.map((strip) => strip.getAttribute("data-class"))).toEqual(["A"]);
  const widths = strips.map((strip) => Number(strip.getAttribute("width")));
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(Number(card?.getAttribute("width")));
  expect(widget.root.querySelector('[data-scope="a"]')?.getAttribute("aria-description")).toBe("forward: 4");
  const counts = [...widget.at("colour-legend").querySelectorAll(".n")].map((each) =>
    Number(each.textContent),
  );
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(record.nodes.length);
  widget.close();
});

test("coloured by time, each box has a step of the scale, its number and its share; what did not run has none", async () => {
  const record = net();
  const widget = show("graph-view", record, {
    colour: "time",
    collapsed: ["a", "a/w"],
    facts: factsOf(record),
  });
  await quiet();
  const heat = (selector: string): string | null | undefined =>
    widget.root.querySelector(`.viewport ${selector}`)?.getAttribute("data-heat");
  // Nodes 1 to 4 took 0.1, 1, 10 and 100 µs.
  expect(widget.root.querySelector('[data-scope="a"]')?.getAttribute("aria-description")).toContain(
    "<0.01 s, <1 %",
  );
  expect(heat('[data-scope="a"]')).toBe("0");
  expect(heat('[data-name="loss/mean"]')).toBe("4");
  const unused = [...widget.root.querySelectorAll(".viewport [data-unused]")];
  expect(unused.map((node) => node.getAttribute("data-name")).sort()).toEqual(["b/w", "step"]);
  expect([...widget.root.querySelectorAll(".viewport .inscribed")].map((each) => each.textContent)).toContain(
    "10 s",
  );
  widget.close();
});

test("the scale goes up to the largest amount in short numbers, and says each amount in one unit", () => {
  const t = translator("en");
  const scale = scaleUpTo("time", 11e6);
  expect(scale.limits.map((limit) => limit / 1e6)).toEqual([0.05, 0.2, 1, 5, 11]);
  expect([0, 5e4, 6e4, 1e6, 5e6, 9e6, 11e6].map((amount) => stepOf(scale, amount))).toEqual([
    0, 0, 1, 2, 3, 4, 4,
  ]);
  expect([9e6, 44e4, 4e4, 1e3, 0].map((amount) => amountText(t, "time", amount, scale.unit))).toEqual([
    "9.0 ms",
    "0.44 ms",
    "0.04 ms",
    "<0.01 ms",
    "0 ms",
  ]);
  expect(unitOf("memory", 3 << 20)[0]).toBe("MiB");
  expect(scaleUpTo("time", 0).limits).toEqual([0, 0, 0, 0, 0]);
});

test("the nodes that took longest are listed with their share of the run, and lead to themselves", async () => {
  const record = net();
  const widget = show("graph-view", record, {
    colour: "time",
    facts: factsOf(record),
    collapsed: ["b", "b/w"],
  });
  await quiet();
  const rows = [...widget.at("largest").querySelectorAll<HTMLElement>("button")];
  expect(rows.length).toBe(8);
  expect(rows[1]?.textContent).toContain("b/Relu");
  click(rows[1]);
  await quiet();
  expect(widget.model.get("selected")).toBe(idOf(record, "b/Relu"));
  expect(widget.model.get("collapsed")).toEqual(["b/w"]);
  expect(widget.at("largest").querySelector('[aria-current="true"]')).toBe(rows[1]);
  widget.model.set("colour", "part");
  await quiet();
  expect(widget.at("largest").closest<HTMLElement>(".largest")?.hidden).toBe(true);
  widget.close();
});

// -- what a scope holds --------------------------------------------------------------------------------------------------

test("a scope's summary counts its nodes, variables, parameters and the edges that go in and out", () => {
  const record = net();
  record.nodes.push({
    ...(record.nodes[1] as (typeof record.nodes)[number]),
    id: record.nodes.length,
    name: "a/w/Adam",
  });
  record.variables.push({
    node: record.nodes.length - 1,
    name: "a/w/Adam",
    kind: "reference",
    shape: [2, 2],
    is_parameter: false,
  });
  const summary = summarize(indexGraph(record), "a");
  expect(summary.nodes).toBe(5);
  expect(summary.types[0]).toEqual(["VariableV2", 2]);
  // What an optimizer keeps is no parameter.
  expect(summary.variables.map(({ name, shape }) => `${name} ${shape}`)).toEqual(["w 2×2"]);
  expect(summary.parameters).toBe(4);
  expect(summary.inputs.map(({ source }) => record.nodes[source]?.name)).toEqual(["x"]);
  expect(summary.outputs.map(({ target }) => record.nodes[target]?.name)).toEqual(["b/MatMul"]);
});

test("a closed scope of a layer tells its kind, output and parameters; its details do, too", async () => {
  const record = net();
  const layer = {
    scope: "a",
    kind: "Dense",
    outputs: ["float32 (?, 2)"],
    parameters: 4,
    trainable: 4,
    calls: 1,
  };
  record.layers = [
    { ...layer, shared: false },
    { ...layer, scope: "b", outputs: ["float64 (2,)", "float32 ()"], parameters: 1234, shared: true },
  ];
  const widget = show("graph-view", record, { collapsed: ["a", "a/w", "b", "b/w"] });
  await quiet();
  const scope = (path: string): Element =>
    widget.root.querySelector(`.viewport .scope.closed[data-scope="${path}"]`) as Element;
  const counts = (path: string): string[] =>
    [...scope(path).querySelectorAll(".count")].map(({ textContent }) => textContent ?? "");
  expect(counts("a").slice(0, 2)).toEqual(["Dense (?, 2)", "parameters 4"]);
  expect(counts("b").slice(0, 2)).toEqual(["Dense float64 (2,) …", "shared parameters 1,234"]);
  click(scope("a"));
  await quiet();
  const words = widget.at("details").textContent ?? "";
  for (const each of ["KindDense", "Outputfloat32 (?, 2)"]) expect(words).toContain(each);
  widget.close();
});

test("a closed scope is chosen first, and described; chosen again, or by Enter, it opens", async () => {
  const record = net();
  const widget = show("graph-view", record, { collapsed: ["a", "a/w", "b", "b/w"], facts: factsOf(record) });
  await quiet();
  const scope = (path: string): Element =>
    widget.root.querySelector(`.viewport .scope.closed[data-scope="${path}"]`) as Element;
  click(scope("a"));
  await quiet();
  expect(widget.model.get("collapsed")).toEqual(["a", "a/w", "b", "b/w"]);
  expect(widget.root.querySelectorAll(".chosen-ring")).toHaveLength(1);
  const words = widget.at("details").textContent ?? "";
  for (const each of ["closed scope", "4, all ran", "w 2×2", "Parameters4", "1 in, 1 out"])
    expect(words).toContain(each);
  click(scope("a"));
  await quiet();
  expect(widget.model.get("collapsed")).toEqual(["a/w", "b", "b/w"]);
  click(scope("b"));
  await quiet();
  click(widget.at("scope-toggle"));
  await quiet();
  expect(widget.model.get("collapsed")).toEqual(["a/w", "b/w"]);
  expect(widget.at("details").textContent).toContain("open scope");
  widget.close();
  const other = show("graph-view", record, { collapsed: ["a", "a/w", "b", "b/w", "loss"] });
  await quiet();
  press(other.root.querySelector('.scope.closed[data-scope="a"]') as Element, "Enter");
  await quiet();
  expect(other.model.get("collapsed")).not.toContain("a");
  other.close();
});

test("the parts of a scope choose themselves, and “only this” shows it by itself", async () => {
  const record = net();
  const widget = show("graph-view", record, { collapsed: ["a/w", "b/w"] });
  await quiet();
  // Without a choice the whole graph is described.
  expect(widget.at("details").textContent).toContain("Nodes11");
  const part = (words: string): Element | undefined =>
    [...widget.at("parts").querySelectorAll("button")].find((each) => each.textContent?.startsWith(words));
  click(part("a"));
  await quiet();
  expect(widget.at("details").querySelector("h4")?.textContent).toContain("a");
  click(widget.at("scope-only"));
  await quiet();
  expect(widget.model.get("at")).toBe("a");
  expect(widget.at("details").querySelector("h4")?.textContent).toContain(
    "6 of 11 nodes: a and its neighbours",
  );
  click(part("Relu"));
  await quiet();
  expect(widget.model.get("selected")).toBe(idOf(record, "a/Relu"));
  widget.close();
});

test("scopes of one structure share a letter; unique scopes have none", async () => {
  const widget = show("graph-view", net(), { colour: "structure", collapsed: ["a/w", "b/w"] });
  await quiet();
  // Python knows the structures, and is asked once.
  expect(widget.model.asked[0]?.question).toBe("structures");
  widget.model.reply({ value: STRUCTURES });
  await quiet();
  const letters = [...widget.root.querySelectorAll(".viewport .badge.class")].map(
    (badge) => badge.textContent,
  );
  expect(letters.sort()).toEqual(["A", "A", "B", "B"]);
  expect(widget.model.synced.structures).toEqual(STRUCTURES);
  widget.close();
});

test("without an answer from Python the status says so, and colourings that need a run are not offered", async () => {
  const widget = show("graph-view", net(), { colour: "structure" });
  await quiet();
  widget.model.reply({ error: "no kernel" });
  await quiet();
  expect(widget.at("asked").textContent).toContain("no kernel");
  const options = [...(widget.at("colour") as HTMLSelectElement).options];
  expect(options.filter(({ disabled }) => disabled).map(({ value }) => value)).toEqual([
    "time",
    "memory",
    "health",
    "run",
  ]);
  widget.close();
});

test("with more values than patterns the last class holds the rest, and says how many", () => {
  const record = makeGraph(Array.from({ length: 20 }, (_, i) => ({ name: `n${i}`, type: "Add" })));
  record.nodes.forEach((node, i) => {
    node.device = `/device:CPU:${i % 12}`;
  });
  const { classes, node } = colouring(translator("en"), "device", {
    graph: indexGraph(record),
    facts: null,
    structures: null,
    groups: [],
    drawn: new Set(),
  });
  expect(classes).toHaveLength(8);
  expect(classes.at(-1)?.words).toBe("5 others");
  for (const { id } of record.nodes) expect(node(id)).toBeLessThan(8);
});

test("the legend has numbered outputs where a node has several", async () => {
  const record = makeGraph([
    { name: "s", type: "Split" },
    { name: "a", type: "Neg", inputs: ["s:0"] },
    { name: "b", type: "Neg", inputs: ["s:1"] },
  ]);
  const [split] = record.nodes;
  split?.outputs.push({ name: "s:1", dtype: "float32", shape: [], text: "float32 ()" });
  const widget = show("graph-view", record);
  await quiet();
  expect(legendSigns(widget).has("port")).toBe(true);
  expect(legendSigns(widget)).toEqual(drawnSigns(widget.root));
  widget.close();
});

test("the legend follows the picture: an empty block, gradients and kinds of edge only if they are drawn", async () => {
  const widget = show("graph-view", counterGraph(false));
  await quiet();
  expect(legendSigns(widget)).toEqual(drawnSigns(widget.root));
  expect(legendSigns(widget).has("block")).toBe(true);
  expect(EDGE_KINDS.some((kind) => legendSigns(widget).has(`edge ${kind}`))).toBe(true);
  widget.close();
});

test("the box of repeated scopes has their structure", () => {
  const groups = [{ path: "a…c", parent: "", kind: "repeat" as const, scopes: ["a", "b", "c"], nodes: [] }];
  const structures: [string, number][] = ["a", "b", "c", "d"].map((path) => [path, 7]);
  const { scope } = colouring(translator("en"), "structure", {
    graph: indexGraph(net()),
    facts: null,
    structures,
    groups,
    drawn: new Set(["a…c", "d"]),
  });
  expect(scope("a…c")).toBe(scope("d"));
  expect(scope("e")).toBeUndefined();
});

// -- a large graph -----------------------------------------------------------------------------------------------------

/** The net with scope b sealed. */
function part(): GraphRecord {
  const all = net();
  const isInside = (id: number): boolean => all.nodes[id]?.name.startsWith("b/") ?? false;
  const { edges } = all;
  const inner = edges.filter((edge) => isInside(edge.source) && isInside(edge.target));
  const sealed = { id: -2, path: "b", parent: "", kind: "scope" as const, nodes: 4 };
  const count = (kind: string): number => inner.filter((edge) => edge.kind === kind).length;
  return {
    ...all,
    nodes: all.nodes.filter(({ id }) => !isInside(id)),
    edges: edges.filter((edge) => !isInside(edge.source) && !isInside(edge.target)),
    scopes: all.scopes.filter(({ path }) => !path.startsWith("b")),
    variables: all.variables.filter(({ node }) => !isInside(node)),
    sealed: [{ ...sealed, data: count("data"), control: count("control"), reference: count("reference") }],
    bundles: edges
      .filter((edge) => isInside(edge.source) !== isInside(edge.target))
      .map(({ kind, source, target }) => ({
        kind,
        source: isInside(source) ? -2 : source,
        target: isInside(target) ? -2 : target,
        count: 1,
      })),
  };
}

test("Python sends the rest of a large graph in pages, once, and hits there are counted at their scope", async () => {
  const widget = show("graph-view", part(), { collapsed: [] });
  await searchFor(widget, "type:MatMul");
  const all = net();
  const half = Math.ceil(all.nodes.length / 2);
  for (const page of [0, 1]) {
    expect(widget.model.asked[0]).toMatchObject({ question: "whole", args: { page } });
    const nodes = all.nodes.slice(page * half, (page + 1) * half);
    widget.model.reply({
      value: { pages: 2, record: { ...all, nodes, edges: page === 0 ? all.edges : [] } },
    });
    await quiet();
  }
  expect(widget.at("search-status").textContent).toBe("2 of 11");
  expect(widget.root.querySelector('.scope.closed[data-scope="b"]')?.getAttribute("aria-description")).toBe(
    "contains 1 matches",
  );
  await searchFor(widget, "type:Relu");
  expect(widget.at("search-status").textContent).toBe("2 of 11");
  expect(widget.model.asked).toHaveLength(0);
  // Going there fetches the sealed scope.
  click([...widget.at("hits").querySelectorAll("button")].at(-1));
  await quiet();
  expect(widget.model.asked[0]).toMatchObject({ question: "portion", args: { path: "b" } });
  widget.close();
});

test("if Python does not send the rest, the search says so and shows no partial hits", async () => {
  const widget = show("graph-view", part(), { collapsed: [] });
  await searchFor(widget, "type:MatMul");
  widget.model.reply({ error: "no kernel" });
  await quiet();
  expect(widget.at("search-status").textContent).toBe("");
  expect(
    [...widget.root.querySelectorAll('[data-testid="asked"]')].map((each) => each.textContent).join(""),
  ).toContain("no kernel");
  widget.close();
});

// -- panning -----------------------------------------------------------------------------------------------------------

test("a drag pans and is no click; a press without a drag is a click", () => {
  const widget = show("graph-view", net());
  const viewport = widget.root.querySelector<HTMLElement>(".viewport");
  if (!viewport) throw new Error("no picture");
  viewport.setPointerCapture = vi.fn();
  const node = widget.root.querySelector('.node[data-name="x"]');
  const pointer = (name: string, clientX: number): void => {
    const event = new Event(name, { bubbles: true });
    Object.assign(event, { clientX, clientY: 50, button: 0, pointerType: "mouse", pointerId: 1, offsetX: 0 });
    (node ?? viewport).dispatchEvent(event);
  };
  viewport.scrollLeft = 0;
  pointer("pointerdown", 100);
  pointer("pointermove", 40);
  pointer("pointerup", 40);
  click(node);
  expect(widget.model.get("selected")).toBe(-1);
  pointer("pointerdown", 100);
  pointer("pointermove", 98);
  pointer("pointerup", 98);
  click(node);
  expect(widget.model.get("selected")).toBe(0);
  widget.close();
});

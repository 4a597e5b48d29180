import { expect, test } from "vitest";
import film from "../../../tests/golden/gradient_flow.json";
import { translator } from "../../src/i18n";
import { gradientFrameAt } from "../../src/model/gradient-state";
import { gradientPartners, indexGraph, pairScopes } from "../../src/model/graph";
import type { GradientFlowRecord } from "../../src/record";
import { press, settle, show } from "../fake";

const flow = film as unknown as GradientFlowRecord;
const id = (name: string): number => flow.graph.nodes.find((node) => node.name === name)?.id ?? -1;
const click = (element: Element): void => {
  element.dispatchEvent(new Event("click", { bubbles: true }));
};
const states = (root: Element): Record<string, string | null> =>
  Object.fromEntries(
    [...root.querySelectorAll(".viewport g.node")].map((group) => [
      group.getAttribute("data-name"),
      group.getAttribute("data-state"),
    ]),
  );

/** Opens a scope that the first view has closed, if it has. */
const openScope = (root: Element, path: string): void => {
  const closed = root.querySelector(`.scope.closed[data-scope="${path}"]`);
  if (closed) click(closed);
};

test("no gradient node is there at first, and all at the end", () => {
  const created = flow.turns.flatMap((turn) => [...turn.sums, ...turn.made]);
  const first = gradientFrameAt(flow, 0).state;
  const last = gradientFrameAt(flow, flow.turns.length).state;
  for (const node of created) {
    expect(first.get(node)).toBe("absent");
    expect(["made", "new"]).toContain(last.get(node));
  }
  for (const { node } of flow.turns.slice(1)) expect(["visiting", "visited"]).toContain(last.get(node));
});

test("a node waits for as many gradients as paths are still to come", () => {
  const ways = flow.turns.map((_, step) => gradientFrameAt(flow, step + 1).pending.get(id("p")));
  expect(ways).toEqual([2, 2, 1, 0, 0, 0, 0]);
});

test("stepping forward and back shows the same again, word for word", async () => {
  const { at, root, model, close } = show("gradient-flow", flow);
  const looks: string[] = [];
  const look = (): string => `${root.querySelector(".viewport")?.innerHTML}${at("turn").innerHTML}`;
  for (let i = 0; i < flow.turns.length; i += 1) {
    looks.push(look());
    click(at("step"));
    await settle();
  }
  expect(model.get("step")).toBe(flow.turns.length);
  for (const before of looks.toReversed()) {
    click(at("back"));
    await settle();
    expect(look()).toBe(before);
  }
  close();
});

test("the turn lists arriving gradients, their sum, the rule, the new nodes and the gradients of the inputs", async () => {
  const { at, root, close } = show("gradient-flow", flow, { step: 5 });
  const words = at("turn").textContent ?? "";
  expect(words).toContain("p (Mul)");
  expect(words).toContain("gradients/AddN:0 = 13.0");
  expect(words).toContain("2 gradients arrive here");
  expect(at("formula").textContent).toBe("da = g · b, db = g · a");
  const made = [...at("made").querySelectorAll("li")].map((row) => row.textContent);
  expect(made).toEqual(["AddN", "p_grad/Mul Mul", "p_grad/Mul_1 Mul"]);
  expect(at("made").previousElementSibling?.textContent).toBe("gradients/");
  expect(words).toContain("→ w/read");
  expect(words).toContain("no gradient is asked for there");
  expect(at("status").textContent).toBe("Step 5 of 7: the rule of p passes gradients back, new nodes: 3");
  for (const path of [":unused", "gradients/p_grad", "gradients/s_grad"]) openScope(root, path);
  expect(states(root)).toMatchObject({
    p: "visiting",
    s: "visited",
    "gradients/p_grad/Mul": "new",
    "gradients/s_grad/Mul": "made",
    whole: "aside",
  });
  close();
});

test("the end shows the gradient of each x, or why it has none", () => {
  const { at, close } = show("gradient-flow", flow, { step: 7 });
  const results = [...at("turn").querySelectorAll("[data-result]")].map((item) => item.textContent);
  expect(results[0]).toBe("w:0:gradients/p_grad/Mul:0 = 39.0");
  expect(results[1]).toContain("v:0: None. The path goes through whole, and values of its dtype");
  close();
});

test.each(["ko", "zh"] as const)("the reason why nothing is passed on is told in %s", (lang) => {
  const stopped = structuredClone(flow);
  const [result] = stopped.results;
  const turn = stopped.turns[4];
  if (!result || !turn) throw new Error("no result");
  Object.assign(result, { code: "constant", gradient: null, at: turn.node, reason: "keeps_away" });
  Object.assign(turn, { kind: "constant", reason: "keeps_away" });
  const t = translator(lang);
  const end = show("gradient-flow", stopped, { step: 7, lang });
  expect(end.at("turn").textContent).toContain(t("flow.why.keeps_away"));
  end.close();
  const step = show("gradient-flow", stopped, { step: 5, lang });
  expect(step.at("status").textContent).toContain(t("flow.why.keeps_away"));
  step.close();
});

test("an unhealthy gradient is marked by a word and a sign", () => {
  const ill = structuredClone(flow);
  const [share] = ill.turns[4]?.shares ?? [];
  if (!share?.gradient) throw new Error("no gradient");
  share.gradient.health = "nan";
  const { at, close } = show("gradient-flow", ill, { step: 5 });
  expect(at("turn").querySelector(".health")?.textContent).toBe("⚠ not a number (NaN)");
  close();
});

test("a node is connected with the nodes of its gradient, and they with it", async () => {
  const graph = indexGraph(flow.graph);
  expect(gradientPartners(graph, id("gradients/p_grad/Mul"))).toEqual([id("p")]);
  expect(pairScopes(graph)).toEqual(["gradients/p_grad", "gradients/s_grad"]);
  const { at, root, close } = show("gradient-flow", flow, { step: 7 });
  openScope(root, "gradients/p_grad");
  const node = root.querySelector('g.node[data-name="p"]');
  node?.dispatchEvent(new MouseEvent("pointermove", { bubbles: true }));
  const tied = [...root.querySelectorAll("[data-partner]")].map((ring) => ring.getAttribute("data-partner"));
  expect(tied).toEqual(["gradients/p_grad/Mul", "gradients/p_grad/Mul_1"].map((name) => `node ${id(name)}`));
  expect(root.querySelectorAll(".viewport path.pair:not(.under)")).toHaveLength(1);
  const rows = [...at("details").querySelectorAll("dl > *")].map((row) => row.textContent);
  const first = rows.indexOf("Gradients") + 1;
  expect(rows.slice(first, first + 2)).toEqual(["gradients/p_grad/Mul", "gradients/p_grad/Mul_1"]);
  close();
});

test("nodes that do not exist yet cannot be reached by keys or by a screen reader", () => {
  const { root, close } = show("gradient-flow", flow);
  const there = root.querySelector('g.node[data-name="p"]') as HTMLElement;
  there.dispatchEvent(new Event("click", { bubbles: true }));
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "End"]) {
    press(document.activeElement ?? there, key);
    expect(document.activeElement?.getAttribute("data-state")).not.toBe("absent");
  }
  close();
});

test("the user guesses the next node: every ready one is right, and for others the reply says why not", async () => {
  const { at, root, model, close } = show("gradient-flow", flow, { ask: true });
  const choose = async (name: string): Promise<string | null> => {
    const node = root.querySelector(`g.node[data-name="${name}"]`);
    if (node) click(node);
    await settle();
    return at("reply").textContent;
  };
  expect(at("status").textContent).toContain("Which node has its turn next?");
  expect(await choose("p")).toBe("The sweep begins at z, which is differentiated.");
  expect(await choose("z")).toBe("Right: z.");
  expect(await choose("p")).toBe(
    "p has to wait: its pending count is 2, so 2 gradients have not arrived yet.",
  );
  expect(await choose("whole")).toBe("whole never has a turn: no gradient comes here.");
  expect(model.get("step")).toBe(1);
  expect(await choose("z")).toBe("Right: z.");
  expect(await choose("z")).toBe("z has had its turn.");
  expect(await choose("gradients/Fill")).toContain("belongs to a gradient");
  for (const name of ["y", "s", "p", "w/read", "w"]) expect(await choose(name)).toBe(`Right: ${name}.`);
  expect(model.get("step")).toBe(flow.turns.length);
  expect(at("status").textContent).not.toContain("Which node");
  close();
});

test("a ready node that is not first is right too", async () => {
  const fork = structuredClone(flow);
  const [, turn] = fork.turns;
  const s = fork.turns[3];
  if (!turn || !s) throw new Error("no turns");
  turn.pending.push([s.node, 0]);
  const { at, root, model, close } = show("gradient-flow", fork, { ask: true, step: 2 });
  const node = root.querySelector('g.node[data-name="s"]');
  if (node) click(node);
  await settle();
  expect(at("reply").textContent).toBe(
    "s is ready too. y was ready before it, so TensorFlow takes that one first.",
  );
  expect(model.get("step")).toBe(3);
  close();
});

test("keys step, and the help explains the signs of a growing graph", async () => {
  const { root, model, at, close } = show("gradient-flow", flow);
  press(root, ".");
  press(root, ".");
  await settle();
  expect(model.get("step")).toBe(2);
  press(root, ",");
  await settle();
  expect(model.get("step")).toBe(1);
  expect(at("help").textContent).toContain("pending count: gradients that have not arrived yet");
  close();
});

test("without values only names are shown, with a hint", () => {
  const bare = structuredClone(flow);
  for (const turn of bare.turns) {
    const all = [...turn.arrivals.flatMap(({ parts, total }) => [...parts, total])];
    for (const gradient of [...all, ...turn.shares.map((share) => share.gradient)]) {
      if (gradient) Object.assign(gradient, { text: "", health: "" });
    }
  }
  for (const { gradient } of bare.results) if (gradient) Object.assign(gradient, { text: "", health: "" });
  const { root, at, close } = show("gradient-flow", bare, { step: 5 });
  expect(at("turn").textContent).not.toContain(" = 13.0");
  expect(root.textContent).toContain("feed_dict");
  close();
});

test("a graph with gradients says so in GraphView, and can close them to one box", async () => {
  const { root, at, model, close } = show("graph-view", flow.graph, { collapsed: [] });
  expect(at("legend").textContent).toContain("node of a gradient");
  expect(root.querySelectorAll('g.node[data-part="gradient"]').length).toBe(flow.graph.gradients.length);
  click(at("fold-gradients"));
  await settle();
  expect(model.get("collapsed")).toEqual(["gradients"]);
  expect(root.querySelectorAll('g.node[data-part="gradient"]')).toHaveLength(0);
  close();
});

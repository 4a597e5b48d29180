import { expect, test } from "vitest";
import filmJson from "../../../tests/golden/build_film.json";
import passesJson from "../../../tests/golden/passes.json";
import { countsAt, filmFrameAt, indexFilm } from "../../src/model/build-state";
import { fatesOf, passFrameAt } from "../../src/model/pass-state";
import type { BuildFilmRecord, PassesRecord } from "../../src/record";
import { listed, press, settle, show } from "../fake";

const film = filmJson as unknown as BuildFilmRecord;
const passes = passesJson as unknown as PassesRecord;
const states = (root: Element): Record<string, string | null> =>
  Object.fromEntries(
    [...root.querySelectorAll(".viewport g.node")].map((group) => [
      group.getAttribute("data-name"),
      group.getAttribute("data-state"),
    ]),
  );

// -- building ----------------------------------------------------------------------------------------------------

test("nothing is there at first, all of it at the end, and each step adds what its line created", () => {
  const built = indexFilm(film);
  const total = film.steps.length;
  let there = 0;
  for (let step = 0; step <= total; step += 1) {
    const { state } = filmFrameAt(built, step);
    const fresh = [...listed(state)].filter(([, each]) => each === "new").map(([id]) => id);
    expect(fresh).toEqual(film.steps[step - 1]?.nodes ?? []);
    there += fresh.length;
    expect(countsAt(built, step).nodes).toBe(there);
    expect([...listed(state).values()].filter((each) => each === "absent")).toHaveLength(
      film.graph.nodes.length - there,
    );
  }
  const { edges } = countsAt(built, total);
  expect(edges.data + edges.control + edges.reference).toBe(film.graph.edges.length);
});

test("the picture keeps its places while it grows", async () => {
  const { root, model, close } = show("build-film", film);
  const places = (): (string | null)[] =>
    [...root.querySelectorAll(".viewport g.node .shape")].map((shape) =>
      shape.outerHTML.replace(/ class="[^"]*"/, ""),
    );
  const before = places();
  for (let step = 1; step <= film.steps.length; step += 1) {
    model.set("step", step);
    await settle();
    expect(places()).toEqual(before);
  }
  expect(Object.values(states(root)).every((state) => state === "made" || state === "new")).toBe(true);
  close();
});

test("each step has one sentence or two, and its line is marked", async () => {
  const { at, model, close } = show("build-film", film);
  const texts: string[] = [];
  const marked: string[] = [];
  for (let step = 0; step <= film.steps.length; step += 1) {
    model.set("step", step);
    await settle();
    texts.push([...at("status").children].map((line) => line.textContent).join(" "));
    marked.push(
      [...at("source").querySelectorAll("[data-just] code")].map((line) => line.textContent?.trim()).join(),
    );
  }
  expect(texts[0]).toBe("Nothing is built yet; steps to come: 7.");
  expect(texts[1]).toMatch(
    /^Line \d+ added nodes \(4\): Variable\/initial_value, Variable, Variable\/Assign, Variable\/read\.$/,
  );
  expect(texts[3]).toMatch(/^What is made in the block of line \d+ waits for AssignAdd\.$/);
  expect(texts[4]).toMatch(/^Line \d+ added no node, so nothing in this block waits\.$/);
  expect(texts[6]).toMatch(/^Line \d+ added nodes \(1\): Identity\. Identity waits for AssignAdd\.$/);
  expect(marked.slice(0, 5)).toEqual([
    "",
    "x = tf.Variable(0.0)",
    "up = tf.assign_add(x, 1)",
    "with tf.control_dependencies([up]):",
    "y = x",
  ]);
  close();
});

test("the picture's tab stop is always on a visible item", async () => {
  const { root, model, close } = show("build-film", film);
  const stops = (): (string | null)[] =>
    [...root.querySelectorAll('.viewport [role="button"][tabindex="0"]')].map((stop) =>
      stop.getAttribute("data-state"),
    );
  for (const step of [1, 7, 2, 5, 1]) {
    model.set("step", step);
    await settle();
    expect(stops()).toHaveLength(1);
    expect(stops()[0]).not.toBe("absent");
    press(root.querySelector('.viewport [tabindex="0"]') ?? root, "End");
  }
  close();
});

test("an empty block appears with its line, and with the line from its control input", async () => {
  const { root, model, close } = show("build-film", film, { step: 2 });
  const state = (): (string | null)[] =>
    [...root.querySelectorAll(".viewport .block, .viewport .tie")].map((part) =>
      part.getAttribute("data-state"),
    );
  expect(state()).toEqual(["absent", "absent"]);
  model.set("step", 3);
  await settle();
  expect(state()).toEqual([null, null]);
  model.set("step", 0);
  await settle();
  expect(state()).toEqual(["absent", "absent"]);
  close();
});

test("keys and program lines step, and stepping back shows the same again", async () => {
  const { at, root, model, close } = show("build-film", film);
  // The tab stop stays where the user is, wherever it was before.
  const drawn = (): string =>
    (root.querySelector(".viewport")?.innerHTML ?? "").replace(/ tabindex="[^"]*"/g, "");
  const look = (): string => `${drawn()}${at("status").innerHTML}`;
  const looks: string[] = [];
  for (let step = 0; step < film.steps.length; step += 1) {
    looks.push(look());
    press(root, ".");
    await settle();
  }
  expect(model.get("step")).toBe(film.steps.length);
  for (const before of looks.toReversed()) {
    press(root, ",");
    await settle();
    expect(look()).toBe(before);
  }
  const line = [...at("source").querySelectorAll("button")].find((row) =>
    row.textContent?.includes("z = tf.identity"),
  );
  line?.dispatchEvent(new Event("click", { bubbles: true }));
  expect(model.get("step")).toBe(6);
  close();
});

// -- passes ------------------------------------------------------------------------------------------------------

const id = (name: string): number => passes.graph.nodes.find((node) => node.name === name)?.id ?? -1;
const at = (code: string): number => passes.passes.findIndex((pass) => pass.code === code);

test("a node leaves in one pass and is pale from then on, and the counts agree", () => {
  let left = passes.graph.nodes.length;
  passes.passes.forEach(({ before, after }, step) => {
    const all = [...listed(passFrameAt(passes, step).state).values()];
    const leaving = all.filter((state) => state === "leaves").length;
    expect(before).toBe(left);
    expect(after).toBe(before - leaving);
    left = after;
    expect(all.filter((state) => state === "left")).toHaveLength(passes.graph.nodes.length - before);
  });
});

test("each pass has a sentence, and each node its fate in it", async () => {
  const widget = show("passes", passes, { step: at("prune") });
  expect(widget.at("status").textContent).toMatch(
    /^Prune: of \d+ nodes, \d+ are needed for what is fetched\.$/,
  );
  expect(widget.at("pass").textContent).toContain("x does not run: its value is fed");
  expect(states(widget.root)).toMatchObject({ x: "leaves", "w/Assign": "leaves", MatMul: "kept" });
  widget.model.set("step", at("known"));
  await settle();
  expect(widget.at("pass").textContent).toContain("Reshape gives [4, 4] in every run");
  expect(states(widget.root)).toMatchObject({ x: "left", Reshape: "leaves" });
  widget.model.set("step", at("order"));
  await settle();
  expect(widget.root.querySelectorAll(".viewport .badge.queued")).toHaveLength(passes.order.length);
  widget.close();
});

test("a chosen node shows all its fates, and its lines of the plan are marked", async () => {
  const widget = show("passes", passes, { step: at("write") });
  widget.root
    .querySelector(`g.node[data-id="${id("MatMul")}"]`)
    ?.dispatchEvent(new Event("click", { bubbles: true }));
  const texts = [...widget.at("pass").querySelectorAll("li")].map(
    (line) => line.querySelector("strong")?.textContent,
  );
  expect(texts).toEqual(["prune", "place", "order", "write"]);
  expect(fatesOf(passes, id("MatMul"))).toHaveLength(4);
  const lines = fatesOf(passes, id("MatMul")).at(-1)?.[1].lines ?? [];
  const marked = [...widget.at("plan").querySelectorAll("li")].flatMap((row, line) =>
    row.hasAttribute("data-active") ? [line] : [],
  );
  expect(marked).toEqual(lines);
  expect(marked).not.toHaveLength(0);
  widget.model.set("step", 0);
  await settle();
  expect(widget.at("plan").hidden).toBe(true);
  widget.close();
});

test("every fate and every pass has a sentence in all languages", async () => {
  for (const lang of ["en", "ko", "zh"]) {
    const widget = show("passes", passes, { lang });
    for (let step = 0; step < passes.passes.length; step += 1) {
      widget.model.set("step", step);
      await settle();
      const words = `${widget.at("status").textContent}${widget.at("pass").textContent}`;
      expect(words).not.toMatch(/[{}]/);
      for (const { code } of passes.passes[step]?.fates ?? [])
        expect([...widget.at("pass").querySelectorAll("li")].map((line) => line.textContent)).not.toContain(
          code,
        );
    }
    widget.close();
  }
});

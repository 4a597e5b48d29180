import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import pipelineJson from "../../../tests/golden/pipeline.json";
import type { GraphRecord, PipelineRecord, TraceRecord } from "../../src/record";
import { settle, show } from "../fake";
import { counterCompare, counterPredict, counterResult, counterTrace } from "../fixtures/counter";
import { HOSTILE } from "../fixtures/hostile";

/** A trace in which every text that a program can choose is hostile. */
function poisoned(name: string): TraceRecord {
  const trace = structuredClone(counterTrace(true));
  const { graph } = trace;
  const spoil = (site: { label: string; source: string } | null): void => {
    if (site) Object.assign(site, { label: name, source: name });
  };
  for (const node of graph.nodes) {
    Object.assign(node, { name: node.id === 1 ? name : `${name}/${node.id}`, scope: name, type: name });
    node.attrs = [[name, name]];
    for (const output of node.outputs) Object.assign(output, { name, dtype: name, text: name });
    spoil(node.site);
  }
  graph.scopes = [{ path: name, parent: "" }];
  for (const edge of graph.edges) edge.text = name;
  for (const block of graph.blocks) {
    block.empty = true;
    spoil(block.site);
  }
  graph.variables = [{ node: 1, name, kind: "reference", shape: [], is_parameter: true }];
  graph.names = graph.names.map(([id]) => [id, name]);
  graph.notices = [{ code: "rerun", params: { again: name, first: name, where: name } }];
  for (const fetch of trace.fetches) Object.assign(fetch, { label: name, name });
  for (const run of trace.runs) {
    run.start.variables = [[name, name]];
    for (const step of run.steps) {
      step.writes = step.writes.map(() => [name, name, name]);
      step.reads = step.reads.map(() => [name, name]);
      step.outputs = step.outputs.map((output) => ({ ...output, text: name, alias: output.alias && name }));
    }
    run.fetched = [{ label: name, text: name }];
  }
  return trace;
}

const BUILT = { code: "made", source: 0, line: 1, end: 2, edges: [], blocks: [], many: true, waits: [] };
const FOREIGN = "script, img, iframe, style, object, embed, link, a, form, b, image, use, foreignObject";

async function inspect(kind: string, record: unknown, name: string, traits = {}): Promise<HTMLElement> {
  const { root, model, close } = show(kind, record, { title: name, ...traits });
  for (const step of [4, 5]) {
    model.set("step", step);
    await settle();
  }
  expect(root.querySelector(FOREIGN)).toBeNull();
  for (const element of root.querySelectorAll("*")) {
    for (const attribute of element.attributes) expect(attribute.name).not.toMatch(/^on/);
  }
  expect((globalThis as { hacked?: boolean }).hacked).toBeUndefined();
  // A megabyte is a name, not a page: little of it is shown.
  expect((root.textContent ?? "").length).toBeLessThan(120_000);
  close();
  return root;
}

// These tests imitate the page slowly, above all with long names.
const PATIENCE_MS = 180_000;

describe.each(HOSTILE.map((name): [string, string] => [name.slice(0, 24), name]))(
  "%s",
  { timeout: PATIENCE_MS },
  (_, name) => {
    test("is text in a graph, and finds its node", async () => {
      const graph: GraphRecord = poisoned(name).graph;
      const root = await inspect("graph-view", graph, name);
      const matches = [...root.querySelectorAll<SVGElement>("g.node")].filter(
        (node) => node.getAttribute("data-name") === name,
      );
      expect(matches).toHaveLength(1);
      expect(root.querySelectorAll("g.node[data-id]")).toHaveLength(graph.nodes.length);
      await inspect("graph-view", graph, name, { collapsed: [name] });
    });

    test("is text in runs and beside another program", async () => {
      const trace = poisoned(name);
      await inspect("step-through", trace, name);
      const record = counterCompare();
      record.sides = record.sides.map((side) => ({ ...side, title: name, trace }));
      await inspect("compare", record, name);
    });

    test("is text in the stages and elements of a pipeline", async () => {
      const record = structuredClone(pipelineJson) as unknown as PipelineRecord;
      const site = { label: name, source: name, line: 1 };
      record.pipes = record.pipes.map((pipe) => ({
        ...pipe,
        title: name,
        error: name,
        stages: pipe.stages.map((stage) => ({ ...stage, label: stage.label && name, site })),
        elements: pipe.elements.map((element) => ({ ...element, text: name })),
        findings: pipe.findings.map((found) => ({ ...found, params: { ...found.params, label: name } })),
      }));
      await inspect("pipeline", record, name, { step: 20 });
    });

    test("is text in a value, in a program's lines, and in the engine's passes", async () => {
      const { graph } = poisoned(name);
      const steps = graph.nodes.map(({ id }) => ({ ...BUILT, nodes: [id] }));
      const codes = [{ place: name, first: 1, lines: [name, name] }];
      const film = { version: 1, kind: "build-film", graph: { ...graph, codes }, steps };
      await inspect("build-film", film, name);
      const params = { node: name, consumer: name, path: name, value: name, other: name, lines: "1" };
      const fates = graph.nodes.map(({ id }) => ({
        node: id,
        code: name,
        leaves: false,
        params,
        lines: [0],
      }));
      const pass = { code: "write", before: 1, after: 1, fates, note: name, params };
      const knownFates = fates.map((fate) => ({ ...fate, code: "known" }));
      const list = [pass, { ...pass, code: "known", fates: knownFates }, pass, pass, pass, pass];
      const record = {
        version: 1,
        kind: "passes",
        graph,
        fetches: [],
        passes: list,
        order: [],
        plan: [name],
      };
      await inspect("passes", record, name, { step: 1 });
      const cells = { part: name, rows: [name], columns: [name], cells: [[name]], levels: [[0]] };
      const table = { ...cells, all_rows: 9, all_columns: 9, block: [1, 1], low: name, high: name };
      const value = {
        version: 1,
        kind: "tensor",
        name,
        dtype: name,
        shape: [1, 1],
        text: name,
        length: null,
      };
      const looks = { looks: ["table", "heat"], stats: null, table, heat: table, bars: null, gallery: null };
      await inspect("value", { ...value, ...looks }, name);
    });

    test("is text in a question and its answer", async () => {
      const programs = [[{ place: name, first: 1, lines: [name.slice(0, 9999)] }]];
      const ask = { ...counterPredict, title: name, prompt: name.slice(0, 9999), programs };
      ask.targets = [{ key: name.slice(0, 99), label: name, choices: [] }];
      const result = counterResult();
      const [first] = result.targets;
      if (!first) throw new Error("no target");
      Object.assign(first, { key: name.slice(0, 99), predicted: [name], actual: [name] });
      for (const model of first.models) Object.assign(model, { model: name, predicts: [name] });
      result.targets = [first];
      await inspect("predict", ask, name, { committed: true, result, reason: name });
    });
  },
);

test("no source creates markup from text", () => {
  const root = join(import.meta.dirname, "../../src");
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const source = readFileSync(join(root, file), "utf8");
    expect(source, file).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/,
    );
    expect(source, file).not.toMatch(/XMLHttpRequest|WebSocket|sendBeacon|https?:\/\/(?!www\.w3\.org)/);
    // tests/repo/test_text.py holds the two lines that ask a page's own origin.
    const asks = ["load.ts", "page.ts"].some((name) => file.endsWith(name));
    expect(asks ? "" : source, file).not.toMatch(/\bfetch\(/);
  }
});

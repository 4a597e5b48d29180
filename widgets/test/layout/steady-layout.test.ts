import { describe, expect, test, vi } from "vitest";
import recorded from "../../../tests/golden/portions.json";
import { unpack } from "../../src/base/unpacking";
import type { Box } from "../../src/layout/geometry";
import { createLayouter } from "../../src/layout/layouter";
import { type Memory, type Plan, placeLevels } from "../../src/layout/place-levels";
import { draftScene, type Scene, type Sizes } from "../../src/layout/scene";
import { afterOpening, autoCollapse, visibleGraph } from "../../src/model/collapse";
import { type Graph, indexGraph } from "../../src/model/graph";
import type { GraphRecord } from "../../src/record";
import { random } from "../fake";
import { randomGraph } from "../fixtures/random";
import { sizes } from "../fixtures/sizes";

const training = (): Graph => indexGraph(unpack(recorded.first as unknown as GraphRecord));

function drawer(graph: Graph, turned = false): (closed: string[]) => Scene {
  let memory: Memory = new Map();
  return (closed) => {
    const { plan, finish } = draftScene(graph, visibleGraph(graph, new Set(closed)), sizes, {
      turned,
      before: memory,
    });
    memory = placeLevels(plan, memory);
    return finish(memory);
  };
}

/** The items of a scope by their keys. */
function things(graph: Graph, scene: Scene, path: string): Map<string, Box> {
  const here = new Map<string, Box>();
  for (const id of graph.scope.get(path)?.nodes ?? []) {
    const box = scene.nodes.get(id);
    if (box) here.set(`n${id}`, box);
  }
  for (const child of graph.children.get(path) ?? []) {
    const box = scene.open.get(child) ?? scene.closed.get(child);
    if (box) here.set(child, box);
  }
  return here;
}

/** The relation of two boxes of one scope: before, behind, or beside, along the flow and across. */
function relation(a: Box, b: Box, turned: boolean): string {
  const across = a.x + a.w <= b.x ? "left" : b.x + b.w <= a.x ? "right" : "";
  const down = a.y + a.h <= b.y ? "above" : b.y + b.h <= a.y ? "below" : "";
  return turned ? across || down : down || across;
}

/** Pairs of items in one scope that swapped places. */
function swapped(graph: Graph, before: Scene, after: Scene): string[] {
  const opposite: Record<string, string> = { left: "right", right: "left", above: "below", below: "above" };
  const swaps: string[] = [];
  for (const path of graph.scope.keys()) {
    const [old, now] = [things(graph, before, path), things(graph, after, path)];
    const keys = [...old.keys()].filter((key) => now.has(key));
    for (const [i, a] of keys.entries()) {
      for (const b of keys.slice(i + 1)) {
        const was = relation(old.get(a) as Box, old.get(b) as Box, before.turned);
        const is = relation(now.get(a) as Box, now.get(b) as Box, before.turned);
        if (was !== is && opposite[was] === is) swaps.push(`${a} was ${was} ${b}, now ${is}`);
      }
    }
  }
  return swaps;
}

describe.each([
  ["a training", training()],
  ...[1, 2, 3, 4, 5, 6].map((seed): [string, Graph] => [
    `random graph ${seed}`,
    indexGraph(randomGraph(seed)),
  ]),
])("%s", (_, graph) => {
  test.each([false, true])("whatever opens or closes, no two items swap places (turned: %s)", (turned) => {
    const draw = drawer(graph, turned);
    const next = random(11);
    let closed = [...graph.scope.keys()].filter((path) => path !== "");
    let before = draw(closed);
    let compared = 0;
    for (let i = 0; i < 14; i += 1) {
      const seen = visibleGraph(graph, new Set(closed));
      const doors = [...seen.closed.keys()].filter((path) => !graph.sealed.has(path));
      const opens = doors.length > 0 && (seen.open.length === 0 || next() < 0.7);
      const among = opens ? doors : seen.open;
      const path = among[Math.floor(next() * among.length)] ?? "";
      closed = opens ? afterOpening(graph, closed, path) : [...closed, path];
      const after = draw(closed);
      expect(swapped(graph, before, after)).toEqual([]);
      compared += 1;
      before = after;
    }
    expect(compared).toBe(14);
  });
});

test("a picture to the right equals the one downwards with x and y exchanged", () => {
  const graph = { ...training(), parts: new Map() };
  const closed = autoCollapse(graph);
  const seen = visibleGraph(graph, new Set(closed));
  const turnedSizes = { ...sizes, node: (id: number) => ({ w: sizes.node(id).h, h: sizes.node(id).w }) };
  const place = (own: Sizes, turned: boolean): Scene => {
    const { plan, finish } = draftScene(graph, seen, own, { turned });
    return finish(placeLevels(plan, new Map()));
  };
  const right = place(turnedSizes, true);
  expect(right.turned).toBe(true);
  for (const { points, turned } of right.lines) {
    expect(turned).toBe(true);
    expect(points.length).toBeGreaterThan(1);
  }
  for (const [id, box] of right.nodes) {
    expect(box.w).toBe(sizes.node(id).h);
    expect([
      box.x >= 0,
      box.y >= 0,
      box.x + box.w <= right.w + 0.01,
      box.y + box.h <= right.h + 0.01,
    ]).toEqual([true, true, true, true]);
  }
  const data = right.lines.filter(({ bundle }) => bundle.kind === "data");
  const forward = data.filter(({ points }) => (points.at(-1)?.x ?? 0) > (points[0]?.x ?? 0));
  expect(forward.length).toBeGreaterThan(0.9 * data.length);
});

describe("the worker", () => {
  class FakeWorker {
    static made: FakeWorker[] = [];
    onmessage: ((event: { data: Memory }) => void) | null = null;
    onerror: ((event: { preventDefault: () => void }) => void) | null = null;
    sent: unknown[] = [];
    ended = false;
    constructor() {
      FakeWorker.made.push(this);
    }
    postMessage(message: unknown): void {
      this.sent.push(message);
    }
    terminate(): void {
      this.ended = true;
    }
  }

  const largePlan = () => {
    const graph = training();
    const { plan } = draftScene(graph, visibleGraph(graph, new Set()), sizes);
    return plan;
  };

  const withWorkers = (kind: unknown, then: () => void): void => {
    const before = globalThis.Worker;
    FakeWorker.made = [];
    Object.assign(globalThis, { Worker: kind });
    try {
      then();
    } finally {
      Object.assign(globalThis, { Worker: before });
    }
  };

  test("ends when a newer plan comes, and only the newer one is shown", () => {
    withWorkers(FakeWorker, () => {
      const widget: string[] = [];
      const { place } = createLayouter(new AbortController().signal);
      place(largePlan(), () => widget.push("first"));
      place(largePlan(), () => widget.push("second"));
      const [first, second] = FakeWorker.made;
      expect([first?.ended, second?.ended, widget]).toEqual([true, false, []]);
      second?.onmessage?.({ data: placeLevels(largePlan(), new Map()) });
      expect(widget).toEqual(["second"]);
    });
  });

  test("is created anew only after being ended, and ends with its widget", () => {
    withWorkers(FakeWorker, () => {
      const life = new AbortController();
      const { place } = createLayouter(life.signal);
      place(largePlan(), () => {});
      FakeWorker.made[0]?.onmessage?.({ data: new Map() });
      place(largePlan(), () => {});
      expect(FakeWorker.made.length).toBe(1);
      life.abort();
      expect(FakeWorker.made[0]?.ended).toBe(true);
    });
  });

  test("places as the page does, whatever either placed before", async () => {
    const graph = training();
    const next = random(4);
    const paths = [...graph.scope.keys()].filter((path) => path !== "");
    let memories: [Memory, Memory] = [new Map(), new Map()];
    for (let i = 0; i < 8; i += 1) {
      const seen = visibleGraph(graph, new Set(paths.filter(() => next() < 0.3)));
      const [here, there] = memories.map((before) => draftScene(graph, seen, sizes, { before }));
      if (!here || !there) throw new Error("no draft");
      vi.resetModules();
      const fresh = await import("../../src/layout/place-levels");
      memories = [
        placeLevels(here.plan, memories[0]),
        structuredClone(fresh.placeLevels(structuredClone(there.plan), structuredClone(memories[1]))),
      ];
      expect(there.finish(memories[1])).toEqual(here.finish(memories[0]));
    }
  });

  test("being too slow makes no difference to an opened scope", () => {
    const graph = training();
    const path =
      [...graph.children.entries()].find(([at, inner]) => at !== "" && inner.length > 2)?.[0] ?? "";
    const inner = (overtaken: boolean): unknown => {
      const { place, memory } = createLayouter(new AbortController().signal);
      const draw = (closed: string[]): void => {
        const { plan } = draftScene(graph, visibleGraph(graph, new Set(closed)), sizes, { before: memory() });
        place(plan, () => {});
        const worker = FakeWorker.made.at(-1);
        if (!worker || (overtaken && closed.length > 0)) return;
        const [sent, before] = worker.sent.at(-1) as [Plan, Memory];
        worker.onmessage?.({ data: placeLevels(sent, before) });
      };
      draw([]);
      const first = memory().get(path);
      draw([path]);
      draw([]);
      expect(memory().get(path)).toEqual(first);
      return memory().get(path);
    };
    withWorkers(FakeWorker, () => expect(inner(true)).toEqual(inner(false)));
  });

  test("is replaced by the page if it is forbidden or fails", () => {
    const refused = class {
      constructor() {
        throw new DOMException("refused", "SecurityError");
      }
    };
    for (const kind of [refused, undefined]) {
      withWorkers(kind, () => {
        let placed: Memory = new Map();
        createLayouter(new AbortController().signal).place(largePlan(), (all) => {
          placed = all;
        });
        expect(placed.size).toBe(largePlan().levels.length);
      });
    }
    withWorkers(FakeWorker, () => {
      let placed: Memory = new Map();
      const { place } = createLayouter(new AbortController().signal);
      place(largePlan(), (all) => {
        placed = all;
      });
      expect(placed.size).toBe(0);
      FakeWorker.made[0]?.onerror?.({ preventDefault: () => {} });
      expect(placed.size).toBe(largePlan().levels.length);
    });
  });

  test("started early is the one that works, and if it fails the page takes over", () => {
    for (const fails of [false, true]) {
      withWorkers(FakeWorker, () => {
        let placed: Memory = new Map();
        const { expect: begin, place } = createLayouter(new AbortController().signal);
        begin();
        begin();
        if (fails) FakeWorker.made[0]?.onerror?.({ preventDefault: () => {} });
        place(largePlan(), (all) => {
          placed = all;
        });
        expect(FakeWorker.made.length).toBe(1);
        expect(FakeWorker.made[0]?.sent.length).toBe(fails ? 0 : 1);
        expect(placed.size).toBe(fails ? largePlan().levels.length : 0);
      });
    }
  });

  test("is not started for small plans", () => {
    withWorkers(FakeWorker, () => {
      const graph = indexGraph(randomGraph(1));
      const { plan } = draftScene(graph, visibleGraph(graph, new Set()), sizes);
      let placed = 0;
      createLayouter(new AbortController().signal).place(plan, (all) => {
        placed = all.size;
      });
      expect([FakeWorker.made.length, placed]).toEqual([0, plan.levels.length]);
    });
  });
});

/** The whole graph, for what must look at all of it: a search, the ways of a node, colours.
 *
 * A record that holds all nodes is the whole graph. A large one holds a part; the rest is asked of Python, in pages and once.
 */

import { unpacked } from "../base/unpacking";
import type { Context } from "../context";
import { createAnswer } from "../controls/question-status";
import { type Graph, indexGraph } from "../model/graph";
import type { GraphRecord } from "../record";

export interface Whole {
  /** How the questions stand. */
  element: HTMLElement;
  /** Never comes where Python does not answer; the element says so. */
  graph: () => Promise<Graph>;
  /** Scopes that are built alike, with one number for each structure. */
  structures: () => Promise<[string, number][]>;
}

interface Page {
  pages: number;
  record: GraphRecord;
}

export function createWhole(ctx: Context, graph: Graph): Whole {
  const answer = createAnswer(ctx);
  const ask = <T>(question: string, args: Record<string, unknown> = {}): Promise<T> =>
    new Promise((done) => answer.ask<T>(question, args, done));
  let whole: Promise<Graph> | null = null;

  const page = async (i: number): Promise<Page> => {
    const { pages, record } = await ask<Page>("whole", { page: i });
    return { pages, record: unpacked(record) };
  };

  async function fetchAll(): Promise<Graph> {
    const { pages, record } = await page(0);
    const all = { ...record, nodes: [...record.nodes], edges: [...record.edges] };
    for (let i = 1; i < pages; i += 1) {
      const next = (await page(i)).record;
      for (const node of next.nodes) all.nodes.push(node);
      for (const edge of next.edges) all.edges.push(edge);
    }
    return indexGraph(all);
  }

  return {
    element: answer.element,
    graph: async () => {
      if (graph.record.sealed.length === 0) return graph;
      whole ??= fetchAll();
      return whole;
    },
    structures: () => ask("structures"),
  };
}

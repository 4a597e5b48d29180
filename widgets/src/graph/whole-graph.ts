/** The whole graph, for tools that must read all of it: search, tracing, colours.
 *
 * A small record holds all nodes. A large one holds a part, and Python sends the rest once, page by page.
 */

import { unpack } from "../base/unpacking";
import type { Context } from "../context";
import { createQuestionStatus } from "../controls/question-status";
import { type Graph, indexGraph, ROOT } from "../model/graph";
import type { GraphRecord } from "../record";

export interface WholeGraph {
  /** The status of the questions. */
  element: HTMLElement;
  /** Stays pending if Python does not answer; `element` says so. */
  graph: () => Promise<Graph>;
  /** The scopes with an equal structure, and the number of that structure. */
  structures: () => Promise<[string, number][]>;
}

interface Page {
  pages: number;
  record: GraphRecord;
}

export function createWholeGraph(ctx: Context, graph: Graph): WholeGraph {
  const answer = createQuestionStatus(ctx);
  const ask = <T>(question: string, args: Record<string, unknown> = {}): Promise<T> =>
    new Promise((done) => answer.ask<T>(question, args, done));
  let fetched: Promise<Graph> | null = null;
  let indexed: Graph | null = null;

  const page = async (i: number): Promise<Page> => {
    const { pages, record } = await ask<Page>("whole", { page: i });
    return { pages, record: unpack(record) };
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
      if (graph.whole.sealed.length === 0) {
        if (graph.at === ROOT) return graph;
        indexed ??= indexGraph(graph.whole);
        return indexed;
      }
      fetched ??= fetchAll();
      return fetched;
    },
    structures: () => ask("structures"),
  };
}

/** Fetches what a large graph's record leaves out, when the reader opens it. State: what was fetched, in order. */

import { unpacked } from "../base/unpacking";
import type { Context } from "../context";
import { createAnswer } from "../controls/question-status";
import { afterOpening } from "../model/collapse";
import { extend, type Graph } from "../model/graph";
import type { GraphRecord } from "../record";

export interface Portions {
  /** How the question stands. */
  element: HTMLElement;
  /** Asks for a sealed scope, gives the scopes that are closed then, and goes on. */
  open: (path: string, then?: () => void) => void;
}

export function createPortions(
  ctx: Context,
  graph: Graph,
  collapsed: () => string[],
  show: (collapsed: string[]) => void,
  loaded: readonly string[],
): Portions {
  const answer = createAnswer(ctx);
  const opened: string[] = [...loaded];
  return {
    element: answer.element,
    open(path, then) {
      answer.ask<GraphRecord>("portion", { path, opened }, (message) => {
        if (!graph.sealed.has(path)) return;
        extend(graph, path, unpacked(message));
        opened.push(path);
        show(afterOpening(graph, collapsed(), path));
        then?.();
      });
    },
  };
}

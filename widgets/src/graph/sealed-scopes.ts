/** Fetches the sealed scopes of a large graph when the user opens them. State: the fetched scopes, in order. */

import { unpack } from "../base/unpacking";
import type { Context } from "../context";
import { createQuestionStatus } from "../controls/question-status";
import { afterOpening } from "../model/collapse";
import { extend, type Graph } from "../model/graph";
import type { GraphRecord } from "../record";

export interface SealedScopes {
  /** The status of the question. */
  element: HTMLElement;
  /** Fetches a sealed scope, shows the graph with it open, and calls `then`. */
  open: (path: string, then?: () => void) => void;
}

export function createSealedScopes(
  ctx: Context,
  graph: Graph,
  collapsed: () => string[],
  show: (collapsed: string[]) => void,
  loaded: readonly string[],
): SealedScopes {
  const answer = createQuestionStatus(ctx);
  const opened: string[] = [...loaded];
  return {
    element: answer.element,
    open(path, then) {
      answer.ask<GraphRecord>("portion", { path, opened }, (message) => {
        if (!graph.sealed.has(path)) return;
        extend(graph, path, unpack(message));
        opened.push(path);
        show(afterOpening(graph, collapsed(), path));
        then?.();
      });
    },
  };
}

/** Opens the scopes of a picture, outer ones first, as far as the picture has room. */
import { LIMIT } from "./collapse";
import { type Graph, ROOT } from "./graph";

/** The closed scopes after all are opened that fit: what is open stays so. `left` is how many stay closed for lack of room. */
export function expandAll(
  graph: Graph,
  collapsed: Iterable<string>,
  limit = LIMIT,
): { collapsed: string[]; left: number } {
  const closed = new Set(collapsed);
  const own = (path: string): number =>
    (graph.scope.get(path)?.nodes.length ?? 0) + (graph.children.get(path)?.length ?? 0);
  const inside = (path: string): string[] =>
    (graph.children.get(path) ?? []).filter((child) => !graph.sealed.has(child));
  let drawn = own(ROOT);
  let left = 0;
  const level = inside(ROOT);
  // What is open now comes first, or a scope opened before it would take its room.
  for (const path of level)
    if (!closed.has(path)) {
      drawn += own(path) - 1;
      level.push(...inside(path));
    }
  const waiting = level.filter((path) => closed.has(path));
  for (const path of waiting) {
    const more = own(path) - 1;
    if (drawn + more > limit) {
      left += 1;
      continue;
    }
    drawn += more;
    closed.delete(path);
    for (const child of inside(path)) {
      closed.add(child);
      waiting.push(child);
    }
  }
  return { collapsed: [...closed], left };
}

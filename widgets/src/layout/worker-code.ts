/**
 * The layout as one function without a word from outside, so that its text is all that a worker needs.
 * The build puts the whole of place-levels.ts with dagre into the function; see build.mjs. Tests take it as it stands here.
 */
import { placeLevels } from "./place-levels";

export function engine(): { placeLevels: typeof placeLevels } {
  return { placeLevels };
}

/**
 * The layout as one self-contained function, whose text is the code of the worker.
 * The build puts place-levels.ts with dagre into the function; see build.mjs. Tests run it as it is here.
 */
import { placeLevels } from "./place-levels";

export function layoutCode(): { placeLevels: typeof placeLevels } {
  return { placeLevels };
}

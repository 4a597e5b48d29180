/** The rows of items: the longest way to each. */

export interface Step {
  above: string;
  below: string;
  /** How many rows it is below; by default one. */
  by?: number;
}

/** The length of the longest way to each item. */
export function ranksOf(items: string[], steps: Step[]): Map<string, number> {
  const rank = new Map(items.map((item) => [item, 0]));
  // As many rounds as the longest way has steps; a cycle, whose lines are turned back, ends them too.
  for (let round = 0, changed = true; changed && round < items.length; round += 1) {
    changed = false;
    for (const { above, below, by = 1 } of steps) {
      const least = (rank.get(above) ?? 0) + by;
      if (above === below || (rank.get(below) ?? 0) >= least) continue;
      rank.set(below, least);
      changed = true;
    }
  }
  return rank;
}

/** The lines in which two programs differ: those that are in no longest common subsequence. Blank lines never differ. */
export function differingLines(one: readonly string[], other: readonly string[]): [Set<number>, Set<number>] {
  const [a, b] = [one, other].map((lines) => lines.map((line) => line.trimEnd())) as [string[], string[]];
  /** common[i][j]: how many lines a from i on and b from j on have in common. */
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = common[i] as Uint16Array;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [onlyA, onlyB] = [new Set<number>(), new Set<number>()];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      if (a[i]) onlyA.add(i);
      i += 1;
    } else {
      if (b[j]) onlyB.add(j);
      j += 1;
    }
  }
  return [onlyA, onlyB];
}

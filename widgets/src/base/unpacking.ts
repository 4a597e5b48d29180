/** Unpacks what tfedu/view/records/packing.py packed: each field of a record as one column over all objects that have it. */

type Column =
  | unknown[]
  | { every: unknown; count: number }
  | { lines: string }
  | { ints: string }
  | { from: number; count: number }
  | { table: Column; at: Column }
  | { same: Column; rest: Column }
  | { sizes: Column; of: Column }
  | { first: Column; at: Column; keep: Column; last: Column; of: Column }
  | { fields: Record<string, Column>; count: number };

/** The record of a message; a message that is not packed is returned as it is. */
export function unpack<T>(message: T): T {
  const { packed } = (message ?? {}) as { packed?: Column };
  return packed === undefined ? message : (values(packed)[0] as T);
}

function values(column: Column): unknown[] {
  if (Array.isArray(column)) return column;
  if ("every" in column) return Array.from({ length: column.count }, () => column.every);
  if ("lines" in column) return column.lines.split("\n");
  if ("ints" in column) return column.ints.split(" ").map(Number);
  if ("from" in column) return Array.from({ length: column.count }, (_, i) => column.from + i);
  if ("table" in column) {
    const table = values(column.table);
    return values(column.at).map((place) => ((place as number) < 0 ? null : table[place as number]));
  }
  if ("same" in column) {
    const same = values(column.same) as number[];
    let before = "";
    return (values(column.rest) as string[]).map((rest, i) => {
      before = before.slice(0, same[i]) + rest;
      return before;
    });
  }
  if ("sizes" in column) {
    const all = values(column.of);
    let at = 0;
    return (values(column.sizes) as number[]).map((size) => {
      at += size;
      return all.slice(at - size, at);
    });
  }
  if ("keep" in column) {
    const counts = (part: Column): number[] => values(part) as number[];
    const [at, keep, last] = [counts(column.at), counts(column.keep), counts(column.last)];
    const all = values(column.of);
    let row: unknown[] = [];
    let used = 0;
    return counts(column.first).map((first, i) => {
      const from = at[i] ?? 0;
      const own = row.slice(from, from + (keep[i] ?? 0));
      const end = used + first + (last[i] ?? 0);
      row = [...all.slice(used, used + first), ...own, ...all.slice(used + first, end)];
      used = end;
      return row;
    });
  }
  const fields = Object.entries(column.fields).map(([name, inner]) => [name, values(inner)] as const);
  const rows: unknown[] = [];
  for (let i = 0; i < column.count; i += 1) {
    // Not from entries: a pair for each field of each row would be most of the work.
    const row: Record<string, unknown> = {};
    for (const [name, own] of fields) row[name] = own[i];
    rows.push(row);
  }
  return rows;
}

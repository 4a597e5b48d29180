/** Which element of a small graph of tensors reads which, in both directions, and the texts that the record gives of them. */

import { shorten } from "../base/text";
import type { FormulaPartRecord, ReadsRecord } from "../record";

export interface Place {
  tensor: number;
  at: number;
}

/** An element beside another one, and how much the one that reads rises per 1 of the one that is read. */
export interface Link extends Place {
  slope: string;
}

export const placeKey = ({ tensor, at }: Place): string => `${tensor}:${at}`;

export interface Links {
  /** The elements that this one is computed from. */
  reads: (place: Place) => readonly Link[];
  /** The elements that are computed from this one. */
  readers: (place: Place) => readonly Link[];
  /** The keys of all elements that reach this one through others. */
  behind: (place: Place) => Set<string>;
}

export function linksOf({ tensors }: ReadsRecord): Links {
  const readers = new Map<string, Link[]>();
  for (const [tensor, { elements }] of tensors.entries()) {
    for (const [at, { reads }] of elements.entries()) {
      for (const read of reads) {
        const own = readers.get(placeKey(read)) ?? [];
        readers.set(placeKey(read), own);
        own.push({ tensor, at, slope: read.slope });
      }
    }
  }
  const reads = ({ tensor, at }: Place): readonly Link[] => tensors[tensor]?.elements[at]?.reads ?? [];
  return {
    reads,
    readers: (place) => readers.get(placeKey(place)) ?? [],
    behind(place) {
      const direct = new Set(reads(place).map(placeKey));
      const found = new Set<string>();
      const stack: Place[] = [...reads(place)];
      for (let next = stack.pop(); next; next = stack.pop()) {
        for (const read of reads(next)) {
          const key = placeKey(read);
          if (direct.has(key) || found.has(key)) continue;
          found.add(key);
          stack.push(read);
        }
      }
      return found;
    },
  };
}

/** An element's name, as `x[1, 2]`. */
export function elementName({ tensors }: ReadsRecord, { tensor, at }: Place): string {
  const found = tensors[tensor];
  return `${shorten(found?.name ?? "", 24)}${found?.elements[at]?.index ?? ""}`;
}

/**
 * How a tensor is computed, as `MatMul(a, b)`; of several nodes, the types after each other. "" for an input. `fits`: whether a text
 * has room; else a shorter one is taken.
 */
export function origin(
  { tensors }: ReadsRecord,
  tensor: number,
  fits: (text: string) => boolean = () => true,
): string {
  const { ops, operands } = tensors[tensor] ?? { ops: [], operands: [] };
  if (ops.length === 0) return "";
  const types = (ops.length <= 3 ? ops : [ops[0] ?? "", "…", ops.at(-1) ?? ""]).join(" · ");
  const names = operands.map((each) => shorten(tensors[each]?.name ?? "", 16)).join(", ");
  const last = `${ops.length > 1 ? "… " : ""}${shorten(ops.at(-1) ?? "", 16)}`;
  return [`${types}(${names})`, types].find(fits) ?? last;
}

export const formulaText = (parts: readonly FormulaPartRecord[]): string =>
  parts.map(({ text }) => text).join("");

/** What a formula is the value of: the element, or the gradient of the output for it. */
export function gradientName(record: ReadsRecord, place: Place): string {
  const output = record.tensors.at(-1);
  const name = shorten(output?.name ?? "", 16);
  return `∂(${(output?.elements.length ?? 0) > 1 ? `Σ ${name}` : name}) / ∂${elementName(record, place)}`;
}

/** The keys of the elements whose values differ between two records of one graph. */
export function changedPlaces(before: ReadsRecord, after: ReadsRecord): Set<string> {
  const changed = new Set<string>();
  for (const [tensor, { elements }] of after.tensors.entries()) {
    for (const [at, { text }] of elements.entries()) {
      const old = before.tensors[tensor]?.elements[at]?.text;
      if (old !== undefined && old !== "" && text !== "" && old !== text)
        changed.add(placeKey({ tensor, at }));
    }
  }
  return changed;
}

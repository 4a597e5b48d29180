/** What a picture of elements marks: an element with what it reads and what reads it, a change, or a question's answer. */

import { type Links, type Place, placeKey } from "../model/element-links";
import type { ElementAnswerRecord, ReadsRecord } from "../record";
import type { CellState } from "./element-cells";
import type { CellMarks } from "./element-grids";

export interface Shown {
  place: Place;
  picked: readonly (readonly number[])[];
  answer: ElementAnswerRecord | null;
  changed: ReadonlySet<string>;
  /** The element of the formula's number that the pointer is on. */
  number: Place | null;
}

export function marksOf(
  record: ReadsRecord,
  links: Links,
  { place, picked, answer, changed, number }: Shown,
): CellMarks {
  const states = new Map<string, CellState[]>();
  const slopes = new Map<string, string>();
  const say = (key: string, state: CellState): void => {
    states.set(key, [...(states.get(key) ?? []), state]);
  };
  say(placeKey(place), "now");
  const told = answer?.form === "reads" ? answer : null;
  for (const read of links.reads(place)) {
    say(placeKey(read), "read");
    if (!told) slopes.set(placeKey(read), read.slope);
  }
  for (const key of links.behind(place)) say(key, "indirect");
  for (const reader of links.readers(place)) {
    say(placeKey(reader), "reader");
    slopes.set(placeKey(reader), reader.slope);
  }
  for (const key of changed) say(key, "changed");
  for (const [tensor = 0, at = 0] of picked) say(placeKey({ tensor, at }), "picked");
  if (told && told.picked.length > 0) {
    const extra = new Set(told.extra.map(([tensor, at]) => placeKey({ tensor, at })));
    for (const [tensor, at] of told.picked) {
      const key = placeKey({ tensor, at });
      say(key, extra.has(key) ? "extra" : "right");
    }
    for (const [tensor, at] of told.missed) say(placeKey({ tensor, at }), "missed");
  }
  if (number) say(placeKey(number), "number");
  const windows = record.tensors[place.tensor]?.elements[place.at]?.windows ?? [];
  return { states, slopes, windows };
}

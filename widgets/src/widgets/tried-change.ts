/** The sheet over a widget on which a tried change is compared with the original. */

import { h } from "../base/dom";
import { localStore } from "../base/store";
import { oneLine } from "../base/text";
import type { Context, TriedChange } from "../context";
import type { CompareRecord } from "../record";
import { embedded } from "../stage/head";
import { createSheet, type Sheet } from "../stage/sheet";
import { compare } from "./compare";

export function createTriedChange(context: () => Context): TriedChange {
  let inner = new AbortController();
  let made: Sheet | null = null;
  const element = h("div", { class: "bands" });
  // The context exists only after this.
  const sheet = (): Sheet => {
    made ??= createSheet(context(), "stage", () => inner.abort());
    element.replaceChildren(made.element);
    return made;
  };

  function gives({ title, trace }: CompareRecord["sides"][number], ctx: Context): HTMLElement {
    const runs = trace.runs.map(({ error, fetched }) => error ?? fetched.map(({ text }) => text).join(", "));
    const values = runs.map(oneLine).join("; ") || ctx.t("why.nothing");
    return h("p", { dir: "auto" }, ctx.t("why.gives", { title, values }));
  }

  return {
    element,
    close: () => made?.close() ?? false,
    compare(record) {
      inner.abort();
      inner = new AbortController();
      const outer = context();
      outer.life.addEventListener("abort", () => inner.abort());
      const highlights = localStore({ path: [], races: [] });
      const ctx: Context = { ...outer, life: inner.signal, program: null, highlights };
      const titles = [ctx.t("why.before"), ctx.t("why.after")];
      const sides = record.sides.map((side, i) => ({ ...side, title: titles[i] ?? side.title }));
      const run = Math.max(0, ...sides.map(({ trace }) => trace.runs.length - 1));
      const step = Number.MAX_SAFE_INTEGER;
      const pair = compare(ctx, localStore({ record: { ...record, sides }, run, step }), ctx.t("why.tried"));
      sheet().open(ctx.t("why.tried"), [
        ...sides.map((side) => gives(side, ctx)),
        embedded(ctx, ctx.t("compare.default_title"), pair),
      ]);
    },
  };
}

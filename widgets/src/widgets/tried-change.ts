/** The sheet over a widget on which a tried change is compared with the original. */

import { h } from "../base/dom";
import { localStore } from "../base/store";
import { oneLine } from "../base/text";
import type { Context, TriedChange } from "../context";
import { button } from "../controls/button";
import type { CompareRecord } from "../record";
import { embedded } from "../stage/head";
import { compare } from "./compare";

export function createTriedChange(context: () => Context): TriedChange {
  const element = h("div", { class: "answer-sheet", "data-testid": "stage", hidden: true });
  let inner = new AbortController();
  let back: Element | null = null;

  function close(): boolean {
    if (element.hidden) return false;
    inner.abort();
    element.hidden = true;
    element.replaceChildren();
    if (back instanceof HTMLElement && back.isConnected) back.focus();
    return true;
  }

  function gives({ title, trace }: CompareRecord["sides"][number], ctx: Context): HTMLElement {
    const runs = trace.runs.map(({ error, fetched }) => error ?? fetched.map(({ text }) => text).join(", "));
    const values = runs.map(oneLine).join("; ") || ctx.t("why.nothing");
    return h("p", { dir: "auto" }, ctx.t("why.gives", { title, values }));
  }

  return {
    element,
    close,
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
      const heading = h("h4", { tabindex: "-1" }, ctx.t("why.tried"));
      back = document.activeElement;
      const cross = button({ testid: "stage-close", icon: "cross", words: ctx.t("why.close"), act: close });
      element.hidden = false;
      element.replaceChildren(
        h("header", {}, heading, cross),
        ...sides.map((side) => gives(side, ctx)),
        embedded(
          ctx,
          ctx.t("compare.default_title"),
          compare(ctx, localStore({ record: { ...record, sides }, run, step }), ctx.t("why.tried")),
        ),
      );
      heading.focus();
    },
  };
}

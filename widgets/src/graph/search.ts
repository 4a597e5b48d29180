/** The search field of a graph, and its hits: a list of buttons, each of which leads to a node. */

import { h, setText } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { FIELDS, parse, search } from "../explore/query";
import type { Key } from "../i18n";
import type { Graph } from "../model/graph";

/** How many hits are listed; the others are counted, and "next" reaches them. */
const LISTED = 100;
const PATIENCE = 150; // ms; while the user types nobody reads the hits

export interface SearchOptions {
  whole: () => Promise<Graph>;
  text: () => string;
  keep: (text: string) => void;
  /** Shows the hits, and the current one among them. */
  show: (hits: readonly number[], current: number | null) => void;
  choose: (id: number) => void;
}

export interface Search {
  element: HTMLElement;
  /** Python may have set the text. */
  refresh: () => void;
}

export function createSearch(ctx: Context, options: SearchOptions): Search {
  const { t } = ctx;
  let hits: number[] = [];
  let current = -1;
  let graph: Graph | null = null;
  let number = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const field = h("input", {
    type: "search",
    "data-testid": "search",
    placeholder: t("search.example"),
    "aria-label": t("search.label"),
    "aria-describedby": `${ctx.prefix}-search-status`,
    spellcheck: "false",
    autocomplete: "off",
    dir: "auto",
  });
  const status = h("span", {
    class: "status",
    id: `${ctx.prefix}-search-status`,
    role: "status",
    "data-testid": "search-status",
  });
  const list = h("ol", { class: "hits", "data-testid": "hits", "aria-label": t("search.results") });
  list.hidden = true;
  const step = (by: 1 | -1) => (): void => {
    // The hit before none is the last.
    const from = current < 0 && by < 0 ? 0 : current;
    if (hits.length > 0) go((from + by + hits.length) % hits.length);
  };
  const back = button({ testid: "search-back", icon: "up", words: t("search.back"), act: step(-1) });
  const next = button({ testid: "search-next", icon: "down", words: t("search.next"), act: step(1) });
  const forms: [string, Key][] = [
    ["relu", "search.form.name"],
    ["type:MatMul  type:*Grad", "search.form.type"],
    ["device:gpu", "search.form.device"],
    ["shape:(?,10)  shape:(*,10)", "search.form.shape"],
    ["/^grad.*mul$/i", "search.form.pattern"],
    ["relu device:gpu", "search.form.all"],
  ];
  const how = h(
    "details",
    { class: "how" },
    h("summary", {}, t("search.how")),
    h("dl", {}, ...forms.flatMap(([form, key]) => [h("dt", {}, h("code", {}, form)), h("dd", {}, t(key))])),
  );
  const element = h(
    "div",
    { class: "search", role: "search" },
    h("div", { class: "line" }, field, back, next, status, how),
    list,
  );

  function go(place: number): void {
    current = place;
    const id = hits[place];
    if (id === undefined) return;
    setText(status, t("search.at", { n: place + 1, total: hits.length }));
    for (const item of list.querySelectorAll<HTMLElement>("button")) {
      const isHere = Number(item.dataset.place) === place;
      item.setAttribute("aria-current", String(isHere));
      item.tabIndex = isHere ? 0 : -1;
      if (isHere) item.scrollIntoView?.({ block: "nearest" });
    }
    options.show(hits, id);
    options.choose(id);
  }

  function fill(): void {
    list.hidden = hits.length === 0;
    const items = hits.slice(0, LISTED).map((id, place) => {
      const node = graph?.node.get(id);
      const item = h(
        "button",
        { type: "button", "data-place": place, tabindex: place === 0 ? "0" : "-1", click: () => go(place) },
        h("bdi", { class: "name" }, shorten(node?.name ?? "", 60)),
        h("bdi", { class: "type" }, shorten(node?.type ?? "", 30)),
      );
      return h("li", {}, item);
    });
    if (hits.length > LISTED)
      items.push(h("li", { class: "hint" }, t("search.more", { n: hits.length - LISTED })));
    list.replaceChildren(...items);
  }

  async function look(): Promise<void> {
    const text = field.value.trim();
    number += 1;
    const own = number;
    const done = (words: string, matches: number[]): void => {
      hits = matches;
      current = -1;
      field.removeAttribute("aria-invalid");
      setText(status, words);
      for (const each of [back, next]) each.setAttribute("aria-disabled", String(matches.length === 0));
      fill();
      options.show(hits, null);
    };
    if (text === "") {
      done("", []);
      return;
    }
    const query = parse(text);
    if (typeof query !== "function") {
      const words = t(`search.problem.${query.code}`, {
        fields: FIELDS.map((each) => `${each}:`).join(" "),
        ...query.params,
      });
      done(words, []);
      field.setAttribute("aria-invalid", "true");
      return;
    }
    graph = await options.whole();
    if (own !== number) return;
    const matches = await search(graph.record.nodes, query, () => own === number && !ctx.life.aborted);
    if (own !== number || ctx.life.aborted) return;
    const ids = matches.map(({ id }) => id);
    done(ids.length > 0 ? t("search.found", { n: ids.length }) : t("search.none"), ids);
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      options.keep(field.value);
      void look();
    }, PATIENCE);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1)();
    } else if (event.key === "ArrowDown" && !list.hidden) {
      event.preventDefault();
      list.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
    }
  });
  list.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll<HTMLElement>("button")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    const place = to[event.key];
    if (at < 0 || place === undefined) return;
    event.preventDefault();
    if (place < 0) field.focus();
    const item = items[place];
    if (!item) return;
    for (const other of items) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  });
  ctx.life.addEventListener("abort", () => clearTimeout(timer));

  function refresh(): void {
    if (field.value.trim() === options.text().trim()) return;
    field.value = options.text();
    void look();
  }
  for (const each of [back, next]) each.setAttribute("aria-disabled", "true");
  return { element, refresh };
}

/** The search of a graph: a panel over the side column, with a field and the nodes found, each of which leads to its node. */

import { h, setText } from "../base/dom";
import { leaf, shorten } from "../base/text";
import type { Context } from "../context";
import { button } from "../controls/button";
import { rove } from "../controls/roving-focus";
import { drawIcon } from "../draw/icon";
import { FIELDS, parse, search, wordsOf } from "../explore/query";
import type { Key } from "../i18n";
import type { Graph } from "../model/graph";
import type { NodeRecord } from "../record";

/** How many of the nodes found are listed; the others are counted, and Enter in the field reaches them. */
const LISTED = 100;
const PATIENCE = 150; // ms; while the user types nobody reads what was found

const FORMS: [string, Key][] = [
  ["relu", "search.form.name"],
  ["in:layer2", "search.form.in"],
  ["type:MatMul  type:*Grad", "search.form.type"],
  ["device:gpu", "search.form.device"],
  ["shape:(?,10)  shape:(*,10)", "search.form.shape"],
  ["/^grad.*mul$/i", "search.form.pattern"],
  ["relu device:gpu", "search.form.all"],
];

export interface SearchOptions {
  whole: () => Promise<Graph>;
  text: () => string;
  keep: (text: string) => void;
  /** Shows what was found, and the current one of it. */
  show: (hits: readonly number[], current: number | null) => void;
  choose: (id: number) => void;
  /** What stands beside a node's name. */
  note: (node: NodeRecord) => string;
}

export interface Search {
  /** The panel, and the button that opens it. */
  element: HTMLElement;
  opener: HTMLButtonElement;
  open: () => void;
  /** Python may have set the text: a text opens the panel. */
  refresh: () => void;
}

export function createSearch(ctx: Context, options: SearchOptions): Search {
  const { t } = ctx;
  let number = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const panel = createPanel(ctx, () => close());
  const { field, element } = panel;
  const hits = createHits(ctx, panel, options);
  const opener = searchOpener(ctx, element, () => (element.hidden ? open() : close()));

  function show(isOpen: boolean): void {
    element.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
  }

  function open(): void {
    show(true);
    if (field.value.trim() !== options.text().trim()) keep();
    field.focus({ preventScroll: true });
    field.select();
  }

  function close(): void {
    const hadFocus = element.contains(document.activeElement);
    show(false);
    number += 1;
    options.keep("");
    options.show([], null);
    if (hadFocus) opener.focus({ preventScroll: true });
  }

  async function look(): Promise<void> {
    const text = field.value.trim();
    number += 1;
    const own = number;
    const done = (told: string, found: Found): void => {
      field.removeAttribute("aria-invalid");
      hits.show(told, found);
    };
    const query = parse(text);
    if (text === "") done("", NONE);
    else if (typeof query !== "function") {
      const fields = FIELDS.map((each) => `${each}:`).join(" ");
      done(t(`search.problem.${query.code}`, { fields, ...query.params }), NONE);
      field.setAttribute("aria-invalid", "true");
    } else {
      const graph = await options.whole();
      if (own !== number) return;
      const { nodes } = graph.record;
      const matches = await search(nodes, query, () => own === number && !ctx.life.aborted);
      if (own !== number || ctx.life.aborted) return;
      const told = t(matches.length > 0 ? "search.found" : "search.none", {
        n: matches.length,
        total: nodes.length,
      });
      done(told, { ids: matches.map(({ id }) => id), graph, words: wordsOf(text) });
    }
  }

  function keep(): void {
    options.keep(field.value);
    void look();
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PATIENCE);
  });
  followKeys(panel, { step: hits.step, close, current: hits.current });
  ctx.life.addEventListener("abort", () => clearTimeout(timer));

  function refresh(): void {
    const text = options.text().trim();
    if (text === (element.hidden ? "" : field.value.trim())) return;
    field.value = options.text();
    show(text !== "");
    void look();
  }
  return { element, opener, open, refresh };
}

/** The nodes that a search found, in this graph, and the words that it looked for. */
interface Found {
  ids: readonly number[];
  graph: Graph | null;
  words: readonly string[];
}

const NONE: Found = { ids: [], graph: null, words: [] };

/** The list of the nodes found, and the way from one to the next. */
function createHits({ t }: Context, panel: Panel, options: Pick<SearchOptions, "show" | "choose" | "note">) {
  const { status, list, how, stopAt } = panel;
  let { ids, graph, words } = NONE;
  let current = -1;

  function go(place: number): void {
    current = place;
    const id = ids[place];
    if (id === undefined) return;
    setText(status, t("search.at", { n: place + 1, total: ids.length }));
    markHit(panel, place);
    options.show(ids, id);
    options.choose(id);
  }

  function fill(): void {
    const items = ids.slice(0, LISTED).map((id, place) => {
      const node = graph?.node.get(id);
      const note = node ? options.note(node) : "";
      return h(
        "li",
        {},
        hitButton(node?.name ?? "", words, note, () => go(place)),
      );
    });
    if (ids.length > LISTED)
      items.push(h("li", { class: "hint" }, t("search.more", { n: ids.length - LISTED })));
    list.replaceChildren(...items);
    stopAt(panel.hits()[0]);
    list.hidden = ids.length === 0;
    how.hidden = ids.length > 0;
  }
  return {
    current: () => current,
    /** Goes to the next or the previous one; the one before none is the last. */
    step(by: 1 | -1): void {
      const from = current < 0 && by < 0 ? 0 : current;
      if (ids.length > 0) go((from + by + ids.length) % ids.length);
    },
    show(told: string, found: Found): void {
      ({ ids, graph, words } = found);
      current = -1;
      setText(status, told);
      fill();
      options.show(ids, null);
    },
  };
}

type Panel = ReturnType<typeof createPanel>;

const searchField = (ctx: Context): HTMLInputElement =>
  h("input", {
    type: "search",
    "data-testid": "search",
    placeholder: ctx.t("search.example"),
    "aria-label": ctx.t("search.label"),
    "aria-describedby": `${ctx.prefix}-search-status`,
    spellcheck: "false",
    autocomplete: "off",
    dir: "auto",
  });

/** The field, what was found, and how to search. */
function createPanel(ctx: Context, close: () => void) {
  const { t } = ctx;
  const field = searchField(ctx);
  const status = h("span", {
    class: "status",
    id: `${ctx.prefix}-search-status`,
    role: "status",
    "data-testid": "search-status",
  });
  const list = h("ol", { class: "hits", "data-testid": "hits", "aria-label": t("search.results") });
  const how = h(
    "dl",
    { class: "how", "aria-label": t("search.how") },
    ...FORMS.flatMap(([form, key]) => [h("dt", {}, h("code", {}, form)), h("dd", {}, t(key))]),
  );
  const cross = button({ testid: "search-close", icon: "cross", words: t("search.close"), act: close });
  const element = h(
    "div",
    { class: "find", role: "search", id: `${ctx.prefix}-search`, hidden: true },
    h("div", { class: "line" }, drawIcon("find"), field, cross, status),
    list,
    how,
  );
  const hits = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("button")];
  return { field, status, list, how, element, hits, stopAt: rove(list, hits) };
}

/** Stands in the head, and looks like a field. */
const searchOpener = (ctx: Context, panel: HTMLElement, click: () => void): HTMLButtonElement =>
  h(
    "button",
    {
      type: "button",
      class: "head-field",
      "data-testid": "search-open",
      "aria-expanded": "false",
      "aria-controls": panel.id,
      "aria-keyshortcuts": "/",
      click,
    },
    drawIcon("find"),
    h("span", {}, ctx.t("search.open")),
    h("kbd", { "aria-hidden": "true" }, "/"),
  );

function hitButton(name: string, words: readonly string[], note: string, click: () => void): HTMLElement {
  const last = leaf(name);
  const at = name.length > last.length ? name.slice(0, -last.length - 1) : "";
  return h(
    "button",
    { type: "button", click },
    h("span", {}, marked(shorten(last, 40), words), at && h("bdi", { class: "at" }, shorten(at, 26))),
    h("bdi", { class: "note" }, shorten(note, 24)),
  );
}

/** Marks the current one of those found, which has the tab stop. */
function markHit({ hits, stopAt }: Panel, place: number): void {
  const all = hits();
  for (const [i, item] of all.entries()) item.setAttribute("aria-current", String(i === place));
  stopAt(all[place]);
  all[place]?.scrollIntoView?.({ block: "nearest" });
}

/** The keys of the field, and those of the list of what was found. */
function followKeys(
  { element, field, list, hits }: Panel,
  act: { step: (by: 1 | -1) => void; close: () => void; current: () => number },
): void {
  element.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const inField: Record<string, () => void> = {
      Enter: () => act.step(event.shiftKey ? -1 : 1),
      ArrowDown: () => hits()[Math.max(0, act.current())]?.focus(),
    };
    // The list leaves this key to the panel at its first item alone.
    const inList = { ArrowUp: () => field.focus() };
    const own: Record<string, () => void> =
      event.target === field ? inField : list.contains(event.target as Node) ? inList : {};
    const then = event.key === "Escape" ? act.close : own[event.key];
    if (!then) return;
    event.preventDefault();
    event.stopPropagation();
    then();
  });
}

/** A name in which the words that were looked for are marked. */
function marked(name: string, words: readonly string[]): HTMLElement {
  const lower = name.toLowerCase();
  const word = words.find((each) => lower.includes(each));
  const at = word === undefined ? 0 : lower.indexOf(word);
  const end = at + (word?.length ?? 0);
  // A lower-case letter may be longer than its capital.
  if (end === 0 || lower.length !== name.length) return h("bdi", { class: "name" }, name);
  return h("bdi", { class: "name" }, name.slice(0, at), h("mark", {}, name.slice(at, end)), name.slice(end));
}

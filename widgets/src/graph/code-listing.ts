/** A program's text with line numbers and coloured syntax; lines are marked as just run, next, or differing. */

import { breakable, h, section, setAttribute } from "../base/dom";
import { shorten, visible } from "../base/text";
import type { Context } from "../context";
import { rove } from "../controls/roving-focus";
import type { Graph } from "../model/graph";
import type { GraphItem } from "../model/graph-item";
import { pythonTokens } from "../model/python-syntax";
import type { CodeRecord } from "../record";

/** Lines by their labels, which are those of sites: `Cell In[8], line 4`. */
export interface CodeMarks {
  /** The lines of the statement that ran last, and of the one that runs next. */
  just?: readonly string[];
  next?: readonly string[];
  /** Lines in which this program differs from the one beside it. */
  differs?: ReadonlySet<string>;
}

export interface CodeListing {
  element: HTMLElement;
  mark: (marks: CodeMarks) => void;
}

export interface CodeListingOptions {
  /** Called with the label of the line that the user chose, one of `steps`. */
  go?: (label: string) => void;
  /** The lines that can be chosen. */
  steps?: ReadonlySet<string>;
}

/** Characters of a line that are shown. */
const LONGEST = 400;

export const lineLabel = ({ place, first }: CodeRecord, index: number): string =>
  `${place}, line ${first + index}`;

/** The lines that created nodes or blocks of a graph. */
export const creatingLines = (graph: Graph): Set<string> =>
  new Set([...graph.record.nodes, ...graph.record.blocks].flatMap(({ site }) => (site ? [site.label] : [])));

/** The line that created an item; none for what no line of the program created. */
export function lineOf(graph: Graph, item: GraphItem | null): string[] {
  const record =
    item?.kind === "node"
      ? graph.node.get(item.id)
      : item?.kind === "block"
        ? graph.block.get(item.id)
        : null;
  return record?.site ? [record.site.label] : [];
}

export function createCodeListing(
  ctx: Context,
  codes: readonly CodeRecord[],
  { go, steps = new Set() }: CodeListingOptions = {},
): CodeListing {
  const rows = new Map<string, HTMLElement>();
  const files = codes.map((code) => {
    const tokens = codeTokens(code);
    const items = tokens.map((line, i) => {
      const label = lineLabel(code, i);
      const text = h("code", {}, ...line);
      // The space keeps number and code two words for readers that join the texts.
      const parts = [h("span", { class: "number" }, String(code.first + i)), " ", text];
      const canGo = go !== undefined && steps.has(label);
      const row = canGo
        ? h(
            "button",
            {
              type: "button",
              class: "ln",
              tabindex: "-1",
              "data-line": label,
              "aria-label": ctx.t("source.go", {
                line: code.first + i,
                source: text.textContent?.trim() ?? "",
              }),
              click: () => go(label),
            },
            ...parts,
          )
        : h("div", { class: "ln" }, ...parts);
      row.style.setProperty("--indent", `${/^ */.exec(text.textContent ?? "")?.[0].length}ch`);
      rows.set(label, row);
      return h("li", {}, row);
    });
    if (items.length === 0) items.push(h("li", { class: "hint" }, ctx.t("film.source_missing")));
    return h("div", {}, h("h5", { dir: "auto" }, shorten(code.place, 80)), h("ol", { dir: "ltr" }, ...items));
  });
  if (files.length === 0) files.push(h("p", { class: "hint" }, ctx.t("source.none")));
  const element = section(
    {
      class: "code-listing",
      "data-testid": "source",
      "aria-label": ctx.t("source.title"),
      // A listing without lines to choose scrolls by itself.
      tabindex: go ? null : "0",
    },
    ...files,
  );
  const follow = createFollower(element, ctx.life);
  const buttons = [...element.querySelectorAll<HTMLElement>("button.ln")];
  const stopAt = rove(element, () => buttons);
  let shown: CodeMarks = {};
  const set = (labels: Iterable<string>, change: (row: HTMLElement) => void): void => {
    for (const label of labels) {
      const row = rows.get(label);
      if (row) change(row);
    }
  };
  return {
    element,
    mark(marks) {
      const { just = [], next = [], differs = [] } = shown;
      shown = marks;
      const stale = (now: Iterable<string> = []): ((label: string) => boolean) => {
        const kept = new Set(now);
        return (label) => !kept.has(label);
      };
      set(just.filter(stale(marks.just)), (row) => {
        row.removeAttribute("data-just");
        row.removeAttribute("aria-current");
      });
      set(next.filter(stale(marks.next)), (row) => {
        row.removeAttribute("data-next");
        row.removeAttribute("title");
      });
      set([...differs].filter(stale(marks.differs)), (row) => {
        row.removeAttribute("data-differs");
        row.querySelector("em")?.remove();
      });
      set(marks.just ?? [], (row) => {
        setAttribute(row, "data-just", "");
        setAttribute(row, "aria-current", "step");
      });
      set(marks.next ?? [], (row) => {
        setAttribute(row, "data-next", "");
        setAttribute(row, "title", ctx.t("source.next"));
      });
      set(marks.differs ?? [], (row) => {
        if (row.hasAttribute("data-differs")) return;
        row.setAttribute("data-differs", "");
        row.append(h("em", {}, ctx.t("source.differs")));
      });
      const at = rows.get((marks.just?.length ? marks.just : marks.next)?.[0] ?? "");
      if (!at) return;
      follow(at);
      if (buttons.includes(at) && !element.contains(document.activeElement)) stopAt(at);
    },
  };
}

/** The coloured parts of each line, without the indentation that all lines share. */
function codeTokens({ lines }: CodeRecord): (Node | string)[][] {
  const plain = lines.map((line) => line.replaceAll("\t", "    "));
  const indents = plain.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const shared = Math.min(...indents, LONGEST);
  const cut = plain.map((line) => {
    const text = line.slice(shared);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  });
  return pythonTokens(cut).map((tokens) =>
    tokens.flatMap(({ kind, text }) => {
      // Never inside a name.
      const parts = breakable(visible(text), /(?<=[([{,=])(?=\S)/);
      return kind ? [h("span", { class: kind }, ...parts)] : parts;
    }),
  );
}

/** Scrolls the listing alone until a row is in view. It asks for the places when the browser knows them, not before. */
function createFollower(element: HTMLElement, life: AbortSignal): (row: HTMLElement) => void {
  if (typeof IntersectionObserver !== "function") return () => {};
  const sight = new IntersectionObserver(
    (entries) => {
      const seen = entries.at(-1);
      sight.disconnect();
      const outer = seen?.rootBounds;
      if (!seen || !outer?.height) return;
      const { top, bottom } = seen.boundingClientRect;
      const margin = Math.min(24, outer.height / 4);
      if (top < outer.top + margin) element.scrollTop += top - outer.top - margin;
      else if (bottom > outer.bottom - margin) element.scrollTop += bottom - outer.bottom + margin;
    },
    { root: element },
  );
  life.addEventListener("abort", () => sight.disconnect());
  let last: HTMLElement | null = null;
  return (row) => {
    if (row === last) return;
    last = row;
    sight.disconnect();
    sight.observe(row);
  };
}

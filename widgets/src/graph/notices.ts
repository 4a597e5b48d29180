/** Python's notices about a graph: what to know of it, and warnings. */

import { h } from "../base/dom";
import type { Context } from "../context";
import { isKey } from "../i18n";
import type { NoticeRecord } from "../record";

/** These say what is shown; the others warn. */
const FACTS = new Set(["part", "sealed", "no_boxes"]);

/** A notice in words; its bare code if the catalogue lacks it. */
export function noticeText(ctx: Context, key: string, { code, params }: NoticeRecord): string {
  return isKey(key) ? ctx.t(key, params) : code;
}

export function notices(ctx: Context, all: NoticeRecord[]): HTMLElement[] {
  return all.map(({ code, params }) => {
    const key = `notice.${code}`;
    const words = isKey(key) ? ctx.t(key, params) : ctx.t("notice.unknown", { code });
    const warns = !FACTS.has(code);
    return h(
      "p",
      { class: "notice", dir: "auto", "data-testid": "notice", "data-warning": warns },
      warns && h("span", { "aria-hidden": "true" }, "⚠ "),
      words,
    );
  });
}

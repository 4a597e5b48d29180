/** The result of a check in words. */

import { h } from "../base/dom";
import { shorten } from "../base/text";
import type { Context } from "../context";
import { isKey, type Key } from "../i18n";
import type { MarkRecord } from "../record";

/** The unmet requirements, and the mental models in which the program would be right. */
export function gradeDetails(ctx: Context, mark: MarkRecord): HTMLElement[] {
  const missed = mark.missed.map(({ code, params }) => {
    const key = `exercise.${code}`;
    return h("li", { dir: "auto" }, isKey(key) ? ctx.t(key, params) : shorten(code, 80));
  });
  const models = mark.models.map((model) =>
    h(
      "article",
      { class: "model", "data-model": model },
      h("h5", {}, words(ctx, `model.${model}`, model)),
      h("p", {}, words(ctx, `model.${model}.fact`, "")),
    ),
  );
  return [
    ...(mark.error ? [h("p", {}, h("code", { dir: "auto" }, shorten(mark.error, 300)))] : []),
    ...(missed.length > 0 ? [h("ul", {}, ...missed)] : []),
    ...(missed.length > 0 && mark.total > 1
      ? [h("p", { class: "hint" }, ctx.t("exercise.score", { met: mark.met, total: mark.total }))]
      : []),
    ...(models.length > 0 ? [h("p", {}, ctx.t("puzzle.right_in")), ...models] : []),
  ];
}

/** Passed or not, or not attempted yet. */
export function headline(ctx: Context, { grade, tried }: MarkRecord): string {
  if (grade === "pass" && tried !== null) return ctx.t("exercise.pass_sampled", { count: tried });
  if (grade === "not_attempted") return ctx.t("puzzle.untouched");
  return ctx.t(`exercise.${grade}`);
}

const words = (ctx: Context, key: string, otherwise: string): string =>
  isKey(key) ? ctx.t(key as Key) : shorten(otherwise, 80);

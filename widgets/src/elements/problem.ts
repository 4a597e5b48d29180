/** Why an element shows no record, or not as its attributes ask: a text `element.<code>` of the catalogue. */
import type { Params } from "../record";

export const PROBLEMS = [
  "missing",
  "not_json",
  "not_found",
  "not_loaded",
  "other_origin",
  "damaged",
  "damaged_at",
  "newer",
  "older",
  "other_kind",
  "no_answer",
  "not_shown",
  "wrong_attribute",
  "wrong_view",
  "wrong_view_name",
] as const;

export interface Problem {
  code: (typeof PROBLEMS)[number];
  params: Params;
}

export const problem = (code: Problem["code"], params: Params = {}): Problem => ({ code, params });

/** Carries a problem out of a function that has nothing else to return. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

export function fail(code: Problem["code"], params: Params = {}): never {
  throw new ProblemError(problem(code, params));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

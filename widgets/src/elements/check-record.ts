/**
 * Whether data is a record that a widget can show: the rules of docs/records.schema.json, and ids that must exist
 * (`record-ids.ts`). The rules are those of Python's `from_json`, as far as the front end relies on them.
 */
import schema from "../../../docs/records.schema.json";
import { isObject, type Problem, problem } from "./problem";
import { type Ids, idsAround, unknownId } from "./record-ids";

interface Rule {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Rule[];
  type?: string;
  items?: Rule;
  prefixItems?: Rule[];
  properties?: Record<string, Rule>;
  additionalProperties?: Rule | boolean;
}

const DEFINITIONS = schema.$defs as unknown as Record<string, Rule>;
export const VERSION = DEFINITIONS.GraphRecord?.properties?.version?.const as number;

/** The names of the definitions by the kind of record. */
const KINDS = new Map(
  Object.entries(DEFINITIONS).flatMap(([name, { properties }]) =>
    properties?.kind ? [[properties.kind.const as string, name] as const] : [],
  ),
);

/** What keeps `data` from being a record of this kind; null if nothing does. */
export function problemOf(data: unknown, kind: string): Problem | null {
  if (!isObject(data)) return damaged("");
  const { version, kind: found } = data;
  if (!Number.isInteger(version) || typeof found !== "string") return damaged("");
  if (version !== VERSION) {
    return problem(Number(version) > VERSION ? "newer" : "older", { version: String(version), own: VERSION });
  }
  if (found === "predict" && kind === "self-check") return problem("no_answer");
  if (found !== kind) return problem("other_kind", { found, kind });
  const at = fault(data, { $ref: `#/$defs/${KINDS.get(kind)}` }, "", null);
  return at === null ? null : damaged(at);
}

const damaged = (place: string): Problem =>
  place ? problem("damaged_at", { place: place.slice(0, 120) }) : problem("damaged");

/** The place of the first fault, "" for the record itself; null if there is none. */
function fault(value: unknown, rule: Rule, place: string, ids: Ids | null): string | null {
  if (rule.$ref) {
    const name = rule.$ref.slice("#/$defs/".length);
    const inner = isObject(value) ? idsAround(name, value, ids) : ids;
    const found = fault(value, DEFINITIONS[name] ?? {}, place, inner);
    if (found !== null) return found;
    const field = unknownId(name, value as Record<string, unknown>, inner);
    return field === null ? null : under(place, field);
  }
  if (rule.anyOf) {
    const faults = rule.anyOf.map((each) => fault(value, each, place, ids));
    // The longest place is that of the choice which the value was meant to be.
    return faults.includes(null)
      ? null
      : (faults as string[]).reduce((one, other) => (other.length > one.length ? other : one));
  }
  if ("const" in rule) return value === rule.const ? null : place;
  if (rule.enum) return rule.enum.includes(value) ? null : place;
  if (rule.type === "array") return faultInList(value, rule, place, ids);
  if (rule.type === "object") return faultInObject(value, rule, place, ids);
  return isOfType(value, rule.type) ? null : place;
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "number") return Number.isFinite(value);
  return typeof value === type;
}

function faultInList(value: unknown, rule: Rule, place: string, ids: Ids | null): string | null {
  if (!Array.isArray(value)) return place;
  if (rule.prefixItems && rule.prefixItems.length !== value.length) return place;
  for (const [i, item] of value.entries()) {
    const found = fault(item, rule.prefixItems?.[i] ?? rule.items ?? {}, `${place}[${i}]`, ids);
    if (found !== null) return found;
  }
  return null;
}

function faultInObject(value: unknown, rule: Rule, place: string, ids: Ids | null): string | null {
  if (!isObject(value)) return place;
  const { properties = {}, additionalProperties } = rule;
  for (const [name, inner] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) return under(place, name);
    const found = fault(value[name], inner, under(place, name), ids);
    if (found !== null) return found;
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue;
    if (typeof additionalProperties !== "object") return under(place, name);
    const found = fault(value[name], additionalProperties, under(place, name), ids);
    if (found !== null) return found;
  }
  return null;
}

const under = (place: string, name: string): string => (place ? `${place}.${name}` : name);

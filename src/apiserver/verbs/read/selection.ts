import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldRequirement,
} from "../../../apimachinery/selectors.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { selectableField } from "./selectable-fields.ts";

export type Selection = (object: UnstructuredObject) => boolean;

/** The predicate of `labelSelector`, `fieldSelector` and a name in the URL. */
export function selection(call: Call): Selection {
  const conditions = [byLabels(call), byFields(call), byName(call)].filter((condition) => condition !== undefined);
  return (object) => conditions.every((condition) => condition(object));
}

/** True when the request asks for a part of the collection only. */
export function selects(call: Call): boolean {
  return Boolean(call.query.get("labelSelector")) || Boolean(call.query.get("fieldSelector")) || call.name !== "";
}

function byName({ name }: Call): Selection | undefined {
  return name ? ({ metadata }) => metadata.name === name : undefined;
}

function byLabels(call: Call): Selection | undefined {
  const text = call.query.get("labelSelector");
  if (!text) return undefined;
  const matcher = reading(() => parseLabelSelector(text));
  return ({ metadata }) => matcher.matches(metadata.labels ?? {});
}

function byFields(call: Call): Selection | undefined {
  const text = call.query.get("fieldSelector");
  if (!text) return undefined;
  const conditions = reading(() => parseFieldSelector(text)).map((requirement) => byField(call, requirement));
  return (object) => conditions.every((condition) => condition(object));
}

function byField(call: Call, { field, operator, value }: FieldRequirement): Selection {
  const read = selectableField(call.entry.resource, field);
  return (object) => (read(object) === value) === (operator === "=");
}

function reading<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

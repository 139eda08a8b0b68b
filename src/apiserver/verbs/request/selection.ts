import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldRequirement,
} from "../../../apimachinery/selectors.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "./call.ts";
import { valueAt } from "../../kinds/printing/field-access.ts";
import { namesOf } from "../../registry/simple-path.ts";
import type { ServedResource } from "../../registry/served-resource.ts";

export type Selection = (object: UnstructuredObject) => boolean;

/** Parses `labelSelector` and `fieldSelector`, and returns their predicate. */
export function parseSelection(call: Call): Selection {
  const { query } = call;
  const labels = parseSelector(query.get("labelSelector"), parseLabelSelector);
  const fields = parseSelector(query.get("fieldSelector"), parseFieldSelector) ?? [];
  const conditions = fields.map((requirement) => byField(call, requirement));
  if (labels) conditions.push(({ metadata }) => labels.matches(metadata.labels ?? {}));
  return (object) => conditions.every((condition) => condition(object));
}

/** Reports whether the request selects a part of the collection. */
export function selects(call: Call): boolean {
  return Boolean(call.query.get("labelSelector")) || Boolean(call.query.get("fieldSelector"));
}

/** Reports whether the request selects one object by its name, for which no list is read. */
export function selectsOne({ query, namespace, entry }: Call): boolean {
  if (entry.resource.namespaced && !namespace) return false;
  const fields = parseSelector(query.get("fieldSelector"), parseFieldSelector) ?? [];
  return fields.some(({ field, operator }) => field === "metadata.name" && operator === "=");
}

function byField(call: Call, { field, operator, value }: FieldRequirement): Selection {
  const read = selectableField(call.entry.resource, field);
  return (object) => (read(object) === value) === (operator === "=");
}

function parseSelector<T>(text: string | null, parse: (text: string) => T): T | undefined {
  if (!text) return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

const eventFields = [
  "involvedObject.kind",
  "involvedObject.namespace",
  "involvedObject.name",
  "involvedObject.uid",
  "involvedObject.apiVersion",
  "involvedObject.resourceVersion",
  "involvedObject.fieldPath",
  "reason",
  "reportingComponent",
  "source",
  "type",
];

const eventsGroup = "events.k8s.io";

/** The fields of events.k8s.io, which has other names for some of them. */
const eventsFields = eventFields
  .filter((field) => field !== "source")
  .map((field) => field.replace("involvedObject", "regarding").replace("reportingComponent", "reportingController"));

/** Fields by which built-in kinds can be selected, besides name and namespace. */
const builtinFields: Readonly<Record<string, readonly string[]>> = {
  CertificateSigningRequest: ["spec.signerName"],
  Event: eventFields,
  Job: ["status.successful"],
  Namespace: ["status.phase"],
  Node: ["spec.unschedulable"],
  Pod: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  Secret: ["type"],
  Service: ["spec.clusterIP", "spec.type"],
};

/**
 * Returns a function that reads a field as a selector compares it: as text, empty if absent. Refuses fields that cannot
 * be selected by.
 */
function selectableField(resource: ServedResource, field: string): (object: UnstructuredObject) => string {
  if (field === "metadata.name") return ({ metadata }) => metadata.name ?? "";
  if (field === "metadata.namespace") return ({ metadata }) => metadata.namespace ?? "";
  if (!isSelectable(resource, field)) throw refusal(resource, field);
  if (resource.kind === "Job" && !resource.custom) return (object) => textAt(object, "status.succeeded") || "0";
  if (field === "source") return (object) => textAt(object, "source.component") || textAt(object, "reportingComponent");
  const flag = booleanFields.has(field);
  return (object) => textAt(object, field) || (flag ? "false" : "");
}

/** Fields that are false if they are absent. */
const booleanFields = new Set(["spec.hostNetwork", "spec.unschedulable"]);

function isSelectable(resource: ServedResource, field: string): boolean {
  if (resource.custom) return resource.custom.selectableFields.includes(`.${field}`);
  if (resource.group === eventsGroup) return eventsFields.includes(field);
  return builtinFields[resource.kind]?.includes(field) ?? false;
}

/** kubectl prints these refusals. */
function refusal(resource: ServedResource, field: string): Error {
  if (resource.custom || builtinFields[resource.kind]) return badRequest(`field label not supported: ${field}`);
  return badRequest(
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

function textAt(object: UnstructuredObject, path: string): string {
  const value = valueAt(object, ...namesOf(path));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Parses a whole number of a query. Refuses other text like Go's parser. */
export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Reports whether a boolean parameter is true, like Go: present, and neither `0` nor `false`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { type FieldError, joinField, notSupported, required } from "../../../apimachinery/field-error.ts";

/**
 * Built-in kinds have rules in code instead of a schema on a real server. The schema tells the same: which texts and
 * lists are required, and which words are known. To Go, an empty value is absent.
 */
export function requiredErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  return schemaErrors(schema, value, path)
    .filter(({ field }) => !checkedByRules.test(field.replaceAll(/\[\d+\]/g, "")))
    .map((error) => ({ ...error, field: fieldNames.reduce((field, change) => field.replace(...change), error.field) }));
}

function schemaErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  if (schema.enum && typeof value === "string" && value !== "" && !schema.enum.includes(value))
    return [notSupported(path, value, inOwnOrder[path.slice(path.lastIndexOf(".") + 1)] ?? schema.enum)];
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item, index) => schemaErrors(items, item, `${path}[${index}]`)) : [];
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((name) => isMissing(fields[name]));
  const below = Object.entries(fields).flatMap(([name, child]) => {
    const type = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof type === "object" ? schemaErrors(type, child, joinField(path, name)) : [];
  });
  return [...missing.map((name) => required(joinField(path, name), details[name])), ...below];
}

/** Fields whose rules find an empty text and an unknown word as well, or need no value. */
const ofRules = [
  "accessModes",
  "(capacity|counters).[^.]+.value",
  "consumesCounters.(counterSet|counters)",
  "(devices|requests|firstAvailable).name",
  "drivers",
  "(external|internal)TrafficPolicy",
  "fileKeyRef.(key|path|volumeName)",
  "(httpGet|tcpSocket|grpc).port",
  "ip",
  "(?<!scopeSelector.)match(Expressions|Fields).(key|operator)",
  "metric.name",
  "metrics.((resource|containerResource).name|containerResource.container|type)",
  "nodeSelectorTerms",
  "onExitCodes.values",
  "(podFailurePolicy|successPolicy).rules",
  "podFailurePolicy.rules.(action|onExitCodes.operator|onPodConditions.type)",
  "(podAffinityTerm|requiredDuringSchedulingIgnoredDuringExecution).topologyKey",
  "podManagementPolicy",
  "policies.type",
  "resourceFieldRef.resource",
  "resources.claims.name",
  "scaleIO.secretRef",
  "selector",
  "sharedCounters.(name|counters)",
  "strategy.type",
  "taints.(key|effect)",
  "target.type",
  "tolerations.(effect|operator)",
  "updateStrategy.type",
  "validRange.min",
];
const checkedByRules = new RegExp(`\\.(${ofRules.join("|").replaceAll(".", "\\.")})$`);

/** Paths that a real server names differently. */
const fieldNames: readonly (readonly [from: RegExp, to: string])[] = [
  [/\.gcePersistentDisk\./, ".persistentDisk."],
  [/\.downwardAPI\.items\[\d+\]/, ".downwardAPI"],
  [/\.sources\[\d+\]\.serviceAccountToken\.path$/, ".path"],
];

/** Details of missing fields. */
const details: Readonly<Record<string, string>> = {
  pathType: "pathType must be specified",
  registry: "must be a host:port pair or multiple pairs separated by commas",
};

/** Supported values that a real server does not list in alphabetical order. */
const inOwnOrder: Readonly<Record<string, readonly string[]>> = {
  completionMode: ["NonIndexed", "Indexed"],
  dnsPolicy: ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
  effect: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
  restartPolicy: ["Always", "OnFailure", "Never"],
  terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
  whenDeleted: ["Retain", "Delete"],
  whenScaled: ["Retain", "Delete"],
};

/** Reports whether a value is missing. A zero or false is checked by the rules of the kind. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

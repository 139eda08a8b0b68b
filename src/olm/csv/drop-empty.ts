import type { EnvVar, ClusterServiceVersion, CsvSpec } from "./csv.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { formatSemver, parseTolerantSemver } from "../semver.ts";

/** Formats a CSV as operator-sdk does, with the fields that are always present. */
export function formatCsv(csv: ClusterServiceVersion): string {
  return emitYaml(completeCsv(csv));
}

/** Returns the CSV with the fields that are always present, and without those that only a cluster writes. */
export function completeCsv(csv: ClusterServiceVersion): ClusterServiceVersion {
  const { status: _, ...rest } = csv;
  return withoutTimestamps({ ...rest, metadata: dropEmpty(csv.metadata), spec: completeSpec(dropEmpty(csv.spec)) });
}

function completeSpec(spec: CsvSpec): CsvSpec {
  const { cleanup, ...rest } = spec;
  const version = parseTolerantSemver(spec.version || "0.0.0");
  return {
    ...rest,
    ...(cleanup?.enabled ? { cleanup } : {}),
    displayName: spec.displayName ?? "",
    version: version ? formatSemver(version) : String(spec.version),
    provider: spec.provider ?? {},
    apiservicedefinitions: spec.apiservicedefinitions ?? {},
    customresourcedefinitions: spec.customresourcedefinitions ?? {},
    install: {
      ...spec.install,
      strategy: spec.install?.strategy ?? "",
      spec: { ...spec.install?.spec, deployments: spec.install?.spec?.deployments ?? null },
    },
  };
}

function withoutTimestamps<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutTimestamps) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "creationTimestamp");
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutTimestamps<unknown>(member)])) as T;
}

/**
 * Removes the fields that Go's encoder omits from a typed object: nulls, empty lists and texts, and zeros of fields that
 * are not pointers. Empty objects stay (`emptyDir: {}` has a meaning), and so do fields that Go always writes.
 */
export function dropEmpty<T>(value: T): T {
  return prune(value, "") as T;
}

const alwaysWritten = words(`
  name kind plural version group path image base64data mediatype strategy deployments verbs rules containers displayName
  admissionReviewVersions conversionReviewVersions sideEffects roleRef apiGroup serviceAccountName
`);

/** Maps from text to text, whose entries are the user's. */
const textMaps = words("labels annotations matchLabels nodeSelector label limits requests");

/** Values of the user. */
const opaque = words("default example enum");

const zeroIsAbsent = words(`
  paused hostNetwork hostPID hostIPC stdin stdinOnce tty readOnly minReadySeconds hostPort initialDelaySeconds
  timeoutSeconds periodSeconds successThreshold failureThreshold publishNotReadyAddresses nodePort healthCheckNodePort
  preserveUnknownFields priority deprecated nullable uniqueItems exclusiveMinimum exclusiveMaximum containerPort
  x-kubernetes-embedded-resource x-kubernetes-int-or-string
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Returns the pruned value; `undefined` removes it. */
function prune(value: unknown, key: string): unknown {
  if (opaque.has(key)) return value;
  if (Array.isArray(value)) return pruneList(value, key);
  if (typeof value !== "object" || value === null) return isAbsent(value, key) ? undefined : value;
  if (textMaps.has(key)) return Object.keys(value).length > 0 ? textMap(value) : undefined;
  const isPropertyMap = key === "properties";
  const entries = Object.entries(value).map(([name, member]) => {
    return [name, prune(member, isPropertyMap ? "" : name)] as const;
  });
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function pruneList(list: readonly unknown[], key: string): unknown {
  if (list.length === 0) return alwaysWritten.has(key) && key !== "rules" ? list : undefined;
  if (key === "args" || key === "command") return list.map(String);
  return list.map((item) => (key === "env" ? pruneEnv(item) : isObject(item) ? prune(item, "") : item));
}

/** Converts scalars: YAML reads `value: 1` as a number, but typed objects have a text there. */
function pruneEnv(variable: unknown): unknown {
  const { value, ...rest } = dropEmpty(variable as EnvVar);
  return value === undefined || value === null ? rest : { ...rest, value: String(value) };
}

function textMap(map: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, isObject(value) ? value : String(value ?? "")]),
  );
}

function isAbsent(value: unknown, key: string): boolean {
  if (zeroIsAbsent.has(key)) return !value;
  return (value === null || value === "") && !alwaysWritten.has(key);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

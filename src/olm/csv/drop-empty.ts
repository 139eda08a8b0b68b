import type { EnvVar } from "./csv.ts";

/**
 * Leaves out what Go's encoder leaves out of a typed object: nulls, empty lists and texts, and zeros of fields that
 * are no pointers. Objects stay when empty (`emptyDir: {}` says something), and so do the fields that Go always writes.
 */
export function dropEmpty<T>(value: T): T {
  return prune(value, "") as T;
}

const alwaysWritten = words(`
  name kind plural version group path image base64data mediatype strategy deployments verbs rules containers displayName
  admissionReviewVersions conversionReviewVersions sideEffects roleRef apiGroup serviceAccountName
`);

/** Maps from text to text: their entries are the user's, and stay. */
const textMaps = words("labels annotations matchLabels nodeSelector label limits requests");

/** The user's own values. */
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

/** `undefined` stands for what is left out. */
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

/** YAML reads `value: 1` as a number; typed objects have a text there. */
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

import { invalid, type FieldError } from "../../../apimachinery/field-error.ts";

const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

/** A level of the Pod Security Standards as a minor version of Kubernetes defines it. */
export interface LevelVersion {
  readonly level: Level;
  /** The minor version; Infinity for the latest. */
  readonly version: number;
}

/** The levels of a namespace. */
export interface NamespaceLevels {
  /** Pods that violate it are rejected. */
  readonly enforce: LevelVersion;
  /** Violations are noted in the audit log. */
  readonly audit: LevelVersion;
  /** Violations lead to warnings. */
  readonly warn: LevelVersion;
}

const prefix = "pod-security.kubernetes.io/";
const latest = Number.POSITIVE_INFINITY;

/** Reports whether a namespace has labels of Pod Security. This is the whole work for most namespaces. */
export function hasLevels(labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const name in labels) if (name.startsWith(prefix)) return true;
  return false;
}

/**
 * Reads the levels from the labels of a namespace, with the errors in them. A wrong level to enforce is the strictest
 * one, and a wrong level to audit or to warn of has no effect.
 */
export function readLevels(labels: Readonly<Record<string, string>> = {}): {
  readonly levels: NamespaceLevels;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const [enforce, audit, warn] = [
    readMode(labels, "enforce", errors),
    readMode(labels, "audit", errors),
    readMode(labels, "warn", errors),
  ];
  const has = (name: string): boolean => labels[prefix + name] !== undefined;
  // Without a level to warn of, the warnings are about violations of the enforced one.
  const follows = !has("warn") && enforce.level !== undefined && enforce.level !== "privileged";
  const version = has("warn-version") ? warn.version : enforce.version;
  const levels = {
    enforce: complete(enforce, has("enforce") ? "restricted" : "privileged"),
    audit: complete(audit, "privileged"),
    warn: complete(follows ? { level: enforce.level, version } : warn, "privileged"),
  };
  return { levels, errors };
}

/** A level whose parts are undefined if their labels are absent or wrong. */
interface ReadLevel {
  readonly level: Level | undefined;
  readonly version: number | undefined;
}

function readMode(
  labels: Readonly<Record<string, string>>,
  mode: keyof NamespaceLevels,
  errors: FieldError[],
): ReadLevel {
  const read = <T>(name: string, parse: (text: string) => T | undefined, wish: string): T | undefined => {
    const text = labels[prefix + name];
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) errors.push(invalid(`metadata.labels[${prefix}${name}]`, text, wish));
    return value;
  };
  return {
    level: read(mode, parseLevel, `must be one of ${levels.join(", ")}`),
    version: read(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"'),
  };
}

function complete({ level, version }: ReadLevel, otherwise: Level): LevelVersion {
  return { level: level ?? otherwise, version: version ?? latest };
}

function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

function parseVersion(text: string): number | undefined {
  if (text === "latest") return latest;
  const minor = /^v1\.(0|[1-9]\d{0,17})$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** Formats a level: `restricted:latest`, `baseline:v1.30`. */
export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version === latest ? "latest" : `v1.${version}`}`;
}

/** Reports whether the levels of a namespace forbid nothing. */
export function isPrivileged({ enforce, audit, warn }: NamespaceLevels): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

/** Reports whether a level forbids more than another one. */
export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

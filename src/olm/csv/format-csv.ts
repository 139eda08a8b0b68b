import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { formatSemver, parseTolerantSemver } from "../semver.ts";
import type { ClusterServiceVersion, CsvSpec } from "./csv.ts";
import { dropEmpty } from "./drop-empty.ts";

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

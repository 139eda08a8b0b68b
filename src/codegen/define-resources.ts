import { groupBy } from "../apimachinery/group-by.ts";
import { pluralize } from "../apimachinery/names.ts";
import type { ParsedMarker } from "./source/parse-markers.ts";
import { valuesOf } from "./source/parse-markers.ts";
import * as markers from "./markers/resource.ts";
import type { DefinedVersion, KindVersion, ResourceDefinition } from "./model.ts";
import type { Report } from "./report.ts";

/** Joins the versions of each kind into one definition. */
export function defineResources(kinds: readonly KindVersion[], report: Report): ResourceDefinition[] {
  const kept = kinds.filter((kind) => valuesOf(kind.markers, markers.skipVersion).length === 0);
  const byKind = groupBy(kept, ({ group, kind }) => `${group}/${kind}`);
  return [...byKind.values()].map((versions) => define(versions, report));
}

/** Two kinds with one plural would have one CustomResourceDefinition. */
export function reportSharedPlurals(resources: readonly ResourceDefinition[], report: Report): void {
  const owners = new Map<string, ResourceDefinition>();
  for (const resource of resources) {
    const { group, kind, plural } = resource;
    const owner = owners.get(`${plural}.${group}`) ?? resource;
    owners.set(`${plural}.${group}`, owner);
    const place = resource.versions[0]?.source.place;
    if (owner === resource || !place) continue;
    report.error(place, "TSOP_KIND_INVALID", {
      kind,
      reason: `it has the plural ${plural} of kind ${owner.kind} in group ${group}`,
      advice: `give it another one: +kubebuilder:resource:path=${kind.toLowerCase()}set`,
    });
  }
}

function define(sources: readonly KindVersion[], report: Report): ResourceDefinition {
  const [first] = sources as readonly [KindVersion];
  const { group, kind } = first;
  const named = sources.flatMap((source) => valuesOf(source.markers, markers.resource).slice(-1));
  const pick = <Key extends keyof (typeof named)[number]>(key: Key): (typeof named)[number][Key] | undefined =>
    named.findLast((values) => values[key] !== undefined)?.[key];
  const versions = sources.map((source) => defineVersion(source, sources.length === 1));
  checkAgreement(sources, report);
  const scope = pick("scope") ?? "Namespaced";
  if (scope !== "Namespaced" && scope !== "Cluster") {
    report.error(first.place, "TSOP_KIND_INVALID", {
      kind,
      reason: `there is no scope "${scope}"`,
      advice: "write scope=Namespaced or scope=Cluster",
    });
  }
  return {
    group,
    kind,
    plural: pick("path") ?? pluralize(kind.toLowerCase()),
    singular: pick("singular") ?? kind.toLowerCase(),
    shortNames: pick("shortName") ?? [],
    categories: pick("categories") ?? [],
    scope: scope === "Cluster" ? "Cluster" : "Namespaced",
    annotations: pairs(sources, "annotations", report),
    labels: pairs(sources, "labels", report),
    versions,
  };
}

function defineVersion(source: KindVersion, only: boolean): DefinedVersion {
  const has = (marker: Parameters<typeof valuesOf>[1]): boolean => valuesOf(source.markers, marker).length > 0;
  const deprecated = valuesOf(source.markers, markers.deprecatedVersion).at(-1);
  const scale = valuesOf(source.markers, markers.scaleSubresource).at(-1);
  return {
    source,
    name: source.version,
    served: !has(markers.unservedVersion),
    storage: only || has(markers.storageVersion),
    ...(deprecated ? { deprecated } : {}),
    subresources: {
      ...(has(markers.statusSubresource) ? { status: true } : {}),
      ...(scale
        ? {
            scale: {
              specReplicasPath: scale.specpath,
              statusReplicasPath: scale.statuspath,
              ...(scale.selectorpath ? { labelSelectorPath: scale.selectorpath } : {}),
            },
          }
        : {}),
    },
    printColumns: valuesOf(source.markers, markers.printColumn).map(({ JSONPath, ...column }) => ({
      ...column,
      jsonPath: JSONPath,
    })),
    selectableFields: valuesOf(source.markers, markers.selectableField).map(({ JSONPath }) => ({ jsonPath: JSONPath })),
    schema: source.schema,
  };
}

/** Every CustomResourceDefinition stores one version and serves one. */
export function reportVersions({ versions }: ResourceDefinition, report: Report): void {
  const stored = versions.filter(({ storage }) => storage);
  const [place] = versions as readonly [DefinedVersion];
  const refuse = (at: DefinedVersion, reason: string, advice: string): void =>
    report.error(at.source.place, "TSOP_KIND_INVALID", { kind: at.source.kind, reason, advice });
  if (stored.length === 0) {
    const names = versions.map(({ name }) => name).join(", ");
    refuse(
      place,
      `none of the versions ${names} is the storage version`,
      "put +kubebuilder:storageversion on one of them",
    );
  }
  for (const other of stored.slice(1)) {
    refuse(other, `${stored[0]?.name} is already the storage version`, "remove one +kubebuilder:storageversion");
  }
  if (!versions.some(({ served }) => served)) {
    refuse(place, "no version is served", "remove +kubebuilder:unservedversion from one of them");
  }
}

/** Names and scope belong to the kind, not to a version. */
function checkAgreement(sources: readonly KindVersion[], report: Report): void {
  const said = new Map<string, string>();
  for (const source of sources) {
    for (const [key, given] of valuesOf(source.markers, markers.resource).flatMap(Object.entries)) {
      const text = JSON.stringify(given);
      const before = said.get(key);
      if (before !== undefined && before !== text) {
        report.error(source.place, "TSOP_KIND_INVALID", {
          kind: source.kind,
          reason: `${key} is ${text} in ${source.version}, but ${before} in another version`,
          advice: "write the same +kubebuilder:resource on all versions",
        });
      }
      said.set(key, text);
    }
  }
}

function pairs(sources: readonly KindVersion[], key: "annotations" | "labels", report: Report): Record<string, string> {
  const found = sources
    .flatMap((source) => source.markers.filter(isMetadata))
    .flatMap((parsed) => {
      const values = (parsed.value as { annotations?: string[]; labels?: string[] })[key] ?? [];
      return values.map((text) => ({ text, parsed }));
    });
  const entries = found.flatMap(({ text, parsed }) => {
    const equals = text.indexOf("=");
    if (equals > 0) return [[text.slice(0, equals), text.slice(equals + 1)] as const];
    report.error(parsed, "TSOP_MARKER_MISFIT", {
      name: parsed.marker.name,
      reason: `"${text}" in ${key} is not a pair`,
      advice: "write key=value",
    });
    return [];
  });
  return Object.fromEntries(entries);
}

function isMetadata({ marker }: ParsedMarker): boolean {
  return marker === markers.metadata;
}

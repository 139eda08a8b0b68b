import { crdErrors } from "../../apimachinery/crd/crd-errors.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { FieldError } from "../../apimachinery/field-error.ts";
import { customResourceDefinition } from "../generate-crds.ts";
import { groupName, versionName } from "../markers/package.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";
import * as markers from "../markers/resource.ts";
import type { Marker } from "../markers/marker.ts";
import type { KindVersion, ResourceDefinition } from "../model.ts";
import type { Place, Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { adviceFor } from "./advice.ts";
import { reportSchemaError } from "./schema-refusals.ts";

/** Reports the errors for which an API server rejects a CRD, with the checks of the embedded server. */
export async function lintRefusals(
  resource: ResourceDefinition,
  sources: ProjectSources,
  report: Report,
): Promise<void> {
  for (const error of await crdErrors(asCreated(resource), undefined)) {
    const inSchema = /^spec\.(?:validation|versions\[(\d+)\]\.schema)\.openAPIV3Schema(.*)$/.exec(error.field);
    const version = resource.versions[Number(inSchema?.[1] ?? 0)];
    if (inSchema && version) reportSchemaError({ ...error, field: inSchema[2] ?? "" }, version, { sources, report });
    else reportError(error, resource, { sources, report });
  }
}

/** Returns the CRD as the server checks it, with the fields that the server fills in. */
function asCreated(resource: ResourceDefinition): CustomResourceDefinition {
  const crd = customResourceDefinition(resource, "") as CustomResourceDefinition;
  const storedVersions = resource.versions.filter(({ storage }) => storage).map(({ name }) => name);
  return { ...crd, status: { storedVersions } };
}

interface Surroundings {
  readonly sources: ProjectSources;
  readonly report: Report;
}

function reportError(
  { field, message }: FieldError,
  resource: ResourceDefinition,
  { sources, report }: Surroundings,
): void {
  // The server checks the version's name a second time at its old field.
  if (field === "spec.version" || field === "metadata.name") return;
  const index = Number(/^spec\.versions\[(\d+)\]/.exec(field)?.[1] ?? 0);
  const source = resource.versions[index]?.source;
  if (!source) return;
  report.error(placeOf(field, source, { resource, sources }), "TSOP_CRD_REFUSED", {
    path: resource.kind,
    reason: `the API server rejects ${field}: ${message.replace(/ \(e\.g\. .*'\)$/, "")}`,
    advice: adviceFor(field, message),
  });
}

/** The markers that write each part of a CRD. */
const sourcesOf: readonly (readonly [part: RegExp, marker: Marker<never>])[] = [
  [/\.additionalPrinterColumns\[(\d+)\]/, markers.printColumn as Marker<never>],
  [/\.selectableFields(?:\[(\d+)\])?/, markers.selectableField as Marker<never>],
  [/\.subresources\.scale/, markers.scaleSubresource as Marker<never>],
  [/\.deprecationWarning$/, markers.deprecatedVersion as Marker<never>],
  [/^spec\.(names|scope)/, markers.resource as Marker<never>],
  [/^spec\.group$/, groupName as Marker<never>],
  [/^spec\.versions\[\d+\]\.name$/, versionName as Marker<never>],
  [/^metadata\.annotations\[api-approved/, groupName as Marker<never>],
  [/^metadata\.annotations/, markers.metadata as Marker<never>],
];

function placeOf(
  field: string,
  source: KindVersion,
  { resource, sources }: { resource: ResourceDefinition; sources: ProjectSources },
): Place {
  const [part, marker] = sourcesOf.find(([expression]) => expression.test(field)) ?? [];
  const everywhere = /^(spec\.(names|scope)|metadata)/.test(field);
  const versions = everywhere ? resource.versions.map((version) => version.source) : [source];
  const candidates: ParsedMarker[] = [
    ...versions.flatMap((version) => version.markers),
    ...sources.folderMarkers(source.folder),
  ].filter((parsed) => (parsed.marker as unknown) === marker);
  const index = part?.exec(field)?.[1];
  return (/^\d+$/.test(index ?? "") ? candidates[Number(index)] : candidates.at(-1)) ?? source.place;
}

import { crdErrors } from "../../apimachinery/crd/crd-errors.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { FieldError } from "../../apimachinery/field-error.ts";
import { customResourceDefinition } from "../generate-crds.ts";
import { groupName, versionName } from "../markers/package.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";
import * as markers from "../markers/resource.ts";
import type { Marker } from "../markers/marker.ts";
import type { KindVersion, ResourceDefinition, DefinedVersion } from "../model.ts";
import type { Place, Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { adviceFor } from "./advice.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { originOf } from "../source/rule-origins.ts";
import { locate } from "./locate.ts";

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

interface Surroundings {
  readonly sources: ProjectSources;
  readonly report: Report;
}

/** Reports an error in a schema at the marker that causes it, or else at the property. */
function reportSchemaError(
  { field, message }: FieldError,
  { schema, source }: DefinedVersion,
  { sources, report }: Surroundings,
): void {
  const steps = stepsIn(field);
  const names = steps.flatMap(({ property }) => property ?? []);
  const path = [source.kind, ...names].join(".");
  const endless = message.includes("cost") ? endlessLists(schema, steps) : [];
  const advice = endless.length > 0 ? `add ${endless.join(", and ")}` : adviceFor(field, message);
  const refuse = (place: Place, reason: string): void =>
    report.error(place, "TSOP_CRD_REFUSED", { path, reason, advice });
  const [, validations, index, argument = ""] = /^(.*)\.x-kubernetes-validations\[(\d+)\]\.?(\w*)/.exec(field) ?? [];
  const property = locate(source, names, sources);
  if (validations === undefined) {
    const what = field.slice(field.lastIndexOf("]") + 1).replace(/^\./, "") || "it";
    refuse(markerFor(what, property, sources) ?? property, `the API server rejects ${what}: ${message}`);
    return;
  }
  const rule = nodeAt(schema, stepsIn(validations))?.["x-kubernetes-validations"]?.[Number(index)];
  const marker = rule && originOf(rule);
  const text = argument === "messageExpression" ? rule?.messageExpression : rule?.rule;
  const start = marker && text ? marker.file.text.indexOf(text, marker.offset) : -1;
  const inMarker = marker && start >= 0 && !marker.file.text.slice(marker.offset, start).includes("\n");
  const ofUnion = marker && !("marker" in marker);
  const what = ofUnion
    ? "a rule of this union"
    : argument === "messageExpression"
      ? "this messageExpression"
      : "this rule";
  const issues = [...message.matchAll(/ERROR: <input>:\d+:(\d+): ([^\n]*)/g)];
  for (const [, column = "1", problem = ""] of issues) {
    const place = inMarker ? { file: marker.file, offset: start + Number(column) - 1 } : (marker ?? property);
    refuse(place, `the API server rejects ${what}: ${problem}`);
  }
  if (issues.length === 0) refuse(marker ?? property, `the API server rejects ${what}: ${withoutRule(message)}`);
}

interface Step {
  readonly text: string;
  readonly property?: string;
  readonly key?: "items" | "additionalProperties";
}

/** Parses a field path as the server writes it. */
function stepsIn(field: string): Step[] {
  return [...field.matchAll(/\.properties\[([^\]]*)\]|\.(items|additionalProperties)(?=[.]|$)/g)].map(
    ([text, property, key]) =>
      property === undefined ? { text, key: key as "items" | "additionalProperties" } : { text, property },
  );
}

function nodeAt(schema: JsonSchema, steps: readonly Step[]): JsonSchema | undefined {
  return steps.reduce<JsonSchema | undefined>((node, { property, key }) => {
    const next = property === undefined ? node?.[key ?? "items"] : node?.properties?.[property];
    return typeof next === "object" ? next : undefined;
  }, schema);
}

/** Says which lists and maps around a rule need a limit, because a server evaluates the rule for each element. */
function endlessLists(schema: JsonSchema, steps: readonly Step[]): string[] {
  return steps.flatMap(({ key }, index) => {
    const before = steps.slice(0, index);
    const list = nodeAt(schema, before);
    const [limit, marker] = key === "items" ? [list?.maxItems, "MaxItems"] : [list?.maxProperties, "MaxProperties"];
    if (!key || limit !== undefined) return [];
    const name = before
      .map(({ property }) => property ?? "[]")
      .join(".")
      .replaceAll(".[]", "[]");
    return [`+kubebuilder:validation:${marker} to ${name}`];
  });
}

/** The markers that write each key of a schema. */
const writers: readonly (readonly [key: RegExp, marker: RegExp])[] = [
  [/^default\b/, /default$/],
  [/\bpattern$/, /:Pattern$/],
  [/uniqueItems$/, /:UniqueItems$/],
  [/list-map-keys$|^items\.properties$/, /listMapKey$/],
  [/list-type$|^items\.(type|x-kubernetes-map-type|nullable)$/, /listType$/],
  [/map-type$/, /(mapType|structType)$/],
  [/embedded-resource|^properties$/, /EmbeddedResource$/],
  [/^type$/, /:Type$/],
];

function markerFor(what: string, { file, offset }: Place, sources: ProjectSources): Place | undefined {
  const [, name] = writers.find(([key]) => key.test(what)) ?? [];
  const candidates = sources.module(file.path)?.markers.byDeclaration.get(offset) ?? [];
  return name && candidates.findLast(({ marker }) => name.test(marker.name));
}

/** Removes the rule that the server repeats in a form of its own. */
function withoutRule(message: string): string {
  return message.replace(/^Invalid value: \{"Rule":.*?\}: /s, "");
}

import { editDistance, nearestWord } from "../../apimachinery/edit-distance.ts";
import { limitMarkers } from "./limits.ts";
import { csvField, csvKind } from "./csv-markers.ts";
import type { Marker, MarkerTarget } from "./marker.ts";
import { oneOfMarkers } from "./one-of.ts";
import * as packages from "./package.ts";
import * as fields from "./schema-fields.ts";
import { optionalMarkers, requiredMarkers } from "./schema-fields.ts";
import * as resources from "./resource.ts";
import { tags } from "./tags.ts";
import { topologyMarkers } from "./topology.ts";
import { unionTags } from "./union-tags.ts";
import * as validation from "./validation.ts";

const validationMarkers: readonly Marker[] = [
  validation.enumMarker,
  validation.format,
  validation.type,
  validation.preserveUnknownFieldsOldName,
  validation.embeddedResource,
  validation.intOrString,
  validation.celRule,
];

/** Every marker, in the order of the reference. */
export const markers: readonly Marker[] = [
  ...limitMarkers,
  ...validationMarkers,
  ...oneOfMarkers,
  ...requiredMarkers,
  ...optionalMarkers,
  fields.nullable,
  fields.defaultValue,
  fields.jsonDefault,
  fields.example,
  fields.title,
  fields.externalDocs,
  fields.embeddedResourceField,
  fields.preserveUnknownFields,
  fields.schemaless,
  fields.schemaJson,
  fields.immutable,
  fields.constantsEnum,
  ...topologyMarkers,
  ...tags,
  ...unionTags,
  resources.objectRoot,
  resources.resource,
  resources.statusSubresource,
  resources.scaleSubresource,
  resources.printColumn,
  resources.selectableField,
  resources.storageVersion,
  resources.unservedVersion,
  resources.deprecatedVersion,
  resources.skipVersion,
  resources.metadata,
  packages.groupName,
  packages.versionName,
  packages.skipPackage,
  packages.external,
  packages.embeddedObjectMeta,
  packages.maxDescLen,
  packages.rbac,
  packages.webhook,
  packages.webhookConfiguration,
  csvKind,
  csvField,
  ...packages.goOnlyMarkers,
];

/** Marker families of other tools. */
const foreign = /^(genclient|kubebuilder:scaffold:|k8s:[a-z-]+-gen\b|k8s:openapi-model-package$)/;
const families = ["kubebuilder", "k8s", "operator-sdk", "tsop"];
const ours = new RegExp(`^(${families.join("|")}):`);

export interface FoundMarker {
  readonly marker: Marker;
  /** The name of the first argument if it is part of the marker's name: `+a:b:first=…`. */
  readonly firstArgument: string;
  /** True if the marker applies to the elements of the array. */
  readonly items: boolean;
}

/** Finds a marker by the text to the left of `=`. */
export function findMarker(left: string, target: MarkerTarget): FoundMarker | undefined {
  const whole = named(left, target);
  if (whole) return { ...whole, firstArgument: "" };
  const colon = left.lastIndexOf(":");
  const shorter = colon < 0 ? undefined : named(left.slice(0, colon), target);
  const last = left.slice(colon + 1);
  if (!shorter || (last !== "" && shorter.marker.argument.shape !== "named")) return undefined;
  return { ...shorter, firstArgument: last };
}

function named(name: string, target: MarkerTarget): Named | undefined {
  return byName()
    .get(name)
    ?.find(({ marker }) => marker.targets.includes(target));
}

/** Reports whether an unknown marker of this name is an error rather than a marker of another tool. */
export function isOurs(left: string): boolean {
  return !foreign.test(left) && (ours.test(left) || byLowerName().has(left.toLowerCase()));
}

/**
 * Returns the marker that is meant by one with a misspelled family, such as `kubebuider:rbac`, or with blanks around it.
 * Other tools have families, too, so that the rest must be the name of a marker.
 */
export function misspelledFamily(left: string): string | undefined {
  const [, family = "", rest = ""] = /^\s*([\w-]+)\s*:\s*(\S+)$/.exec(left) ?? [];
  const meant = nearestWord(family, families);
  if (meant === undefined || left.startsWith(`${meant}:`)) return undefined;
  const name = `${meant}:${rest}`;
  return foreign.test(name) || targetsOf(name).length > 0 ? name : nearestName(name);
}

/** Returns the known name that is closest to a misspelled one. */
export function nearestName(left: string): string | undefined {
  const withoutArgument = left.slice(0, Math.max(0, left.lastIndexOf(":")));
  return nearestTo(left) ?? (withoutArgument.includes(":") ? nearestTo(withoutArgument) : undefined);
}

function nearestTo(left: string): string | undefined {
  const same = byLowerName().get(left.toLowerCase());
  if (same) return same;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(left.length / 5)) + 1;
  for (const name of byName().keys()) {
    const distance = Math.min(editDistance(left.toLowerCase(), name.toLowerCase()), lastPartDistance(left, name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Returns the declarations that a marker can belong to, for messages. */
export function targetsOf(left: string): readonly MarkerTarget[] {
  return (["package", "type", "field"] as const).filter((target) => findMarker(left, target));
}

type Named = Pick<FoundMarker, "marker" | "items">;

let names: Map<string, Named[]> | undefined;

/** Indexes the markers by name; some names have one meaning on a type and another on a field. */
function byName(): Map<string, Named[]> {
  if (names) return names;
  names = new Map();
  for (const marker of markers) {
    names.set(marker.name, [...(names.get(marker.name) ?? []), { marker, items: false }]);
    if (marker.items) names.set(marker.name.replace("validation:", "validation:items:"), [{ marker, items: true }]);
  }
  return names;
}

let lowerNames: Map<string, string> | undefined;

function byLowerName(): Map<string, string> {
  return (lowerNames ??= new Map([...byName().keys()].map((name) => [name.toLowerCase(), name])));
}

/**
 * Compares last parts: `+kubebuilder:MinLength` and `+kubebuilder:validation:MinLength` differ only in a middle part.
 */
function lastPartDistance(left: string, name: string): number {
  const lastOf = (text: string): string => text.slice(text.lastIndexOf(":") + 1).toLowerCase();
  return lastOf(left) === lastOf(name) && left.includes(":") && name.includes(":") ? 1 : Infinity;
}

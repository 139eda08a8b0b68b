import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { valueAt } from "../../registry/simple-path.ts";
import { addressWarnings } from "./address-warnings.ts";
import { annotationWarnings } from "./deprecated-annotations.ts";
import { dnsLabelProblems } from "../../../apimachinery/dns-names.ts";
import { pathWarnings } from "./path-warnings.ts";
import { portWarnings } from "./port-warnings.ts";
import { schedulingWarnings } from "./scheduling-warnings.ts";

/** Returns warnings about allowed but harmful parts of a pod's spec. */
export function podWarnings(spec: Fields | undefined, path: string): string[] {
  const lists = ["initContainers", "containers"] as const;
  const grace = `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  return [
    ...(Number(spec?.["terminationGracePeriodSeconds"] ?? 0) < 0 ? [grace] : []),
    ...secretWarnings(items(spec, "imagePullSecrets"), `${path}.imagePullSecrets`),
    ...repeatedValues(items(spec, "hostAliases"), "ip", `${path}.hostAliases`),
    ...networkWarnings(spec, path),
    ...schedulingWarnings(spec, path),
    ...items(spec, "volumes").flatMap((volume, index) => volumeWarnings(volume, `${path}.volumes[${index}]`)),
    ...pathWarnings(items(spec, "volumes")),
    ...lists.flatMap((list) =>
      items(spec, list).flatMap((container, index) => containerWarnings(container, `${path}.${list}[${index}]`)),
    ),
    ...portWarnings(spec, path),
    ...brokenAmounts(childIf(spec, "overhead"), ["memory", "ephemeral-storage"], `${path}.overhead`),
  ];
}

function networkWarnings(spec: Fields | undefined, path: string): string[] {
  const servers = (childIf(spec, "dnsConfig")?.["nameservers"] ?? []) as string[];
  return [
    ...servers.flatMap((server, index) => addressWarnings(`${path}.dnsConfig.nameservers[${index}]`, server)),
    ...items(spec, "hostAliases").flatMap(({ ip }, index) =>
      addressWarnings(`${path}.hostAliases[${index}].ip`, textOf(ip)),
    ),
  ];
}

/** Returns warnings about the pods of a template if the spec has changed. */
export function templateWarnings(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  at = "spec.template",
): string[] {
  if (old && old.metadata.generation === object.metadata.generation) return [];
  const template = valueAt(object, at) as Fields | undefined;
  return [...podWarnings(childIf(template, "spec"), `${at}.spec`), ...annotationWarnings(template, at)];
}

/** Returns warnings about the pods of a template whose names begin with the name of the object. */
export function namedTemplateWarnings(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  at?: string,
): string[] {
  const names = old ? [] : hostNameWarnings(object.metadata.name, "Pod names and hostnames");
  return [...names, ...templateWarnings(object, old, at)];
}

/** Warns of secrets without a name, and of those that are named twice. */
function secretWarnings(secrets: readonly Fields[], at: string): string[] {
  const nameless = secrets.flatMap(({ name }, index) => (name ? [] : [`${at}[${index}].name: invalid empty name ""`]));
  return [...nameless, ...repeatedValues(secrets, "name", at)];
}

function repeatedValues(entries: readonly Fields[], field: "name" | "ip", at: string): string[] {
  const seen = new Set<unknown>();
  return entries.flatMap(({ [field]: value }, index) => {
    if (seen.has(value)) return [`${at}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`];
    if (value) seen.add(value);
    return [];
  });
}

/** Kinds of volumes whose drivers are gone. */
const goneVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
};

function volumeWarnings(volume: Fields, at: string): string[] {
  const claim = childIf(childIf(childIf(volume, "ephemeral"), "volumeClaimTemplate"), "spec");
  const isEmpty = items(childIf(volume, "projected"), "sources").some((source) => Object.keys(source).length === 0);
  return [
    ...(isEmpty ? [`volume "${textOf(volume["name"])}" (Projected) has no sources provided`] : []),
    ...driverWarnings(volume, at),
    ...brokenBytes(childIf(claim, "resources"), ["storage"], `${at}.ephemeral.volumeClaimTemplate.spec.resources`),
  ];
}

/** Returns a warning about a volume whose driver is gone. */
export function driverWarnings(volume: Fields | undefined, at: string): string[] {
  return Object.entries(goneVolumes)
    .filter(([kind]) => childIf(volume, kind))
    .map(([kind, why]) => `${at}.${kind === "storageos" ? "storageOS" : kind}: ${why}`);
}

function containerWarnings(container: Fields, at: string): string[] {
  return [
    ...repeatedVariables(items(container, "env"), `${at}.env`),
    ...brokenBytes(childIf(container, "resources"), ["memory", "ephemeral-storage"], `${at}.resources`),
  ];
}

/** Warns of a part of a byte, such as the memory "100m". */
export function brokenBytes(resources: Fields | undefined, names: readonly string[], at: string): string[] {
  return ["limits", "requests"].flatMap((list) => brokenAmounts(childIf(resources, list), names, `${at}.${list}`));
}

function brokenAmounts(amounts: Fields | undefined, names: readonly string[], at: string): string[] {
  return names.flatMap((name) => {
    const amount = textOf(amounts?.[name]);
    if (amount === "" || parseQuantity(amount).nanos % 1_000_000_000n === 0n) return [];
    return [`${at}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

function repeatedVariables(variables: readonly Fields[], at: string): string[] {
  const seen = new Set<unknown>();
  return variables.flatMap(({ name }, index) => {
    if (seen.has(name))
      return [
        `${at}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
      ];
    seen.add(name);
    return [];
  });
}

/** Returns a warning if a name that becomes a host name is not a DNS label. */
export function hostNameWarnings(name: string | undefined, use: string): string[] {
  const problems = name ? dnsLabelProblems(name) : [];
  if (problems.length === 0) return [];
  const why = `which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`;
  return [`metadata.name: this is used in ${use}, ${why}`];
}

import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors } from "./name-errors.ts";

const variableText = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Checks the name of an environment variable, or the start of one. */
export function variableNameErrors(field: string, name: string): FieldError[] {
  return name === "" || /^[ -<>-~]+$/.test(name) ? [] : [invalid(field, name, variableText)];
}

/** The fields of a pod that an environment variable can have. */
export const podFields: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const resources = ["cpu", "ephemeral-storage", "memory"];
const containerResources = ["limits", "requests"].flatMap((kind) => resources.map((name) => `${kind}.${name}`));

const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ["1m", "1"],
  memory: ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"],
};

function divisorErrors({ resource, divisor }: Fields, field: string): FieldError[] {
  const kind = textOf(resource).split(".")[1] ?? "";
  const known = divisors[kind] ?? divisors["memory"]!;
  if (!divisor || divisor === "0" || !containerResources.includes(textOf(resource))) return [];
  if (known.includes(textOf(divisor))) return [];
  const list = kind === "cpu" ? known.join(" and ") : known.join(", ");
  const words = kind.replace("ephemeral-storage", "local ephemeral storage");
  return [invalid(field, resource, `only divisor's values ${list} are supported with the ${words} resource`)];
}

/** The fields of a pod that have a name in selectors, too. */
const namedFields = [
  "metadata.annotations",
  "metadata.labels",
  ...podFields,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
];

/** Returns the errors of a reference to one of the supported fields of a pod. The schema reports a missing path. */
export function fieldRefErrors(field: Fields, at: string, supported: readonly string[]): FieldError[] {
  const [apiVersion, path] = [textOf(field["apiVersion"]), textOf(field["fieldPath"])];
  if (path === "") return [];
  const refuse = (why: string): FieldError[] => [
    invalid(`${at}.fieldPath`, path, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return refuse(`unsupported pod version: ${apiVersion}`);
  const [, name, key] = /^(.+?)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) {
    if (name === "metadata.labels") return labelKeyErrors(at, key);
    if (name === "metadata.annotations") return labelKeyErrors(at, key.toLowerCase());
    return refuse(`field label does not support subscript: ${path}`);
  }
  if (!namedFields.includes(path)) return refuse(`field label not supported: ${path}`);
  return supported.includes(path) ? [] : [notSupported(`${at}.fieldPath`, path, supported)];
}

/** Returns the errors of a reference to a resource of a container. */
export function resourceRefErrors(reference: Fields, at: string): FieldError[] {
  return [
    ...resourceErrors(textOf(reference["resource"]), `${at}.resource`),
    ...divisorErrors(reference, `${at}.divisor`),
  ];
}

function resourceErrors(resource: string, at: string): FieldError[] {
  if (resource === "") return [required(at)];
  if (/^(limits|requests)\.hugepages-/.test(resource) || containerResources.includes(resource)) return [];
  return [notSupported(at, resource, containerResources)];
}

import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/schema/field-error.ts";

/** The fields of a pod that an environment variable can have. */
const podFields = [
  "metadata.annotations",
  "metadata.labels",
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

/** Returns the errors of the fields and resources that an environment variable refers to. */
export function envSourceErrors(source: Fields, at: string): FieldError[] {
  const field = childIf(source, "fieldRef");
  const resource = childIf(source, "resourceFieldRef");
  return [
    ...(field ? fieldErrors(field, `${at}.fieldRef`) : []),
    ...(resource ? resourceErrors(textOf(resource["resource"]), `${at}.resourceFieldRef.resource`) : []),
  ];
}

function fieldErrors(field: Fields, at: string): FieldError[] {
  const [apiVersion, path] = [textOf(field["apiVersion"]), textOf(field["fieldPath"])];
  // The schema requires a path.
  if (path === "") return [];
  const refuse = (why: string): FieldError[] => [
    invalid(`${at}.fieldPath`, path, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return refuse(`unsupported pod version: ${apiVersion}`);
  const [name = ""] = path.split("[");
  return podFields.includes(name) ? [] : refuse(`field label not supported: ${path}`);
}

function resourceErrors(resource: string, at: string): FieldError[] {
  if (resource === "") return [required(at)];
  if (/^(limits|requests)\.hugepages-/.test(resource) || containerResources.includes(resource)) return [];
  return [notSupported(at, resource, containerResources)];
}

import { type FieldError, invalid, notSupported } from "../../../apimachinery/field-error.ts";
import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldRule, must, required, type Rows } from "./field-rules.ts";
import { labelKeyErrors } from "./name-errors.ts";

/** Checks the name of an environment variable, or the start of one. */
export function variableNameErrors(field: string, name: string): FieldError[] {
  return /^[ -<>-~]*$/.test(name) ? [] : [invalid(field, name, "must be of printable ASCII characters other than '='")];
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

/** Returns the rule of a reference to one of these fields of a pod. */
export function fieldRef(supported: readonly string[]): FieldRule {
  return (value, at) => {
    if (!value) return [];
    const { apiVersion, fieldPath } = value as Fields;
    const path = textOf(fieldPath);
    const [, name, key] = /^(metadata\.labels|metadata\.annotations)\['(.*)'\]$/.exec(path) ?? [];
    if (apiVersion === "v1" && key !== undefined)
      return labelKeyErrors(at, name === "metadata.labels" ? key : key.toLowerCase());
    const isRight = path === "" || (apiVersion === "v1" && supported.includes(path));
    return isRight ? [] : [notSupported(`${at}.fieldPath`, path, supported)];
  };
}

const resources = ["cpu", "ephemeral-storage", "memory"];
const containerResources = ["limits", "requests"].flatMap((kind) => resources.map((name) => `${kind}.${name}`));
const bytes = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** The rules of a reference to a resource of a container. */
export const resourceRefRules: Rows = {
  resource: [
    required(),
    must(
      (name: string) => containerResources.includes(name) || /^(limits|requests)\.hugepages-/.test(name),
      `must be one of ${containerResources.join(", ")}`,
    ),
  ],
  divisor: must((divisor: string, { resource }) => {
    const known = textOf(resource).endsWith(".cpu") ? ["1m", "1"] : bytes;
    return ["", "0", ...known].includes(divisor) || !containerResources.includes(textOf(resource));
  }, "must be a unit of the resource"),
};

import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notSupported, required } from "../../../apimachinery/schema/field-error.ts";
import { dnsSubdomainErrors, labelKeyErrors } from "./name-errors.ts";

const variableText = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Checks the name of an environment variable, or the start of one. */
export function variableNameErrors(field: string, name: string): FieldError[] {
  return name === "" || /^[ -<>-~]+$/.test(name) ? [] : [invalid(field, name, variableText)];
}

/** Returns the errors of the ConfigMaps and Secrets whose keys become environment variables. */
export function environmentErrors(sources: readonly Fields[], at: string): FieldError[] {
  return sources.flatMap((source, index) => {
    const names = ["configMapRef", "secretRef"].filter((name) => childIf(source, name));
    return [
      ...variableNameErrors(`${at}[${index}].prefix`, textOf(source["prefix"])),
      ...(names.length === 0 ? [invalid(at, "", "must specify one of: `configMapRef` or `secretRef`")] : []),
      ...(names.length > 1 ? [invalid(at, "", "may not have more than one field specified at a time")] : []),
      ...names.flatMap((kind) => {
        const [field, name] = [`${at}[${index}].${kind}.name`, textOf(childIf(source, kind)?.["name"])];
        return name === "" ? [required(field)] : dnsSubdomainErrors(field, name);
      }),
    ];
  });
}

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
    ...(resource ? divisorErrors(resource, `${at}.resourceFieldRef.divisor`) : []),
    ...["configMapKeyRef", "secretKeyRef"].flatMap((kind) => {
      const ref = childIf(source, kind);
      if (!ref) return [];
      const [name, key] = [textOf(ref["name"]), textOf(ref["key"])];
      return [
        ...dnsSubdomainErrors(`${at}.${kind}.name`, name),
        // The schema requires a key.
        ...(key === "" ? [] : configKeyProblems(key).map((problem) => invalid(`${at}.${kind}.key`, key, problem))),
      ];
    }),
  ];
}

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

function fieldErrors(field: Fields, at: string): FieldError[] {
  const [apiVersion, path] = [textOf(field["apiVersion"]), textOf(field["fieldPath"])];
  // The schema requires a path.
  if (path === "") return [];
  const refuse = (why: string): FieldError[] => [
    invalid(`${at}.fieldPath`, path, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return refuse(`unsupported pod version: ${apiVersion}`);
  const [name = ""] = path.split("[");
  const key = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (key) return labelKeyErrors(at, key[1] === "labels" ? key[2]! : key[2]!.toLowerCase());
  return podFields.includes(name) ? [] : refuse(`field label not supported: ${path}`);
}

function resourceErrors(resource: string, at: string): FieldError[] {
  if (resource === "") return [required(at)];
  if (/^(limits|requests)\.hugepages-/.test(resource) || containerResources.includes(resource)) return [];
  return [notSupported(at, resource, containerResources)];
}

import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, notFound, notSupported, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelKeyErrors } from "./name-errors.ts";
import { backstepErrors } from "./path-errors.ts";

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
  const file = childIf(source, "fileKeyRef");
  return [
    ...(field ? fieldRefErrors(field, `${at}.fieldRef`, podFields) : []),
    ...(resource ? resourceRefErrors(resource, `${at}.resourceFieldRef`) : []),
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
    ...(file ? fileKeyErrors(file, `${at}.fileKeyRef`) : []),
  ];
}

function fileKeyErrors(ref: Fields, at: string): FieldError[] {
  const [key, volume, path] = ["key", "volumeName", "path"].map((name) => textOf(ref[name])) as [
    string,
    string,
    string,
  ];
  return [
    ...(key === "" ? [required(`${at}.key`)] : variableNameErrors(`${at}.key`, key)),
    ...(volume === "" ? [required(`${at}.volumeName`)] : dnsLabelErrors(`${at}.volumeName`, volume)),
    ...(path === "" ? [required(`${at}.path`)] : backstepErrors(`${at}.path`, path)),
  ];
}

/** Returns the errors of environment variables of files in volumes that the pod does not have, or of another type. */
export function envVolumeErrors(spec: Fields, path: string): FieldError[] {
  const volumes = items(spec, "volumes");
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    items(spec, list).flatMap((container, at) =>
      items(container, "env").flatMap((variable, index) => {
        const ref = childIf(childIf(variable, "valueFrom"), "fileKeyRef");
        if (!ref) return [];
        const name = textOf(ref["volumeName"]);
        const field = `${path}.${list}[${at}].env[${index}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.find((each) => each["name"] === name);
        if (!volume) return [notFound(field, name)];
        return volume["emptyDir"] ? [] : [invalid(field, name, "referenced volume must be of type emptyDir")];
      }),
    ),
  );
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

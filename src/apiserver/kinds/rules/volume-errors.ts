import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import { claimSpecErrors } from "./claim-spec-errors.ts";
import { dnsLabelErrors } from "./name-errors.ts";
import { backstepErrors, fileErrors } from "./path-errors.ts";

/** Required names in the sources of a volume, apart from those that the schema requires. */
const sourceNames: Readonly<Record<string, string>> = { configMap: "name", secret: "secretName" };

/** Returns the errors of a volume. */
export function volumeErrors({ name, ...sources }: Fields, at: string): FieldError[] {
  const [first, ...others] = Object.keys(sources);
  return [
    ...(typeof name === "string" && name !== "" ? dnsLabelErrors(`${at}.name`, name) : []),
    ...others.map((source) => forbidden(`${at}.${source}`, "may not specify more than 1 volume type")),
    ...(first === undefined ? [] : sourceErrors(sources[first] as Fields, { at: `${at}.${first}`, first })),
  ];
}

interface Source {
  readonly at: string;
  /** Its name, such as `configMap`. */
  readonly first: string;
}

function sourceErrors(source: Fields, { at, first }: Source): FieldError[] {
  const wanted = sourceNames[first];
  const missing = wanted !== undefined && !source[wanted] ? [required(`${at}.${wanted}`)] : [];
  const modes = modeErrors(`${at}.defaultMode`, source["defaultMode"]);
  switch (first) {
    case "configMap":
    case "secret":
      return [...missing, ...modes, ...keyErrors(source, at)];
    case "downwardAPI":
      return [...modes, ...downwardErrors(source, at)];
    case "projected":
      return [...modes, ...projectedErrors(source, at)];
    case "hostPath":
      return backstepErrors(`${at}.path`, textOf(source["path"]));
    case "emptyDir":
      return textOf(source["sizeLimit"]).startsWith("-")
        ? [forbidden(`${at}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
        : [];
    case "csi":
      return childIf(source, "nodePublishSecretRef") && !childIf(source, "nodePublishSecretRef")?.["name"]
        ? [required(`${at}.nodePublishSecretRef.name`)]
        : [];
    case "ephemeral": {
      const [field, template] = [`${at}.volumeClaimTemplate`, childIf(source, "volumeClaimTemplate")];
      return template ? claimSpecErrors(childIf(template, "spec"), `${field}.spec`) : [required(field)];
    }
    default:
      return missing;
  }
}

const modeText = "must be a number between 0 and 0777 (octal), both inclusive";

function modeErrors(field: string, mode: unknown): FieldError[] {
  return typeof mode === "number" && (mode < 0 || mode > 0o777) ? [invalid(field, mode, modeText)] : [];
}

/** Checks the files that the keys of a ConfigMap or Secret become. */
function keyErrors(source: Fields, at: string): FieldError[] {
  return items(source, "items").flatMap(({ path, mode }, index) => [
    ...fileErrors(`${at}.items[${index}].path`, textOf(path)),
    ...modeErrors(`${at}.items[${index}].mode`, mode),
  ]);
}

const podFields = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/** Checks the files with fields of the pod. A real server does not tell which item is wrong. */
function downwardErrors(source: Fields, at: string): FieldError[] {
  return items(source, "items").flatMap((file) => {
    const [field, resource] = [childIf(file, "fieldRef"), childIf(file, "resourceFieldRef")];
    const path = textOf(field?.["fieldPath"]);
    const isKnown = podFields.includes(path.split("[")[0] ?? "");
    return [
      ...fileErrors(`${at}.path`, textOf(file["path"])),
      ...modeErrors(`${at}.mode`, file["mode"]),
      ...(field && path !== "" && !isKnown ? [notSupported(`${at}.fieldRef.fieldPath`, path, podFields)] : []),
      ...(resource && !resource["containerName"] ? [required(`${at}.resourceFieldRef.containerName`)] : []),
      ...(field || resource ? [] : [required(at, "one of fieldRef and resourceFieldRef is required")]),
      ...(field && resource
        ? [invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")]
        : []),
    ];
  });
}

function projectedErrors(projected: Fields, at: string): FieldError[] {
  const taken = new Set<unknown>();
  return items(projected, "sources").flatMap((source, index) => {
    const field = `${at}.sources[${index}]`;
    const [first, ...others] = Object.keys(source);
    const content = first === undefined ? undefined : childIf(source, first);
    if (!first || !content) return [];
    return [
      ...others.map(() => forbidden(field, "may not specify more than 1 volume type per source")),
      ...(first === "downwardAPI" ? downwardErrors(content, `${field}.${first}`) : []),
      ...(first === "serviceAccountToken" ? lifetimeErrors(content, `${field}.${first}.expirationSeconds`) : []),
      ...(["configMap", "secret"].includes(first) ? namedErrors(content, `${field}.${first}`) : []),
      ...items(content, "items")
        .filter(({ path }) => path && taken.size === taken.add(path).size)
        .map(({ path }) => invalid(at, content["name"] ?? path, "conflicting duplicate paths")),
    ];
  });
}

function namedErrors(source: Fields, at: string): FieldError[] {
  return [...(source["name"] ? [] : [required(`${at}.name`)]), ...keyErrors(source, at)];
}

function lifetimeErrors({ expirationSeconds: seconds }: Fields, field: string): FieldError[] {
  const limits = {
    "less than 10 minutes": Number(seconds) < 600,
    "larger than 2^32 seconds": Number(seconds) > 2 ** 32,
  };
  return Object.entries(limits)
    .filter(([, isOver]) => isOver)
    .map(([what]) => invalid(field, seconds, `may not specify a duration ${what}`));
}

import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { claimSpecRules } from "./claim-spec-rules.ts";
import { fieldRules } from "./field-rules.ts";
import { fieldRefErrors, resourceRefErrors } from "./env-source-errors.ts";
import { dnsLabelErrors } from "./name-errors.ts";
import { fileErrors } from "./path-errors.ts";
import { templateMetaErrors } from "./template-meta-errors.ts";
import { driverErrors, otherSourceErrors, presentSources } from "./volume-driver-errors.ts";

/** Returns the errors of a volume. */
export function volumeErrors(volume: Fields, at: string): FieldError[] {
  const name = textOf(volume["name"]);
  const [first, ...others] = presentSources(volume);
  const source = first === undefined ? undefined : childIf(volume, first);
  return [
    ...(name === "" ? [] : dnsLabelErrors(`${at}.name`, name)),
    ...otherSourceErrors(others, at),
    ...(first !== undefined && source ? sourceErrors(first, source, `${at}.${first}`) : []),
  ];
}

const claimSpecErrors = fieldRules(claimSpecRules);

function sourceErrors(kind: string, source: Fields, at: string): FieldError[] {
  const modes = modeErrors(`${at}.defaultMode`, source["defaultMode"]);
  switch (kind) {
    case "configMap":
      return [...(source["name"] ? [] : [required(`${at}.name`)]), ...modes, ...keyErrors(source, at)];
    case "secret":
      return [...(source["secretName"] ? [] : [required(`${at}.secretName`)]), ...modes, ...keyErrors(source, at)];
    case "downwardAPI":
      return [...modes, ...downwardErrors(source, at)];
    case "projected":
      return [...modes, ...projectedErrors(source, at)];
    case "emptyDir":
      return textOf(source["sizeLimit"]).startsWith("-")
        ? [forbidden(`${at}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
        : [];
    case "ephemeral": {
      const [field, template] = [`${at}.volumeClaimTemplate`, childIf(source, "volumeClaimTemplate")];
      if (!template) return [required(field)];
      return [
        ...templateMetaErrors(childIf(template, "metadata"), `${field}.metadata`),
        ...claimSpecErrors(childIf(template, "spec"), `${field}.spec`),
      ];
    }
    default:
      return driverErrors(kind, source, at, false);
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

/** The fields of a pod that a file can have. */
const podFields = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/** Checks the files with fields of the pod. A real server does not tell which item is wrong. */
function downwardErrors(source: Fields, at: string): FieldError[] {
  return items(source, "items").flatMap((file) => {
    const [field, resource] = [childIf(file, "fieldRef"), childIf(file, "resourceFieldRef")];
    return [
      ...fileErrors(`${at}.path`, textOf(file["path"])),
      ...modeErrors(`${at}.mode`, file["mode"]),
      ...(field ? fieldRefErrors(field, `${at}.fieldRef`, podFields) : []),
      ...(resource && !field ? containerErrors(resource, `${at}.resourceFieldRef`) : []),
      ...(field || resource ? [] : [required(at, "one of fieldRef and resourceFieldRef is required")]),
      ...(field && resource
        ? [invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")]
        : []),
    ];
  });
}

function containerErrors(resource: Fields, at: string): FieldError[] {
  return resource["containerName"] ? resourceRefErrors(resource, at) : [required(`${at}.containerName`)];
}

function projectedErrors(projected: Fields, at: string): FieldError[] {
  const taken = new Set<unknown>();
  return items(projected, "sources").flatMap((source, index) => {
    const field = `${at}.sources[${index}]`;
    const present = ["secret", "configMap", "downwardAPI", "serviceAccountToken"].filter((kind) => source[kind]);
    return [
      ...present.flatMap((kind) => {
        const content = childIf(source, kind) ?? {};
        return [
          ...projectionErrors(kind, content, { at, field: `${field}.${kind}` }),
          ...items(content, "items")
            .filter(({ path }) => path && taken.size === taken.add(path).size)
            .map(({ path }) => invalid(at, content["name"] ?? path, "conflicting duplicate paths")),
        ];
      }),
      ...(present.length > 1 ? [forbidden(field, "may not specify more than 1 volume type per source")] : []),
    ];
  });
}

function projectionErrors(kind: string, content: Fields, { at, field }: { at: string; field: string }): FieldError[] {
  switch (kind) {
    case "downwardAPI":
      return downwardErrors(content, field);
    case "serviceAccountToken":
      // A real server names the path of the volume.
      return [
        ...lifetimeErrors(content, `${field}.expirationSeconds`),
        ...fileErrors(`${at}.path`, textOf(content["path"])),
      ];
    default:
      return [...(content["name"] ? [] : [required(`${field}.name`)]), ...keyErrors(content, field)];
  }
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

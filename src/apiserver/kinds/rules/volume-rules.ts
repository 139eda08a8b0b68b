import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { claimSpecRules } from "./claim-spec-rules.ts";
import { fieldRefErrors, resourceRefErrors } from "./env-source-errors.ts";
import {
  type FieldRule,
  fieldRules,
  format,
  maximum,
  minimum,
  must,
  required,
  type Rows,
  text,
} from "./field-rules.ts";
import { driverNameErrors, labelKeyErrors, labelsErrors } from "./name-errors.ts";
import { backstepErrors, fileErrors, localPathErrors } from "./path-errors.ts";

/** The sources of volumes whose order matters: if a volume has several, the others are refused. */
const ordered = ["emptyDir", "hostPath", "secret", "nfs", "persistentVolumeClaim", "downwardAPI", "configMap"];

/** Fields of volumes that are not sources: those of a pod's volume, and those of a PersistentVolume. */
const others = new Set([
  "name",
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

/** Returns the names of a volume's sources. A valid volume has one. */
export function presentSources(volume: Fields): string[] {
  const placeOf = (name: string): number => (ordered.includes(name) ? ordered.indexOf(name) : ordered.length);
  const present = Object.keys(volume).filter((name) => !others.has(name) && volume[name] !== undefined);
  return present.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const mode = [minimum(0), maximum(0o777)];
const modeErrors = (value: unknown, at: string): FieldError[] =>
  modeRules({ value }).map((error) => ({ ...error, field: at }));
const modeRules = fieldRules({ value: mode });

/** The rules of the files that the keys of a ConfigMap or Secret become. */
const keyFiles: Rows = { defaultMode: mode, "items[].path": text(fileErrors), "items[].mode": mode };
const keyFileErrors = fieldRules({ name: required(), ...keyFiles });
const claimSpecErrors = fieldRules(claimSpecRules);

const claimTemplate: FieldRule = (template, at) => {
  if (!template) return [missing(at)];
  const { metadata, spec } = template as Record<string, Fields | undefined>;
  return [...templateMetaErrors(metadata ?? {}, `${at}.metadata`), ...claimSpecErrors(spec ?? {}, `${at}.spec`)];
};

/** The rules of the sources that pods and PersistentVolumes have in common. */
export const driverRules: Rows = {
  ".": (volume, at) =>
    presentSources(volume as Fields)
      .slice(1)
      .map((name) => forbidden(`${at}.${name}`, "may not specify more than 1 volume type")),
  "(hostPath|local).path": text(backstepErrors),
  "gitRepo.directory": text(localPathErrors),
  "nfs.path": must((path: string) => path.startsWith("/"), "must be an absolute path"),
  "csi.driver": text(driverNameErrors),
};

/** The rules of a pod's volume, apart from missing fields and unknown words, which the schema reports. */
export const volumeRules: Rows = {
  ...driverRules,
  name: format("k8s-short-name"),
  configMap: { name: required(), ...keyFiles },
  secret: { secretName: required(), ...keyFiles },
  downwardAPI: { ".": (source, at) => downwardErrors(source as Fields, at), defaultMode: mode },
  projected: { ".": (source, at) => projectedErrors(source as Fields, at), defaultMode: mode },
  "emptyDir.sizeLimit": must((size: string) => !size.startsWith("-"), "must not be negative"),
  "ephemeral.volumeClaimTemplate": claimTemplate,
  "csi.nodePublishSecretRef.name": [required(), format("k8s-long-name")],
};

/** Returns the errors in the metadata of a claim that is only a template: it has labels and annotations. */
function templateMetaErrors(metadata: Fields, at: string): FieldError[] {
  const { labels, annotations, ...others } = metadata;
  return [
    ...Object.keys((annotations ?? {}) as Fields).flatMap((key) =>
      labelKeyErrors(`${at}.annotations`, key.toLowerCase()),
    ),
    ...labelsErrors(`${at}.labels`, labels as Record<string, string> | undefined),
    // Kubernetes derives the names from those of Go.
    ...Object.keys(others).map((name) => forbidden(`${at}.${name === "uid" ? "uID" : name}`, "cannot be set")),
  ];
}

/** The fields of a pod that a file can have. */
const podFields = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/** Checks the files with fields of the pod. A real server does not tell which item is wrong. */
function downwardErrors(source: Fields, at: string): FieldError[] {
  return items(source, "items").flatMap((file) => {
    const [field, resource] = [childIf(file, "fieldRef"), childIf(file, "resourceFieldRef")];
    return [
      ...fileErrors(`${at}.path`, textOf(file["path"])),
      ...modeErrors(file["mode"], `${at}.mode`),
      ...(field ? fieldRefErrors(field, `${at}.fieldRef`, podFields) : []),
      ...(resource && !field ? containerErrors(resource, `${at}.resourceFieldRef`) : []),
      ...(field || resource ? [] : [missing(at, "one of fieldRef and resourceFieldRef is required")]),
      ...(field && resource
        ? [invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")]
        : []),
    ];
  });
}

function containerErrors(resource: Fields, at: string): FieldError[] {
  return resource["containerName"] ? resourceRefErrors(resource, at) : [missing(`${at}.containerName`)];
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
      return keyFileErrors(content, field);
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

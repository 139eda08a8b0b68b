import { type Fields, items, textOf, childIf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { fieldRef, resourceRefRules } from "./container-rules.ts";
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
import { driverNameErrors, labelKeyErrors, labelsErrors, backstepErrors, fileErrors } from "./name-errors.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { selectorRules } from "./label-selector-errors.ts";

const modes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** The rules of the access modes of a volume or a claim. */
export const accessModes: readonly FieldRule[] = [
  required(),
  must((given: string[]) => given.every((mode) => modes.includes(mode)), `must be among ${modes.join(", ")}`),
  must(
    (given: string[]) => !given.includes("ReadWriteOncePod") || new Set(given).size === 1,
    "may not use ReadWriteOncePod with other access modes",
  ),
];

const storageSize: FieldRule = (spec, at) => {
  const size = childIf(childIf(spec as Fields, "resources"), "requests")?.["storage"];
  const field = `${at}.resources[storage]`;
  if (size === undefined) return [missing(field)];
  return parseQuantity(textOf(size)).nanos > 0n ? [] : [invalid(field, size, "must be greater than zero")];
};

/** The rules of the spec of a claim or of a claim template. */
export const claimSpecRules: Rows = {
  ".": [
    storageSize,
    must(({ dataSource, dataSourceRef: ref }: { dataSource?: Fields; dataSourceRef?: Fields }) => {
      return !dataSource || !ref || equalJson(dataSource, ref);
    }, "dataSource must match dataSourceRef"),
  ],
  accessModes,
  "(storageClassName|volumeAttributesClassName)": format("k8s-long-name"),
  selector: selectorRules,
  "(dataSource|dataSourceRef)": {
    ".": must(
      ({ apiGroup, kind }: Fields) => Boolean(apiGroup) || kind === "PersistentVolumeClaim",
      "must be a PersistentVolumeClaim when referencing the default apiGroup",
    ),
    apiGroup: format("k8s-long-name"),
    namespace: format("k8s-short-name"),
  },
};

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
  return Object.keys(volume).filter((name) => !others.has(name) && volume[name] !== undefined);
}

const mode = [minimum(0), maximum(0o777)];

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
  "nfs.path": must((path: string) => path.startsWith("/"), "must be an absolute path"),
  "csi.driver": text(driverNameErrors),
};

/** The rules of a pod's volume, apart from missing fields and unknown words, which the schema reports. */
export const volumeRules: Rows = {
  ...driverRules,
  name: format("k8s-short-name"),
  configMap: { name: required(), ...keyFiles },
  secret: { secretName: required(), ...keyFiles },
  downwardAPI: { ".": podFiles, defaultMode: mode },
  projected: { ".": projectedErrors, defaultMode: mode },
  "emptyDir.sizeLimit": must((size: string) => !size.startsWith("-"), "must not be negative"),
  "ephemeral.volumeClaimTemplate": claimTemplate,
  "csi.nodePublishSecretRef.name": [required(), format("k8s-long-name")],
};

/** Returns the errors in the metadata of a claim that is only a template: it has labels and annotations. */
function templateMetaErrors(metadata: Fields, at: string): FieldError[] {
  const { labels, annotations } = metadata;
  return [
    ...Object.keys((annotations ?? {}) as Fields).flatMap((key) =>
      labelKeyErrors(`${at}.annotations`, key.toLowerCase()),
    ),
    ...labelsErrors(`${at}.labels`, labels as Record<string, string> | undefined),
  ];
}

/** The fields of a pod that a file can have. */
const podFields = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

const resourceFile = fieldRules({ containerName: required(), ...resourceRefRules });

const podFileErrors = fieldRules({
  ".": must((file: Fields) => !file["fieldRef"] !== !file["resourceFieldRef"], "must have one of two references"),
  path: text(fileErrors),
  mode,
  fieldRef: fieldRef(podFields),
  resourceFieldRef: (ref, at, file) => (file["fieldRef"] ? [] : resourceFile(ref as Fields | undefined, at)),
});

/** Checks the files with fields of the pod. The errors do not name the item. */
function podFiles(source: unknown, at: string): FieldError[] {
  return items(source as Fields, "items").flatMap((file) => podFileErrors(file, at));
}

const tokenErrors = fieldRules({ expirationSeconds: [minimum(600), maximum(2 ** 32)] });

function projectedErrors(projected: unknown, at: string): FieldError[] {
  return items(projected as Fields, "sources").flatMap((source, index) => {
    const field = `${at}.sources[${index}]`;
    const { secret, configMap, downwardAPI, serviceAccountToken: token } = source as Record<string, Fields | undefined>;
    const present = [secret, configMap, downwardAPI, token].filter(Boolean);
    return [
      ...keyFileErrors(secret, `${field}.secret`),
      ...keyFileErrors(configMap, `${field}.configMap`),
      ...(downwardAPI ? podFiles(downwardAPI, `${field}.downwardAPI`) : []),
      ...tokenErrors(token, `${field}.serviceAccountToken`),
      // The error names the path of the volume.
      ...(token ? fileErrors(`${at}.path`, textOf(token["path"])) : []),
      ...(present.length > 1 ? [forbidden(field, "may not specify more than 1 volume type per source")] : []),
    ];
  });
}

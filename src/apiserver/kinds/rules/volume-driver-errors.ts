import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, dnsSubdomainErrors, driverNameErrors } from "./name-errors.ts";
import { backstepErrors, localPathErrors } from "./path-errors.ts";

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

/** Returns the errors of volumes with several sources. */
export function otherSourceErrors(names: readonly string[], at: string): FieldError[] {
  return names.map((name) => forbidden(`${at}.${name}`, "may not specify more than 1 volume type"));
}

/** Returns the errors in the source of a volume, apart from missing fields and unknown words, which the schema reports. */
export function driverErrors(driver: string, source: Fields, at: string, isPersistent: boolean): FieldError[] {
  const { path } = source;
  switch (driver) {
    case "hostPath":
    case "local":
      return backstepErrors(`${at}.path`, textOf(path));
    case "gitRepo":
      return localPathErrors(`${at}.directory`, textOf(source["directory"]));
    case "nfs":
      return textOf(path).startsWith("/") ? [] : [invalid(`${at}.path`, textOf(path), "must be an absolute path")];
    case "csi":
      return [
        ...(source["driver"] ? driverNameErrors(`${at}.driver`, textOf(source["driver"])) : []),
        ...(isPersistent
          ? secretsOfDriver.flatMap((name) => referenceErrors(childIf(source, name), `${at}.${name}`))
          : publishSecretErrors(childIf(source, "nodePublishSecretRef"), `${at}.nodePublishSecretRef`)),
      ];
    default:
      return [];
  }
}

const secretsOfDriver = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function referenceErrors(secret: Fields | undefined, at: string): FieldError[] {
  if (!secret) return [];
  const { name, namespace } = secret;
  return [
    ...(name ? dnsSubdomainErrors(`${at}.name`, textOf(name)) : [required(`${at}.name`)]),
    ...(namespace ? dnsLabelErrors(`${at}.namespace`, textOf(namespace)) : [required(`${at}.namespace`)]),
  ];
}

function publishSecretErrors(secret: Fields | undefined, at: string): FieldError[] {
  if (!secret) return [];
  const { name } = secret;
  return name ? dnsSubdomainErrors(`${at}.name`, textOf(name)) : [required(`${at}.name`)];
}

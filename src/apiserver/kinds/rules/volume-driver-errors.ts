import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, dnsSubdomainErrors, driverNameErrors } from "./name-errors.ts";
import { backstepErrors, localPathErrors } from "./path-errors.ts";
import { wordErrors } from "./value-errors.ts";

/** The volume of a source: that of a pod, or a PersistentVolume, whose secrets have a namespace. */
export interface OfVolume {
  readonly name: string;
  readonly isPersistent: boolean;
}

/** Returns the errors in the source of a volume, apart from missing fields and unknown words, which the schema reports. */
export function driverErrors(driver: string, source: Fields, at: string, volume: OfVolume): FieldError[] {
  // A real server names the disk so.
  const field = driver === "gcePersistentDisk" ? "persistentDisk" : driver;
  return rules[driver]?.(source, `${at}.${field}`, volume) ?? [];
}

/** Returns the errors of volumes with several sources. */
export function otherSourceErrors(others: readonly string[], at: string): FieldError[] {
  const why = "may not specify more than 1 volume type";
  return others.map((other) => forbidden(`${at}.${misspelled[other] ?? other}`, why));
}

/** Names of sources as a real server writes them here. */
const misspelled: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

const rules: Readonly<Record<string, (source: Fields, at: string, volume: OfVolume) => FieldError[]>> = {
  hostPath: ({ path }, at) => backstepErrors(`${at}.path`, textOf(path)),
  gitRepo: ({ directory }, at) => localPathErrors(`${at}.directory`, textOf(directory)),
  gcePersistentDisk: partitionErrors,
  awsElasticBlockStore: partitionErrors,
  nfs: ({ path }, at) =>
    textOf(path).startsWith("/") ? [] : [invalid(`${at}.path`, textOf(path), "must be an absolute path")],
  iscsi: iscsiErrors,
  glusterfs: ({ endpointsNamespace: namespace }, at) => {
    if (typeof namespace !== "string") return [];
    const [field, why] = [
      `${at}.endpointsNamespace`,
      "if the endpointnamespace is set, it must be a valid namespace name",
    ];
    return namespace === "" ? [invalid(field, namespace, why)] : dnsLabelErrors(field, namespace);
  },
  flocker: ({ datasetName: name, datasetUUID: uid }, at) => [
    ...(name || uid ? [] : [required(at, "one of datasetName and datasetUUID is required")]),
    ...(name && uid
      ? [invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously")]
      : []),
    ...(textOf(name).includes("/") ? [invalid(`${at}.datasetName`, name, "must not contain '/'")] : []),
  ],
  rbd: monitorErrors,
  cephfs: monitorErrors,
  cinder: secretErrors,
  quobyte: ({ registry, tenant }, at) => {
    if (!registry) return [];
    if (textOf(tenant).length > 64)
      return [required(`${at}.tenant`, "must be a UUID and may not exceed a length of 64 characters")];
    const wrong = textOf(registry)
      .split(",")
      .filter((pair) => !/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair));
    return wrong.map(() => invalid(`${at}.registry`, registry, hostPorts));
  },
  fc: ({ targetWWNs, wwids, lun }, at) => [
    ...(targetWWNs || wwids
      ? []
      : [required(`${at}.targetWWNs`, "must specify either targetWWNs or wwids, but not both")]),
    ...(targetWWNs && wwids
      ? [invalid(`${at}.targetWWNs`, targetWWNs, "targetWWNs and wwids can not be specified simultaneously")]
      : []),
    ...(targetWWNs && lun === undefined ? [required(`${at}.lun`, "lun is required if targetWWNs is specified")] : []),
    ...(targetWWNs ? lunErrors(lun, at) : []),
  ],
  flexVolume: ({ options }, at) =>
    Object.keys((options ?? {}) as Fields)
      .filter((key) => /(^|\.)(kubernetes|k8s)\.io$/i.test(key.split("/")[0] ?? ""))
      .map((key) => invalid(`${at}.options[${key}]`, key, "kubernetes.io and k8s.io namespaces are reserved")),
  azureFile: ({ secretNamespace }, at) => (secretNamespace === "" ? [required(`${at}.secretNamespace`)] : []),
  azureDisk: ({ kind, cachingMode, diskURI }, at) => {
    const [start, form] = kind === "Managed" ? managedDisk : blobDisk;
    return [
      ...(cachingMode === "" ? wordErrors(`${at}.cachingMode`, "", ["None", "ReadOnly", "ReadWrite"]) : []),
      ...(kind === "" ? wordErrors(`${at}.kind`, "", ["Dedicated", "Managed", "Shared"]) : []),
      ...(textOf(diskURI).startsWith(start) ? [] : [notSupported(`${at}.diskURI`, textOf(diskURI), [form])]),
    ];
  },
  storageos: (source, at, volume) => {
    const { volumeName: name, volumeNamespace: namespace } = source;
    return [
      ...(name ? dnsLabelErrors(`${at}.volumeName`, textOf(name)) : [required(`${at}.volumeName`)]),
      ...(namespace ? dnsLabelErrors(`${at}.volumeNamespace`, textOf(namespace)) : []),
      ...secretErrors(source, at, volume),
    ];
  },
  scaleIO: ({ volumeName }, at) => (volumeName ? [] : [required(`${at}.volumeName`)]),
  local: ({ path }, at) => backstepErrors(`${at}.path`, textOf(path)),
  csi: (source, at, { isPersistent }) => [
    ...(source["driver"] ? driverNameErrors(`${at}.driver`, textOf(source["driver"])) : []),
    ...(isPersistent
      ? secretsOfDriver.flatMap((name) => referenceErrors(childIf(source, name), `${at}.${name}`))
      : publishSecretErrors(childIf(source, "nodePublishSecretRef"), at)),
  ],
};

const hostPorts = "must be a host:port pair or multiple pairs separated by commas";

/** How the address of a disk begins, and its form as errors show it. */
type DiskAddress = readonly [start: string, form: string];
const managedDisk: DiskAddress = [
  "/subscriptions/",
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
];
const blobDisk: DiskAddress = [
  "https://",
  "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
];

function partitionErrors({ partition = 0 }: Fields, at: string): FieldError[] {
  const isRight = Number(partition) >= 0 && Number(partition) <= 255;
  return isRight ? [] : [invalid(`${at}.partition`, partition, "must be between 1 and 255, inclusive")];
}

function lunErrors(lun: unknown, at: string): FieldError[] {
  const isRight = Number(lun ?? 0) >= 0 && Number(lun ?? 0) <= 255;
  return isRight ? [] : [invalid(`${at}.lun`, lun, "must be between 0 and 255, inclusive")];
}

function monitorErrors(source: Fields, at: string): FieldError[] {
  const { monitors } = source;
  // The schema reports a missing list.
  return monitors && items(source, "monitors").length === 0 ? [required(`${at}.monitors`)] : [];
}

/** Checks the secret of a source, whose namespace only a PersistentVolume names. */
function secretErrors(source: Fields, at: string, { isPersistent }: OfVolume): FieldError[] {
  const secret = childIf(source, "secretRef");
  const names = isPersistent ? ["name", "namespace"] : ["name"];
  return secret ? names.filter((name) => !secret[name]).map((name) => required(`${at}.secretRef.${name}`)) : [];
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
  // A real server leaves out the reference here.
  return name ? dnsSubdomainErrors(`${at}.name`, textOf(name)) : [required(`${at}.nodePublishSecretRef.name`)];
}

function iscsiErrors(source: Fields, at: string, { name, isPersistent }: OfVolume): FieldError[] {
  const { iqn, initiatorName, lun, targetPortal, secretRef, chapAuthDiscovery, chapAuthSession } = source;
  const isTooLong = initiatorName !== undefined && `${name}:${textOf(targetPortal)}`.length > 64;
  const tooLong =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  const field = isPersistent ? `${at}.targetportal` : `${at.slice(0, at.lastIndexOf("."))}.name`;
  return [
    ...(isTooLong ? [invalid(field, isPersistent ? targetPortal : name, tooLong)] : []),
    ...(iqn ? initiatorErrors(`${at}.iqn`, iqn, isPersistent) : []),
    ...lunErrors(lun, at),
    ...((chapAuthDiscovery || chapAuthSession) && !secretRef ? [required(`${at}.secretRef`)] : []),
    ...(isPersistent && secretRef ? secretErrors(source, at, { name, isPersistent: false }) : []),
    ...(initiatorName === undefined ? [] : initiatorErrors(`${at}.initiatorname`, initiatorName, isPersistent)),
  ];
}

const initiators: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function initiatorErrors(field: string, name: unknown, isPersistent: boolean): FieldError[] {
  const form = initiators[textOf(name).slice(0, 3)];
  if (form?.test(textOf(name))) return [];
  const starts = form || isPersistent ? "" : " starting with iqn, eui, or naa";
  return [invalid(field, name, `must be valid format${starts}`)];
}

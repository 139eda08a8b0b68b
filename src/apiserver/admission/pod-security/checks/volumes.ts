import { type Fields, items, textOf } from "../../../../apimachinery/fields.ts";
import type { PodCheck } from "./pod-check.ts";
import { countWord, quoteAll, sortedSet } from "./words.ts";

/** Forbids volumes that are folders or files of the node. */
export const hostPathVolumes: PodCheck = ({ spec }) => {
  const names = items(spec, "volumes").filter(has("hostPath")).map(nameOf);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${countWord(names.length, "volume")} ${quoteAll(names)}` };
};

const allowed = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const restricted = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

/** Forbids volumes except for volumes of the pod, of the cluster's objects, and of claims. */
export const restrictedVolumes: PodCheck = ({ spec }) => {
  const volumes = items(spec, "volumes").filter((volume) => !allowed.some((type) => has(type)(volume)));
  if (volumes.length === 0) return undefined;
  const types = sortedSet(volumes.map((volume) => restricted.find((type) => has(type)(volume)) ?? "unknown"));
  const who = `${countWord(volumes.length, "volume")} ${quoteAll(volumes.map(nameOf))}`;
  const what = `${countWord(types.length, "restricted volume type")} ${quoteAll(types)}`;
  return { reason: "restricted volume types", detail: `${who} ${countWord(volumes.length, "uses", "use")} ${what}` };
};

function has(type: string): (volume: Fields) => boolean {
  return (volume) => volume[type] !== undefined && volume[type] !== null;
}

function nameOf({ name }: Fields): string {
  return textOf(name);
}

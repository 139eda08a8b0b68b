import { createHash } from "node:crypto";
import type { CsvObject } from "../../manifests/olm-kinds.ts";
import type { ObjectMeta } from "../../apimachinery/meta.ts";

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns a hash of JSON as OLM shows it: 38 digits and letters. The digits differ from OLM's. */
export function hashOf(value: unknown): string {
  const bytes = createHash("sha256").update(JSON.stringify(value)).digest();
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (let place = 0; place < 38; place++) {
    text += digits[Number(number % 62n)];
    number /= 62n;
  }
  return text;
}

/** Returns a name of at most 63 characters that ends in a hash. */
export function hashedName(base: string, value: unknown): string {
  return `${base.slice(0, 24)}-${hashOf(value)}`;
}

/** Labels of the objects that belong to a CSV. */
export function ownerLabels({ metadata }: Pick<CsvObject, "metadata">): Record<string, string> {
  return {
    "olm.managed": "true",
    "olm.owner": metadata.name ?? "",
    "olm.owner.kind": "ClusterServiceVersion",
    "olm.owner.namespace": metadata.namespace ?? "",
  };
}

/** The reference of an object to its CSV. */
export function ownerReference({ metadata }: CsvObject): NonNullable<ObjectMeta["ownerReferences"]>[number] {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    controller: false,
    blockOwnerDeletion: false,
  };
}

/** The label of all objects of a package in a namespace; like any label key, its name has at most 63 characters. */
export function componentLabel(packageName: string, namespace: string): Record<string, string> {
  return { [`operators.coreos.com/${`${packageName}.${namespace}`.slice(0, 63).replace(/[^a-zA-Z0-9]+$/, "")}`]: "" };
}

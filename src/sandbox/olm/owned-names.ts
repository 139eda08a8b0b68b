import { createHash } from "node:crypto";
import type { CsvObject } from "../../manifests/olm-kinds.ts";
import type { KubeObject, ObjectMeta } from "../../apimachinery/meta.ts";

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Returns a hash of JSON as OLM shows it, for a value that is not the same as in OLM. */
export function hashOf(value: unknown): string {
  return base62(createHash("sha224").update(JSON.stringify(value)).digest("hex"));
}

/** Returns a hexadecimal number in digits and letters, as Go writes it. */
export function base62(hex: string): string {
  let text = "";
  for (let number = BigInt(`0x${hex}`); number > 0n; number /= 62n) text = digits[Number(number % 62n)] + text;
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

/** The prefix of the labels that name the Operators to which an object belongs. */
export const componentPrefix = "operators.coreos.com/";

/** The label of all objects of a package in a namespace; like any label key, its name has at most 63 characters. */
export function componentLabel(packageName: string, namespace: string): Record<string, string> {
  return { [componentPrefix + `${packageName}.${namespace}`.slice(0, 63).replace(/[^a-zA-Z0-9]+$/, "")]: "" };
}

/** Names the Operators to which an object belongs. */
export function operatorNames({ metadata }: KubeObject): string[] {
  return Object.keys(metadata.labels ?? {})
    .filter((key) => key.startsWith(componentPrefix))
    .map((key) => key.slice(componentPrefix.length));
}

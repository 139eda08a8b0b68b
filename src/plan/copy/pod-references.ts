import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** An object that a pod reads or mounts. */
export interface PodReference {
  readonly plural: "secrets" | "configmaps" | "persistentvolumeclaims";
  readonly namespace: string;
  readonly name: string;
}

/** The fields of a pod that name an object, and the member of the value with its name. */
const fields: Readonly<Record<string, readonly [plural: PodReference["plural"], member: string]>> = {
  secretKeyRef: ["secrets", "name"],
  secretRef: ["secrets", "name"],
  secret: ["secrets", "secretName"],
  configMapKeyRef: ["configmaps", "name"],
  configMapRef: ["configmaps", "name"],
  configMap: ["configmaps", "name"],
  persistentVolumeClaim: ["persistentvolumeclaims", "claimName"],
};

/** Returns what the pods of an object refer to, in any field that is named as in a pod. */
export function referencesOf({ metadata: { namespace }, spec }: UnstructuredObject): PodReference[] {
  if (namespace === undefined) return [];
  const found: PodReference[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isObject(value)) return;
    for (const [field, member] of Object.entries(value)) {
      const [plural, nameField] = Object.hasOwn(fields, field) ? fields[field]! : [];
      const name = nameField !== undefined && isObject(member) ? member[nameField] : undefined;
      if (plural && typeof name === "string" && name !== "") found.push({ plural, namespace, name });
      if (field === "imagePullSecrets" && Array.isArray(member))
        for (const item of member)
          if (isObject(item) && typeof item["name"] === "string")
            found.push({ plural: "secrets", namespace, name: item["name"] });
      visit(member);
    }
  };
  visit(spec);
  return found;
}

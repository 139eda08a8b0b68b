import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { RunRecord } from "../world/run-record.ts";

/** Explains why an owner reference does not lead to an owner, if an object of the run has its uid. */
export function ownerHint({ metadata }: UnstructuredObject, { requests }: RunRecord): string | undefined {
  for (const { apiVersion, kind, name, uid } of metadata.ownerReferences ?? []) {
    const owner = requests
      .flatMap(({ changes }) => changes.flatMap(({ after }) => after ?? []))
      .find((object) => object.metadata.uid === uid);
    if (!owner) continue;
    const isSame =
      owner.kind === kind && owner.metadata.name === name && groupOf(owner.apiVersion) === groupOf(apiVersion);
    if (!isSame)
      return `its owner reference names ${kind} ${name} of ${apiVersion}, but the object with that uid is ${owner.kind} ${owner.metadata.name} of ${owner.apiVersion}`;
    const { namespace } = owner.metadata;
    if (namespace !== undefined && namespace !== metadata.namespace)
      return "its owner is in another namespace, which a cluster does not accept as an owner";
  }
  return undefined;
}

function groupOf(apiVersion = ""): string {
  return apiVersion.slice(0, apiVersion.lastIndexOf("/") + 1);
}

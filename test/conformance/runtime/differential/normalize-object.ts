import type { KubeObject, ManagedFieldsEntry } from "../../../../src/index.ts";

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns an object without the values that differ between two runs of the same program. */
export function normalizeObject(object: KubeObject): unknown {
  const { managedFields, ...metadata } = object.metadata;
  delete metadata.resourceVersion;
  return maskTimesAndNames({ ...object, metadata: { ...metadata, managedFields: managedFields?.map(normalizeEntry).toSorted(byOperation) } }); // prettier-ignore
}

/** Managers are named after their programs. */
function normalizeEntry({ manager: _manager, time: _time, ...rest }: ManagedFieldsEntry): object {
  return rest;
}

function byOperation(a: object, b: object): number {
  return JSON.stringify(a).localeCompare(JSON.stringify(b));
}

/** Replaces times by patterns of their digits, and uids and host names by placeholders. */
function maskTimesAndNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(uid, "<uid>"), (key: string, each: unknown) => {
    if (key === "resourceVersion") return "<version>";
    if (typeof each !== "string") return each;
    if (time.test(each)) return each.replace(/\d/g, "0");
    if (key === "reportingInstance" || key === "holderIdentity") return each.replace(/^(memcached-controller-)?[^_]+/, "$1<host>"); // prettier-ignore
    return each.replace(/\.[0-9a-f]{16}$/, ".<hex>");
  }) as unknown;
}

import type { ObjectMeta } from "../../../apimachinery/meta.ts";
import { badRequest } from "../../refusals.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { spendDisruption } from "../../kinds/policy/pod-disruption-budget.ts";
import { readRaw } from "../object/decode-object.ts";
import { keyOf, type Call } from "../request/call.ts";
import { type DeleteOptions, readWriteOptions } from "../request/write-options.ts";
import { admitDeletion, deleteObject } from "../write/delete-objects.ts";

/** POST to `eviction`: deletes a pod, unless its disruption budget is exhausted. */
export async function evict(call: Call): Promise<void> {
  const eviction = readRaw(call, "Eviction");
  const { name, namespace } = (eviction["metadata"] ?? {}) as Partial<ObjectMeta>;
  if (namespace && namespace !== call.namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (name !== call.name) throw badRequest("name in URL does not match name in Eviction object");
  const options = (eviction["deleteOptions"] ?? {}) as Partial<DeleteOptions>;
  const { dryRun } = readWriteOptions(call);
  const { store, clock } = call.core;
  const pod = call.collection.get(keyOf(call));
  if (pod) spendDisruption(store, pod, { dryRun, now: timestamp(clock.now()) });
  await admitDeletion(call, keyOf(call), { ...options, dryRun });
  deleteObject(call, keyOf(call), { ...options, dryRun });
}

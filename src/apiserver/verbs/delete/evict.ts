import { spendDisruption } from "../../kinds/policy/pod-disruption-budget.ts";
import { readRaw } from "../body/read-body.ts";
import { keyOf, type Call } from "../call/call.ts";
import { timestamp } from "../call/server-core.ts";
import type { DeleteOptions } from "../options/delete-options.ts";
import { readWriteOptions } from "../options/write-options.ts";
import { admitDeletion } from "./delete.ts";
import { deleteObject } from "./delete-object.ts";

/** POST to `eviction`: deletes a pod, unless its disruption budget is exhausted. */
export async function evict(call: Call): Promise<void> {
  const eviction = readRaw(call, "Eviction");
  const options = (eviction["deleteOptions"] ?? {}) as Partial<DeleteOptions>;
  const { dryRun } = readWriteOptions(call);
  const { store, clock } = call.core;
  const pod = call.collection.get(keyOf(call));
  if (pod) spendDisruption(store, pod, { dryRun, now: timestamp(clock.now()) });
  await admitDeletion(call, keyOf(call), { ...options, dryRun });
  deleteObject(call, keyOf(call), { ...options, dryRun });
}

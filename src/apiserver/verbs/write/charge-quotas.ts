import { formatResources } from "../../../apimachinery/resource-list.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { checkQuotas, type Charge } from "../../admission/quota/check-quotas.ts";
import { mapAt } from "../../kinds/printing/field-access.ts";
import { trackOwnUpdate } from "../../ssa/managers.ts";
import { storageKey } from "../../storage/store.ts";
import type { Call } from "../request/call.ts";
import { attributesOf, type AdmissionWrite } from "./admit.ts";

const quotas = { group: "", plural: "resourcequotas" };

/**
 * Adds the usage of a write to the quotas of its namespace, as the last step of admission. Refuses the write if a quota
 * does not allow it. All of it happens in one turn of the event loop, so that simultaneous writes stay within the quota.
 */
export function chargeQuotas(call: Call, write: AdmissionWrite): void {
  const { store, clock } = call.core;
  const collection = store.collection(quotas);
  if (collection.size === 0 || call.namespace === undefined) return;
  const found = [...collection.entries(`${call.namespace}/`)].map(([, quota]) => quota);
  if (found.length === 0) return;
  const charges = checkQuotas(found, attributesOf(call, write), clock.now());
  if (!write.dryRun) for (const charge of charges) setUsed(call, charge);
}

/** Writes the status of a quota, in the server's own name. */
function setUsed(call: Call, { quota, used }: Charge): void {
  const { registry, store, clock } = call.core;
  const collection = store.collection(quotas);
  const after = { ...quota, status: { ...mapAt(quota, "status"), used: formatResources(used) } };
  const managedFields = trackOwnUpdate({
    schema: registry.find("", "v1", quotas.plural)?.resource.schema(),
    before: quota,
    after,
    manager: "kube-apiserver",
    apiVersion: "v1",
    subresource: "status",
    now: timestamp(clock.now()),
  });
  const changed = { ...after, metadata: { ...after.metadata, managedFields } };
  const key = storageKey(quota.metadata.namespace, quota.metadata.name ?? "");
  store.commit(collection, key, { previous: quota, object: changed });
}

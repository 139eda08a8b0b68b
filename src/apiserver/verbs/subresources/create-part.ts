import { timestamp } from "../../../apimachinery/time.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { conflict, notFound, notImplemented } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { evict } from "./evict.ts";
import { issueToken } from "./issue-token.ts";
import { readRaw } from "../object/decode-object.ts";
import { updateObject } from "../write/update-object.ts";

/** Handles a POST to a subresource. */
export async function createPart(call: Call): Promise<Answer> {
  if (!call.collection.get(keyOf(call))) throw notFound(call.entry.resource, call.name);
  switch (call.subresource ?? "") {
    case "eviction":
      await evict(call);
      return success;
    case "binding":
      return bind(call);
    case "token":
      return issueToken(call);
    default:
      throw notImplemented(`${call.entry.resource.plural}/${call.subresource} is not served: no containers run here`);
  }
}

const success: Answer = {
  type: "success",
  code: 201,
  body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};

/** Binds a pod to a node, on behalf of a scheduler. */
async function bind(call: Call): Promise<Answer> {
  const binding = readRaw(call, "Binding");
  const { name: nodeName } = (binding["target"] ?? {}) as { name?: string };
  await updateObject(call, {
    dryRun: readWriteOptions(call).dryRun,
    // No manager owns fields that the server itself writes.
    tracked: true,
    apply(live) {
      const pod = cloneJson(live);
      const spec = (pod["spec"] ??= {}) as { nodeName?: string | undefined };
      if (spec.nodeName)
        throw conflict(
          call.entry.resource,
          call.name,
          `pod ${call.name} is already assigned to node "${spec.nodeName}"`,
        );
      spec.nodeName = nodeName;
      const status = (pod["status"] ??= {}) as { conditions?: { readonly type: string }[] };
      const now = timestamp(call.core.clock.now());
      const others = (status.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
      const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
      status.conditions = [...others, scheduled];
      return pod;
    },
  });
  return success;
}

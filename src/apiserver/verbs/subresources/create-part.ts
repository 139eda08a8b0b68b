import { timestamp } from "../../../apimachinery/time.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, child, items, textOf } from "../../../apimachinery/fields.ts";
import { setPodCondition } from "../../kinds/core/pod/pod-condition.ts";
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
      const spec = child(pod, "spec");
      const refusal = bindingRefusal(call.name, spec);
      if (refusal !== undefined) throw conflict(bindings, call.name, refusal);
      spec["nodeName"] = nodeName;
      setPodCondition(pod, { type: "PodScheduled", status: "True" }, timestamp(call.core.clock.now()));
      return pod;
    },
  });
  return success;
}

const bindings = { group: "", plural: "pods/binding" };

/** Returns why a pod cannot be bound to a node. */
function bindingRefusal(name: string, spec: Fields): string | undefined {
  if (spec["nodeName"]) return `pod ${name} is already assigned to node "${textOf(spec["nodeName"])}"`;
  if (items(spec, "schedulingGates").length > 0) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}

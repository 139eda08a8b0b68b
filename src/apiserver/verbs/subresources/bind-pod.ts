import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, child, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { setPodCondition } from "../../kinds/core/pod/pod-changes.ts";
import { badRequest, bareError, conflict, unmetPrecondition } from "../../refusals.ts";
import type { ResourceEntry } from "../../registry/served-resource.ts";
import { readObject } from "../object/decode-object.ts";
import { settleNamespace } from "../object/prepare-object.ts";
import type { Answer, Call } from "../request/call.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { checkNamespace } from "../write/create.ts";
import { updateObject } from "../write/update-object.ts";
import { admitCreated, checkCreated, success } from "./admit-created.ts";

/** Reports whether a request creates a binding for itself, and not as a part of its pod. */
export function isBinding({ entry }: Call): boolean {
  const { group, plural } = entry.resource;
  return group === "" && plural === "bindings";
}

/** Binds a pod to a node, on behalf of a scheduler. A binding is sent to `pods/NAME/binding` or to `bindings`. */
export async function bindPod(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const sent = { ...call, entry: entryOf(call, "bindings"), subresource: undefined };
  let binding = readObject(sent);
  settleNamespace(sent, binding.metadata);
  // Only the path of a pod keeps the uid, as a precondition.
  if (isBinding(call)) delete binding.metadata.uid;
  const pods = entryOf(call, "pods");
  const { name = "" } = binding.metadata;
  const bound = {
    ...call,
    entry: pods,
    collection: call.core.store.collection(pods.storage),
    name,
    subresource: "binding",
  };
  checkNamespace(call, name);
  binding = await admitCreated(call, { object: binding, dryRun });
  checkBinding(call, binding);
  await checkCreated(call, { object: binding, dryRun });
  await updateObject(bound, {
    dryRun,
    admitted: true,
    // No manager owns fields that the server itself writes.
    tracked: true,
    apply: (live) => boundPod(bound, binding, live),
  });
  return success;
}

function entryOf({ core }: Call, plural: string): ResourceEntry {
  const entry = core.registry.find("", "v1", plural);
  if (!entry) throw new Error(`no resource ${plural}`);
  return entry;
}

function checkBinding(call: Call, binding: UnstructuredObject): void {
  const { name = "" } = binding.metadata;
  if (!isBinding(call) && name !== call.name) throw badRequest("name in URL does not match name in Binding object");
  const { kind, name: node } = targetOf(binding);
  if ((kind !== "" && kind !== "Node") || node === "") throw bareError("the target of a binding must be a Node");
  if (name === "") throw badRequest("Name parameter required.");
}

function targetOf(binding: UnstructuredObject): { kind: string; name: string } {
  const target = childIf(binding, "target");
  return { kind: textOf(target?.["kind"]), name: textOf(target?.["name"]) };
}

/** Returns the pod on its node, with the annotations and labels of the binding. */
function boundPod(call: Call, binding: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const { uid, resourceVersion, annotations, labels } = binding.metadata;
  const unmet = (...what: Parameters<typeof unmetPrecondition>[2]): Error =>
    unmetPrecondition(call.entry.resource, call.name, what);
  if (uid && uid !== live.metadata.uid) throw unmet("UID", uid, live.metadata.uid);
  if (resourceVersion && resourceVersion !== live.metadata.resourceVersion)
    throw unmet("ResourceVersion", resourceVersion, live.metadata.resourceVersion);
  const pod = cloneJson(live);
  const { metadata } = pod;
  const refusal = refusalOf(pod);
  if (refusal !== undefined) throw conflict(bindings, call.name, refusal);
  child(pod, "spec")["nodeName"] = targetOf(binding).name;
  if (annotations) metadata.annotations = { ...metadata.annotations, ...annotations };
  if (labels) metadata.labels = { ...metadata.labels, ...labels };
  delete child(pod, "status")["nominatedNodeName"];
  setPodCondition(pod, { type: "PodScheduled", status: "True" }, timestamp(call.core.clock.now()));
  return pod;
}

const bindings = { group: "", plural: "pods/binding" };

/** Returns why a pod cannot be bound to a node. */
function refusalOf(pod: UnstructuredObject): string | undefined {
  const spec: Fields = childIf(pod, "spec") ?? {};
  const { name, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (spec["nodeName"]) return `pod ${name} is already assigned to node "${textOf(spec["nodeName"])}"`;
  return items(spec, "schedulingGates").length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

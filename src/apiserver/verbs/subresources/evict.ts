import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { setPodCondition } from "../../kinds/core/pod/pod-changes.ts";
import { spendDisruption } from "../../kinds/policy/pod-disruption-budget.ts";
import { badRequest, notFound } from "../../refusals.ts";
import { decodeError } from "../../registry/decode-error.ts";
import { writeOwnStatus } from "../../ssa/own-status.ts";
import { pruneObject } from "../object/decode-object.ts";
import { ofPartKind } from "../object/part.ts";
import { keyOf, noteChange, type Call } from "../request/call.ts";
import { type DeleteOptions, parseDeleteOptions, fieldValidation, readWriteOptions } from "../request/write-options.ts";
import { checkPreconditions, deleteObject } from "../write/delete-objects.ts";
import { admitCreated, checkCreated } from "./admit-created.ts";

/** POST to `eviction`: deletes a pod, unless its disruption budget is exhausted. */
export async function evict(call: Call): Promise<void> {
  const { dryRun: asked } = readWriteOptions(call);
  const eviction = await admitCreated(call, { object: readEviction(call), dryRun: asked });
  if (eviction.metadata.name !== call.name) throw badRequest("name in URL does not match name in Eviction object");
  const options = deleteOptions(call, eviction);
  const { dryRun } = options;
  if (dryRun && eviction["deleteOptions"]) Object.assign(eviction["deleteOptions"], { dryRun: ["All"] });
  await checkCreated(call, { object: eviction, dryRun: asked });
  const pod = call.collection.get(keyOf(call));
  if (!pod) throw notFound(call.entry.resource, call.name);
  spendBudget(call, pod, dryRun);
  // Admission has seen the eviction, and does not see the deletion.
  deleteObject(call, keyOf(call), tellReason(call, options));
}

function readEviction(call: Call): UnstructuredObject {
  const { headers, body } = call.request;
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { value: sent, ...found } = decodeBody(headers["content-type"], body, { kind: "Eviction", findDuplicates });
  const error = decodeError("io.k8s.api.policy.v1.Eviction", sent);
  if (error !== undefined) throw badRequest(`Eviction in version "v1" cannot be handled as a Eviction: ${error}`);
  const metadata = (sent["metadata"] ?? {}) as ObjectMeta;
  if (metadata.namespace && metadata.namespace !== call.namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  const eviction = { ...sent, kind: "Eviction", apiVersion: "policy/v1", metadata };
  pruneObject(ofPartKind(call), eviction, found);
  return eviction;
}

const budgets = { group: "policy", version: "v1", plural: "poddisruptionbudgets" };

/** Takes the disruption from the budget of the pod. */
function spendBudget({ core }: Call, pod: UnstructuredObject, dryRun: boolean): void {
  const { namespace } = pod.metadata;
  const entries = core.store.collection(budgets).entries(`${namespace}/`);
  const spent = spendDisruption(entries, pod, timestamp(core.clock.now()));
  if (spent && !dryRun) writeOwnStatus(core, budgets, spent);
}

const evicted = {
  type: "DisruptionTarget",
  status: "True",
  reason: "EvictionByEvictionAPI",
  message: "Eviction API: evicting",
} as const;

/** Sets the condition that tells why the pod goes. Returns the options for the pod as it is then. */
function tellReason(call: Call, options: DeleteOptions): DeleteOptions {
  const { collection, core } = call;
  const key = keyOf(call);
  const stored = collection.get(key);
  if (!stored || options.dryRun) return options;
  checkPreconditions(call, stored, options);
  const object = cloneJson(stored);
  setPodCondition(object, evicted, timestamp(core.clock.now()));
  if (equalJson(object, stored)) return options;
  const { resourceVersion: _, ...preconditions } = options.preconditions ?? {};
  noteChange(call, key, stored, core.store.commit(collection, key, { previous: stored, object }));
  return { ...options, preconditions };
}

/** Reads the options of the deletion. They ask for a dry run, as kubectl drain does, or the query does. */
function deleteOptions(call: Call, eviction: Readonly<Record<string, unknown>>): DeleteOptions {
  const { dryRun = [], ...given } = (eviction["deleteOptions"] ?? {}) as { readonly dryRun?: readonly string[] };
  return parseDeleteOptions({ ...given, dryRun: dryRun.length > 0 ? dryRun : call.query.getAll("dryRun") });
}

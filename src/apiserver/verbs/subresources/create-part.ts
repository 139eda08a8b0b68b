import { notFound, notImplemented, badRequest, conflict } from "../../refusals.ts";
import { keyOf, noteChange, type Answer, type Call } from "../request/call.ts";
import { bindPod } from "./bind-pod.ts";
import { success, admitCreated, checkCreated } from "./admit-created.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { setPodCondition } from "../../kinds/core/pod/pod-changes.ts";
import { spendDisruption } from "../../kinds/policy/pod-disruption-budget.ts";
import { decodeError } from "../../registry/decode-error.ts";
import { writeOwnStatus } from "../../ssa/own-status.ts";
import { pruneObject, readRaw } from "../object/decode-object.ts";
import { ofPartKind } from "../object/part.ts";
import { parseDeleteOptions, fieldValidation, readWriteOptions, type DeleteOptions } from "../request/write-options.ts";
import { checkPreconditions, deleteObject } from "../write/delete-objects.ts";
import type { BoundObjectReference, TokenRequestSpec } from "../../../k8s/authentication/v1.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { serviceAccountUser } from "../../../apimachinery/service-account.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { issuer, type TokenBinding } from "../../access/authentication.ts";

/** POST to `eviction`: deletes a pod, unless its disruption budget is exhausted. */
async function evict(call: Call): Promise<void> {
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

/** Handles a POST to a subresource. */
export async function createPart(call: Call): Promise<Answer> {
  if (call.subresource === "binding") return bindPod(call);
  switch (call.subresource ?? "") {
    case "eviction":
      await evict(call);
      return success;
    case "token":
      return issueToken(call);
    default:
      if (!call.collection.get(keyOf(call))) throw notFound(call.entry.resource, call.name);
      throw notImplemented(`${call.entry.resource.plural}/${call.subresource} is not served: no containers run here`);
  }
}

const shortest = 600;
const longest = 2 ** 32;

/** Issues a token of a service account, which is valid until it expires or the account is deleted. */
async function issueToken(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const request = await admitCreated(call, { object: readRequest(call), dryRun });
  const { namespace = "", name } = call;
  const account = call.collection.get(keyOf(call));
  if (!account) throw notFound(call.entry.resource, name);
  const { uid = "" } = account.metadata;
  const now = call.core.clock.now();
  const { expirationSeconds, audiences, boundObjectRef } = request["spec"] as Required<TokenRequestSpec>;
  const granted = audiences?.length ? audiences : [issuer];
  const metadata = { ...request.metadata, name, namespace, uid, creationTimestamp: timestamp(now) };
  checkDuration(expirationSeconds);
  const object = { ...request, metadata, spec: { audiences: granted, expirationSeconds, boundObjectRef } };
  await checkCreated(call, { object, dryRun });
  const iat = Math.floor(now / 1000);
  const bound = boundObjectRef ? bind(call, boundObjectRef) : {};
  const user = serviceAccountUser(namespace, name, uid);
  const claims = {
    aud: granted,
    exp: iat + expirationSeconds,
    iat,
    iss: issuer,
    "kubernetes.io": { namespace, ...bound, serviceaccount: { name, uid } },
    nbf: iat,
    sub: user.username,
  };
  const token = call.core.users.issue(claims);
  return {
    type: "object",
    code: 201,
    body: {
      ...object,
      status: { token, expirationTimestamp: timestamp((iat + expirationSeconds) * 1000) },
    },
  };
}

const group = "authentication.k8s.io";

function readRequest(call: Call): UnstructuredObject {
  const sent = readRaw(call, "TokenRequest");
  const metadata = (sent["metadata"] ?? {}) as ObjectMeta;
  return { ...sent, kind: "TokenRequest", apiVersion: `${group}/v1`, metadata };
}

/** Binds the token to an object, whose deletion invalidates it. */
function bind(call: Call, { apiVersion = "", kind = "", name = "", uid }: BoundObjectReference): TokenBinding {
  const claim = Object.hasOwn(bindable, `${apiVersion}/${kind}`) ? bindable[`${apiVersion}/${kind}`] : undefined;
  if (claim === undefined) throw badRequest(`cannot bind token to object of type /${apiVersion}, Kind=${kind}`);
  const plural = `${claim}s`;
  const key = claim === "node" ? name : `${call.namespace}/${name}`;
  const bound = call.core.store.collection({ group: "", plural }).get(key)?.metadata.uid;
  if (bound === undefined) throw notFound({ group: "", plural }, name);
  if (uid !== undefined && uid !== bound) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", plural: kind }, name, why);
  }
  return { [claim]: { name, uid: bound } };
}

const bindable: Readonly<Record<string, keyof TokenBinding>> = {
  "v1/Pod": "pod",
  "v1/Secret": "secret",
  "v1/Node": "node",
};

function checkDuration(seconds: number): void {
  if (seconds >= shortest && seconds <= longest) return;
  const limit = seconds < shortest ? "less than 10 minutes" : "larger than 2^32 seconds";
  const cause = invalidField("spec.expirationSeconds", seconds, `may not specify a duration ${limit}`);
  throw invalidError({ group, kind: "TokenRequest" }, "", [cause]);
}

import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { AdmissionAttributes, Equivalent, AdmissionScope } from "../../admission/admission-attributes.ts";
import { mutate, validate } from "../../admission/run-webhooks.ts";
import { applyLimitRanges, checkLimitRanges, hasLimitRanges } from "../../admission/limit-range/limit-ranger.ts";
import { enforcePodSecurity } from "../../admission/pod-security/enforce-pod-security.ts";
import { isNamespaces } from "../../admission/match-rules.ts";
import { hasPolicies } from "../../admission/policies/active-policies.ts";
import { internalError, forbidden } from "../../refusals.ts";
import type { Call } from "../request/call.ts";
import type { DeleteOptions } from "../request/write-options.ts";
import { fieldManager } from "../object/managed-fields.ts";
import { dropUndefined, partOf, hasOwnKind, ofPartKind } from "../object/part.ts";
import { decodeErrorOf } from "../object/decode-object.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import type { ResourceEntry } from "../../registry/served-resource.ts";
import { childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { storageKey, type Store } from "../../storage/store.ts";
import { formatResources } from "../../../apimachinery/resource-list.ts";
import { checkQuotas } from "../../admission/quota/check-quotas.ts";
import { mapAt } from "../../kinds/printing/field-access.ts";
import { writeOwnStatus } from "../../ssa/own-status.ts";

export interface AdmissionWrite {
  readonly operation: AdmissionAttributes["operation"];
  readonly object?: UnstructuredObject | undefined;
  readonly oldObject?: UnstructuredObject | undefined;
  readonly dryRun: boolean;
  /** The options of a deletion. */
  readonly deletion?: Omit<DeleteOptions, "dryRun">;
  /** True if the objects are already of the kind that the path shows, as a Scale that was sent. */
  readonly shown?: true;
}

const admissionResources = [
  "mutatingwebhookconfigurations",
  "validatingwebhookconfigurations",
  "mutatingadmissionpolicybindings",
  "validatingadmissionpolicybindings",
].map((plural) => ({ group: "admissionregistration.k8s.io", plural }));

/**
 * Reports whether a webhook or policy may select writes. Without one, a write takes a single turn of the event loop.
 */
export function needsAdmission({ core: { store } }: Call): boolean {
  return admissionResources.some((resource) => store.collection(resource).size > 0);
}

/** Sets the defaults of the namespace's LimitRanges in a new object, before the policies and webhooks see it. */
export function applyLimits(call: Call, write: AdmissionWrite): void {
  if (hasLimitRanges(call.core.store)) applyLimitRanges(call.core.store, attributesOf(call, write));
}

/** Gives a new pod its service account, if this server has a controller that makes the account `default`. */
export function admitAccount({ core, entry }: Call, object: UnstructuredObject, sentName: string | undefined): void {
  const { group, plural } = entry.resource;
  if (core.hasAccounts && group === "" && plural === "pods") giveAccount(core.store, object, sentName);
}

/** Refuses an object that breaks a LimitRange of the namespace. */
export function checkLimits(call: Call, write: AdmissionWrite): void {
  if (hasLimitRanges(call.core.store)) checkLimitRanges(call.core.store, attributesOf(call, write));
}

/** Runs the mutating policies and webhooks, and returns the changed object. */
export async function admitMutating(call: Call, write: AdmissionWrite): Promise<UnstructuredObject | undefined> {
  const [scope, attributes] = [scopeOf(call), attributesOf(call, write)];
  let changed = attributes.object;
  if (hasPolicies(scope.store, "mutating")) {
    // CEL is a large library; a server without policies never loads it.
    const { applyPolicies } = await import("../../admission/policies/policy-mutations.ts");
    changed = await applyPolicies(scope, attributes);
  }
  const object = await mutate(scope, { ...attributes, object: changed });
  const own = ofPartKind(call);
  const isKept = object === undefined || object === write.object || own.entry.resource.custom !== undefined;
  const wrong = isKept ? undefined : decodeErrorOf(own, object);
  if (wrong !== undefined) throw internalError(wrong);
  return object;
}

/** Enforces the Pod Security of namespaces, which needs no turn of its own and comes before policies and webhooks. */
export function admitPods(call: Call, object: UnstructuredObject, oldObject: UnstructuredObject | undefined): void {
  const { core, entry, subresource, warnings } = call;
  enforcePodSecurity({ store: core.store, warnings, resource: entry.resource, subresource, object, oldObject });
}

/** Runs the validating policies and webhooks, which may refuse. */
export async function admitValidating(call: Call, write: AdmissionWrite): Promise<void> {
  const [scope, attributes] = [scopeOf(call), attributesOf(call, write)];
  if (hasPolicies(scope.store, "validating")) {
    // CEL is a large library; a server without policies never loads it.
    const { enforcePolicies } = await import("../../admission/policies/enforce-policies.ts");
    await enforcePolicies(scope, attributes);
  }
  await validate(scope, attributes);
}

function scopeOf({ core, warnings, webhookCalls }: Call): AdmissionScope {
  const { store, registry, resolveService, programs } = core;
  return { store, registry, resolveService, programs, warnings, webhookCalls };
}

/** Returns a write as admission plugins see it. */
function attributesOf(call: Call, write: AdmissionWrite): AdmissionAttributes {
  const { operation, object, oldObject, dryRun } = write;
  const { entry, request, subresource } = call;
  const part = partOf(call);
  const show = (whole: UnstructuredObject) => (write.shown ? whole : part.show(whole));
  const name = call.name || (object?.metadata.name ?? "");
  return {
    resource: entry.resource,
    subresource,
    operation,
    // A namespace is in itself.
    namespace: isNamespaces(entry.resource) ? name : call.namespace,
    name,
    object: object && show(object),
    oldObject: oldObject && show(oldObject),
    dryRun,
    options: optionsOf(call, write),
    user: request.user,
    equivalents: equivalents(call),
  };
}

/** Returns the options of a write. A patch of an existing object is an update. */
function optionsOf(call: Call, { operation, dryRun, deletion }: AdmissionWrite): Record<string, unknown> | null {
  if (operation === "CONNECT") return null;
  const kind = `${operation[0]}${operation.slice(1).toLowerCase()}Options`;
  const apiVersion = "meta.k8s.io/v1";
  if (operation === "DELETE") {
    const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = deletion ?? {};
    const given = dropUndefined({ gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy });
    return { kind, apiVersion, ...given, ...(dryRun && { dryRun: ["All"] }) };
  }
  const manager = call.query.get("fieldManager") && fieldManager(call);
  const validation = call.query.get("fieldValidation");
  const dryRuns = call.query.getAll("dryRun");
  return {
    kind,
    apiVersion,
    ...(dryRun && { dryRun: dryRuns.length > 0 ? dryRuns : ["All"] }),
    ...(manager && { fieldManager: manager }),
    ...(validation && { fieldValidation: validation }),
  };
}

/** Returns the other versions of a kind, for webhooks whose rules name one of them. Two groups may share a kind. */
function equivalents({ core, entry, subresource }: Call): readonly Equivalent[] {
  const { group, plural } = entry.storage;
  const isWhole = !hasOwnKind(entry.resource, subresource);
  const others: Equivalent[] = [];
  for (const other of core.registry.entries()) {
    const { resource, storage } = other;
    if (other === entry || storage.group !== group || storage.plural !== plural) continue;
    if (subresource !== undefined && !resource.subresources.some(({ name }) => name === subresource)) continue;
    others.push({
      resource,
      to: (object) => (isWhole ? convertBetween(object, entry, other) : object),
      from: (object) => (isWhole ? convertBetween(object, other, entry) : object),
    });
  }
  return others;
}

/** Converts an object; one of a built-in kind by way of the version in which it is stored. */
async function convertBetween(object: UnstructuredObject, from: ResourceEntry, to: ResourceEntry) {
  if (to.convert) return cloneJson(await to.convert(object));
  const stored = await from.write(cloneJson(object));
  await to.load?.([stored]);
  return cloneJson(to.read(stored));
}

const accounts = { group: "", plural: "serviceaccounts" };

/**
 * Gives a new pod its service account, and the pull secrets of the account if it lists none. Refuses a pod whose
 * account does not exist; only `default` may come later, as its controller makes it with the namespace. `sentName` is
 * the name in the request, or its beginning. Mounts no token: nothing in the pod would read it.
 */
function giveAccount(store: Store, pod: UnstructuredObject, sentName: string | undefined): void {
  const spec = childIf(pod, "spec");
  if (!spec) return;
  const { namespace = "" } = pod.metadata;
  const name = textOf(spec["serviceAccountName"]) || "default";
  const account = store.collection(accounts).get(storageKey(namespace, name));
  if (!account && name !== "default") {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
    throw forbidden({ group: "", plural: "pods" }, sentName ?? "", why);
  }
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
  const secrets = items(account, "imagePullSecrets");
  if (secrets.length > 0 && items(spec, "imagePullSecrets").length === 0)
    spec["imagePullSecrets"] = secrets.map((secret) => ({ name: secret["name"] }));
}

const quotas = { group: "", version: "v1", plural: "resourcequotas" };

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
  if (write.dryRun) return;
  for (const { quota, used } of charges) {
    const status = { ...mapAt(quota, "status"), used: formatResources(used) };
    writeOwnStatus(call.core, quotas, { previous: quota, status });
  }
}

import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { requireAccess } from "../../access/authorization.ts";
import { storageKey } from "../../storage/store.ts";
import { alreadyExists, badRequest, bareError, forbidden, notFound } from "../../refusals.ts";
import { admitAccount, admitMutating, applyLimits, needsAdmission } from "./admit.ts";
import { type Answer, type Call, strategyContext } from "../request/call.ts";
import { checkWrite, commit } from "./update-object.ts";
import {
  laterOnCreate,
  withoutLater,
  defaultObject,
  fillNewMeta,
  settleNamespace,
  versionOf,
  dropRepeatedOwners,
} from "../object/prepare-object.ts";
import { trackFields } from "../object/managed-fields.ts";
import { readObject, settleAdmitted } from "../object/decode-object.ts";
import { dropUndefined } from "../object/part.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { ApiError } from "../../../apimachinery/status.ts";

/** Creates the object in the body. */
export async function create(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const object = readObject(call);
  dropRepeatedOwners(object);
  return { type: "object", code: 201, body: await createObject(call, object, { dryRun }) };
}

export interface Creation {
  readonly dryRun: boolean;
  /** True if the managedFields are set already, as by an apply. */
  readonly tracked?: boolean;
}

/** Creates the sent object, which then belongs to the server. An apply also creates through here. */
export async function createObject(
  call: Call,
  sent: UnstructuredObject,
  { dryRun, tracked = false }: Creation,
): Promise<UnstructuredObject> {
  let object = sent;
  const { entry, collection, core } = call;
  const { strategy, resource } = entry;
  requireCreate(call);
  if (entry.terminating)
    throw forbidden(
      resource,
      object.metadata.name ?? "",
      "create not allowed while custom resource definition is terminating",
    );
  settleNamespace(call, object.metadata);
  const sentName = object.metadata.name || object.metadata.generateName;
  fillNewMeta(call, object);
  if (call.name && object.metadata.name !== call.name)
    throw badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${call.name})`,
    );
  if (dropsStatus(resource)) delete object["status"];
  defaultObject(call, object, tracked);
  if (!tracked) await trackFields(call, object);
  await call.turns.rest();
  checkNamespace(call, object.metadata.name ?? "");
  applyLimits(call, { operation: "CREATE", object, dryRun });
  admitAccount(call, object, sentName);
  const asked = needsAdmission(call);
  if (asked) object = await mutate(call, object, dryRun);
  dropRepeatedOwners(object);
  // Afterwards, as no manager owns fields that the server sets on a new object, and no webhook sees them.
  strategy.prepareCreate?.(object, strategyContext(core, call.request.user));
  await checkWrite(call, { operation: "CREATE", object, dryRun }, asked);
  const key = storageKey(object.metadata.namespace, object.metadata.name ?? "");
  if (versionOf(object) > 0 && !dryRun) throw bareError("resourceVersion should not be set on objects to be created");
  const existing = collection.get(key);
  if (existing) {
    const { name = "", deletionTimestamp } = existing.metadata;
    throw alreadyExists(resource, name, deletionTimestamp === undefined ? "" : "object is being deleted: ");
  }
  // A stored object holds no null that its schema does not allow, even if the schema names no type.
  if (tracked && resource.custom) defaultObject(call, object);
  const stored = await commit(call, key, { previous: undefined, object, dryRun });
  if (!stored) throw alreadyExists(resource, object.metadata.name ?? "");
  return stored;
}

/** Runs the mutating webhooks. Their fields are defaulted, but no manager owns them. */
async function mutate(call: Call, object: UnstructuredObject, dryRun: boolean): Promise<UnstructuredObject> {
  const seen = withoutLater(object, laterOnCreate);
  const changed = await admitMutating(call, { operation: "CREATE", object: seen, dryRun });
  if (changed === undefined || changed === seen) return object;
  settleAdmitted(call, changed);
  const { uid, creationTimestamp, generation, deletionTimestamp } = object.metadata;
  Object.assign(changed.metadata, dropUndefined({ uid, creationTimestamp, generation, deletionTimestamp }));
  if (dropsStatus(call.entry.resource)) delete changed["status"];
  defaultObject(call, changed, true);
  return changed;
}

/** Reports whether a new object loses its status. A node has the one that its kubelet sends. */
function dropsStatus({ group, plural, subresources }: ServedResource): boolean {
  return subresources.some(({ name }) => name === "status") && `${group}/${plural}` !== "/nodes";
}

const namespaces = { group: "", plural: "namespaces" };

/** Requires that the user may create the object; an update or a patch that creates was authorized as such only. */
function requireCreate({ core, entry, request, namespace, name }: Call): void {
  if (request.method === "POST") return;
  const { group, plural: resource } = entry.resource;
  requireAccess(core, { user: request.user, verb: "create", group, resource, namespace, name });
}

/** Refuses to create an object in a namespace that does not exist or is terminating. */
export function checkNamespace(call: Call, object: string): void {
  if (!call.entry.resource.namespaced) return;
  const name = call.namespace ?? "";
  const namespace = call.core.store.collection(namespaces).get(name);
  if (!namespace) throw notFound(namespaces, name);
  if (!namespace.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const refusal = forbidden(call.entry.resource, object, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${name} is being terminated`,
    field: "metadata.namespace",
  };
  throw new ApiError({ ...refusal.status, details: { ...refusal.status.details, causes: [cause] } });
}

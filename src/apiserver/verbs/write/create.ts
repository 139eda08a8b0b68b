import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { storageKey } from "../../storage/store.ts";
import { alreadyExists, badRequest, forbidden } from "../../refusals.ts";
import { admitMutating, admitValidating, needsAdmission } from "./admit.ts";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { commit } from "./commit.ts";
import { checkGrant } from "../checks/check-grant.ts";
import { checkNamespace } from "../checks/check-namespace.ts";
import { isDivisible, trackFields } from "./managed-fields.ts";
import { fillNewMeta, settleNamespace } from "../body/object-meta.ts";
import { readObject } from "../body/read-body.ts";
import { defaultObject } from "../body/shape-object.ts";
import { strategyContext } from "./strategy-context.ts";
import { validateObject } from "../checks/validate-object.ts";
import { readWriteOptions } from "../options/write-options.ts";

/** POST to a collection. */
export async function create(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const object = readObject(call);
  return { type: "object", code: 201, body: await createObject(call, object, { dryRun }) };
}

export interface Creation {
  readonly dryRun: boolean;
  /** The managedFields are settled, as an apply does it itself. */
  readonly tracked?: boolean;
}

/** Creates what was sent, which becomes the server's; also how an apply creates. */
export async function createObject(
  call: Call,
  sent: UnstructuredObject,
  { dryRun, tracked = false }: Creation,
): Promise<UnstructuredObject> {
  let object = sent;
  const { entry, collection, core } = call;
  const { strategy, resource } = entry;
  if (entry.terminating)
    throw forbidden(
      resource,
      object.metadata.name ?? "",
      "create not allowed while custom resource definition is terminating",
    );
  settleNamespace(call, object.metadata);
  fillNewMeta(call, object);
  if (call.name && object.metadata.name !== call.name)
    throw badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${call.name})`,
    );
  const divisible = tracked || isDivisible(call, object);
  const hasStatus = resource.subresources.some(({ name }) => name === "status");
  if (hasStatus && !strategy.bringsStatus) delete object["status"];
  defaultObject(call, object);
  if (!tracked) {
    delete object.metadata.managedFields;
    if (divisible) trackFields(call, object);
  }
  // After that, for nobody owns what the server gives to a new object.
  strategy.prepareCreate?.(object, strategyContext(core, call.request.user));
  checkNamespace(call, object.metadata.name ?? "");
  const asked = needsAdmission(call);
  if (asked) object = await mutated(call, object, dryRun);
  checkGrant(call, object, undefined);
  const checking = validateObject(call, object, undefined);
  if (checking) await checking;
  if (asked) await admitValidating(call, { operation: "CREATE", object, dryRun });
  const key = storageKey(object.metadata.namespace, object.metadata.name ?? "");
  const existing = collection.get(key);
  if (existing) throw alreadyExistsError(call, existing);
  if (dryRun) return object;
  const stored = await commit(call, key, { previous: undefined, object });
  if (!stored) throw alreadyExists(resource, object.metadata.name ?? "");
  tellIfIdle(call);
  return stored;
}

/** Logs that an object has no effect here. */
function tellIfIdle({ core, entry, request }: Call): void {
  const { kind } = entry.resource;
  const why = entry.strategy.idle;
  if (why === undefined) return;
  const [path = ""] = request.url.split("?");
  core.onUnsupported?.({ method: request.method, path, message: `${kind} is stored and not acted on: ${why}` });
}

/** What webhooks add is defaulted like what the client sent, but nobody owns it. */
async function mutated(call: Call, object: UnstructuredObject, dryRun: boolean): Promise<UnstructuredObject> {
  const changed = await admitMutating(call, { operation: "CREATE", object, dryRun });
  if (changed === undefined || changed === object) return object;
  defaultObject(call, changed);
  return changed;
}

function alreadyExistsError(call: Call, existing: UnstructuredObject): Error {
  const terminating = existing.metadata.deletionTimestamp !== undefined;
  return alreadyExists(
    call.entry.resource,
    existing.metadata.name ?? "",
    terminating ? "object is being deleted: " : "",
  );
}

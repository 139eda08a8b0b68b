import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isApiError, isInvalid } from "../../apimachinery/status.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client } from "../../client/client.ts";
import { kindsOfCrd } from "../../client/discovery/crd-kinds.ts";
import type { ChangedObject } from "./store-watch.ts";

/** An object that the server refuses, and why. */
export interface Refusal {
  readonly object: string;
  readonly reason: string;
}

/**
 * Finds custom resources of a cluster that the newer version refuses: if they are written as they are, which calls the
 * webhooks, or if they are created again, which applies the schema to fields that do not change, too.
 */
export async function refusedObjects(
  client: Client,
  crds: readonly UnstructuredObject[],
  changed: readonly ChangedObject[],
): Promise<Refusal[]> {
  const created = new Set(changed.filter(({ before }) => before === undefined).map(({ id }) => id));
  const refused: Refusal[] = [];
  for (const crd of crds) {
    // Versions that are not served any more, and those of a CRD that was refused, have nothing to list.
    const [kind] = kindsOfCrd(crd);
    if (!kind) continue;
    const { items } = await client.list(kind as Kind<UnstructuredObject>).catch((error: unknown) => {
      if (isApiError(error) || isKindNotServed(error)) return { items: [] };
      throw error;
    });
    for (const object of items) {
      const { namespace, name, deletionTimestamp } = object.metadata;
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      if (deletionTimestamp || created.has(`${kind.group}/${kind.plural} ${key}`)) continue;
      const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...identity } = object.metadata;
      const reason =
        (await refusalOf(client.update(kind, object, { dryRun: true }))) ??
        // One of the name exists, which a server says only of what is valid.
        (await refusalOf(client.create(kind, { ...object, metadata: identity }, { dryRun: true }), isInvalid));
      if (reason !== undefined) refused.push({ object: `${kind.kind} ${key}`, reason });
    }
  }
  return refused;
}

async function refusalOf(request: Promise<unknown>, counts = isApiError): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return counts(error) ? error.message : undefined;
  }
}

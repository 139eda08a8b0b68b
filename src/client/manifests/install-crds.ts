import { setTimeout as wait } from "node:timers/promises";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject, KubeObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../calls/api-caller.ts";
import type { Client } from "../client.ts";
import { kindsOfCrd } from "../discovery/crd-kinds.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";

export const CustomResourceDefinition: Kind<UnstructuredObject> = defineKind({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

export interface InstallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Reports whether an object is a CRD. */
export function isCrd(object: UnstructuredObject): boolean {
  return object.kind === "CustomResourceDefinition" && object.apiVersion === "apiextensions.k8s.io/v1";
}

/** Creates or updates CRDs, and waits until the server serves all their versions. */
export async function installCrds(
  client: Client,
  crds: readonly UnstructuredObject[],
  options: InstallOptions = {},
): Promise<void> {
  for (const crd of crds) await createOrReplace(client, CustomResourceDefinition, crd);
  await untilCrdsServed(client, crds, options);
}

/** Waits until the server serves all versions of CRDs. */
export async function untilCrdsServed(
  client: Client,
  crds: readonly UnstructuredObject[],
  { timeoutMs = 10_000, signal }: InstallOptions = {},
): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (const crd of crds) {
    for (const kind of kindsOfCrd(crd)) await untilServed(client, kind, { deadline, signal });
  }
}

/** No object has this name: one that is stored in another version would need the webhook of an operator that is not there yet. */
const nobody = { namespace: "default", name: "-" };

async function untilServed(
  client: Client,
  kind: Kind,
  { deadline, signal }: { deadline: AbortSignal; signal: AbortSignal | undefined },
): Promise<void> {
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    signal?.throwIfAborted();
    const served = await client.getOrUndefined(kind, nobody, { signal }).then(
      () => true,
      (error: unknown) => {
        if (!isKindNotServed(error)) throw error;
        return false;
      },
    );
    if (served) return;
    if (deadline.aborted) {
      throw new TsopError("TSOP_CRD_NOT_SERVED", { crd: `${kind.plural}.${kind.group}`, version: kind.version });
    }
    await wait(pause);
  }
}

/** Creates an object, or replaces the one of its name. */
export async function createOrReplace<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
): Promise<"created" | "configured"> {
  try {
    await client.create(kind, object);
    return "created";
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await retryOnConflict(async () => {
      const { namespace, name = "" } = object.metadata;
      const { metadata } = await client.get(kind, { namespace, name });
      const { resourceVersion } = metadata;
      const current = { ...object.metadata, ...(resourceVersion && { resourceVersion }) };
      await client.update(kind, { ...object, metadata: current });
    });
    return "configured";
  }
}

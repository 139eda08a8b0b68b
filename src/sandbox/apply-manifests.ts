import { apiVersionOf, type Kind } from "../apimachinery/kind.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { isAlreadyExists } from "../apimachinery/status.ts";
import type { Client } from "../client/client.ts";
import type { Transport } from "../client/transport.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { discoverKinds } from "./discover-kinds.ts";
import { installCrds, isCrd } from "./install-crds.ts";
import type { Manifest } from "./read-manifests.ts";

/** A server, and the namespace for objects that name none. */
export interface ApplyTarget {
  readonly client: Client;
  readonly transport: Transport;
  readonly namespace: string;
}

export interface AppliedObject {
  readonly kind: Kind;
  readonly name: string;
  readonly result: "created" | "configured";
}

/** Creates objects, or applies them over those that exist: CRDs first, then namespaces, then the rest as listed. */
export async function applyManifests(target: ApplyTarget, manifests: readonly Manifest[]): Promise<AppliedObject[]> {
  const crds = manifests.filter(({ object }) => isCrd(object));
  await installCrds(
    target.client,
    crds.map(({ object }) => object),
  );
  const rest = manifests.filter(({ object }) => !isCrd(object));
  const first = (manifest: Manifest) => (manifest.object.kind === "Namespace" ? 0 : 1);
  const kinds = await discoverKinds(target.transport);
  const applied: AppliedObject[] = [];
  for (const { object, file } of rest.toSorted((a, b) => first(a) - first(b))) {
    const served = kinds.find(({ kind }) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion);
    if (!served) {
      const { apiVersion = "", kind = "" } = object;
      throw new TsopError("TSOP_KIND_NOT_SERVED", { apiVersion, kind, file });
    }
    applied.push(await applyObject(target, served.kind, object));
  }
  return applied;
}

async function applyObject(target: ApplyTarget, kind: Kind, object: UnstructuredObject): Promise<AppliedObject> {
  const namespace = kind.scope === "Namespaced" ? (object.metadata.namespace ?? target.namespace) : undefined;
  const placed = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } };
  const name = object.metadata.name ?? object.metadata.generateName ?? "";
  try {
    await target.client.create(kind, placed, { fieldOwner: "tsop" });
    return { kind, name, result: "created" };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const configuration = { ...placed, metadata: { ...placed.metadata, name } };
    await target.client.apply(kind, configuration, { fieldOwner: "tsop", force: true });
    return { kind, name, result: "configured" };
  }
}

import { setTimeout as wait } from "node:timers/promises";
import type { Kind } from "../../apimachinery/kind.ts";
import { isAlreadyExists, isApiError, isNotFound } from "../../apimachinery/status.ts";
import type { Client } from "../client.ts";
import { isKindNotServed } from "../calls/api-caller.ts";
import { withFieldValidation } from "../with-write-options.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { createOrReplace, CustomResourceDefinition, isCrd, untilCrdsServed } from "./install-crds.ts";
import type { Manifest } from "./read-manifests.ts";

/** A client of a server, and the namespace for objects without one. */
export interface ApplyTarget {
  readonly client: Client;
  readonly namespace: string;
  /** Returns the signal that ends the wait for a kind that an operator brings; by default, nothing is waited for. */
  readonly patience?: (manifest: Manifest) => AbortSignal;
}

export interface AppliedObject {
  readonly kind: Kind;
  readonly name: string;
  readonly result: "created" | "configured";
}

/**
 * Creates objects, or applies them over existing ones: CRDs first, then namespaces, then the rest as listed, once all
 * kinds are known; with patience, those of unknown kinds come last. Stops at the first object that the server rejects,
 * with an error that names its file. Unknown fields are rejected, as by `kubectl apply`.
 */
export async function applyManifests(
  server: ApplyTarget,
  manifests: readonly Manifest[],
  onApplied: (object: AppliedObject) => void = () => {},
): Promise<AppliedObject[]> {
  const target = { ...server, client: withFieldValidation(server.client, "Strict") };
  const applied: AppliedObject[] = [];
  const report = (object: AppliedObject): void => {
    applied.push(object);
    onApplied(object);
  };
  const crds = manifests.filter(({ object }) => isCrd(object));
  for (const crd of crds) report(await applyCrd(target, crd));
  await untilCrdsServed(
    target.client,
    crds.map(({ object }) => object),
  );
  const rest = manifests.filter(({ object }) => !isCrd(object));
  const first = (manifest: Manifest) => (manifest.object.kind === "Namespace" ? 0 : 1);
  const planned = [];
  const unknown = [];
  for (const manifest of rest.toSorted((a, b) => first(a) - first(b))) {
    const kind = await knownKind(target, manifest);
    if (kind) planned.push({ manifest, kind });
    else if (target.patience) unknown.push(manifest);
    else throw notServed(manifest);
  }
  for (const { kind, manifest } of planned) report(await applyObject(target, kind, manifest));
  for (const manifest of unknown) report(await applyObject(target, await awaitKind(target, manifest), manifest));
  return applied;
}

async function applyCrd({ client }: ApplyTarget, { object, file }: Manifest): Promise<AppliedObject> {
  const result = await withFile(file, createOrReplace(client, CustomResourceDefinition, object));
  return { kind: CustomResourceDefinition, name: object.metadata.name ?? "", result };
}

async function knownKind({ client }: ApplyTarget, { object }: Manifest): Promise<Kind | undefined> {
  const { apiVersion = "", kind = "" } = object;
  try {
    return await client.kindFor(apiVersion, kind);
  } catch (error) {
    if (isKindNotServed(error)) return undefined;
    throw error;
  }
}

async function awaitKind(target: ApplyTarget, manifest: Manifest): Promise<Kind> {
  let patience: AbortSignal | undefined;
  for (;;) {
    const kind = await knownKind(target, manifest);
    if (kind) return kind;
    patience ??= target.patience?.(manifest);
    if (!patience || isTimeout(patience)) throw notServed(manifest);
    patience.throwIfAborted();
    await wait(50);
  }
}

function isTimeout({ reason }: AbortSignal): boolean {
  return (reason as Error | undefined)?.name === "TimeoutError";
}

function notServed({ object, file }: Manifest): TsopError {
  const { apiVersion = "", kind = "" } = object;
  return new TsopError("TSOP_KIND_NOT_SERVED", { apiVersion, kind, file });
}

async function applyObject(target: ApplyTarget, kind: Kind, { object, file }: Manifest): Promise<AppliedObject> {
  const { client } = target;
  const namespace = kind.scope === "Namespaced" ? (object.metadata.namespace ?? target.namespace) : undefined;
  const placed = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } };
  const name = object.metadata.name ?? object.metadata.generateName ?? "";
  try {
    await client.create(kind, placed, { fieldOwner: "tsop" });
    return { kind, name, result: "created" };
  } catch (error) {
    if (!isAlreadyExists(error)) throw nameFile(file, error);
    const configuration = { ...placed, metadata: { ...placed.metadata, name } };
    await withFile(file, client.apply(kind, configuration, { fieldOwner: "tsop", force: true }));
    return { kind, name, result: "configured" };
  }
}

async function withFile<T>(file: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw nameFile(file, error);
  }
}

/** How a server begins the error for a webhook that does not answer, or not in a way that it understands. */
const webhookFailure = /^(?:Internal error occurred: failed calling webhook|conversion webhook for) /;

/** Names the file in an error of the server; returns other errors unchanged. */
function nameFile(file: string, error: unknown): unknown {
  if (!isApiError(error)) return error;
  const { details } = error.status;
  const missing = isNotFound(error) && details?.kind === "namespaces" ? details.name : undefined;
  if (missing !== undefined)
    return new TsopError("TSOP_NAMESPACE_NOT_FOUND", { file, namespace: missing }, { cause: error });
  const code = webhookFailure.test(error.message) ? "TSOP_MANIFEST_WEBHOOK" : "TSOP_MANIFEST_REFUSED";
  return new TsopError(code, { file, reason: error.message }, { cause: error });
}

import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { messageOf } from "../../../errors/message-of.ts";
import type { ResourceEntry } from "../../registry/resource-entry.ts";
import { storageKey } from "../../storage/store.ts";
import type { AdmissionScope } from "../admission-attributes.ts";
import type { ParamKind, ParamRef } from "./active-policies.ts";

/** The parameters of a binding, or the reason why they are missing. */
export type BoundParams =
  | { readonly params: readonly (UnstructuredObject | undefined)[] }
  | { readonly failure: string; readonly of: "policy" | "binding" };

/** Finds the parameters of a policy and its binding for a write in a namespace. */
export async function boundParams(
  scope: AdmissionScope,
  { paramKind, ref, namespace }: { paramKind?: ParamKind; ref?: ParamRef; namespace: string | undefined },
): Promise<BoundParams> {
  let entry: ResourceEntry | undefined;
  try {
    entry = paramKind && paramEntry(scope, paramKind);
  } catch (error) {
    return { failure: `failed to configure policy: ${messageOf(error)}`, of: "policy" };
  }
  if (!entry || !ref) return { params: [undefined] };
  try {
    return { params: await bindingParams(scope, entry, { ref, namespace }) };
  } catch (error) {
    return { failure: `failed to configure binding: ${messageOf(error)}`, of: "binding" };
  }
}

/** Finds the resource of a policy's parameters. Throws an Error for a kind that is not served. */
function paramEntry({ registry }: AdmissionScope, { apiVersion, kind }: ParamKind): ResourceEntry {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  for (const entry of registry.entries()) {
    const { resource } = entry;
    if (resource.group === group && resource.version === version && resource.kind === kind) return entry;
  }
  const shown = `${apiVersion}, Kind=${kind}`;
  throw new Error(`failed to find resource referenced by paramKind: '${shown}'`);
}

/** Finds the parameters that a binding names. Throws an Error for an invalid reference. */
async function bindingParams(
  { store }: AdmissionScope,
  entry: ResourceEntry,
  { ref, namespace }: { readonly ref: ParamRef; readonly namespace: string | undefined },
): Promise<UnstructuredObject[]> {
  const { namespaced } = entry.resource;
  const from = namespaced ? ref.namespace || namespace : undefined;
  if (namespaced && !from)
    throw new Error("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  if (!namespaced && ref.namespace)
    throw new Error("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  const collection = store.collection(entry.storage);
  const found = ref.name
    ? [collection.get(storageKey(from, ref.name))].filter((object) => object !== undefined)
    : [...collection.entries(from ? `${from}/` : "")].map(([, object]) => object).filter(selects(ref));
  if (found.length === 0 && ref.parameterNotFoundAction === "Deny")
    throw new Error("no params found for policy binding with `Deny` parameterNotFoundAction");
  await entry.load?.(found);
  return found.map((object) => entry.read(object));
}

function selects({ selector = {} }: ParamRef): (object: UnstructuredObject) => boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return () => true;
  const matcher = labelSelectorMatcher(selector);
  return ({ metadata }) => matcher.matches(metadata.labels ?? {});
}

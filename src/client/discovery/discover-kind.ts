import { apiVersionOf, defineKind, parseApiVersion, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ApiCaller } from "../calls/api-caller.ts";
import type { CallOptions } from "../client.ts";

interface ResourceList {
  readonly resources?: readonly Resource[];
}

interface Resource {
  /** `things`, or `things/status` for a subresource. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Asks the server what an `apiVersion` and `kind` stand for. Throws `isKindNotServed` when it doesn't know. */
export async function discoverKind(
  caller: ApiCaller,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  options: CallOptions = {},
): Promise<Kind<UnstructuredObject>> {
  const { group, version } = parseApiVersion(apiVersion);
  // Its plural is a guess, and only for errors.
  const asked = defineKind({ group, version, kind, plural: `${kind.toLowerCase()}s` });
  const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const { resources = [] } = (await caller.call({
    method: "GET",
    path,
    kind: asked,
    signal: options.signal,
  })) as ResourceList;
  const resource = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  if (!resource) {
    throw new TsopError("TSOP_RESOURCE_NOT_SERVED", { kind, apiVersion: apiVersionOf(asked), plural: asked.plural });
  }
  const own = `${resource.name}/`;
  return defineKind({
    group,
    version,
    kind,
    plural: resource.name,
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    subresources: resources.flatMap(({ name }) => (name.startsWith(own) ? [name.slice(own.length)] : [])),
  });
}

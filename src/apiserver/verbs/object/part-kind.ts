import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import { child, fill } from "../../../apimachinery/fields.ts";
import type { Strategy } from "../../registry/strategy.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Call } from "../request/call.ts";

/** Reports whether a subresource has a kind of its own, as the eviction of a pod has, or the scale of a Deployment. */
export function hasOwnKind({ subresources, kind }: ServedResource, subresource: string | undefined): boolean {
  return subresources.some((part) => part.name === subresource && part.kind !== kind);
}

const tokenRequest: Strategy = {
  applyDefaults: (request) => fill(child(request, "spec"), { expirationSeconds: 3600 }),
};

/** Returns a call as one about objects of the kind of its subresource. A subresource of the object's kind is as before. */
export function ofPartKind(call: Call): Call {
  const { entry, subresource } = call;
  const part = entry.resource.subresources.find(({ name }) => name === subresource);
  if (!part || part.kind === entry.resource.kind) return call;
  const { custom: _, ...whole } = entry.resource;
  const { group = whole.group, version = whole.version, kind } = part;
  const type = `io.k8s.api.${group.split(".")[0] || "core"}.${version}.${kind}`;
  const resource = { ...whole, group, version, kind, schema: () => builtinSchema(type), subresources: [] };
  return { ...call, entry: { ...entry, resource, type, strategy: kind === "TokenRequest" ? tokenRequest : {} } };
}

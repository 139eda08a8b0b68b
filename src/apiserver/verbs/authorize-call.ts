import { describeRefusal, type ResourceAttributes } from "../auth/attributes.ts";
import { forbiddenAction } from "../refusals.ts";
import type { Call } from "./call.ts";

/** Refuses what the user may not do. */
export function authorizeCall(call: Call, verb: string): void {
  const { core, entry, request, subresource, namespace, name } = call;
  const { group, version, plural: resource } = entry.resource;
  const attributes: ResourceAttributes = {
    user: request.user,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
  const decision = core.authorize(attributes);
  if (decision.allowed) return;
  const texts = [describeRefusal(attributes), decision.reason, core.forbiddenHint?.(attributes)];
  throw forbiddenAction(attributes, texts.filter(Boolean).join(": "));
}

import { ApiError, failure } from "../../apimachinery/status.ts";
import { describeRefusal, type PathAttributes, type ResourceAttributes } from "../access/authorization.ts";
import { forbiddenAction } from "../refusals.ts";
import type { Call, ServerCore } from "../verbs/request/call.ts";

/** Refuses a path that is none of a resource, such as that of a discovery document. */
export function authorizePath(core: ServerCore, attributes: PathAttributes): void {
  if (core.authorize(attributes).allowed) return;
  throw new ApiError(failure("Forbidden", `forbidden: ${describeRefusal(attributes)}`, {}));
}

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

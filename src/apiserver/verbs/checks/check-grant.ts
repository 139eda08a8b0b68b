import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { checkEscalation, rbacGroup } from "../../access/check-escalation.ts";
import type { Call } from "../call/call.ts";

const granting = new Set(["roles", "rolebindings", "clusterroles", "clusterrolebindings"]);

/** Where roles are enforced, nobody grants what they may not do themselves. */
export function checkGrant(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): void {
  const { core, entry, request } = call;
  const { group, plural } = entry.resource;
  if (!core.enforcesRoles || group !== rbacGroup || !granting.has(plural)) return;
  checkEscalation({ store: core.store, authorize: core.authorize, user: request.user, plural, object, old });
}

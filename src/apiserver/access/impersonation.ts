import { checkDns1123Label, checkDns1123Subdomain } from "../../apimachinery/names.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { ServerRequest, User } from "../api-server.ts";
import { accessRefusal, type Authorizer, type ResourceAttributes } from "./authorization.ts";
import { wantedUser, type WantedUser } from "./impersonation-headers.ts";

const anonymous = "system:anonymous";
const authenticated = "system:authenticated";
const unauthenticated = "system:unauthenticated";

/**
 * Returns the user that a request acts as: the authenticated one, or the one of its `Impersonate-` headers. Throws if
 * the verb `impersonate` on each part of that user is not allowed.
 */
export function effectiveUser(authorize: Authorizer, request: ServerRequest): User {
  const { user } = request;
  const wanted = wantedUser(request);
  if (!wanted) return user;
  for (const part of partsOf(wanted)) {
    const refusal = accessRefusal({ authorize }, { user, verb: "impersonate", ...part });
    if (refusal) throw refusal;
  }
  const { username, uid, extra } = wanted;
  return {
    username,
    groups: groupsOf(wanted),
    ...(uid !== "" && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const authentication = "authentication.k8s.io";

/** Returns the parts of a user, as resources. */
function* partsOf({ username, uid, groups, extra }: WantedUser): Generator<Omit<ResourceAttributes, "user" | "verb">> {
  const account = accountOf(username);
  yield {
    group: "",
    ...(account ? { resource: "serviceaccounts", ...account } : { resource: "users", name: username }),
  };
  if (uid !== "") yield { group: authentication, resource: "uids", name: uid };
  for (const name of groups) yield { group: "", resource: "groups", name };
  for (const [subresource, values] of Object.entries(extra))
    for (const name of values) yield { group: authentication, resource: "userextras", subresource, name };
}

/** Returns the groups of the user: the named ones or those of a service account, and the default one. */
function groupsOf({ username, groups }: WantedUser): string[] {
  const account = accountOf(username);
  const own = account ? serviceAccountUser(account.namespace, account.name).groups : [];
  const named = groups.length === 0 ? own : groups;
  if (username === anonymous) return [...new Set([...named, unauthenticated])];
  return named.includes(authenticated) || named.includes(unauthenticated) ? [...named] : [...named, authenticated];
}

function accountOf(username: string): { namespace: string; name: string } | undefined {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(username) ?? [];
  const isAccount = checkDns1123Label(namespace) === undefined && checkDns1123Subdomain(name) === undefined;
  return isAccount ? { namespace, name } : undefined;
}

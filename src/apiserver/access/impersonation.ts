import { checkDns1123Label, checkDns1123Subdomain } from "../../apimachinery/names.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { ServerRequest, User } from "../api-server.ts";
import { accessRefusal, type Authorizer, type ResourceAttributes } from "./authorization.ts";
import { badRequest } from "../refusals.ts";

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

/** The user whom the `Impersonate-` headers name. */
interface WantedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Returns the user whom a request wants to act as; `undefined` for its own user. */
function wantedUser(request: ServerRequest): WantedUser | undefined {
  const { headers } = request;
  const names = Object.keys(headers).filter((name) => name.startsWith("impersonate-"));
  if (names.length === 0) return undefined;
  // Read here, as the getter of an HTTP request parses all headers again.
  const { headersDistinct = {} } = request;
  const valuesOf = (name: string): readonly string[] => headersDistinct[name] ?? [headers[name] ?? []].flat();
  const [username = ""] = valuesOf("impersonate-user");
  const [uid = ""] = valuesOf("impersonate-uid");
  const groups = valuesOf("impersonate-group");
  const extra = names
    .filter((name) => name.startsWith(extraPrefix))
    .map((name) => [decodeKey(name.slice(extraPrefix.length)), valuesOf(name)] as const);
  const wanted = { username, uid, groups, extra: Object.fromEntries(extra) };
  if (username !== "") return wanted;
  if (uid === "" && groups.length === 0 && extra.length === 0) return undefined;
  throw badRequest("the request impersonates groups, a uid or extra fields without a user name");
}

const extraPrefix = "impersonate-extra-";

/** Decodes the percent-encoded key of an extra field, as header names have neither capitals nor slashes. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Like a real server, take the key literally.
    return key;
  }
}

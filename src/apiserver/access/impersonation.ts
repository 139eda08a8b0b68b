import { checkDns1123Label, checkDns1123Subdomain } from "../../apimachinery/names.ts";
import type { ServerRequest, User } from "../api-server.ts";
import { badRequest } from "../refusals.ts";
import { serviceAccountUser } from "./authentication.ts";
import { requireAccess, type Authorizer, type ResourceAttributes } from "./authorization.ts";

const anonymous = "system:anonymous";
const authenticated = "system:authenticated";
const unauthenticated = "system:unauthenticated";

/** The user whom the `Impersonate-` headers name, as far as they name one. */
interface Wanted {
  readonly username: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the user that a request acts as: the authenticated one, or the one of its `Impersonate-` headers if that is
 * allowed.
 */
export function actingUser(request: ServerRequest, authorize: Authorizer): User {
  const wanted = readHeaders(request);
  if (!wanted) return request.user;
  for (const permission of permissionsFor(wanted))
    requireAccess({ authorize }, { user: request.user, verb: "impersonate", ...permission });
  const { username, uid, extra } = wanted;
  return {
    username,
    groups: groupsOf(wanted),
    ...(uid !== undefined && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function readHeaders(request: ServerRequest): Wanted | undefined {
  const names = Object.keys(request.headers).filter((name) => name.startsWith("impersonate-"));
  if (names.length === 0) return undefined;
  const { "impersonate-user": username = "", "impersonate-uid": uid } = request.headers;
  const groups = valuesOf(request, "impersonate-group");
  const extra = Object.fromEntries(
    names
      .filter((name) => name.startsWith(extraPrefix))
      .map((name) => [decodeKey(name.slice(extraPrefix.length)), valuesOf(request, name)]),
  );
  if (username !== "") return { username, uid: uid || undefined, groups, extra };
  if (!uid && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest("requested groups, uid or extra fields without impersonating a user name");
}

const extraPrefix = "impersonate-extra-";

/** Returns the values of a header that may be sent several times. */
function valuesOf({ headers, headersDistinct }: ServerRequest, name: string): readonly string[] {
  const joined = headers[name];
  return headersDistinct?.[name] ?? (joined === undefined ? [] : [joined]);
}

/** Decodes the percent-encoded key of an extra field, as header names have neither capitals nor slashes. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Like a real server, take the key literally.
    return key;
  }
}

type Permission = Omit<ResourceAttributes, "user" | "verb">;

/** Returns the resources that the writer of the headers must be allowed to impersonate. */
function permissionsFor({ username, uid, groups, extra }: Wanted): Permission[] {
  const group = "authentication.k8s.io";
  const account = accountOf(username);
  return [
    account
      ? { group: "", resource: "serviceaccounts", namespace: account.namespace, name: account.name }
      : { group: "", resource: "users", name: username },
    ...groups.map((name) => ({ group: "", resource: "groups", name })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((name) => ({ group, resource: "userextras", subresource: key, name })),
    ),
    ...(uid === undefined ? [] : [{ group, resource: "uids", name: uid }]),
  ];
}

/** Returns the groups that the user has: those of a service account unless others are named, and the default one. */
function groupsOf({ username, groups }: Wanted): string[] {
  const account = accountOf(username);
  const named = account && groups.length === 0 ? serviceAccountUser(account.namespace, account.name).groups : groups;
  if (username === anonymous) return [...new Set([...named, unauthenticated])];
  return named.includes(authenticated) || named.includes(unauthenticated) ? [...named] : [...named, authenticated];
}

function accountOf(username: string): { namespace: string; name: string } | undefined {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(username) ?? [];
  const isAccount = checkDns1123Label(namespace) === undefined && checkDns1123Subdomain(name) === undefined;
  return isAccount ? { namespace, name } : undefined;
}

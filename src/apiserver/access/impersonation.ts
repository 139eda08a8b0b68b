import { checkDns1123Label, checkDns1123Subdomain } from "../../apimachinery/names.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { ApiError } from "../../apimachinery/status.ts";
import type { ServerRequest, User } from "../api-server.ts";
import { domainPathErrors } from "../kinds/rules/name-errors.ts";
import { accessRefusal, type Attributes, type Authorizer, type ResourceAttributes } from "./authorization.ts";
import { wantedUser, type WantedUser } from "./impersonation-headers.ts";

const anonymous = "system:anonymous";
const authenticated = "system:authenticated";
const unauthenticated = "system:unauthenticated";

/**
 * Returns the user that a request acts as: the authenticated one, or the one of its `Impersonate-` headers if that is
 * allowed.
 */
export type Impersonator = (request: ServerRequest, attributes: Attributes) => User;

/** Creates the impersonator of a server, which tries the mode first by which a user has succeeded last. */
export function impersonator(authorize: Authorizer): Impersonator {
  const latest = new Map<string, Mode>();
  return (request, attributes) => {
    const { user } = request;
    const wanted = wantedUser(request);
    if (!wanted) return user;
    const last = latest.get(user.username);
    let refusal: ApiError | undefined;
    for (const mode of new Set(last ? [last, ...modes] : modes)) {
      if (!mode.fits(wanted, user)) continue;
      const refused = refusalOf(authorize, needsOf(mode, wanted, attributes));
      refusal ??= refused;
      if (refused) continue;
      latest.set(user.username, mode);
      return impersonated(wanted, mode);
    }
    throw refusal!;
  };
}

/** A way to impersonate, which verbs of its own allow. */
interface Mode {
  readonly name: string;
  /** Reports whether a user can be impersonated in this way. */
  readonly fits: (wanted: WantedUser, by: User) => boolean;
}

/** The oldest mode, which is limited neither to some verbs nor to some groups and extra fields. */
const legacy: Mode = { name: "legacy", fits: () => true };
const associatedNode: Mode = {
  name: "associated-node",
  fits: (wanted, by) => isAlone(wanted) && accountOf(by.username) !== undefined && isOwnNode(wanted, by),
};
const modes: readonly Mode[] = [
  associatedNode,
  { name: "arbitrary-node", fits: (wanted) => isAlone(wanted) && nodeOf(wanted.username) !== undefined },
  { name: "serviceaccount", fits: (wanted) => isAlone(wanted) && accountOf(wanted.username) !== undefined },
  { name: "user-info", fits: ({ username }) => !nodeOf(username) && !accountOf(username) },
  legacy,
];

function isAlone({ uid, groups, extra }: WantedUser): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

function isOwnNode(wanted: WantedUser, { extra = {} }: User): boolean {
  const names = extra["authentication.kubernetes.io/node-name"] ?? [];
  return names.length === 1 && names[0] === nodeOf(wanted.username);
}

/** An action that must be allowed; with a reason, it is for nobody. */
interface Need {
  readonly attributes: Attributes;
  readonly never?: string | undefined;
}

function refusalOf(authorize: Authorizer, needs: Iterable<Need>): ApiError | undefined {
  for (const { attributes, never } of needs) {
    const decide: Authorizer = never === undefined ? authorize : () => ({ allowed: false, reason: never });
    const refusal = accessRefusal({ authorize: decide }, attributes);
    if (refusal) return refusal;
  }
  return undefined;
}

const authentication = "authentication.k8s.io";

function* needsOf(mode: Mode, wanted: WantedUser, attributes: Attributes): Generator<Need> {
  const { uid, groups, extra } = wanted;
  const { user } = attributes;
  const isLegacy = mode === legacy;
  const verb = isLegacy ? "impersonate" : `impersonate:${mode.name}`;
  const core = { user, verb, group: isLegacy ? "" : authentication };
  const own = { user, verb, group: authentication };
  if (!isLegacy) yield { attributes: { ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` } };
  yield { attributes: { ...core, ...userResource(mode, wanted) } };
  if (uid !== "") yield { attributes: { ...own, resource: "uids", name: uid } };
  for (const [name, never] of isLegacy ? [] : groupsForNobody(groups))
    yield { attributes: { ...core, resource: "groups", name }, never };
  for (const name of groups) yield { attributes: { ...core, resource: "groups", name } };
  for (const never of isLegacy ? [] : extraForNobody(extra))
    yield { attributes: { ...own, resource: "userextras" }, never };
  for (const [subresource, values] of Object.entries(extra))
    for (const name of values) yield { attributes: { ...own, resource: "userextras", subresource, name } };
}

function userResource(
  mode: Mode,
  { username }: WantedUser,
): Pick<ResourceAttributes, "resource" | "namespace" | "name"> {
  const account = accountOf(username);
  if (account) return { resource: "serviceaccounts", ...account };
  const node = mode === legacy ? undefined : nodeOf(username);
  if (node === undefined) return { resource: "users", name: username };
  // A grant for a program's own node cannot name it, as it is another one for each of its pods.
  return { resource: "nodes", name: mode === associatedNode ? "*" : node };
}

function* groupsForNobody(groups: readonly string[]): Generator<[name: string, why: string]> {
  const masters = "system:masters";
  if (groups.includes("")) yield ["", "impersonating the empty string group is not allowed"];
  if (groups.includes(masters)) yield [masters, `impersonating the ${masters} group is not allowed`];
}

function* extraForNobody(extra: WantedUser["extra"]): Generator<string> {
  for (const [key, values] of Object.entries(extra)) {
    if (key === "") yield "impersonating the empty string key in extra is not allowed";
    for (const { field, message } of domainPathErrors("extra.key", key))
      yield `impersonating an invalid key in extra is not allowed: ${field}: ${message}`;
    if (key !== key.toLowerCase())
      yield `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
    if (values.includes("")) yield "impersonating the empty string value in extra is not allowed";
  }
}

function impersonated(wanted: WantedUser, mode: Mode): User {
  const { username, uid, extra } = wanted;
  return {
    username,
    groups: groupsOf(wanted, mode),
    ...(uid !== "" && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Returns the groups that the user has: those of an account or a node unless others are named, and the default one. */
function groupsOf({ username, groups }: WantedUser, mode: Mode): string[] {
  const named = groups.length === 0 ? ownGroups(username, mode) : groups;
  if (username === anonymous) return [...new Set([...named, unauthenticated])];
  return named.includes(authenticated) || named.includes(unauthenticated) ? [...named] : [...named, authenticated];
}

function ownGroups(username: string, mode: Mode): readonly string[] {
  const account = accountOf(username);
  if (account) return serviceAccountUser(account.namespace, account.name).groups;
  return mode !== legacy && nodeOf(username) ? ["system:nodes"] : [];
}

function accountOf(username: string): { namespace: string; name: string } | undefined {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(username) ?? [];
  const isAccount = checkDns1123Label(namespace) === undefined && checkDns1123Subdomain(name) === undefined;
  return isAccount ? { namespace, name } : undefined;
}

/** Returns the name of the node whose user this is. */
function nodeOf(username: string): string | undefined {
  const [, name = ""] = /^system:node:(.*)$/.exec(username) ?? [];
  return checkDns1123Subdomain(name) === undefined ? name : undefined;
}

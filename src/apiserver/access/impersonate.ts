import type { ServerRequest, User } from "../api-server.ts";
import { forbiddenAction } from "../refusals.ts";
import { describeRefusal, type Authorizer, type ResourceAttributes } from "./attributes.ts";

/** The user that a request acts as: the authenticated one, or who its `Impersonate-` headers name, if that is allowed. */
export function actingUser({ user, headers }: ServerRequest, authorize: Authorizer): User {
  const username = headers["impersonate-user"];
  if (username === undefined) return user;
  const groups = headers["impersonate-group"]?.split(",").map((group) => group.trim()) ?? [];
  const uid = headers["impersonate-uid"];
  require(authorize, { user, verb: "impersonate", group: "", ...userOrAccount(username) });
  for (const name of groups) require(authorize, { user, verb: "impersonate", group: "", resource: "groups", name });
  const extra = extraOf(headers);
  for (const [key, values] of Object.entries(extra))
    for (const name of values)
      require(authorize, {
        user,
        verb: "impersonate",
        group: "authentication.k8s.io",
        resource: "userextras",
        subresource: key,
        name,
      });
  return {
    username,
    groups: [...groups, "system:authenticated"],
    ...(uid !== undefined && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** `Impersonate-Extra-KEY: value`; the key is in percent encoding, as header names know no capitals and no slashes. */
function extraOf(headers: ServerRequest["headers"]): Record<string, string[]> {
  const prefix = "impersonate-extra-";
  const named = Object.entries(headers).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    named.map(([name, value = ""]) => [
      decodeKey(name.slice(prefix.length)),
      value.split(",").map((each) => each.trim()),
    ]),
  );
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Then it is meant as it stands, as in a real server.
    return key;
  }
}

function userOrAccount(username: string): Pick<ResourceAttributes, "resource" | "name" | "namespace"> {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username);
  return account
    ? { resource: "serviceaccounts", namespace: account[1], name: account[2] }
    : { resource: "users", name: username };
}

function require(authorize: Authorizer, attributes: ResourceAttributes): void {
  if (authorize(attributes).allowed) return;
  throw forbiddenAction(attributes, describeRefusal(attributes));
}

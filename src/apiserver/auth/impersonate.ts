import type { ServerRequest, UserInfo } from "../api-server.ts";
import { forbiddenAction } from "../refusals.ts";
import { describeRefusal, type Authorizer, type ResourceAttributes } from "./attributes.ts";

/** The user that a request acts as: the authenticated one, or who its `Impersonate-` headers name, if that is allowed. */
export function actingUser({ user, headers }: ServerRequest, authorize: Authorizer): UserInfo {
  const username = headers["impersonate-user"];
  if (username === undefined) return user;
  const groups = headers["impersonate-group"]?.split(",").map((group) => group.trim()) ?? [];
  const uid = headers["impersonate-uid"];
  require(authorize, { user, verb: "impersonate", group: "", ...userOrAccount(username) });
  for (const name of groups) require(authorize, { user, verb: "impersonate", group: "", resource: "groups", name });
  return { username, groups: [...groups, "system:authenticated"], ...(uid !== undefined && { uid }) };
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

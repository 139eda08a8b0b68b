import type { User } from "../api-server.ts";

/** What a request wants, as an authorizer sees it. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export interface PathAttributes {
  readonly user: User;
  readonly verb: string;
  readonly path: string;
}

/** Decides; `reason` is for people. */
export type Authorizer = (attributes: Attributes) => Decision;

export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

export const allowAll: Authorizer = () => ({ allowed: true });

/** A real server's sentence, such as `User "u" cannot list resource "pods" in API group "" in the namespace "a"`. */
export function describeRefusal(attributes: Attributes): string {
  const who = `User ${JSON.stringify(attributes.user.username)} cannot ${attributes.verb}`;
  if ("path" in attributes) return `${who} path ${JSON.stringify(attributes.path)}`;
  const { group, resource, subresource, namespace } = attributes;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : "at the cluster scope";
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}

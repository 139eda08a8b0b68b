import { randomBytes } from "node:crypto";
import type { User, ServerRequest } from "../api-server.ts";
import { TokenSigner, type PublicKey } from "./token-signer.ts";
import { requireAccess, type Authorizer, type ResourceAttributes } from "./authorization.ts";

interface Entry {
  readonly user: User;
  /** The time, in milliseconds, from which the token is refused. */
  readonly expires: number;
  /** Reports whether the account and the objects that the token is bound to still exist. */
  readonly holds: () => boolean;
}

/** An object, told from a later one of the same name by its uid. */
interface Identity {
  readonly name: string;
  readonly uid: string;
}

/** The objects whose deletion invalidates a token, besides its account. */
export interface TokenBinding {
  readonly pod?: Identity;
  readonly secret?: Identity;
  readonly node?: Identity;
}

/** The claims of a service account's token. */
export interface TokenClaims {
  readonly exp: number;
  readonly "kubernetes.io": TokenBinding & { readonly namespace: string; readonly serviceaccount: Identity };
}

export interface UserDirectoryOptions {
  readonly now: () => number;
  /** Signs tokens. A server with the same key accepts the tokens of an earlier one. */
  readonly key: Uint8Array;
  /** Returns the uid of the object that exists now; nodes have no namespace. */
  readonly uidOf: (plural: string, namespace: string | undefined, name: string) => string | undefined;
}

/** The users of a server, by bearer token. */
export class UserDirectory {
  private readonly entries = new Map<string, Entry>();
  private readonly options: UserDirectoryOptions;
  private readonly signer: TokenSigner;

  constructor(options: UserDirectoryOptions) {
    this.options = options;
    this.signer = new TokenSigner(options.key);
  }

  /** Verifies tokens of service accounts. */
  get publicKey(): PublicKey {
    return this.signer.publicKey;
  }

  /** Adds a user and returns their token. */
  add(user: User, token: string = randomBytes(24).toString("base64url")): string {
    this.put(token, user, { expires: Infinity, holds: () => true });
    return token;
  }

  /**
   * Issues a token for a service account, valid until it expires or the account is deleted. It is a JSON web token
   * because clients read its expiry.
   */
  issue(claims: TokenClaims): string {
    return this.signer.sign(claims);
  }

  find(token: string): User | undefined {
    const entry = this.entries.get(token) ?? this.read(token);
    if (!entry || (entry.expires > this.options.now() && entry.holds())) return entry?.user;
    this.entries.delete(token);
    return undefined;
  }

  /** Reads a token that was issued, possibly by an earlier server. */
  private read(token: string): Entry | undefined {
    const claims = this.signer.read(token) as TokenClaims | undefined;
    if (!claims) return undefined;
    const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
    const needed = Object.entries({ serviceaccount, ...bound });
    const isThere = ([kind, { name, uid }]: [string, Identity]): boolean =>
      this.options.uidOf(`${kind}s`, kind === "node" ? undefined : namespace, name) === uid;
    const user = serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid);
    return this.put(token, user, { expires: claims.exp * 1000, holds: () => needed.every(isThere) });
  }

  private put(token: string, user: User, limits: Omit<Entry, "user">): Entry {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    const entry = { user: { ...user, groups }, ...limits };
    this.entries.set(token, entry);
    return entry;
  }
}

/** Returns the user of a service account. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    ...(uid && { uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

/**
 * Returns the user that a request acts as: the authenticated one, or the one of its `Impersonate-` headers if that is
 * allowed.
 */
export function actingUser({ user, headers }: ServerRequest, authorize: Authorizer): User {
  const username = headers["impersonate-user"];
  if (username === undefined) return user;
  const groups = headers["impersonate-group"]?.split(",").map((group) => group.trim()) ?? [];
  const uid = headers["impersonate-uid"];
  requireAccess({ authorize }, { user, verb: "impersonate", group: "", ...userOrAccount(username) });
  for (const name of groups)
    requireAccess({ authorize }, { user, verb: "impersonate", group: "", resource: "groups", name });
  const extra = extraOf(headers);
  for (const [key, values] of Object.entries(extra))
    for (const name of values)
      requireAccess(
        { authorize },
        {
          user,
          verb: "impersonate",
          group: "authentication.k8s.io",
          resource: "userextras",
          subresource: key,
          name,
        },
      );
  return {
    username,
    groups: [...groups, "system:authenticated"],
    ...(uid !== undefined && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/**
 * Reads `Impersonate-Extra-KEY: value` headers. The key is percent-encoded, as header names have neither capitals nor
 * slashes.
 */
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
    // Like a real server, take the key literally.
    return key;
  }
}

function userOrAccount(username: string): Pick<ResourceAttributes, "resource" | "name" | "namespace"> {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username);
  return account
    ? { resource: "serviceaccounts", namespace: account[1], name: account[2] }
    : { resource: "users", name: username };
}

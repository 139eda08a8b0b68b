import { randomBytes } from "node:crypto";
import type { User } from "../api-server.ts";
import { TokenSigner, type PublicKey } from "./token-signer.ts";

interface Entry {
  readonly user: User;
  /** Lets nobody in from then on, in milliseconds. */
  readonly expires: number;
  /** Whether the one whom it was issued for is still there. */
  readonly holds: () => boolean;
}

/** One object, and no later one of its name. */
interface Identity {
  readonly name: string;
  readonly uid: string;
}

/** What a token ends with, beside its account. */
export interface TokenBinding {
  readonly pod?: Identity;
  readonly secret?: Identity;
  readonly node?: Identity;
}

/** What a service account's token says. */
export interface TokenClaims {
  readonly exp: number;
  readonly "kubernetes.io": TokenBinding & { readonly namespace: string; readonly serviceaccount: Identity };
}

export interface UserDirectoryOptions {
  readonly now: () => number;
  /** Signs tokens; whoever has it again knows the tokens of before. */
  readonly key: Uint8Array;
  /** The uid of the object that is there now; nodes have no namespace. */
  readonly uidOf: (plural: string, namespace: string | undefined, name: string) => string | undefined;
}

/** Who may come in with which bearer token. */
export class UserDirectory {
  readonly #entries = new Map<string, Entry>();
  readonly #options: UserDirectoryOptions;
  readonly #signer: TokenSigner;

  constructor(options: UserDirectoryOptions) {
    this.#options = options;
    this.#signer = new TokenSigner(options.key);
  }

  /** Tells tokens of service accounts from others. */
  get publicKey(): PublicKey {
    return this.#signer.publicKey;
  }

  /** Lets a user in; the result is their token. */
  add(user: User, token: string = randomBytes(24).toString("base64url")): string {
    this.#put(token, user, { expires: Infinity, holds: () => true });
    return token;
  }

  /**
   * Lets a service account in for a time, as long as it is there. The token is a JSON web token, as clients look into it
   * for its end.
   */
  issue(claims: TokenClaims): string {
    return this.#signer.sign(claims);
  }

  find(token: string): User | undefined {
    const entry = this.#entries.get(token) ?? this.#read(token);
    if (!entry || (entry.expires > this.#options.now() && entry.holds())) return entry?.user;
    this.#entries.delete(token);
    return undefined;
  }

  /** A token that was issued, maybe by a server before this one. */
  #read(token: string): Entry | undefined {
    const claims = this.#signer.read(token) as TokenClaims | undefined;
    if (!claims) return undefined;
    const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
    const needed = Object.entries({ serviceaccount, ...bound });
    const isThere = ([kind, { name, uid }]: [string, Identity]): boolean =>
      this.#options.uidOf(`${kind}s`, kind === "node" ? undefined : namespace, name) === uid;
    const user = serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid);
    return this.#put(token, user, { expires: claims.exp * 1000, holds: () => needed.every(isThere) });
  }

  #put(token: string, user: User, limits: Omit<Entry, "user">): Entry {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    const entry = { user: { ...user, groups }, ...limits };
    this.#entries.set(token, entry);
    return entry;
  }
}

/** The user that a service account is. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    ...(uid && { uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

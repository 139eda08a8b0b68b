import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { UserInfo } from "../api-server.ts";

interface Entry {
  readonly user: UserInfo;
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

  constructor(options: UserDirectoryOptions) {
    this.#options = options;
  }

  /** Lets a user in; the result is their token. */
  add(user: UserInfo, token: string = randomBytes(24).toString("base64url")): string {
    this.#put(token, user, { expires: Infinity, holds: () => true });
    return token;
  }

  /**
   * Lets a service account in for a time, as long as it is there. The token is a JSON web token, as clients look into it
   * for its end.
   */
  issue(claims: TokenClaims): string {
    const parts = [
      { alg: "HS256", typ: "JWT" },
      { ...claims, jti: randomBytes(16).toString("hex") },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${this.#sign(text)}`;
  }

  find(token: string): UserInfo | undefined {
    const entry = this.#entries.get(token) ?? this.#read(token);
    if (!entry || (entry.expires > this.#options.now() && entry.holds())) return entry?.user;
    this.#entries.delete(token);
    return undefined;
  }

  /** A token that was issued, maybe by a server before this one. */
  #read(token: string): Entry | undefined {
    const end = token.lastIndexOf(".");
    const [text, signature] = [token.slice(0, Math.max(0, end)), Buffer.from(token.slice(end + 1))];
    const right = Buffer.from(this.#sign(text));
    if (signature.length !== right.length || !timingSafeEqual(signature, right)) return undefined;
    const claims = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString()) as TokenClaims;
    const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
    const needed = Object.entries({ serviceaccount, ...bound });
    const isThere = ([kind, { name, uid }]: [string, Identity]): boolean =>
      this.#options.uidOf(`${kind}s`, kind === "node" ? undefined : namespace, name) === uid;
    const user = serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid);
    return this.#put(token, user, { expires: claims.exp * 1000, holds: () => needed.every(isThere) });
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#options.key).update(text).digest("base64url");
  }

  #put(token: string, user: UserInfo, limits: Omit<Entry, "user">): Entry {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    const entry = { user: { ...user, groups }, ...limits };
    this.#entries.set(token, entry);
    return entry;
  }
}

/** The user that a service account is. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    ...(uid && { uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

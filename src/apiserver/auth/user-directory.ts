import { createHmac, randomBytes } from "node:crypto";
import type { UserInfo } from "../api-server.ts";

interface Entry {
  readonly user: UserInfo;
  /** Lets nobody in from then on, in milliseconds. */
  readonly expires: number;
  /** Whether the one whom it was issued for is still there. */
  readonly holds: () => boolean;
}

type Claims = Readonly<Record<string, unknown>> & { readonly exp: number };

/** Who may come in with which bearer token. */
export class UserDirectory {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #key = randomBytes(32);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Lets a user in; the result is their token. */
  add(user: UserInfo, token: string = randomBytes(24).toString("base64url")): string {
    this.#put(token, user, { expires: Infinity, holds: () => true });
    return token;
  }

  /** Lets a user in for a time, as long as `holds` says so. The token is a JSON web token, as clients look into it for its end. */
  issue(user: UserInfo, claims: Claims, holds: () => boolean): string {
    const parts = [
      { alg: "HS256", typ: "JWT" },
      { ...claims, jti: randomBytes(16).toString("hex") },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const token = `${text}.${createHmac("sha256", this.#key).update(text).digest("base64url")}`;
    this.#put(token, user, { expires: claims.exp * 1000, holds });
    return token;
  }

  find(token: string): UserInfo | undefined {
    const entry = this.#entries.get(token);
    if (!entry || (entry.expires > this.#now() && entry.holds())) return entry?.user;
    this.#entries.delete(token);
    return undefined;
  }

  #put(token: string, user: UserInfo, limits: Omit<Entry, "user">): void {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    this.#entries.set(token, { user: { ...user, groups }, ...limits });
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

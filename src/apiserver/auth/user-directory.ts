import { createHmac, randomBytes } from "node:crypto";
import type { UserInfo } from "../api-server.ts";

interface Entry {
  readonly user: UserInfo;
  /** Lets nobody in from then on, in milliseconds. */
  readonly expires: number;
}

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
    this.#put(token, user, Infinity);
    return token;
  }

  /** Lets a user in for a time. The token is a JSON web token, as clients look into it for its end. */
  issue(user: UserInfo, claims: Readonly<Record<string, unknown>> & { readonly exp: number }): string {
    const parts = [
      { alg: "HS256", typ: "JWT" },
      { ...claims, jti: randomBytes(16).toString("hex") },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const token = `${text}.${createHmac("sha256", this.#key).update(text).digest("base64url")}`;
    this.#put(token, user, claims.exp * 1000);
    return token;
  }

  find(token: string): UserInfo | undefined {
    const entry = this.#entries.get(token);
    if (!entry || entry.expires > this.#now()) return entry?.user;
    this.#entries.delete(token);
    return undefined;
  }

  #put(token: string, user: UserInfo, expires: number): void {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    this.#entries.set(token, { user: { ...user, groups }, expires });
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

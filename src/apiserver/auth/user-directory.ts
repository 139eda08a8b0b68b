import { randomBytes } from "node:crypto";
import type { UserInfo } from "../api-server.ts";

/** Who may come in with which bearer token. */
export class UserDirectory {
  readonly #users = new Map<string, UserInfo>();

  /** Lets a user in; the result is their token. */
  add(user: UserInfo, token: string = randomBytes(24).toString("base64url")): string {
    this.#users.set(token, { ...user, groups: [...new Set([...user.groups, "system:authenticated"])] });
    return token;
  }

  find(token: string): UserInfo | undefined {
    return this.#users.get(token);
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

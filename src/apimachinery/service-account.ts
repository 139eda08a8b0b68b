/** The user of a service account's requests. */
export interface ServiceAccountUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Returns the user of a service account. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): ServiceAccountUser {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    ...(uid && { uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

import { createHmac } from "node:crypto";
import { goQuoted } from "../../apimachinery/go-text.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import type { User } from "../api-server.ts";
import { TokenSigner } from "./token-signer.ts";

/** The issuer of tokens, and the audience that the server itself is. */
export const issuer = "https://kubernetes.default.svc";

interface Entry {
  readonly user: User;
  /** The audiences that a token was issued for; a token of no service account is for the server alone. */
  readonly audiences: readonly string[];
  /** The time, in milliseconds, from which the token is refused. */
  readonly expires: number;
  /** Reports whether the account and the objects that the token is bound to still exist. */
  readonly holds: () => boolean;
}

/** An object; its uid distinguishes it from a later one of the same name. */
interface Identity {
  readonly name: string;
  readonly uid: string;
}

/** The objects whose deletion invalidates a token, in addition to its account. */
export interface TokenBinding {
  readonly pod?: Identity;
  readonly secret?: Identity;
  readonly node?: Identity;
}

/** The claims of a service account's token. */
export interface TokenClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly "kubernetes.io": TokenBinding & { readonly namespace: string; readonly serviceaccount: Identity };
}

/** A signed token has an identity in addition to its claims. */
type SignedClaims = TokenClaims & { readonly jti: string };

/** The owner of a token with the audiences for which it is valid, or the reason why it is not. */
export type Identification =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly user?: never; readonly problem: string };

export interface UserDirectoryOptions {
  readonly now: () => number;
  /** Signs and derives tokens. A server with the same key accepts the tokens of an earlier one. */
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

  /** Adds a user and returns their token, which is the same on each server with this key. */
  add(user: User, token: string = this.deriveToken(user)): string {
    this.put(token, user, { audiences: [issuer], expires: Infinity, holds: () => true });
    return token;
  }

  /**
   * Issues a token for a service account, valid until it expires or the account is deleted. It is a JSON web token
   * because clients read its expiry.
   */
  issue(claims: TokenClaims): string {
    return this.signer.sign(claims);
  }

  /** Returns the owner of a token that is valid for this server. */
  find(token: string): User | undefined {
    return this.identify(token, [issuer]).user;
  }

  /** Identifies the owner of a token that is valid for one of the audiences. */
  identify(token: string, wanted: readonly string[]): Identification {
    const entry = this.entries.get(token) ?? this.read(token);
    if (!entry) return { problem: "invalid bearer token" };
    if (entry.expires <= this.options.now() || !entry.holds()) {
      this.entries.delete(token);
      return { problem: "invalid bearer token" };
    }
    const audiences = entry.audiences.filter((audience) => wanted.includes(audience));
    if (audiences.length > 0) return { user: entry.user, audiences };
    const why = `token audiences ${goQuoted(entry.audiences)} is invalid for the target audiences ${goQuoted(wanted)}`;
    return { problem: `[invalid bearer token, ${why}]` };
  }

  private deriveToken({ username, uid, groups, extra }: User): string {
    const identity = JSON.stringify(["user", username, uid, groups, extra]);
    return createHmac("sha256", this.options.key).update(identity).digest("base64url");
  }

  /** Reads a token that was issued, possibly by an earlier server. */
  private read(token: string): Entry | undefined {
    const claims = this.signer.read(token) as SignedClaims | undefined;
    if (!claims) return undefined;
    const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
    const needed = Object.entries({ serviceaccount, ...bound });
    const isThere = ([kind, { name, uid }]: [string, Identity]): boolean =>
      this.options.uidOf(`${kind}s`, kind === "node" ? undefined : namespace, name) === uid;
    const user = serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid);
    const limits = { audiences: claims.aud, expires: claims.exp * 1000, holds: () => needed.every(isThere) };
    return this.put(token, { ...user, extra: extraOf(claims) }, limits);
  }

  private put(token: string, user: User, limits: Omit<Entry, "user">): Entry {
    const groups = [...new Set([...user.groups, "system:authenticated"])];
    const entry = { user: { ...user, groups }, ...limits };
    this.entries.set(token, entry);
    return entry;
  }
}

/** The user of requests without credentials. */
export const anonymousUser: User = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Returns a token's traces in its user: its identity, and the pod and node that it is bound to. */
function extraOf({ jti, "kubernetes.io": { pod, node } }: SignedClaims): Record<string, string[]> {
  const bound = Object.entries({ pod, node }).flatMap(([kind, object]) =>
    object ? [[`${kind}-name`, object.name] as const, [`${kind}-uid`, object.uid] as const] : [],
  );
  return Object.fromEntries(
    [["credential-id", `JTI=${jti}`] as const, ...bound].map(([key, value]) => [
      `authentication.kubernetes.io/${key}`,
      [value],
    ]),
  );
}

import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isApiError, isTooManyRequests } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { tokenBucket, type TokenBucket } from "../../client/transport/token-bucket.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { UserInfo } from "../user-info.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";

export interface AccessFilterOptions {
  readonly client: Client;
  readonly log: Logger;
  readonly clock: Clock;
}

/** A refusal of a request; `undefined` allows it. */
export interface AccessRefusal {
  readonly code: 401 | 403 | 429 | 500;
  readonly text: string;
}

/** The time limit for a review, including retries. */
const patienceMs = 10_000;
const tokenLifeMs = 60_000;
const allowLifeMs = 5 * 60_000;
const denyLifeMs = 30_000;
/** Tokens that the API server has authenticated are not limited for this long. */
const trustLifeMs = 60 * 60_000;
/** Reviews of other tokens per second, and at once. */
const [reviewsPerSecond, reviewsAtOnce] = [10, 50];
/** The most values that are remembered. */
const maxRemembered = 5_000;
const steps = 5;
const firstWaitMs = 500;

/** Allows requests whose token the API server authenticates and authorizes for the path, as kube-rbac-proxy does. */
export class AccessFilter {
  private readonly options: AccessFilterOptions;
  /** Users by token; without a user for an unknown token. */
  private readonly users: Remembered<{ readonly user: UserInfo | undefined }>;
  private readonly verdicts: Remembered<boolean>;
  private readonly trusted: Remembered<true>;
  private readonly reviews: TokenBucket;

  constructor(options: AccessFilterOptions) {
    this.options = options;
    this.users = new Remembered(options.clock);
    this.verdicts = new Remembered(options.clock);
    this.trusted = new Remembered(options.clock);
    this.reviews = tokenBucket(reviewsPerSecond, reviewsAtOnce, () => options.clock.now());
  }

  async check(request: IncomingMessage): Promise<AccessRefusal | undefined> {
    const [scheme, token] = (request.headers.authorization ?? "").trim().split(" ");
    if (scheme?.toLowerCase() !== "bearer" || !token) return { code: 401, text: "Unauthorized" };
    const path = (request.url ?? "/").split("?")[0]!;
    const verb = (request.method ?? "GET").toLowerCase();
    let user: UserInfo;
    try {
      user = await this.userOf(token);
    } catch (error) {
      if (error instanceof TooManyTokens) return { code: 429, text: "Too many requests" };
      return this.failed(error, "Authentication failed");
    }
    try {
      if (await this.isAllowed(user, path, verb)) return undefined;
      return { code: 403, text: `Authorization denied for user ${user.username}` };
    } catch (error) {
      return this.failed(error, `Authorization for user ${user.username} failed`);
    }
  }

  private failed(error: unknown, text: string): AccessRefusal {
    // Everybody can cause it, as often as they want: a stack for each would fill the log.
    this.options.log.info(text, { error: messageOf(error) });
    return { code: 500, text };
  }

  /**
   * Returns the user of a token. Throws for an unknown token, as controller-runtime's filter does, which causes status
   * 500.
   */
  private async userOf(token: string): Promise<UserInfo> {
    const key = createHash("sha256").update(token).digest("base64");
    const known = this.users.get(key) ?? (await this.reviewed(token, key));
    if (!known.user) throw new Error("invalid bearer token");
    return known.user;
  }

  private async reviewed(token: string, key: string): Promise<{ readonly user: UserInfo | undefined }> {
    if (!this.trusted.get(key) && !this.reviews.tryTake()) throw new TooManyTokens();
    const review = await this.retried((signal) =>
      this.options.client.create(TokenReview, { metadata: {}, spec: { token } }, { signal }),
    );
    const { authenticated, user, error } = review.status ?? {};
    // An error may be temporary.
    if (!authenticated && error) throw new Error(error);
    const found = { user: authenticated ? user : undefined };
    this.users.set(key, found, tokenLifeMs);
    if (found.user) this.trusted.set(key, true, trustLifeMs);
    return found;
  }

  private async isAllowed(user: UserInfo, path: string, verb: string): Promise<boolean> {
    const { username, uid, groups, extra } = user;
    const spec = {
      ...(username ? { user: username } : {}),
      ...(uid ? { uid } : {}),
      ...(groups ? { groups } : {}),
      ...(extra ? { extra } : {}),
      nonResourceAttributes: { path, verb },
    };
    const key = JSON.stringify(spec);
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const review = await this.retried((signal) =>
      this.options.client.create(SubjectAccessReview, { metadata: {}, spec }, { signal }),
    );
    const { allowed = false, denied = false } = review.status ?? {};
    if (allowed && denied) throw new Error("the API server both allows and denies it");
    this.verdicts.set(key, allowed, allowed ? allowLifeMs : denyLifeMs);
    return allowed;
  }

  private async retried<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.options;
    const timeout = new AbortController();
    const { signal } = timeout;
    const cancel = clock.after(patienceMs, () => timeout.abort());
    try {
      for (let step = 1, pause = firstWaitMs; ; step++, pause *= 1.5) {
        try {
          return await call(signal);
        } catch (error) {
          if (step >= steps || signal.aborted || isFinal(error)) throw error;
        }
        await wait(clock, pause * (1 + Math.random() * 0.2), signal);
      }
    } finally {
      cancel();
    }
  }
}

/** Reports whether a repeated review would fail the same way. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && error.code < 500 && !isTooManyRequests(error);
}

/** Thrown if more unknown tokens arrive than the API server is to be asked about. */
class TooManyTokens extends Error {}

/** Values that expire. The oldest ones make room for new ones, so that neither costs time for the others. */
class Remembered<T> {
  private readonly clock: Clock;
  private readonly entries = new Map<string, { value: T; until: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && entry.until > this.clock.now() ? entry.value : undefined;
  }

  set(key: string, value: T, lifeMs: number): void {
    const entries = this.entries;
    const now = this.clock.now();
    entries.delete(key);
    for (const [old, { until }] of entries) {
      if (until > now && entries.size < maxRemembered) break;
      entries.delete(old);
    }
    entries.set(key, { value, until: now + lifeMs });
  }
}

/** Asks the API server for the user of a token. */
export interface TokenReview extends KubeObject {
  spec: { token: string };
  status?: { authenticated?: boolean; user?: UserInfo; error?: string };
}

/** Asks the API server whether a user is authorized. */
export interface SubjectAccessReview extends KubeObject {
  spec: {
    user?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
    nonResourceAttributes?: { path: string; verb: string };
  };
  status?: { allowed?: boolean; denied?: boolean; reason?: string };
}

export const TokenReview: Kind<TokenReview> = defineKind<TokenReview>({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  scope: "Cluster",
});

export const SubjectAccessReview: Kind<SubjectAccessReview> = defineKind<SubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
});

import { TsopError } from "../../errors/tsop-error.ts";
import type { AuthProviderConfig } from "./config.ts";
import { loadClientNode, type ClientNodeModule, type KubeConfigLike } from "./load-client-node.ts";

export interface AuthProviderOptions {
  readonly now?: () => number;
  /** Loads client-node, before the first request. */
  readonly load?: () => Promise<ClientNodeModule>;
}

/** Renews a token before it expires, so that it does not expire in transit. */
const leewayMs = 10_000;

/** Tokens of an `auth-provider` user, which client-node obtains and renews: for `oidc` and for clouds. */
export class AuthProviderCredentials {
  private readonly config: AuthProviderConfig;
  private readonly now: () => number;
  private readonly load: () => Promise<ClientNodeModule>;
  private kubeConfig: Promise<KubeConfigLike> | undefined;
  private asking: Promise<string> | undefined;
  private current: { header: string; until: number } | undefined;

  constructor(config: AuthProviderConfig, options: AuthProviderOptions = {}) {
    this.config = config;
    this.now = options.now ?? Date.now;
    this.load = options.load ?? loadClientNode;
  }

  /** Returns the Authorization header. Concurrent callers share one request. */
  async header(): Promise<string> {
    if (this.current && this.now() < this.current.until - leewayMs) return this.current.header;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  /** Discards the token, which the server refused; the next call asks client-node again. */
  forget(): void {
    this.current = undefined;
  }

  private async ask(): Promise<string> {
    this.kubeConfig ??= this.makeKubeConfig();
    const options = { headers: {} as Record<string, unknown> };
    try {
      await (await this.kubeConfig).applyToHTTPSOptions?.(options);
    } catch (error) {
      if (error instanceof TsopError) throw error;
      throw this.failed((error as Error).message, error);
    }
    const header = options.headers["Authorization"];
    if (typeof header !== "string") throw this.failed("it returned no token");
    // client-node takes the lifetime of a renewed OIDC token for its expiry, and would renew it for every request.
    const until = expiryOf(header);
    if (until !== undefined) this.current = { header, until };
    return header;
  }

  private async makeKubeConfig(): Promise<KubeConfigLike> {
    const { name, config } = this.config;
    const { KubeConfig } = await this.load();
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromOptions({
      clusters: [{ name: "tsop", server: "https://localhost" }],
      // A copy, because client-node writes renewed tokens into it.
      users: [{ name: "tsop", authProvider: { name, config: { ...config } } }],
      contexts: [{ name: "tsop", cluster: "tsop", user: "tsop" }],
      currentContext: "tsop",
    });
    return kubeConfig;
  }

  private failed(reason: string, cause?: unknown): TsopError {
    return new TsopError("TSOP_AUTH_PROVIDER", { provider: this.config.name, reason }, { cause });
  }
}

/** Returns the expiry of a JWT; `undefined` for other tokens, whose expiry only client-node knows. */
function expiryOf(header: string): number | undefined {
  const payload = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/.exec(header)?.[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : undefined;
  } catch {
    return undefined; // three parts between dots, but not a JWT
  }
}

import { TsopError } from "../../errors/tsop-error.ts";
import type { Credentials } from "./docker-credentials.ts";
import { exchange, type Answer, type ExchangeLimits } from "./http-exchange.ts";

export interface Scope {
  readonly host: string;
  /** True if the registry is reached by HTTPS. */
  readonly isSecure: boolean;
  readonly repository: string;
  readonly actions: "pull" | "pull,push";
  /** Another repository of the registry, from which a blob is taken. */
  readonly readsFrom?: string | undefined;
}

export interface AuthorizerOptions {
  readonly ca?: string | undefined;
  readonly limits?: ExchangeLimits;
  readonly credentialsOf: (host: string) => Promise<Credentials | undefined>;
}

/** Authenticates to registries in the way that each of them requires. */
export class Authorizer {
  private readonly options: AuthorizerOptions;
  private readonly known = new Map<string, string>();

  constructor(options: AuthorizerOptions) {
    this.options = options;
  }

  /** Returns the headers for a scope; `refused` is the answer that rejected the previous ones. */
  async headers(scope: Scope, refused?: Answer): Promise<Record<string, string>> {
    const key = [scope.host, scope.repository, scope.actions, scope.readsFrom].join(" ");
    if (refused) {
      const authorization = await this.answerTo(refused, scope);
      if (authorization) this.known.set(key, authorization);
    }
    const authorization = this.known.get(key);
    return authorization ? { authorization } : {};
  }

  private async answerTo(refused: Answer, scope: Scope): Promise<string | undefined> {
    const challenge = refused.headers["www-authenticate"] ?? "";
    const credentials = await this.options.credentialsOf(scope.host);
    if (/^basic\b/i.test(challenge)) return credentials && "username" in credentials ? basic(credentials) : undefined;
    if (!/^bearer\b/i.test(challenge)) return undefined;
    const fields = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    );
    const realm = fields["realm"];
    if (!realm || !URL.canParse(realm)) return undefined;
    // Credentials that a registry gets by HTTPS must not travel in the clear.
    if (scope.isSecure && new URL(realm).protocol !== "https:")
      throw new TsopError("TSOP_REGISTRY_REALM", { host: scope.host, realm });
    const parameters = new URLSearchParams({
      ...(fields["service"] ? { service: fields["service"] } : {}),
      scope: `repository:${scope.repository}:${scope.actions}`,
    });
    if (scope.readsFrom !== undefined) parameters.append("scope", `repository:${scope.readsFrom}:pull`);
    const token = await this.token({ realm: new URL(realm), namedBy: refused }, parameters, credentials);
    return token ? `Bearer ${token}` : undefined;
  }

  /** https://distribution.github.io/distribution/spec/auth/token and …/oauth for identity tokens */
  private async token(
    { realm, namedBy }: { readonly realm: URL; readonly namedBy: Answer },
    parameters: URLSearchParams,
    credentials: Credentials | undefined,
  ): Promise<string | undefined> {
    const { ca, limits } = this.options;
    const answer =
      credentials && "identityToken" in credentials
        ? await exchange({
            method: "POST",
            url: realm,
            ca,
            limits,
            namedBy,
            ...refreshForm(parameters, credentials.identityToken),
          })
        : await exchange({
            method: "GET",
            url: new URL(`?${parameters.toString()}`, realm),
            ca,
            limits,
            namedBy,
            headers: credentials ? { authorization: basic(credentials) } : {},
          });
    if (answer.status !== 200) return undefined;
    try {
      const { token, access_token } = JSON.parse(answer.body.toString("utf8")) as {
        token?: string;
        access_token?: string;
      };
      return token ?? access_token;
    } catch (cause) {
      const reason = `its token service answered with something that is not JSON: ${(cause as Error).message}`;
      throw new TsopError("TSOP_REGISTRY_UNREACHABLE", { host: realm.host, reason }, { cause });
    }
  }
}

function refreshForm(parameters: URLSearchParams, token: string): { headers: Record<string, string>; body: Buffer } {
  const form = new URLSearchParams([
    ...parameters,
    ["grant_type", "refresh_token"],
    ["refresh_token", token],
    ["client_id", "tsop"],
  ]);
  return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: Buffer.from(form.toString()) };
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

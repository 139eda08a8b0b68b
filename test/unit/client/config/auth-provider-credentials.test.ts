import { describe, expect, it } from "vitest";
import { AuthProviderCredentials } from "../../../../src/client/config/auth-provider-credentials.ts";
import { Credentials } from "../../../../src/client/config/credentials.ts";
import type { KubeConfigOptions } from "../../../../src/client/config/load-client-node.ts";

/** Creates a fake client-node with a token that the test sets. */
function clientNode(token: () => string | undefined) {
  const seen: KubeConfigOptions[] = [];
  let asked = 0;
  class KubeConfig {
    loadFromOptions(options: KubeConfigOptions): void {
      seen.push(options);
    }

    async applyToHTTPSOptions(options: { headers: Record<string, unknown> }): Promise<void> {
      asked++;
      const given = token();
      if (given) options.headers["Authorization"] = `Bearer ${given}`;
    }
  }
  return { load: async () => ({ KubeConfig }), seen, asked: () => asked };
}

function jwt(exp: number): string {
  return (
    [{ alg: "none" }, { exp }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".") + ".x"
  );
}

const oidc = { name: "oidc", config: { "id-token": "t" } };

describe("an auth-provider", () => {
  it("passes the user of the kubeconfig to client-node once", async () => {
    const { load, seen } = clientNode(() => "opaque");
    const credentials = new AuthProviderCredentials(oidc, { load });
    expect(await Promise.all([credentials.header(), credentials.header()])).toEqual(["Bearer opaque", "Bearer opaque"]);
    expect(seen).toHaveLength(1);
    expect(seen[0]!.users).toEqual([{ name: "tsop", authProvider: oidc }]);
  });

  it("gets a new token only after the old one expired or was rejected", async () => {
    let now = 0;
    const { load, asked } = clientNode(() => jwt(100));
    const credentials = new AuthProviderCredentials(oidc, { load, now: () => now });
    await credentials.header();
    await credentials.header();
    expect(asked()).toBe(1);
    credentials.forget();
    await credentials.header();
    expect(asked()).toBe(2);
    now = 95_000;
    await credentials.header();
    expect(asked()).toBe(3);
  });

  it("gets a token for every request if the token has no expiry", async () => {
    const { load, asked } = clientNode(() => "opaque");
    const credentials = new AuthProviderCredentials(oidc, { load });
    await credentials.header();
    await credentials.header();
    expect(asked()).toBe(2);
  });

  it("fails with its name if it returns nothing", async () => {
    const { load } = clientNode(() => undefined);
    const failure = new AuthProviderCredentials(oidc, { load }).header();
    await expect(failure).rejects.toMatchObject({ code: "TSOP_AUTH_PROVIDER" });
    await expect(failure).rejects.toThrow('the auth-provider "oidc" gave no credentials: it returned no token');
  });
});

describe("a user with an auth-provider", () => {
  const user = {
    server: "https://s",
    namespace: "n",
    source: "test",
    authProvider: { name: "oidc", config: { "id-token": jwt(4e9) } },
  };

  it("sends the token of client-node", async () => {
    const credentials = new Credentials({ ...user, impersonate: { user: "jane" } });
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${jwt(4e9)}`, "impersonate-user": "jane" });
    expect(await credentials.refresh()).toBe(true);
  });

  it("gets an error for a provider that client-node does not support", async () => {
    const credentials = new Credentials({ ...user, authProvider: { name: "no-such", config: {} } });
    await expect(credentials.headers()).rejects.toMatchObject({ code: "TSOP_AUTH_PROVIDER" });
  });
});

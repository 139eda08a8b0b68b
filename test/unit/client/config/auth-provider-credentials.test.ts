import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AuthProviderCredentials } from "../../../../src/client/config/auth-provider-credentials.ts";
import { Credentials } from "../../../../src/client/config/credentials.ts";
import type { KubeConfigOptions } from "../../../../src/client/config/load-client-node.ts";

/** What client-node shows of itself, with a token that the test decides on. */
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
  it("is client-node's business: it gets the user as the kubeconfig has it, once", async () => {
    const { load, seen } = clientNode(() => "opaque");
    const credentials = new AuthProviderCredentials(oidc, { load });
    expect(await Promise.all([credentials.header(), credentials.header()])).toEqual(["Bearer opaque", "Bearer opaque"]);
    expect(seen).toHaveLength(1);
    expect(seen[0]!.users).toEqual([{ name: "tsop", authProvider: oidc }]);
  });

  it("is asked again when its token has ended or is refused, and not before", async () => {
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

  it("is asked for every request while its token doesn't say when it ends", async () => {
    const { load, asked } = clientNode(() => "opaque");
    const credentials = new AuthProviderCredentials(oidc, { load });
    await credentials.header();
    await credentials.header();
    expect(asked()).toBe(2);
  });

  it("that gives nothing is an error which names it", async () => {
    const { load } = clientNode(() => undefined);
    const failure = new AuthProviderCredentials(oidc, { load }).header();
    await expect(failure).rejects.toMatchObject({ code: "TSOP_AUTH_PROVIDER" });
    await expect(failure).rejects.toThrow('the auth-provider "oidc" gave no credentials: it returned no token');
  });
});

// 72 packages that only the users of such a kubeconfig need, so it is no dependency of this repository either.
const installed = existsSync(new URL("../../../node_modules/@kubernetes/client-node", import.meta.url));

describe("a user with an auth-provider", () => {
  const user = {
    server: "https://s",
    namespace: "n",
    source: "test",
    authProvider: { name: "oidc", config: { "id-token": jwt(4e9) } },
  };

  it.skipIf(installed)("is told how to install client-node where it is absent", async () => {
    await expect(new Credentials(user).headers()).rejects.toMatchObject({
      code: "TSOP_CLIENT_NODE_MISSING",
      hint: expect.stringContaining("npm install @kubernetes/client-node@1.4") as string,
    });
  });

  it.runIf(installed)("sends the token that client-node gives", async () => {
    const credentials = new Credentials({ ...user, impersonate: { user: "jane" } });
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${jwt(4e9)}`, "impersonate-user": "jane" });
    expect(await credentials.refresh()).toBe(true);
  });

  it.runIf(installed)("hears of a provider that client-node doesn't know", async () => {
    const credentials = new Credentials({ ...user, authProvider: { name: "no-such", config: {} } });
    await expect(credentials.headers()).rejects.toMatchObject({ code: "TSOP_AUTH_PROVIDER" });
  });
});

import { describe, expect, expectTypeOf, it } from "vitest";
import { kubeConfigOptions, toKubeConfig, type KubeConfigOptions } from "../../src/client-node.ts";

const config = { server: "https://10.0.0.1:6443", namespace: "n", source: "test", ca: "CA", token: "secret" };

class OwnKubeConfig {
  loaded: KubeConfigOptions | undefined;
  readonly extra: string = "of its own";

  loadFromOptions(options: KubeConfigOptions): void {
    this.loaded = options;
  }
}

describe("the bridge to client-node", () => {
  it("fills a KubeConfig, and returns the type of the given module", async () => {
    const kubeConfig = await toKubeConfig(config, { KubeConfig: OwnKubeConfig });
    expectTypeOf(kubeConfig).toEqualTypeOf<OwnKubeConfig>();
    expect(kubeConfig.loaded).toEqual({
      clusters: [{ name: "tsop", server: "https://10.0.0.1:6443", caData: btoa("CA"), skipTLSVerify: false }],
      users: [{ name: "tsop", token: "secret" }],
      contexts: [{ name: "tsop", cluster: "tsop", user: "tsop", namespace: "n" }],
      currentContext: "tsop",
    });
  });

  it("passes on certificates, files, exec programs and rotating tokens", () => {
    const exec = { apiVersion: "v1", command: "c", args: [], env: [], interactiveMode: "Never" } as const;
    const [user] = kubeConfigOptions({ ...config, cert: "C", keyFile: "/k", exec, tokenFile: "/t" }).users;
    expect(user).toMatchObject({
      certData: btoa("C"),
      keyFile: "/k",
      exec,
      authProvider: { name: "tokenFile", config: { tokenFile: "/t" } },
    });
  });
});

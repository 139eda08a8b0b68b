import { describe, expect, it } from "vitest";
import { loadSecretConfig } from "../../../../src/client/config/load-config.ts";

function kubeconfig(user: string): string {
  return `
apiVersion: v1
kind: Config
clusters: [{name: east, cluster: {server: "https://east:6443"}}]
users: [{name: jane, user: ${user}}]
contexts: [{name: east, context: {cluster: east, user: jane}}]
`;
}

describe("loadSecretConfig", () => {
  it("takes the only context", async () => {
    const config = await loadSecretConfig(kubeconfig("{token: secret}"), "Secret default/east");
    expect(config).toMatchObject({
      server: "https://east:6443",
      token: "secret",
      source: "context east of Secret default/east",
    });
  });

  it.each([
    ["a program", "{exec: {apiVersion: client.authentication.k8s.io/v1, command: login}}", "exec"],
    ["a file", "{tokenFile: /var/run/secrets/token}", "tokenFile"],
    ["a certificate", "{client-certificate: /c, client-key-data: a2V5}", "certFile"],
    ["a key", "{client-certificate-data: Y2VydA==, client-key: /k}", "keyFile"],
    ["a login", "{auth-provider: {name: oidc}}", "authProvider"],
    ["an authority", "{}", "caFile"],
  ])("refuses %s of the operator's pod", async (_, user, field) => {
    const text = kubeconfig(user);
    const given = field === "caFile" ? text.replace('6443"', '6443", certificate-authority: /ca') : text;
    const loading = loadSecretConfig(given, "Secret default/east");
    await expect(loading).rejects.toThrow(`${field} would run a program or read a file`);
    await expect(loading).rejects.toMatchObject({ code: "TSOP_KUBECONFIG_LOCAL" });
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../../../src/client/config/load-config.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function kubeconfig(name: string, user = "{token: secret}", cluster = ""): string {
  return `
apiVersion: v1
kind: Config
current-context: ${name}
clusters: [{name: ${name}, cluster: {server: "https://${name}:6443"${cluster}}}]
users: [{name: ${name}, user: ${user}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}, namespace: ns-${name}}}]
`;
}

function inClusterEnv(): { env: Record<string, string>; serviceAccountDir: string; home: string } {
  write("sa/token", "pod-token\n");
  write("sa/namespace", "pod-namespace\n");
  write("sa/ca.crt", "pem");
  return {
    env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" },
    serviceAccountDir: join(folder, "sa"),
    home: folder,
  };
}

describe("loadConfig", () => {
  it("prefers the given file", async () => {
    const file = write("explicit", kubeconfig("explicit"));
    const { env, ...rest } = inClusterEnv();
    const config = await loadConfig({
      ...rest,
      kubeconfig: file,
      env: { ...env, KUBECONFIG: write("other", kubeconfig("other")) },
    });
    expect(config).toMatchObject({ server: "https://explicit:6443", token: "secret", namespace: "ns-explicit" });
    expect(config.source).toContain("explicit");
  });

  it("prefers KUBECONFIG to the pod's service account", async () => {
    const { env, ...rest } = inClusterEnv();
    const config = await loadConfig({ ...rest, env: { ...env, KUBECONFIG: write("env", kubeconfig("env")) } });
    expect(config.server).toBe("https://env:6443");
  });

  it("prefers the pod's service account to the home directory", async () => {
    write(".kube/config", kubeconfig("home"));
    const config = await loadConfig(inClusterEnv());
    expect(config).toMatchObject({
      server: "https://10.0.0.1:443",
      namespace: "pod-namespace",
      tokenFile: join(folder, "sa", "token"),
      caFile: join(folder, "sa", "ca.crt"),
    });
  });

  it("writes an IPv6 address of the service in URL form", async () => {
    const options = inClusterEnv();
    const env = { ...options.env, KUBERNETES_SERVICE_HOST: "fd00::1" };
    expect((await loadConfig({ ...options, env })).server).toBe("https://[fd00::1]:443");
  });

  it("falls back to the home directory", async () => {
    write(".kube/config", kubeconfig("home"));
    expect((await loadConfig({ env: {}, home: folder })).server).toBe("https://home:6443");
  });

  it("reports that no cluster is configured", async () => {
    await expect(loadConfig({ env: {}, home: folder })).rejects.toMatchObject({ code: "TSOP_NO_CLUSTER" });
  });

  it("merges the files of KUBECONFIG: the first entry of a name wins, missing files are skipped", async () => {
    const first = write("first", kubeconfig("a"));
    const second = write("second", kubeconfig("a", "{token: other}").replaceAll("https://a:6443", "https://other"));
    const third = write("third", kubeconfig("b"));
    const env = { KUBECONFIG: [first, join(folder, "missing"), second, third].join(delimiter) };
    expect(await loadConfig({ env })).toMatchObject({ server: "https://a:6443", token: "secret" });
    expect(await loadConfig({ env, context: "b" })).toMatchObject({ server: "https://b:6443" });
  });

  it("merges whole entries, never fields of two files, like kubectl", async () => {
    const first = write("first", "users: [{name: u, user: {token: a}}]\ncontexts: [{name: x, context: {cluster: c, user: u, namespace: na}}]\nclusters: [{name: c, cluster: {server: 'https://a'}}]"); // prettier-ignore
    const second = write("second", "current-context: x\nusers: [{name: u, user: {token: b, username: ub}}]\ncontexts: [{name: x, context: {cluster: d, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://b', tls-server-name: b}}, {name: d, cluster: {server: 'https://d'}}]"); // prettier-ignore
    const third = write("third", "current-context: z\ncontexts: [{name: z, context: {cluster: d, user: u}}]");
    const env = { KUBECONFIG: [first, write("empty", ""), second, third].join(delimiter) };
    const source = env.KUBECONFIG.replaceAll(delimiter, ", ");
    expect(await loadConfig({ env })).toEqual({ server: "https://a", token: "a", namespace: "na", source: `context x of ${source}` }); // prettier-ignore
    expect(await loadConfig({ env, context: "z" })).toMatchObject({ server: "https://d", token: "a", namespace: "default" }); // prettier-ignore
  });

  it.each<[string, string, object]>([
    ["client certificate data", `{client-certificate-data: ${btoa("CERT")}, client-key-data: ${btoa("KEY")}}`, { cert: "CERT", key: "KEY" }],
    ["a user and password", "{username: me, password: secret}", { username: "me", password: "secret" }],
    ["impersonation", "{token: t, as: jane, as-uid: '7', as-groups: [a, b], as-user-extra: {k: [v]}}", { impersonate: { user: "jane", uid: "7", groups: ["a", "b"], extra: { k: ["v"] } } }],
    ["an auth-provider", "{auth-provider: {name: oidc, config: {id-token: t}}}", { authProvider: { name: "oidc", config: { "id-token": "t" } } }],
    ["an exec plugin", "{exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token, args: [x], env: [{name: A, value: b}], interactiveMode: Never}}", { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "get-token", args: ["x"], env: [{ name: "A", value: "b" }], interactiveMode: "Never" } }],
  ])("reads %s", async (_name, user, expected) => {
    expect(await loadConfig({ kubeconfig: write("config", kubeconfig("a", user)) })).toMatchObject(expected);
  }); // prettier-ignore

  it("reads connection settings: authority data, server name, proxy, insecure", async () => {
    const cluster = `, certificate-authority-data: ${btoa("CA")}, tls-server-name: real, proxy-url: "http://proxy:3128"`;
    const config = await loadConfig({ kubeconfig: write("config", kubeconfig("a", "{}", cluster)) });
    expect(config).toMatchObject({ ca: "CA", tlsServerName: "real", proxyUrl: "http://proxy:3128" });
    const insecure = write("insecure", kubeconfig("a", "{}", ", insecure-skip-tls-verify: true"));
    expect(await loadConfig({ kubeconfig: insecure })).toMatchObject({ insecureSkipTlsVerify: true });
    const secure = write("secure", kubeconfig("a", "{}", ", insecure-skip-tls-verify: false"));
    expect(await loadConfig({ kubeconfig: secure })).not.toHaveProperty("insecureSkipTlsVerify");
  });

  it.each([
    [
      "a certificate for webhooks",
      { "webhook-certificate-data": btoa("C"), "webhook-key-data": btoa("K") },
      { cert: "C", key: "K" },
    ],
    ["no certificate without its key", { "webhook-certificate-data": btoa("C") }, undefined],
    ["no certificate in a number", 1, undefined],
  ])("reads %s from the extension of a sandbox", async (_, extension, expected) => {
    const extensions = JSON.stringify([
      { name: "other", extension: {} },
      { name: "tsop", extension },
    ]);
    const file = write("config", kubeconfig("a", "{}", `, extensions: ${extensions}`));
    expect((await loadConfig({ kubeconfig: file })).webhookCertificate).toEqual(expected);
  });

  it("passes the cluster to an exec plugin on request, with the extension for that plugin only", async () => {
    const user = "{exec: {apiVersion: v1, command: bin/get-token, provideClusterInfo: true}}";
    const extensions =
      "[{name: other, extension: 1}, {name: client.authentication.k8s.io/exec, extension: {audience: a}}]";
    const file = write("config", kubeconfig("a", user, `, certificate-authority: ca.crt, extensions: ${extensions}`));
    const { exec } = await loadConfig({ kubeconfig: file });
    const cluster = {
      server: "https://a:6443",
      "certificate-authority": join(folder, "ca.crt"),
      config: { audience: "a" },
    };
    expect(exec).toMatchObject({ command: join(folder, "bin/get-token"), interactiveMode: "IfAvailable", cluster });
  });

  it("resolves paths relative to the file", async () => {
    const user = "{client-certificate: certs/c.crt, client-key: /abs/c.key, tokenFile: token}";
    const file = write("sub/config", kubeconfig("a", user, ", certificate-authority: ca.crt"));
    expect(await loadConfig({ kubeconfig: file })).toMatchObject({
      caFile: join(folder, "sub", "ca.crt"),
      certFile: join(folder, "sub", "certs", "c.crt"),
      keyFile: "/abs/c.key",
      tokenFile: join(folder, "sub", "token"),
    });
  });

  it("prefers data over files", async () => {
    const user = `{client-certificate: c.crt, client-certificate-data: ${btoa("CERT")}, client-key: c.key}`;
    const config = await loadConfig({ kubeconfig: write("config", kubeconfig("a", user)) });
    expect(config.cert).toBe("CERT");
    expect(config.certFile).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ["a current context that is not a string", "current-context: 1", "TSOP_KUBECONFIG_INVALID"],
    ["a file that is not YAML", "a: [", "TSOP_KUBECONFIG_INVALID"],
    ["an anchor that contains itself", "a: &a [*a]", "TSOP_KUBECONFIG_INVALID"],
    ["a document that is not a mapping", "- a", "TSOP_KUBECONFIG_INVALID"],
    ["a list that is not a list", "clusters: {}\ncurrent-context: a", "TSOP_KUBECONFIG_INVALID"],
    ["a duplicate name", "users: [{name: a, user: {token: x}}, {name: a, user: {token: y}}]", "TSOP_KUBECONFIG_INVALID"],
    ["a file of another kind", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}", "TSOP_KUBECONFIG_INVALID"],
    ["an entry without a name", "clusters: [{cluster: {}}]", "TSOP_KUBECONFIG_INVALID"],
    ["an empty file", "", "TSOP_NO_CONTEXT"],
    ["a missing context", "current-context: gone", "TSOP_CONTEXT_NOT_FOUND"],
    ["a missing cluster", "current-context: a\ncontexts: [{name: a, context: {cluster: gone}}]", "TSOP_CONTEXT_NOT_FOUND"],
  ])("rejects %s", async (_name, text, code) => {
    await expect(loadConfig({ kubeconfig: write("config", text) })).rejects.toMatchObject({ code });
  }); // prettier-ignore

  it.each<[string, string, string, string]>([
    ["a token that is a number", "{token: 12345}", "", "user.token is not a string; quote numbers and booleans (a in users)"],
    ["a password that is a number", "{username: me, password: 12345}", "", "user.password is not a string"],
    ["a user that is not a mapping", "secret", "", "user is not a mapping (a in users)"],
    ["a key that is not base64", "{client-key-data: '-----BEGIN'}", "", "user.client-key-data is not base64"],
    ["an authority that is not base64", "{}", ", certificate-authority-data: '{}'", "cluster.certificate-authority-data is not base64 (a in clusters)"],
    ["a string for a boolean", "{}", ", insecure-skip-tls-verify: 'yes'", "cluster.insecure-skip-tls-verify is not true or false"],
    ["groups that are not a list", "{as: me, as-groups: admins}", "", "user.as-groups is not a list of strings"],
    ["arguments that are not a list", "{exec: {apiVersion: v1, command: c, args: --now}}", "", "user.exec.args is not a list of strings"],
    ["a certificate without its key", "{client-certificate: c.crt}", "", "user a has a client-certificate, but no client-key"],
    ["an authority that would be ignored", "{}", `, insecure-skip-tls-verify: true, certificate-authority: c`, "cluster a has both certificate-authority and insecure-skip-tls-verify"],
    ["two authentication methods", "{token: t, username: u, password: p}", "", "user a has both a token and a user name with a password"],
    ["groups without a user to impersonate", "{token: t, as-groups: [a]}", "", "user a has as-groups, but no user name to impersonate"],
    ["an extra without a user to impersonate", "{token: t, as-user-extra: {a: [b]}}", "", "user a has as-user-extra, but no user name to impersonate"],
    ["an exec program and a provider", "{exec: {apiVersion: v1, command: c}, auth-provider: {name: oidc}}", "", "user a has both an exec program and an auth-provider"],
    ["an exec program without a command", "{exec: {apiVersion: v1}}", "", "exec of user a has no command"],
    ["an exec program without its version", "{exec: {command: c}}", "", "exec of user a has no apiVersion"],
    ["an unknown interactive mode", "{exec: {apiVersion: v1, command: c, interactiveMode: Maybe}}", "", "interactiveMode of user a is Maybe, not Never"],
    ["an invalid environment", "{exec: {apiVersion: v1, command: c, env: [{name: A}]}}", "", "env of user a is not a list of names with values"],
    ["an invalid auth-provider", "{auth-provider: oidc}", "", "user.auth-provider is not a mapping"],
  ])("names file and field of %s", async (_name, user, cluster, message) => {
    const file = write("config", kubeconfig("a", user, cluster));
    const failure = loadConfig({ kubeconfig: file });
    await expect(failure).rejects.toMatchObject({ code: "TSOP_KUBECONFIG_INVALID" });
    await expect(failure).rejects.toThrow(`kubeconfig ${file} is not valid: ${message}`);
  }); // prettier-ignore

  it.each([
    ["no server", "{}", "cluster a has no server"],
    ["a server that is not a URL", "{server: localhost:6443}", 'server of cluster a is "localhost:6443"'],
    ["a server that is a number", "{server: 6443}", "cluster.server is not a string"],
  ])("names file and cluster of %s", async (_name, cluster, message) => {
    const clusters = `clusters: [{name: a, cluster: ${cluster}}]`;
    const file = write("config", `${clusters}\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: a}}]`);
    await expect(loadConfig({ kubeconfig: file })).rejects.toThrow(`kubeconfig ${file} is not valid: ${message}`);
  });

  it("ignores errors in entries that the context does not use, and null entries", async () => {
    const others = "users: [{name: b, user: {client-certificate: c}}, {name: a, user: {token: null, exec: null}}]";
    const text = kubeconfig("a").replace(/^users:.*$/m, others);
    expect(await loadConfig({ kubeconfig: write("config", text) })).toMatchObject({ server: "https://a:6443" });
  });

  it("lists the existing contexts if the requested one is missing", async () => {
    const file = write("config", kubeconfig("prod"));
    await expect(loadConfig({ kubeconfig: file, context: "test" })).rejects.toThrow(
      `kubeconfig ${file} has no context test; it has: prod`,
    );
  });

  it("names the file and its contexts if none of them is the current one", async () => {
    const file = write("config", "contexts: [{name: prod, context: {}}, {name: test, context: {}}]");
    await expect(loadConfig({ kubeconfig: file })).rejects.toMatchObject({
      message: `kubeconfig ${file} names no current context; its contexts: prod, test`,
      hint: "choose one, as by --context prod, or by current-context: prod in the file",
    });
    const empty = write("empty", "");
    await expect(loadConfig({ env: { KUBECONFIG: empty } })).rejects.toMatchObject({
      message: `kubeconfig ${empty} names no current context; its contexts: none`,
      hint: "name the kubeconfig of a cluster by --kubeconfig or KUBECONFIG",
    });
  });

  it("names a missing file", async () => {
    const file = join(folder, "none");
    await expect(loadConfig({ kubeconfig: file })).rejects.toMatchObject({
      message: `kubeconfig ${file} can't be read: ENOENT`,
      hint: expect.stringContaining("unset KUBECONFIG"),
    });
  });
});

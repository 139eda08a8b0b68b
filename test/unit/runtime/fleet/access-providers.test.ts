import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mergePatch } from "../../../../src/client/patches.ts";
import { ConfigMap, Namespace } from "../../../../src/k8s/core/v1.ts";
import { ClusterProfile } from "../../../../src/runtime/fleet/cluster-profile.ts";
import { clusterProfiles } from "../../../../src/runtime/fleet/cluster-profiles.ts";
import type { FleetChange } from "../../../../src/runtime/fleet/cluster-provider.ts";
import { createFleet } from "../../../../src/runtime/fleet/fleet.ts";
import { accessConfig, readAccessProviders } from "../../../../src/runtime/fleet/access-providers.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import { openCrd } from "../../../../src/testing/open-crd.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";

const namespace = "clusters";
const folder = mkdtempSync(join(tmpdir(), "tsop-access-"));
const file = join(folder, "providers.json");
const apiVersion = "client.authentication.k8s.io/v1";
const cliArgs = "clusterprofiles.multicluster.x-k8s.io/exec/additional-args";
const envs = "clusterprofiles.multicluster.x-k8s.io/exec/additional-envs";
afterAll(() => rmSync(folder, { recursive: true }));

function write(...providers: object[]): void {
  writeFileSync(file, JSON.stringify({ providers }));
}

function profile(status: object): Parameters<typeof accessConfig>[0] {
  return { metadata: { namespace, name: "east" }, status };
}

const access = (name: string, cluster: object = { server: `https://${name}.example.com` }) => ({ name, cluster });
const provider = (name: string, more: object = {}) => ({
  name,
  execConfig: { apiVersion, command: "get-token", args: null, env: null, provideClusterInfo: true },
  ...more,
});

describe("accessConfig", () => {
  it("takes the first provider of the operator that the profile has, and the newer field of the status", async () => {
    write(provider("oidc"), provider("secrets"));
    const providers = await readAccessProviders(file);
    const server = (status: object) => accessConfig(profile(status), providers)?.server;
    expect(server({ accessProviders: [access("secrets"), access("oidc")] })).toBe("https://oidc.example.com");
    expect(server({ credentialProviders: [access("secrets")] })).toBe("https://secrets.example.com");
    const old = access("oidc", { server: "https://old.example.com" });
    expect(server({ credentialProviders: [old], accessProviders: [access("oidc")] })).toBe("https://oidc.example.com");
    expect(server({ accessProviders: [access("spiffe")] })).toBeUndefined();
    expect(server({})).toBeUndefined();
  });

  it("gives the program the cluster with its extension, and reads no files that the profile names", async () => {
    write(provider("oidc"));
    const cluster = {
      server: "https://a.example.com",
      "certificate-authority": "/etc/passwd",
      "certificate-authority-data": Buffer.from("authority").toString("base64"),
      "proxy-url": "http://proxy.example.com",
      extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
    };
    const config = accessConfig(
      profile({ accessProviders: [access("oidc", cluster)] }),
      await readAccessProviders(file),
    );
    expect(config).toMatchObject({ ca: "authority", proxyUrl: "http://proxy.example.com" });
    expect(config).not.toHaveProperty("caFile");
    const { "certificate-authority": _file, extensions: _extensions, ...known } = cluster;
    expect(config?.exec).toMatchObject({ cluster: { ...known, config: { audience: "a" } }, interactiveMode: "Never" });
  });

  it.each([
    [undefined, undefined, ["own"], { A: "own" }],
    ["Ignore", "Ignore", ["own"], { A: "own" }],
    ["Append", "AppendIfNotExists", ["own", "added"], { A: "own", B: "added" }],
    ["Append", "Replace", ["own", "added"], { A: "added", B: "added" }],
  ])("adds what the profile has with the policies %s and %s", async (argsPolicy, envPolicy, args, env) => {
    const execConfig = { apiVersion, command: "get-token", args: ["own"], env: [{ name: "A", value: "own" }] };
    write({
      name: "oidc",
      execConfig,
      profileSourcedCLIArgsPolicy: argsPolicy,
      profileSourcedEnvVarsPolicy: envPolicy,
    });
    const extensions = [
      { name: cliArgs, extension: ["added"] },
      { name: envs, extension: { A: "added", B: "added" } },
    ];
    const status = { accessProviders: [access("oidc", { server: "https://a.example.com", extensions })] };
    const { exec } = accessConfig(profile(status), await readAccessProviders(file))!;
    expect(exec?.args).toEqual(args);
    expect(Object.fromEntries(exec!.env.map(({ name, value }) => [name, value]))).toEqual(env);
  });

  it.each([
    ["no JSON", "{", /can't be read/],
    ["no providers", "{}", /no list of providers/],
    ["a provider without a program", '{"providers": [{"name": "oidc"}]}', /no list of providers/],
  ])("rejects a file with %s", async (_title, text, message) => {
    writeFileSync(file, text);
    await expect(readAccessProviders(file)).rejects.toThrow(message);
  });
});

describe("clusterProfiles with a providerFile", () => {
  const hub = new TestEnvironment({ env: {}, crds: [openCrd(ClusterProfile)] });
  const spoke = new TestEnvironment({ env: {} });
  beforeAll(async () => {
    await Promise.all([hub.start(), spoke.start()]);
    await hub.client.create(Namespace, { metadata: { name: namespace } });
  });
  afterAll(() => Promise.all([hub.stop(), spoke.stop()]));
  afterEach(() => hub.client.deleteAllOf(ClusterProfile, { namespace }));

  const condition = { type: "ControlPlaneHealthy", status: "True", reason: "Test", message: "" };
  async function createProfile(...accessProviders: object[]): Promise<void> {
    const metadata = { namespace, name: "east" };
    await hub.client.create(ClusterProfile, { metadata });
    await hub.client.patch(ClusterProfile, metadata, mergePatch({ status: { conditions: [condition], accessProviders } })); // prettier-ignore
  }

  it("reaches a cluster with the credentials that the program prints", async () => {
    const { server, ca, token } = spoke.config;
    const program = join(folder, "get-token.mjs");
    const credential = { apiVersion, kind: "ExecCredential", status: { token } };
    // The program gets the cluster, and the token only fits the one that it expects.
    writeFileSync(
      program,
      `#!${process.execPath}
const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
if (spec.cluster.server !== ${JSON.stringify(server)}) process.exit(1);
console.log(${JSON.stringify(JSON.stringify(credential))});
`,
    );
    chmodSync(program, 0o755);
    write({ name: "test", execConfig: { apiVersion, command: program, provideClusterInfo: true } });
    const mgr = await createManager(hub.config, { logger: discardLogger });
    const fleet = createFleet(mgr, clusterProfiles(mgr, { providerFile: file, namespace }));
    runInTest((signal) => mgr.start(signal));
    const authority = Buffer.from(ca!).toString("base64");
    await createProfile(access("test", { server, "certificate-authority-data": authority }));
    await until("the cluster has joined", () => fleet.clusters.includes("east"));
    await until("it is read", async () => {
      const found = await fleet
        .cluster("east")
        .apiReader.list(ConfigMap, { namespace: "kube-system" })
        .catch(() => undefined);
      return found !== undefined;
    });
  });

  it("reports a profile for which it has no program", async () => {
    write(provider("oidc"));
    const mgr = await createManager(hub.config, { logger: discardLogger });
    const told: FleetChange[] = [];
    runInTest(async (signal) => {
      const provider = clusterProfiles(mgr, { providerFile: file, namespace });
      for await (const change of provider.watch(signal)) told.push(change);
    });
    await createProfile(access("spiffe"));
    await until("it is told", () => told.some(({ type }) => type === "invalid"));
    expect(told.find(({ type }) => type === "invalid")).toMatchObject({
      source: "ClusterProfile clusters/east",
      error: { code: "TSOP_FLEET_PROFILE_ACCESS" },
    });
    await hub.client.patch(ClusterProfile, { metadata: { namespace, name: "east" } }, mergePatch({ status: { accessProviders: [access("oidc")] } })); // prettier-ignore
    await until("it joins", () => told.some((change) => change.type === "cluster" && change.name === "east"));
  });
});

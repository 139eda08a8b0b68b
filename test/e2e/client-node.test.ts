import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { KubeConfig } from "@kubernetes/client-node";
import type { KubeConfig as NewerKubeConfig } from "client-node-2";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { toKubeConfig } from "../../src/client-node.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { repository, run, temporaryFolder, until } from "./shell.ts";

// Programs on the client of the Kubernetes project for Node: its current major version, which needs Node 22, and the one
// before.
const versions = ["@kubernetes/client-node", "client-node-2"].map((name) => {
  const file = join(repository, "node_modules", name, "package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return { name, version, needs: version.startsWith("1.") ? 20 : 22 };
});
const node = Number(process.versions.node.split(".")[0]);

it.skip.each(versions.filter(({ needs }) => needs > node))("client-node $version needs Node $needs", () => {});

describe.each(versions.filter(({ needs }) => needs <= node))("a program on client-node $version", ({ name }) => {
  const stop = new AbortController();
  const problems: unknown[] = [];
  let clientNode: any;
  let sandbox: Sandbox;
  let config: any;
  beforeAll(async () => {
    clientNode = await import(name);
    const onError = (error: unknown) => problems.push(error);
    sandbox = await startSandbox({ pace: { min: 5, max: 20 }, onError }, stop.signal);
    config = await toKubeConfig(sandbox.config, clientNode);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    expect(problems).toEqual([]);
  });

  it("reads the same from a kubeconfig file", async () => {
    const fromFile = new clientNode.KubeConfig();
    fromFile.loadFromString(sandbox.kubeconfig);
    for (const each of [config, fromFile]) {
      const { items } = await each.makeApiClient(clientNode.CoreV1Api).listNamespace();
      expect(items.map(({ metadata }: any) => metadata.name)).toContain("default");
    }
  });

  it("learns from exec, attach and port-forward that no containers run", async () => {
    const calls = {
      exec: new clientNode.Exec(config).exec("default", "a", "c", ["true"], null, null, null, false),
      attach: new clientNode.Attach(config).attach("default", "a", "c", null, null, null, false),
    };
    for (const call of Object.values(calls)) {
      const error = await call.catch((failure: unknown) => failure);
      expect(String(error?.message ?? error)).toContain("501");
    }
  });

  it("watches with an informer through expired versions and cut streams", async () => {
    const api = config.makeApiClient(clientNode.CoreV1Api);
    const list = () => api.listNamespacedConfigMap({ namespace: "default" });
    const informer = clientNode.makeInformer(config, "/api/v1/namespaces/default/configmaps", list);
    const seen: string[] = [];
    for (const event of ["add", "update", "delete"])
      informer.on(event, ({ metadata, data }: any) => seen.push(`${event} ${metadata.name} ${data?.at ?? ""}`.trim()));
    informer.on("error", (error: unknown) => {
      seen.push(`error ${String(error)}`);
      void informer.start();
    });
    const waitForEvent = (text: string) =>
      until(`the informer sees ${text}`, async () => seen.includes(text) || undefined);
    const write = (at: string) => ({
      namespace: "default",
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { at } },
    });
    await informer.start();
    await api.createNamespacedConfigMap(write("1"));
    await waitForEvent("add a 1");
    // Not of the simulation, which watches all namespaces.
    const end = sandbox.inject({
      verbs: ["watch"],
      resource: "configmaps",
      namespace: "default",
      times: 1,
      cutAfterEvents: 1,
    });
    await api.replaceNamespacedConfigMap({ name: "a", ...write("2") });
    await waitForEvent("update a 2");
    end();
    sandbox.inject({ verbs: ["watch"], resource: "configmaps", namespace: "default", times: 1, reason: "Expired" });
    await informer.stop();
    await informer.start();
    await api.replaceNamespacedConfigMap({ name: "a", ...write("3") });
    await waitForEvent("update a 3");
    expect(informer.get("a", "default").data.at).toBe("3");
    await api.deleteNamespacedConfigMap({ name: "a", namespace: "default" });
    await until("the informer has removed the object", async () => (informer.get("a", "default") ? undefined : true));
    await informer.stop();
  });

  it("writes typed and untyped objects, and reads logs", async () => {
    const objects = clientNode.KubernetesObjectApi.makeApiClient(config);
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "hello", namespace: "default" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox" }] } } },
    };
    const made = await objects.create(job);
    expect(made.metadata.creationTimestamp).toBeInstanceOf(Date);
    const apps = config.makeApiClient(clientNode.BatchV1Api);
    await until("the job is complete", async () => {
      const { status } = await apps.readNamespacedJob({ name: "hello", namespace: "default" });
      return status?.succeeded === 1 || undefined;
    });
    const core = config.makeApiClient(clientNode.CoreV1Api);
    const { items } = await core.listNamespacedPod({ namespace: "default", labelSelector: "job-name=hello" });
    const log = await core.readNamespacedPodLog({ name: items[0].metadata.name, namespace: "default" });
    expect(log).toContain("simulated");
    const missing = await core.readNamespacedPod({ name: "none", namespace: "default" }).catch((error: any) => error);
    expect(missing.code).toBe(404);
    await objects.delete(job);
  });
});

it("has the types of client-node", () => {
  const config = { server: "https://s", namespace: "n", source: "test" };
  expectTypeOf(() =>
    toKubeConfig(config, null! as { KubeConfig: typeof KubeConfig }),
  ).returns.resolves.toEqualTypeOf<KubeConfig>();
  expectTypeOf(() =>
    toKubeConfig(config, null! as { KubeConfig: typeof NewerKubeConfig }),
  ).returns.resolves.toEqualTypeOf<NewerKubeConfig>();
});

it("names the command that installs a missing client-node", async () => {
  const folder = temporaryFolder("no-client-node");
  try {
    // Only there, no package is found.
    cpSync(join(repository, "dist"), join(folder.path, "dist"), { recursive: true });
    const bridge = pathToFileURL(join(folder.path, "dist/client-node.js")).href;
    const program = `const { toKubeConfig } = await import("${bridge}");
      const error = await toKubeConfig({ server: "https://s" }).catch((failure) => failure);
      console.log(error.code, error.hint);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder.path });
    expect(stdout).toContain("TSOP_CLIENT_NODE_MISSING");
    expect(stdout).toContain("npm install @kubernetes/client-node");
  } finally {
    folder.remove();
  }
});

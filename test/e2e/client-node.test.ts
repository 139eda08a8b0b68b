import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { until } from "./shell.ts";

// The client of the Kubernetes project for Node, in programs of its users. It is not a dependency of this repository:
// `npm install --no-save @kubernetes/client-node@1.4` installs it; the tests are skipped without it.
const name = "@kubernetes/client-node";
const clientNode: any = await import(name).catch(() => undefined);

describe.skipIf(!clientNode)("a program on client-node", () => {
  const stop = new AbortController();
  const problems: unknown[] = [];
  let sandbox: Sandbox;
  let config: any;
  beforeAll(async () => {
    const onError = (error: unknown) => problems.push(error);
    sandbox = await startSandbox({ pace: { min: 5, max: 20 }, onError }, stop.signal);
    config = new clientNode.KubeConfig();
    config.loadFromString(sandbox.kubeconfig);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    expect(problems).toEqual([]);
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
    const end = sandbox.inject({ verbs: ["watch"], resource: "configmaps", times: 1, cutAfterEvents: 1 });
    await api.replaceNamespacedConfigMap({ name: "a", ...write("2") });
    await waitForEvent("update a 2");
    end();
    sandbox.inject({ verbs: ["watch"], resource: "configmaps", times: 1, reason: "Expired" });
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

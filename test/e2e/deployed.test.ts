import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind, type Client, type ClientConfig, type KubeObject } from "../../src/index.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { Lease } from "../../src/k8s/coordination/v1.ts";
import { freePorts } from "../../src/sandbox/webhooks/free-ports.ts";
import { formatKubeconfig } from "../../src/sandbox/format-kubeconfig.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { TestEnvironment } from "../../src/testing/index.ts";
import { hasContainers, startContainer } from "./container.ts";
import { completeMemcached } from "./complete-memcached.ts";
import { buildImage, type Image } from "./dockerfile.ts";
import { findProgram, mustRun, repository, temporaryFolder, until, type LongRunning } from "./shell.ts";

const Memcached = defineKind<KubeObject & { status?: { nodes?: string[] } }>({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
});
const assets = process.env["KUBEBUILDER_ASSETS"];
const kubectl = findProgram("kubectl");
const namespace = "memcached-operator-system";
const key = { namespace: "default", name: "memcached-sample" };

interface Cluster {
  readonly config: ClientConfig;
  readonly client: Client;
  stop(): Promise<void>;
}

const embedded = async (): Promise<Cluster> => {
  const stopping = new AbortController();
  const sandbox = await startSandbox({ rbac: true }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await sandbox.done;
  };
  return { config: sandbox.config, client: sandbox.client, stop };
};

const real = async (): Promise<Cluster> => {
  const environment = new TestEnvironment({ binaryAssetsDirectory: assets! });
  await environment.start();
  return { config: environment.config, client: environment.client, stop: () => environment.stop() };
};

/**
 * The image of the Dockerfile in a container, on a cluster after `make deploy`; the test takes the part of the pod's
 * kubelet. Needs kubectl and a Linux that lets every user create namespaces.
 */
describe.skipIf(!kubectl || !hasContainers)("the deployed operator", () => {
  const folder = temporaryFolder("deployed");
  const project = join(folder.path, "memcached-operator");
  let image: Image;

  beforeAll(async () => {
    mkdirSync(project);
    const tsop = (...args: string[]): Promise<string> =>
      mustRun(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: project });
    await tsop("init", "--domain", "example.com");
    await tsop("create", "api", "--group", "cache", "--kind", "Memcached");
    completeMemcached(project);
    await mustRun("make", ["manifests", "generate"], { cwd: project });
    image = await buildImage(project, join(folder.path, "image"));
  });
  afterAll(() => folder.remove());

  it("contains only JavaScript", () => {
    const flags = ["--enable-source-maps", "--max-old-space-size-percentage=75"];
    expect(image.entrypoint).toEqual(["/nodejs/bin/node", ...flags, "/app/main.mjs"]);
  });

  // Without KUBEBUILDER_ASSETS there is no real server.
  const clusters = { "the embedded API server": embedded, ...(assets && { "a real API server": real }) };
  describe.each(Object.entries(clusters))("on %s", (_, start) => {
    let cluster: Cluster;
    let pod: LongRunning;
    let ports: readonly number[];
    const run = (program: string, ...args: string[]): Promise<string> =>
      mustRun(program, args, { cwd: project, env: { KUBECONFIG: join(folder.path, "kubeconfig") } });

    beforeAll(async () => {
      cluster = await start();
      writeFileSync(join(folder.path, "kubeconfig"), formatKubeconfig(cluster.config), { mode: 0o600 });
      await run("make", "deploy", "IMG=example.com/op:v1", `KUBECTL=${kubectl}`);
      await run(kubectl!, "wait", "--for=condition=Established", "crd/memcacheds.cache.example.com", "--timeout=90s");
      ports = await freePorts(2);
      pod = await startPod();
    });
    afterAll(async () => {
      await pod.stop("SIGKILL");
      await cluster.stop();
    });

    /**
     * Starts the image with the command line, variables and account of the Deployment, on free ports of the machine.
     */
    async function startPod(): Promise<LongRunning> {
      const name = "memcached-operator-controller-manager";
      const { spec } = await cluster.client.get(Deployment, { namespace, name });
      const { containers, serviceAccountName = "" } = spec!.template.spec!;
      const { args = [], env = [] } = containers[0]!;
      const token = await run(kubectl!, "create", "token", serviceAccountName, "-n", namespace);
      const { server, ca = "" } = cluster.config;
      const { hostname, port } = new URL(server);
      const account = "/var/run/secrets/kubernetes.io/serviceaccount";
      return startContainer(image, {
        args: args.map((arg) => arg.replace(":8081", `:${ports[0]}`).replace(":8443", `:${ports[1]}`)),
        env: {
          ...Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
          KUBERNETES_SERVICE_HOST: hostname,
          KUBERNETES_SERVICE_PORT: port,
        },
        files: {
          [`${account}/token`]: token.trim(),
          [`${account}/ca.crt`]: ca,
          [`${account}/namespace`]: namespace,
        },
      });
    }

    it("becomes ready and leads", async () => {
      await pod.prints(/"msg":"Starting workers"/);
      await run("curl", "-sf", `http://127.0.0.1:${ports[0]}/readyz`);
      const { items } = await cluster.client.list(Lease, { namespace });
      expect(items.map(({ spec }) => spec?.holderIdentity)).toEqual([expect.stringMatching(/./)]);
    });

    it("reconciles with the permissions of its role", async () => {
      await run(kubectl!, "apply", "-k", "config/samples");
      const deployment = await until("the Deployment exists", () => cluster.client.getOrUndefined(Deployment, key));
      expect(deployment.spec?.replicas).toBe(3);
      expect(deployment.spec?.template.spec?.containers[0]?.image).toBe("memcached:1.6-alpine");
      await until("the event exists", async () => {
        const events = await run(kubectl!, "get", "events", "-o", "jsonpath={.items[*].reason}");
        return events.includes("Created") || undefined;
      });
      expect(pod.output).not.toMatch(/forbidden|Reconciler error/);
    });

    it("shows its metrics to authorized users only", async () => {
      const role = "--clusterrole=memcached-operator-metrics-reader";
      await run(kubectl!, "create", "clusterrolebinding", "reader", role, "--serviceaccount=default:scraper");
      await run(kubectl!, "create", "serviceaccount", "scraper");
      const token = await run(kubectl!, "create", "token", "scraper");
      const scrape = (...flags: string[]): Promise<string> =>
        run("curl", "-skw", "%{http_code}", ...flags, `https://127.0.0.1:${ports[1]}/metrics`);
      expect(await scrape("-H", `Authorization: Bearer ${token.trim()}`)).toMatch(
        /controller_runtime_reconcile_total.*200$/s,
      );
      expect(await scrape()).toMatch(/401$/);
    });

    it("removes its finalizer, and exits with 0 on SIGTERM", async () => {
      await run(kubectl!, "delete", "-k", "config/samples", "--timeout=90s");
      expect(await cluster.client.getOrUndefined(Memcached, key)).toBeUndefined();
      expect(await pod.stop("SIGTERM"), pod.output).toBe(0);
    });
  });
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind, type Client, type ClientConfig, type KubeObject } from "../../src/index.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { Lease } from "../../src/k8s/coordination/v1.ts";
import { freePorts } from "../../src/sandbox/webhooks/webhook-endpoint.ts";
import { formatKubeconfig } from "../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { RegistryClient } from "../../src/oci/registry/registry-client.ts";
import { TestEnvironment } from "../../src/testing/index.ts";
import { pushBase } from "../unit/oci/base-image.ts";
import { startRegistry, type Registry } from "../unit/oci/start-registry.ts";
import { hasContainers, startContainer } from "./container.ts";
import { completeMemcached } from "./complete-memcached.ts";
import { buildImage, type Image } from "./dockerfile.ts";
import { pullImage } from "./pull-image.ts";
import { isRelease } from "../is-release.ts";
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
 * The image of `tsop image build`, which has the files of the Dockerfile's, from a registry in a container, on a cluster after `make deploy`; the test takes the part of the pod's
 * kubelet. Needs kubectl and a Linux that lets every user create namespaces.
 */
describe.skipIf(!kubectl || !hasContainers)("the deployed operator", () => {
  const folder = temporaryFolder("deployed");
  const project = join(folder.path, "memcached-operator");
  let ofDockerfile: Image;
  let images: readonly Image[];
  let registry: Registry;

  beforeAll(async () => {
    mkdirSync(project);
    const tsop = (...args: string[]): Promise<string> =>
      mustRun(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: project });
    await tsop("init", "--domain", "example.com");
    await tsop("create", "api", "--group", "cache", "--kind", "Memcached");
    completeMemcached(project);
    await mustRun("make", ["manifests", "generate"], { cwd: project });
    ofDockerfile = await buildImage(project, join(folder.path, "image"));
    registry = await startRegistry();
    const [base, name] = [`${registry.host}/distroless/node:nonroot`, `${registry.host}/team/operator:v1`];
    await pushBase(base, new RegistryClient({ credentialsOf: async () => undefined }));
    await tsop("image", "build", "--base", base, "--push", name);
    images = await Promise.all(
      ["amd64", "arm64"].map((architecture) => pullImage(name, architecture, join(folder.path, architecture))),
    );
  });
  afterAll(async () => {
    await registry.stop();
    folder.remove();
  });

  it("starts with Node, of any image", () => {
    const flags = ["--enable-source-maps", "--max-old-space-size-percentage=75"];
    for (const { entrypoint } of [ofDockerfile, ...images])
      expect(entrypoint).toEqual(["/nodejs/bin/node", ...flags, "/app/main.mjs"]);
  });

  it("has the files of the Dockerfile's image on every platform", () => {
    const filesOf = ({ root }: Image): [string, string][] =>
      readdirSync(join(root, "app"))
        .toSorted()
        .map((path) => [path, readFileSync(join(root, "app", path), "utf8")]);
    expect(filesOf(ofDockerfile)).toContainEqual(["main.mjs", expect.stringContaining("sourceMappingURL")]);
    for (const image of images) expect(filesOf(image)).toEqual(filesOf(ofDockerfile));
  });

  // Without KUBEBUILDER_ASSETS there is no real server.
  const clusters = { "the embedded API server": embedded, ...(assets && isRelease && { "a real API server": real }) };
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
      const { containers, serviceAccountName = "" } = spec.template.spec!;
      const { args = [], env = [] } = containers[0]!;
      const token = await run(kubectl!, "create", "token", serviceAccountName, "-n", namespace);
      const { server, ca = "" } = cluster.config;
      const { hostname, port } = new URL(server);
      const account = "/var/run/secrets/kubernetes.io/serviceaccount";
      return startContainer(images[0]!, {
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

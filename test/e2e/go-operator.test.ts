import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { installCrds } from "../../src/client/manifests/install-crds.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, LongRunning, mustRun, temporaryFolder, until } from "./shell.ts";

// TSOP_GO_OPERATOR is a folder with the source of an operator on controller-runtime that keeps a Deployment for each
// Memcached, writes status.nodes, and elects a leader. Its modules must be installed: nothing is downloaded.
const source = process.env["TSOP_GO_OPERATOR"] ?? "";
const go = findProgram("go");

const Memcached = defineKind<any>({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
});
const Deployment = defineKind<any>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
const Lease = defineKind<any>({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });
const sample = { namespace: "default", name: "sample" };

// Skipped without Go, or without the source.
describe.skipIf(!go || !existsSync(source))("an operator written in Go", () => {
  const stop = new AbortController();
  let folder: ReturnType<typeof temporaryFolder>;
  let program: string;
  let sandbox: Sandbox;

  const start = () => {
    const env = { KUBECONFIG: join(folder.path, "kubeconfig") };
    return new LongRunning(program, ["--leader-elect", "--metrics-bind-address", "0"], { cwd: folder.path, env });
  };
  const holder = async () => {
    const [lease] = (await sandbox.client.list(Lease, { namespace: "default" })).items;
    return lease?.spec?.holderIdentity as string | undefined;
  };
  const waitForReconcile = (size: number) =>
    until(`sample has ${size} nodes`, async () => {
      const deployment = await sandbox.client.getOrUndefined(Deployment, sample);
      const memcached = await sandbox.client.get(Memcached, sample);
      const nodes = memcached.status?.nodes ?? [];
      return deployment?.status?.availableReplicas === size && nodes.length === size ? memcached : undefined;
    });

  beforeAll(async () => {
    folder = temporaryFolder("go-operator");
    program = join(folder.path, "operator");
    await mustRun(go ?? "", ["build", "-o", program, "."], {
      cwd: source,
      env: { GOPROXY: "off", GOFLAGS: "-mod=mod" },
    });
    sandbox = await startSandbox({ pace: { min: 5, max: 20 } }, stop.signal);
    writeFileSync(join(folder.path, "kubeconfig"), sandbox.kubeconfig);
    const manifests = await readManifests(join(source, "config/crd/bases"));
    await installCrds(
      sandbox.client,
      manifests.map(({ object }) => object),
    );
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    folder?.remove();
  });

  it("reconciles, writes status, and hands over to another replica when it ends", async () => {
    const first = start();
    await until("the first leads", holder);
    const leader = await holder();
    await sandbox.client.create(Memcached, { metadata: sample, spec: { size: 2 } });
    const made = await waitForReconcile(2);
    expect(made.status.nodes).toEqual(["sample-0", "sample-1"]);
    expect(made.status.conditions).toMatchObject([{ type: "Available", status: "True" }]);
    const deployment = await sandbox.client.get(Deployment, sample);
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: "Memcached", controller: true }]);

    const second = start();
    await second.prints(/attempting to acquire leader lease|Starting/i);
    expect(await first.stop("SIGTERM")).toBe(0);
    await until("the second leads", async () => {
      const now = await holder();
      return now && now !== leader ? now : undefined;
    });
    await sandbox.client.patch(Memcached, sample, {
      type: "application/merge-patch+json",
      body: { spec: { size: 3 } },
    });
    await waitForReconcile(3);
    await sandbox.client.delete(Memcached, sample);
    await until("its Deployment is collected", async () =>
      (await sandbox.client.getOrUndefined(Deployment, sample)) ? undefined : true,
    );
    await second.stop("SIGTERM");
    const errors = `${first.output}${second.output}`.split("\n").filter((line) => line.includes('"level":"error"'));
    // A conflict is expected: the operator reads its cache before the watch reports its own write.
    expect(errors.filter((line) => !line.includes("the object has been modified"))).toEqual([]);
  });
});

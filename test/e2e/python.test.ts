import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { installCrds } from "../../src/client/manifests/install-crds.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, LongRunning, mustRun, run, temporaryFolder, until } from "./shell.ts";

const source = fileURLToPath(new URL("python/", import.meta.url));
// TSOP_PYTHON is an interpreter that has the packages kubernetes and kopf, for example in a virtual environment.
const python = process.env["TSOP_PYTHON"] || findProgram("python3");
const imported = python && (await run(python, ["-c", "import kopf, kubernetes"], { cwd: source })).code === 0;
const missing = !imported && "no TSOP_PYTHON, and no python3 on the PATH, has the packages kubernetes and kopf";

const Gadget = defineKind<any>({ group: "example.com", version: "v1", kind: "Gadget", plural: "gadgets" });
const ConfigMap = defineKind<any>({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
const key = { namespace: "default", name: "b" };
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Gadget", plural: "gadgets" },
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
  },
};

describe.skipIf(missing)(`programs in Python${missing ? ` (skipped: ${missing})` : ""}`, () => {
  const stop = new AbortController();
  const problems: unknown[] = [];
  let folder: ReturnType<typeof temporaryFolder>;
  let options: { cwd: string; env: Record<string, string> };
  let sandbox: Sandbox;

  beforeAll(async () => {
    folder = temporaryFolder("python");
    options = { cwd: source, env: { KUBECONFIG: join(folder.path, "kubeconfig"), PYTHONDONTWRITEBYTECODE: "1" } };
    sandbox = await startSandbox({ pace: { min: 5, max: 20 }, onError: (error) => problems.push(error) }, stop.signal);
    writeFileSync(join(folder.path, "kubeconfig"), sandbox.kubeconfig);
    await installCrds(sandbox.client, [crd]);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    folder?.remove();
    expect(problems).toEqual([]);
  });

  it("use the client of the Kubernetes project: typed, dynamic, watches, logs", async () => {
    const said = await mustRun(python ?? "", ["client.py"], options);
    expect(said.trim().split("\n")).toEqual([
      "made a True",
      "refused 409 Conflict",
      "event MODIFIED {'at': '2'}",
      "event DELETED {'at': '2'}",
      "log This container is simulated",
      "applied 1 Apply",
    ]);
  });

  it("run operators on kopf: a ConfigMap and a status for each object, its finalizer, its events", async () => {
    const operator = new LongRunning(python ?? "", ["-m", "kopf", "run", "--all-namespaces", "gadgets.py"], options);
    try {
      await sandbox.client.create(Gadget, { metadata: key, spec: { size: 3 } });
      const waitForSize = (size: number) =>
        until(`the status has ${size}`, async () => {
          const { status, metadata } = await sandbox.client.get(Gadget, key);
          return status?.size === size ? metadata : undefined;
        });
      const { finalizers } = await waitForSize(3);
      expect(finalizers).toEqual(["kopf.zalando.org/KopfFinalizerMarker"]);
      const map = await sandbox.client.get(ConfigMap, key);
      expect(map).toMatchObject({ data: { size: "3" }, metadata: { ownerReferences: [{ kind: "Gadget" }] } });
      await sandbox.client.patch(Gadget, key, { type: "application/merge-patch+json", body: { spec: { size: 4 } } });
      await waitForSize(4);
      expect((await sandbox.client.get(ConfigMap, key)).data).toEqual({ size: "4" });
      await sandbox.client.delete(Gadget, key);
      await operator.prints(/^ended b$/m);
      await until("the ConfigMap is collected", async () =>
        (await sandbox.client.getOrUndefined(ConfigMap, key)) ? undefined : true,
      );
      expect(await sandbox.client.getOrUndefined(Gadget, key)).toBeUndefined();
      expect(operator.output).not.toMatch(/Traceback|ERROR/);
    } finally {
      await operator.stop("SIGINT");
    }
  });
});

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Kind } from "../../src/apimachinery/kind.ts";
import { loadConfig } from "../../src/client/config/load-config.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import {
  CatalogSourceKind,
  CsvKind,
  OperatorGroupKind,
  SubscriptionKind,
} from "../../src/client/manifests/olm-kinds.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { EndpointSlice } from "../../src/k8s/discovery/v1.ts";
import { ClusterRole, ClusterRoleBinding } from "../../src/k8s/rbac/v1.ts";
import { ConfigMap, Pod, ServiceAccount } from "../../src/k8s/core/v1.ts";
import { blocksOf } from "./document-blocks.ts";
import { findProgram, linkPackages, LongRunning, mustRun, repository, run, temporaryFolder, until } from "./shell.ts";
import { Terminal } from "./terminal.ts";

const kubectl = findProgram("kubectl");

/** A bundle on a machine without a cluster. kubectl makes it, as `make bundle` does. */
describe.skipIf(!kubectl)("run bundle without a cluster", () => {
  const folder = temporaryFolder("run-bundle");
  const project = join(folder.path, "memcached-operator");
  const tsop = join(project, "node_modules/.bin/tsop");

  beforeAll(async () => {
    const filter = (path: string): boolean => !path.includes("node_modules");
    cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true, filter });
    linkPackages(project);
    await mustRun(tsop, ["generate", "manifests"], { cwd: project });
    await makeBundle("0.0.1");
  });
  afterAll(() => folder.remove());

  async function makeBundle(version: string): Promise<void> {
    await mustRun(tsop, ["generate", "kustomize", "manifests", "--interactive=false"], { cwd: project });
    const input = await mustRun(kubectl!, ["kustomize", "config/manifests"], { cwd: project });
    await mustRun(tsop, ["generate", "bundle", "--quiet", "--version", version], { cwd: project, input });
  }

  /** Starts the command, and waits until the bundle is installed. */
  async function start(...flags: string[]): Promise<{ program: LongRunning; client: Client }> {
    const program = new LongRunning(tsop, ["run", "bundle", "./bundle", ...flags], { cwd: project, group: true });
    await until("the bundle is installed", () => {
      if (program.child.exitCode !== null) throw new Error(program.output);
      return program.output.includes("is installed and runs") || undefined;
    });
    const config = await loadConfig({ kubeconfig: join(project, ".tsop/kubeconfig"), env: {} });
    return { program, client: createClient({ config }) };
  }

  it("installs, upgrades and removes the operator, and leaves nothing behind", async () => {
    // A pod as an operator would make it, whose command runs on this machine.
    const command = ["sh", "-c", `echo hello > ${join(folder.path, "said")}`];
    const hello = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "hello", namespace: "default" },
      spec: { restartPolicy: "Never", containers: [{ name: "hello", image: "busybox", command }] },
    };
    const pod = join(folder.path, "pod.json");
    writeFileSync(pod, JSON.stringify(hello));
    const { program, client } = await start("--run-commands", "--apply", "config/samples", "--apply", pod);
    await until("the command of the pod has run", () => existsSync(join(folder.path, "said")) || undefined);
    expect(readFileSync(join(folder.path, "said"), "utf8")).toBe("hello\n");
    const key = { namespace: "default", name: "memcached-sample" };
    const ready = async () =>
      (await client.getOrUndefined(Deployment, key))?.status?.readyReplicas === 3 ? true : undefined;
    await until("the operator has made its deployment", ready);
    // The pod's own service account, not an administrator.
    expect(program.output).not.toMatch(/forbidden/);
    await until("the Service of the metrics has the operator's pod", async () => {
      const { items } = await client.list(EndpointSlice);
      const slice = items.find(({ metadata }) => metadata.name.includes("metrics-service"));
      return slice?.endpoints?.[0]?.conditions?.ready;
    });
    await makeBundle("0.0.2");
    const cluster = { cwd: project, env: { KUBECONFIG: ".tsop/kubeconfig" } };
    expect(await mustRun(tsop, ["run", "bundle-upgrade", "./bundle"], cluster)).toBe(
      "memcached-operator.v0.0.2 is installed\n",
    );
    const again = await run(tsop, ["run", "bundle", "./bundle", "--kubeconfig", ".tsop/kubeconfig"], cluster);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("[TSOP_CATALOG_EXISTS]")]);
    const listed = await mustRun(tsop, ["cleanup", "memcached-operator", "--dry-run"], cluster);
    expect(listed).toContain("memcacheds/memcached-sample\n");
    expect(await ready()).toBe(true);
    const refused = await run(tsop, ["cleanup", "memcached-operator"], cluster);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Memcached default/memcached-sample")]);
    expect(await ready()).toBe(true);
    await mustRun(tsop, ["cleanup", "memcached-operator", "--yes"], cluster);
    const kinds = [
      CatalogSourceKind,
      SubscriptionKind,
      OperatorGroupKind,
      CsvKind,
      Deployment,
      Pod,
      ClusterRole,
      ClusterRoleBinding,
    ];
    const left = async (): Promise<string[]> => {
      const lists = await Promise.all(
        [...kinds, ServiceAccount, ConfigMap].map(async (kind) =>
          (await client.list(kind as Kind)).items.map(({ metadata }) => metadata.name),
        ),
      );
      return lists.flat().filter((name) => /memcached|operator-sdk/.test(name));
    };
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    program.child.kill("SIGINT");
    expect(await program.ended).toBe(0);
    expect(program.output).toContain("stopped");
  });

  it("names the Secret that the operator's container lacks", async () => {
    const file = join(project, "bundle/manifests/memcached-operator.clusterserviceversion.yaml");
    const csv = readFileSync(file, "utf8");
    const lacking = csv.replace(
      /^( *)name: manager$/m,
      "$1name: manager\n$1envFrom:\n$1- secretRef:\n$1    name: login",
    );
    expect(lacking).not.toBe(csv);
    writeFileSync(file, lacking);
    const { code, stderr } = await run(tsop, ["run", "bundle", "./bundle", "--timeout", "4s"], { cwd: project });
    writeFileSync(file, csv);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('container manager: CreateContainerConfigError: secret "login" not found'),
    ]);
  });

  it("is interrupted before the bundle is installed", async () => {
    const program = new LongRunning(tsop, ["run", "bundle", "./bundle"], { cwd: project, group: true });
    await program.prints(/created CatalogSource/);
    expect(await program.stop("SIGINT")).toBe(130);
    expect(program.output).toContain("interrupted");
    expect(program.output).not.toContain("is installed and runs");
  });

  it("runs by the commands of docs/olm.md, in two terminals", async () => {
    const blocks = blocksOf("docs/olm.md");
    const codeWith = (text: string): string => blocks.find(({ code }) => code.includes(text))?.code ?? "exit 1";
    const second = codeWith("tsop run bundle-upgrade");
    const terminal = new Terminal();
    try {
      terminal.open("examples/memcached-operator");
      await terminal.type(codeWith("make bundle IMG="), undefined, false);
      await terminal.stay(codeWith("tsop run bundle ./bundle --apply"), "is installed and runs");
      await terminal.type(findProgram("kubectl") ? second : second.replace(/^kubectl .*\n/m, ""), undefined, false);
    } finally {
      await terminal.close();
    }
  });
});

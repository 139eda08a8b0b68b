import { cpSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, mustRun, temporaryFolder, until } from "./shell.ts";

const helm = findProgram("helm");
const chart = fileURLToPath(new URL("helm-chart/", import.meta.url));

const Deployment = defineKind<any>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
const Order = defineKind<any>({ group: "shop.example.com", version: "v1", kind: "Order", plural: "orders" });
const Event = defineKind<any>({ group: "", version: "v1", kind: "Event", plural: "events" });
const Job = defineKind<any>({ group: "batch", version: "v1", kind: "Job", plural: "jobs" });
const key = { namespace: "default", name: "one" };

// Runs if TSOP_HELM names helm, or it is on the PATH, or next to the real control plane.
describe.skipIf(!helm)(
  `helm${helm ? "" : " (skipped: neither TSOP_HELM, nor on the PATH, nor in KUBEBUILDER_ASSETS)"}`,
  () => {
    const stop = new AbortController();
    const problems: unknown[] = [];
    let folder: ReturnType<typeof temporaryFolder>;
    let sandbox: Sandbox;

    const run = (...args: string[]): Promise<string> => {
      const env = { KUBECONFIG: join(folder.path, "kubeconfig"), HOME: folder.path };
      return mustRun(helm ?? "", [...args, "--namespace", "default"], { cwd: folder.path, env });
    };
    const waitForJob = (job: string) =>
      until(`an event reports that ${job} is complete`, async () => {
        const { items } = await sandbox.client.list(Event, { namespace: "default" });
        return (
          items.some(({ reason, involvedObject }) => reason === "Completed" && involvedObject.name === job) || undefined
        );
      });

    beforeAll(async () => {
      folder = temporaryFolder("helm");
      sandbox = await startSandbox(
        { pace: { min: 5, max: 20 }, onError: (error) => problems.push(error) },
        stop.signal,
      );
      writeFileSync(join(folder.path, "kubeconfig"), sandbox.kubeconfig);
      cpSync(chart, join(folder.path, "chart"), { recursive: true });
    });
    afterAll(async () => {
      stop.abort();
      await sandbox?.done;
      folder?.remove();
      expect(problems).toEqual([]);
    });

    it("installs a chart with its CRD first, and waits for its hook and its workloads", async () => {
      const told = await run("install", "one", "chart", "--wait", "--timeout", "60s");
      expect(told).toContain("STATUS: deployed");
      expect((await sandbox.client.get(Deployment, key)).status.availableReplicas).toBe(1);
      expect((await sandbox.client.get(Order, key)).spec).toEqual({ size: 1 });
      await waitForJob("one-prepare");
      // The policy of the hook deletes all its objects.
      expect(await sandbox.client.getOrUndefined(Job, { ...key, name: "one-prepare" })).toBeUndefined();
    });

    it("upgrades, lists the history, and rolls back", async () => {
      await run("upgrade", "one", "chart", "--set", "replicas=3", "--wait", "--timeout", "60s");
      expect((await sandbox.client.get(Deployment, key)).status.availableReplicas).toBe(3);
      expect((await sandbox.client.get(Order, key)).spec).toEqual({ size: 3 });
      const revisions = JSON.parse(await run("history", "one", "--output", "json")) as { status: string }[];
      expect(revisions.map(({ status }) => status)).toEqual(["superseded", "deployed"]);
      await run("rollback", "one", "1", "--wait", "--timeout", "60s");
      expect((await sandbox.client.get(Deployment, key)).spec.replicas).toBe(1);
      expect((await sandbox.client.get(Order, key)).spec).toEqual({ size: 1 });
    });

    it("reports the rejection of an upgrade, and keeps the release", async () => {
      await expect(run("upgrade", "one", "chart", "--set", "replicas=-1")).rejects.toThrow(
        /spec\.replicas: Invalid value: -1: must be greater than or equal to 0/,
      );
      expect((await sandbox.client.get(Deployment, key)).spec.replicas).toBe(1);
    });

    it("uninstalls all objects except the CRD", async () => {
      await run("uninstall", "one", "--wait", "--timeout", "60s");
      expect(await sandbox.client.getOrUndefined(Deployment, key)).toBeUndefined();
      expect((await sandbox.client.list(Order, { namespace: "default" })).items).toEqual([]);
      await waitForJob("one-cleanup");
      expect(JSON.parse(await run("list", "--output", "json"))).toEqual([]);
    });
  },
);

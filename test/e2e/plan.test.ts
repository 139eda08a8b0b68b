import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigMap } from "../../src/k8s/core/v1.ts";
import { applyManifests } from "../../src/client/manifests/apply-manifests.ts";
import { realDisk } from "../../src/files/real-disk.ts";
import { openPlannedOperator } from "../../src/local/planned-operator.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, linkPackages, LongRunning, mustRun, repository, run, temporaryFolder, until } from "./shell.ts";

const tsop = join(repository, "bin/tsop.js");

/** An embedded server plays the cluster; it counts the requests that write. */
describe("tsop plan", () => {
  const folder = temporaryFolder("plan");
  const project = join(folder.path, "memcached-operator");
  const kubeconfig = join(folder.path, "cluster.kubeconfig");
  const stopping = new AbortController();
  const writes: string[] = [];
  let cluster: Sandbox;
  const plan = (...args: string[]) => run(process.execPath, [tsop, "plan", ...args], { cwd: project });
  const onCluster = (...args: string[]) => plan("--kubeconfig", kubeconfig, ...args);
  const edit = async (file: string, from: RegExp, to: string) => {
    const text = await readFile(join(project, file), "utf8");
    expect(text).toMatch(from);
    await writeFile(join(project, file), text.replace(from, to));
  };

  beforeAll(async () => {
    cpSync(join(repository, "examples/memcached-operator"), project, {
      recursive: true,
      filter: (path) => !/node_modules|\.tsop/.test(path),
    });
    linkPackages(project);
    cluster = await startSandbox(
      {
        pace: { min: 0, max: 5 },
        intercept: (request, next) => {
          if (request.method !== "GET") writes.push(`${request.method} ${request.url}`);
          return next(request);
        },
      },
      stopping.signal,
    );
    await writeFile(kubeconfig, cluster.kubeconfig);
    const { manifests, subject } = await openPlannedOperator({ cwd: project, env: process.env, disk: realDisk() }, {});
    await applyManifests({ client: cluster.client, namespace: subject.account!.namespace }, manifests);
    const deployed = new LongRunning(
      process.execPath,
      [tsop, "run", "--local", "--kubeconfig", kubeconfig, "--apply", "config/samples"],
      { cwd: project, group: true },
    );
    const Memcached = await cluster.client.kindFor("cache.example.com/v1alpha1", "Memcached");
    await until("the Memcached is available", async () => {
      const { items } = await cluster.client.list(Memcached);
      const { conditions = [] } = (items[0]?.["status"] ?? {}) as { conditions?: { type: string; status: string }[] };
      return conditions.find(({ type, status }) => type === "Available" && status === "True");
    });
    await deployed.stop();
    writes.length = 0;
  });
  afterAll(async () => {
    stopping.abort();
    await cluster.done;
    folder.remove();
  });

  it("has no change for the version that is deployed", async () => {
    const { code, stdout, stderr } = await onCluster();
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }, `${stdout}${stderr}`).toEqual({
      code: 0,
      last: "no change: 0 to create, 0 to change, 0 to delete",
    });
    expect(writes).toEqual([]);
  });

  it("shows what the next version changes, with the difference", async () => {
    await edit("config/manager/manager.yaml", /memcached:1\.6-alpine/, "memcached:1.7-alpine");
    const { code, stdout, stderr } = await onCluster();
    expect(code, `${stdout}${stderr}`).toBe(2);
    expect(stdout).toContain("\nrestarts pods: 1 of 1 Deployment (3 pods)\n  default/memcached-sample\n");
    expect(stdout).toContain("  -        image: memcached:1.6-alpine\n  +        image: memcached:1.7-alpine\n");
    expect(stdout).toMatch(/\n0 to create, 1 to change \(1 restarts pods\), 0 to delete\n$/);
    expect(stdout).toMatch(/^plan for https:\/\/127\.0\.0\.1:\d+, context \S+ of \S+: \d+ objects, copied at 20/);
    expect(writes).toEqual([]);
  });

  it("plans elsewhere what was copied to a file, for programs and for a pull request", async () => {
    const saved = await onCluster("--save", "copy.jsonl", "--also", "secrets");
    expect(saved.code, saved.stderr).toBe(0);
    const json = await plan("--from", "copy.jsonl", "--output", "json");
    expect(json.code, json.stderr).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      groups: [{ effect: "restarts pods", kind: "Deployment", names: ["default/memcached-sample"], pods: 3 }],
      failures: [],
    });
    const markdown = await plan("--from", "copy.jsonl", "--output", "markdown");
    expect(markdown.stdout).toContain("```diff\n--- a/apps/deployments/default/memcached-sample\n");
    expect(markdown.stdout).toContain("**0 to create, 1 to change (1 restarts pods), 0 to delete**");
  });

  it("plans a program in any language", async () => {
    const exec = `${JSON.stringify(process.execPath)} .tsop/check/main.js --health-probe-bind-address=127.0.0.1:0`;
    const version = ["--exec", `env MEMCACHED_IMAGE=memcached:1.8-alpine ENABLE_WEBHOOKS=false ${exec}`];
    const manifests = ["--apply", "config/crd/bases", "--apply", "config/rbac/role.yaml"];
    const { code, stdout, stderr } = await onCluster(...version, ...manifests);
    expect(code, `${stdout}${stderr}`).toBe(2);
    expect(stdout).toContain("  +        image: memcached:1.8-alpine\n");
  });

  it.skipIf(!findProgram("git"))("runs the deployed version first, from a revision", async () => {
    const identity = ["-c", "user.name=Author", "-c", "user.email=author@example.com", "-c", "commit.gpgsign=false"];
    const git = (...args: string[]) => mustRun("git", [...identity, ...args], { cwd: project });
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "--message", "A version");
    const { code, stdout, stderr } = await onCluster("--old-revision", "HEAD");
    // Both versions would restart the pods: nothing of it is new.
    expect({ code }, `${stdout}${stderr}`).toEqual({ code: 0 });
  });

  it("calls the webhooks that the next version brings", async () => {
    const flags = "--group cache --version v1alpha1 --kind Memcached --programmatic-validation";
    await mustRun(process.execPath, [tsop, "create", "webhook", ...flags.split(" ")], { cwd: project });
    const refusal = 'if (memcached.spec.size === 3) throw new Error("three is too many");';
    await edit("webhooks/v1alpha1/memcached_validator.ts", /const \{ annotations = [^]*?(?=\n {2}\}\n\}\n)/, refusal);
    const { code, stdout, stderr } = await onCluster();
    expect(code, `${stdout}${stderr}`).toBe(2);
    expect(stdout).toContain("creates: 1 ValidatingWebhookConfiguration, by the manifests\n");
    expect(stdout).toContain(
      "fails: the new version refuses objects of the cluster\n  Memcached default/memcached-sample: ",
    );
    expect(stdout).toContain("three is too many");
  });

  it("serves the window about the copy until Ctrl-C", async () => {
    const running = new LongRunning(process.execPath, [tsop, "plan", "--from", "copy.jsonl", "--ui"], { cwd: project });
    const [, url = ""] = await running.prints(/^window: (http:\S+)$/m);
    expect(await (await fetch(url)).text()).toContain("<html");
    expect(running.output).toContain("restarts pods: 1 of 1 Deployment");
    expect(await running.stop("SIGINT")).toBe(2);
  });

  it("plans for ten thousand objects with bounded time and memory", async () => {
    const map = (number: number) => ({
      metadata: { name: `map-${number}`, namespace: "default" },
      data: { text: "x".repeat(1_000) },
    });
    for (let from = 0; from < 10_000; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => cluster.client.create(ConfigMap, map(from + index))));
    writes.length = 0;
    const measure =
      'process.on("exit", () => require("fs").writeFileSync("used.json", JSON.stringify(process.resourceUsage())))';
    const preload = join(folder.path, "measure.cjs");
    await writeFile(preload, measure);
    const args = ["--require", preload, tsop, "plan", "--kubeconfig", kubeconfig, "--also", "configmaps"];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project });
    expect(code, `${stdout}${stderr}`).toBe(2);
    expect(stdout).toMatch(/: 10,?\d{3} objects, copied at/);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(await readFile(join(project, "used.json"), "utf8"));
    // What others do at the same time does not change the time of the processor.
    expect((userCPUTime + systemCPUTime) / 1e6).toBeLessThan(15);
    expect(maxRSS / 1024).toBeLessThan(500);
    expect(writes).toEqual([]);
  });

  it("prints the role that the copy needs", async () => {
    const { code, stdout } = await plan("--role");
    expect(code).toBe(0);
    expect(stdout).toContain("kind: ClusterRole\nmetadata:\n  name: tsop-plan\n");
    expect([...new Set(stdout.match(/^ {2}- (get|list|watch|create|update|patch|delete|\*)$/gm))]).toEqual([
      "  - get",
      "  - list",
    ]);
  });

  it.each([
    [["--from", "copy.jsonl", "--context", "prod"], "--from takes the copy in the file", ""],
    [["--old-exec", "true"], "--old-exec needs --exec", ""],
    [["--unknown"], "unknown option '--unknown'", ""],
    [["--from", "missing.jsonl"], "missing.jsonl can't be read as a copy of a cluster", "TSOP_PLAN_COPY_UNREADABLE"],
    [["--kubeconfig", "missing"], "missing", "TSOP_KUBECONFIG"],
  ])("exits with 1 if the plan fails: %s", async (args, message, error) => {
    const { code, stderr } = await plan(...args);
    expect({ code }, stderr).toEqual({ code: 1 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(error);
  });

  it("leaves nothing behind if it is interrupted", async () => {
    const TMPDIR = join(folder.path, "temporary");
    mkdirSync(TMPDIR);
    const marker = `${project}/here`;
    const exec = `sh -c 'touch ${marker}; sleep 600'`;
    const args = [tsop, "plan", "--from", "copy.jsonl", "--exec", exec, "--apply", "config/crd/bases"];
    const running = new LongRunning(process.execPath, args, { cwd: project, env: { TMPDIR } });
    await until("the program runs", () => readdirSync(project).find((name) => name === "here"));
    expect(readdirSync(TMPDIR)).not.toEqual([]);
    expect(await running.stop("SIGINT")).toBe(130);
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect((await run("pgrep", ["-f", marker], { cwd: project })).stdout).toBe("");
  });
});

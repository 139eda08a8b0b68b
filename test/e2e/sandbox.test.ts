import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { findProgram, LongRunning, mustRun, repository, run, temporaryFolder, until } from "./shell.ts";

const folder = temporaryFolder("sandbox");
afterAll(() => folder.remove());
const running: LongRunning[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop("SIGKILL")));
});

const cli = join(repository, "bin/tsop.js");
const options = { cwd: folder.path };

async function start(...args: string[]): Promise<LongRunning> {
  const sandbox = new LongRunning(process.execPath, [cli, "sandbox", ...args], options);
  running.push(sandbox);
  await sandbox.prints(/kubectl: export KUBECONFIG=/);
  return sandbox;
}

it("prints its address, how to reach it and the applied objects, and leaves nothing behind on Ctrl-C", async () => {
  writeFileSync(join(folder.path, "map.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n");
  const sandbox = await start("--apply", "map.yaml");
  await sandbox.prints(/configmaps\/a created/);
  expect(await sandbox.stop("SIGINT")).toBe(0);
  expect(sandbox.output.trim().split("\n")).toEqual([
    expect.stringMatching(/^embedded API server at https:\/\/127\.0\.0\.1:\d+, workload simulation on$/),
    "objects: kept until the end of this process (--persist FOLDER keeps them for the next)",
    `kubectl: export KUBECONFIG=${join(folder.path, ".tsop/kubeconfig")}`,
    "configmaps/a created",
  ]);
  expect(existsSync(join(folder.path, ".tsop/kubeconfig"))).toBe(false);
});

it("logs each request and its user as an audit event", async () => {
  writeFileSync(join(folder.path, "map.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n");
  const sandbox = await start("--apply", "map.yaml", "--simulate", "off", "--audit-log", "audit.log");
  await sandbox.prints(/configmaps\/a created/);
  expect(await sandbox.stop("SIGINT")).toBe(0);
  const file = join(folder.path, "audit.log");
  const events = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, any>);
  const creation = events.find(({ verb, objectRef }) => verb === "create" && objectRef?.resource === "configmaps");
  expect(creation).toMatchObject({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    stage: "ResponseComplete",
    user: { username: "admin" },
    objectRef: { resource: "configmaps", namespace: "default", apiVersion: "v1" },
    responseStatus: { code: 201 },
    requestObject: { metadata: { name: "a" } },
    responseObject: { metadata: { name: "a", resourceVersion: expect.any(String) } },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("ends immediately on a second Ctrl-C, and starts again after a kill", async () => {
  const first = await start("--persist", "state", "--kubeconfig", "k1");
  await first.stop("SIGKILL");
  expect(existsSync(join(folder.path, "k1"))).toBe(true);
  const second = await start("--persist", "state", "--kubeconfig", "k1");
  process.kill(second.child.pid!, "SIGINT");
  process.kill(second.child.pid!, "SIGINT");
  expect([0, "SIGINT"]).toContain(await second.ended);
});

it("counts the two signals that `timeout` sends as one", async () => {
  const sandbox = await start("--kubeconfig", "told-twice");
  process.kill(sandbox.child.pid!, "SIGTERM");
  process.kill(sandbox.child.pid!, "SIGTERM");
  expect(await sandbox.ended).toBe(0);
  expect(existsSync(join(folder.path, "told-twice"))).toBe(false);
});

// Without script there is no other way to create a terminal.
it.skipIf(!findProgram("script"))("ends when its terminal is closed", async () => {
  // A shell forwards the signal, the kernel sends it too, and the shell reports how its child ended.
  const lines = [
    "trap 'kill -HUP $child; sleep 0.01; kill -HUP $child' HUP",
    `'${process.execPath}' '${cli}' sandbox --kubeconfig closed & child=$!`,
    "wait $child; wait $child; echo $? >code",
  ];
  writeFileSync(join(folder.path, "closed.sh"), `${lines.join("\n")}\n`);
  const terminal = new LongRunning("script", ["-qfc", "bash closed.sh", "/dev/null"], options);
  running.push(terminal);
  await terminal.prints(/kubectl: export KUBECONFIG=/);
  await terminal.stop("SIGKILL");
  const code = join(folder.path, "code");
  await until("the exit code is written", async () => (existsSync(code) && readFileSync(code, "utf8")) || undefined);
  expect(readFileSync(code, "utf8").trim()).toBe(String(128 + 1));
  expect(existsSync(join(folder.path, "closed"))).toBe(false);
});

it.each([
  ["a port in use", ["--port", "{port}"], "TSOP_PORT_IN_USE"],
  ["a state folder in use by another sandbox", ["--persist", "held", "--kubeconfig", "other"], "TSOP_STATE_LOCKED"],
  ["invalid YAML", ["--apply", "broken.yaml"], "broken.yaml:2:1: unexpected end of the stream"],
  ["another file named as kubeconfig", ["--kubeconfig", "mine"], "TSOP_KUBECONFIG_FOREIGN"],
])("reports %s in two lines with a hint, and exits with 1", async (_what, args, message) => {
  writeFileSync(join(folder.path, "broken.yaml"), "a: [\n");
  writeFileSync(join(folder.path, "mine"), "precious");
  const sandbox = await start("--persist", "held");
  const port = /127\.0\.0\.1:(\d+)/.exec(sandbox.output)?.[1] ?? "";
  const { code, stderr } = await run(
    process.execPath,
    [cli, "sandbox", "--kubeconfig", "k2", ...args.map((arg) => arg.replace("{port}", port))],
    options,
  );
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/error: .*\[TSOP_\w+\]\nhint: .*\n$/);
  expect(stderr).not.toContain("    at ");
  expect(readFileSync(join(folder.path, "mine"), "utf8")).toBe("precious");
  expect(await sandbox.stop("SIGINT")).toBe(0);
});

it.each([
  ["--port", "x"],
  ["--port", "70000"],
  ["--webhook-port", "0"],
  ["--simulate", "maybe"],
  ["--apply", ""],
  ["--kubeconfig", ""],
  ["--persist", ""],
])("reports %s %j as a usage error", async (...args) => {
  const { code, stderr } = await run(process.execPath, [cli, "sandbox", ...args], options);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: option '--/);
});

// Without kubectl the tests are skipped.
describe.skipIf(!findProgram("kubectl"))("with kubectl", () => {
  const kubectl = (...args: string[]): Promise<string> =>
    mustRun(findProgram("kubectl") ?? "", args, {
      ...options,
      env: { KUBECONFIG: join(folder.path, "k3"), HOME: folder.path },
    });

  it("enforces roles for every user except the administrator", async () => {
    const sandbox = await start("--rbac", "--simulate", "off", "--kubeconfig", "k3");
    const robot = "--as=system:serviceaccount:default:robot";
    await kubectl("create", "serviceaccount", "robot");
    await expect(kubectl("get", "cm", robot)).rejects.toThrow('cannot list resource "configmaps"');
    await kubectl("create", "role", "reader", "--verb=list", "--resource=configmaps");
    await kubectl("create", "rolebinding", "reader", "--role=reader", "--serviceaccount=default:robot");
    expect(await kubectl("get", "cm", "-o", "name", robot)).toBe("");
    await expect(kubectl("create", "cm", "b", robot)).rejects.toThrow("cannot create resource");
    expect(await sandbox.stop("SIGINT")).toBe(0);
  });

  it("runs the commands of pods if requested, and warns about it", async () => {
    mkdirSync(join(folder.path, "pods"), { recursive: true });
    writeFileSync(
      join(folder.path, "pods/hello.yaml"),
      `apiVersion: v1
kind: Pod
metadata: { name: hello }
spec: { restartPolicy: Never, containers: [{ name: c, image: busybox, command: [sh, -c, "echo hello world; exit 3"] }] }
`,
    );
    const sandbox = await start("--run-commands", "--apply", "pods", "--kubeconfig", "k3");
    expect(sandbox.output).toContain("warning: --run-commands runs the commands of pods on this machine");
    await until(
      "the pod has failed",
      async () => (await kubectl("get", "pods", "--no-headers")).includes(" Error ") || undefined,
    );
    expect(await kubectl("logs", "hello")).toBe("hello world\n");
    expect(await kubectl("get", "pod", "hello", "-o", "jsonpath={..terminated.exitCode}")).toBe("3");
    expect(await sandbox.stop("SIGINT")).toBe(0);
  });
});

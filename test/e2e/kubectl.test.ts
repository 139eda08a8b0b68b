import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, LongRunning, mustRun, run, temporaryFolder, until, type Finished } from "./shell.ts";

const program = findProgram("kubectl");

/** Commands that need controllers or a node; kubectl-sessions.test.ts compares the output of the others. */
describe.skipIf(!program)("kubectl", () => {
  const folder = temporaryFolder("kubectl");
  const stop = new AbortController();
  let sandbox: Sandbox;
  const env = { KUBECONFIG: join(folder.path, "kubeconfig"), HOME: folder.path };
  const options = { cwd: folder.path, env };
  const kubectl = (...args: string[]): Promise<string> => mustRun(program ?? "", args, options);
  const runRejected = (...args: string[]): Promise<Finished> => run(program ?? "", args, options);
  const waitForDeletion = (...args: string[]) =>
    until(`${args.join(" ")} is gone`, async () => ((await runRejected("get", ...args)).code === 0 ? undefined : true));

  beforeAll(async () => {
    sandbox = await startSandbox({ pace: { min: 5, max: 20 } }, stop.signal);
    writeFileSync(env.KUBECONFIG, sandbox.kubeconfig);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox.done;
    folder.remove();
  });

  it("deletes a namespace together with the objects in it, as make undeploy does", async () => {
    const labels = { matchLabels: { app: "demo" } };
    const template = { metadata: { labels: labels.matchLabels }, spec: { containers: [{ name: "c", image: "c" }] } };
    const inside = { name: "demo", namespace: "demo-system" };
    const items = [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo-system" } },
      ...Array.from({ length: 20 }, (_, n) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...inside, name: `demo-${n}` },
      })),
      { apiVersion: "v1", kind: "Service", metadata: inside, spec: { ports: [{ port: 80 }] } },
      { apiVersion: "apps/v1", kind: "Deployment", metadata: inside, spec: { selector: labels, template } },
    ];
    const usual = new AbortController();
    const own = await startSandbox({}, usual.signal);
    try {
      const kubeconfig = join(folder.path, "usual");
      writeFileSync(kubeconfig, own.kubeconfig);
      const withInput = { ...options, input: JSON.stringify({ apiVersion: "v1", kind: "List", items }) };
      const onOwn = (...args: string[]) => mustRun(program!, ["--kubeconfig", kubeconfig, ...args], withInput);
      await onOwn("apply", "-f", "-");
      await onOwn("rollout", "status", "deployment/demo", "-n", "demo-system", "--timeout=60s");
      expect(await onOwn("delete", "-f", "-")).toContain('deployment.apps "demo" deleted');
    } finally {
      usual.abort();
      await own.done;
    }
  });

  it("rolls deployments out, back and on", async () => {
    await kubectl("create", "deployment", "web", "--image=web:1", "--replicas=2");
    await kubectl("rollout", "status", "deployment/web", "--timeout=90s");
    await kubectl("wait", "--for=condition=Available", "deployment/web", "--timeout=90s");
    expect(await kubectl("get", "deploy", "web", "--no-headers")).toMatch(/^web +2\/2 +2 +2 /);
    expect(await kubectl("get", "pods", "-l", "app=web", "--no-headers")).toMatch(
      /^(web-\w+-\w{5} +1\/1 +Running +0 .*\n){2}$/,
    );
    await kubectl("set", "image", "deployment/web", "web=web:2");
    await kubectl("rollout", "status", "deployment/web", "--timeout=90s");
    expect(await kubectl("rollout", "history", "deployment/web")).toMatch(/^1 .*\n2 /m);
    await kubectl("rollout", "undo", "deployment/web");
    await kubectl("rollout", "status", "deployment/web", "--timeout=90s");
    expect(await kubectl("get", "deploy", "web", "-o", "jsonpath={..image}")).toBe("web:1");
    await kubectl("rollout", "restart", "deployment/web");
    await kubectl("rollout", "status", "deployment/web", "--timeout=90s");
    await kubectl("scale", "deployment/web", "--replicas=3");
    await kubectl("wait", "--for=jsonpath={.status.availableReplicas}=3", "deployment/web", "--timeout=90s");
    const description = await kubectl("describe", "deployment", "web");
    expect(description).toMatch(/^Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable$/m);
    expect(description).toContain("ScalingReplicaSet");
    expect(await kubectl("events", "--for=deployment/web")).toContain("ScalingReplicaSet");
    // kubectl shows no events for several pods.
    const [pod] = (await kubectl("get", "pods", "-l", "app=web", "-o", "name")).split("\n");
    expect(await kubectl("describe", pod!)).toContain("Successfully assigned default/web-");
    await kubectl("autoscale", "deployment", "web", "--max=5");
    await kubectl("expose", "deployment", "web", "--port=80");
    expect(await kubectl("get", "svc", "web", "--no-headers")).toMatch(
      /^web +ClusterIP +10\.\d+\.\d+\.\d+ +<none> +80\/TCP/,
    );
    await kubectl("delete", "deployment,service,hpa", "web");
    await until("the pods are deleted", async () =>
      (await kubectl("get", "pods", "-l", "app=web", "-o", "name")) === "" ? true : undefined,
    );
  });

  it("deletes with every cascade", async () => {
    await kubectl("create", "deployment", "orphaning", "--image=web:1");
    await kubectl("rollout", "status", "deployment/orphaning", "--timeout=90s");
    await kubectl("delete", "deployment", "orphaning", "--cascade=orphan");
    expect(await kubectl("get", "rs", "-l", "app=orphaning", "-o", "name")).toMatch(/^replicaset\.apps\/orphaning-/);
    await kubectl("delete", "rs", "-l", "app=orphaning", "--cascade=foreground");
    expect(await kubectl("get", "pods", "-l", "app=orphaning", "-o", "name")).toBe("");
    await kubectl("create", "configmap", "forced", "--from-literal=a=b");
    await kubectl("delete", "configmap", "forced", "--now");
  });

  it("runs jobs and pods, and shows their logs", async () => {
    await kubectl("create", "job", "hello", "--image=busybox", "--", "echo", "hello");
    await kubectl("wait", "--for=condition=Complete", "job/hello", "--timeout=90s");
    expect(await kubectl("get", "job", "hello", "--no-headers")).toMatch(/^hello +Complete +1\/1/);
    expect(await kubectl("logs", "job/hello")).toContain("This container is simulated");
    await kubectl("run", "alone", "--image=busybox");
    await kubectl("wait", "--for=condition=Ready", "pod/alone", "--timeout=90s");
    expect(await kubectl("logs", "alone", "--tail=1")).toContain("This container is simulated");
    expect(await kubectl("drain", "tsop-node", "--force", "--pod-selector=run=alone")).toContain(
      "node/tsop-node drained",
    );
    await waitForDeletion("pod", "alone");
    await kubectl("uncordon", "tsop-node");
    await kubectl("create", "cronjob", "hourly", "--image=busybox", "--schedule=0 * * * *");
    await kubectl("create", "job", "now", "--from=cronjob/hourly");
    await kubectl("wait", "--for=condition=Complete", "job/now", "--timeout=90s");
    await kubectl("delete", "job/hello", "job/now", "cronjob/hourly");
  });

  it("shows logs of running containers, and reports why others have none", async () => {
    await kubectl("create", "deployment", "talks", "--image=web:1", "--replicas=2");
    await kubectl("rollout", "status", "deployment/talks", "--timeout=90s");
    const line =
      "This container is simulated: its image is not run, so it prints nothing else. With --run-commands, the " +
      "commands of containers run on this machine, if it has the programs.\n";
    expect(await kubectl("logs", "deployment/talks", "-c", "web", "--since=1h")).toContain(line);
    expect(await kubectl("logs", "-l", "app=talks", "--prefix")).toMatch(
      /^(\[pod\/talks-\w+-\w{5}\/web\] This container .*\n){2}$/,
    );
    expect(await kubectl("logs", "deployment/talks", "--limit-bytes=4")).toBe("This");
    expect(await kubectl("logs", "deployment/talks", "--tail=0")).toBe("");
    expect(await kubectl("logs", "deployment/talks", "--timestamps")).toMatch(/^20\S+Z This container/);
    expect((await runRejected("logs", "deployment/talks", "--previous")).stderr).toMatch(
      /\(BadRequest\): previous terminated container "web" in pod "talks-\w+-\w{5}" not found/,
    );
    const follower = new LongRunning(program ?? "", ["logs", "-f", "deployment/talks"], options);
    await follower.prints(/This container is simulated/);
    await kubectl("scale", "deployment/talks", "--replicas=0");
    expect(await follower.ended).toBe(0);
    await kubectl("create", "deployment", "broken", "--image=fail:x");
    await until("its image can't be pulled", async () =>
      (await kubectl("get", "pods", "-l", "app=broken", "--no-headers")).includes("ImagePullBackOff")
        ? true
        : undefined,
    );
    expect((await runRejected("logs", "deployment/broken")).stderr).toMatch(
      /\(BadRequest\): container "fail" in pod "\S+" is waiting to start: trying and failing to pull image/,
    );
    expect((await runRejected("rollout", "status", "deployment/broken", "--timeout=1s")).stderr).toContain("timed out");
    await kubectl("delete", "deployment", "talks", "broken");
  });

  it("adds a simulated container to a running pod by debug", async () => {
    await kubectl("run", "debugged", "--image=busybox");
    await kubectl("wait", "--for=condition=Ready", "pod/debugged", "--timeout=90s");
    await kubectl("debug", "debugged", "--image=busybox", "--container=probe");
    const running = "--for=jsonpath={.status.ephemeralContainerStatuses[0].state.running}";
    await kubectl("wait", running, "pod/debugged", "--timeout=90s");
    expect(await kubectl("logs", "debugged", "--container=probe")).toBe("");
    await kubectl("delete", "pod", "debugged", "--now");
  });

  it.each([
    [["exec", "here", "--", "ls"], "pods/exec is not served: no containers run here"],
    [["attach", "here"], "pods/attach is not served: no containers run here"],
    [["cp", "here:/a", "b"], "pods/exec is not served: no containers run here"],
    [["port-forward", "pod/here", ":80"], "pods/portforward is not served: no containers run here"],
    [
      ["get", "--raw", "/api/v1/namespaces/default/pods/here/proxy/"],
      "pods/proxy is not served: no containers run here",
    ],
    [["top", "pods"], "Metrics API not available"],
  ])("reports an unsupported feature: %j", async (args, message) => {
    if ((await runRejected("get", "pod", "here")).code !== 0) {
      await kubectl("run", "here", "--image=busybox");
      await kubectl("wait", "--for=condition=Ready", "pod/here", "--timeout=90s");
    }
    const { code, stderr } = await runRejected(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it("serves through kubectl proxy", async () => {
    const proxy = new LongRunning(program ?? "", ["proxy", "--port=0"], options);
    const [, address] = await proxy.prints(/Starting to serve on (\S+)/);
    const answer = await fetch(`http://${address}/api/v1/namespaces/default`);
    expect(await answer.json()).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
    await proxy.stop("SIGTERM");
  });
});

describe.skipIf(!program)("kubectl, with commands of containers on this machine", () => {
  const folder = temporaryFolder("kubectl-exec");
  const stop = new AbortController();
  let sandbox: Sandbox;
  const env = { KUBECONFIG: join(folder.path, "kubeconfig"), HOME: folder.path };
  const options = { cwd: folder.path, env };
  const kubectl = (args: readonly string[], more: object = {}): Promise<Finished> =>
    run(program ?? "", args, { ...options, ...more });
  const serve = "require('http').createServer((_, answer) => answer.end('from the pod')).listen(0, '127.0.0.1', ";
  const script = `${serve} function () { console.log('port ' + this.address().port) })`;

  beforeAll(async () => {
    sandbox = await startSandbox({ runCommands: true, pace: { min: 5, max: 20 } }, stop.signal);
    writeFileSync(env.KUBECONFIG, sandbox.kubeconfig);
    const containers = [{ name: "main", image: "web", command: [process.execPath, "-e", script] }];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web" },
      spec: { restartPolicy: "Never", containers },
    };
    await mustRun(program ?? "", ["apply", "-f", "-"], { ...options, input: JSON.stringify(pod) });
    await mustRun(program ?? "", ["wait", "--for=condition=Ready", "pod/web", "--timeout=60s"], options);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox.done;
    folder.remove();
  });

  // kubectl has used WebSockets since 1.31, and clients of older versions SPDY.
  it.each(["true", "false"])("exec and cp, with WebSockets: %s", async (isWebSocket) => {
    const how = { env: { ...env, KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket } };
    const failed = await kubectl(["exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 3"], how);
    expect(failed).toMatchObject({ code: 3, stdout: "out\n" });
    expect(failed.stderr).toMatch(/^err\ncommand terminated with exit code 3/);
    const echoed = await kubectl(["exec", "-i", "web", "--", "cat"], { ...how, input: "in and out" });
    expect(echoed).toMatchObject({ code: 0, stdout: "in and out" });
    const [from, to] = [join(folder.path, "from"), join(folder.path, `to-${isWebSocket}`)];
    writeFileSync(from, "x".repeat(1_000_000));
    expect(await kubectl(["cp", from, `web:${to}`], how)).toMatchObject({ code: 0 });
    expect(readFileSync(to, "utf8")).toBe("x".repeat(1_000_000));
  });

  it.each(["true", "false"])("port-forward, with WebSockets: %s", async (isWebSocket) => {
    const port = /port (\d+)/.exec((await kubectl(["logs", "web"])).stdout)?.[1];
    const how = { ...options, env: { ...env, KUBECTL_PORT_FORWARD_WEBSOCKETS: isWebSocket } };
    const forward = new LongRunning(program ?? "", ["port-forward", "pod/web", `:${port}`], how);
    const [, local] = await forward.prints(/127\.0\.0\.1:(\d+)/);
    expect(await (await fetch(`http://127.0.0.1:${local}`)).text()).toBe("from the pod");
    await forward.stop();
  });
});

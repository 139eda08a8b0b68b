import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePorts } from "../../src/sandbox/webhooks/webhook-endpoint.ts";
import { findProgram, LongRunning, mustRun, repository, run, temporaryFolder } from "./shell.ts";

const [kubectl, kustomize] = [findProgram("kubectl"), findProgram("kustomize")];
const namespace = "memcached-operator-system";

/** What a user types after `create webhook` with its defaults. Needs kubectl and kustomize. */
describe.skipIf(!kubectl || !kustomize)("a deployment with webhooks on tsop sandbox", () => {
  const folder = temporaryFolder("deployed-webhooks");
  const project = join(folder.path, "memcached-operator");
  const options = { cwd: project, env: { KUBECONFIG: join(project, "sandbox.kubeconfig") } };
  const running: LongRunning[] = [];
  const tools = [`KUBECTL=${kubectl}`, `KUSTOMIZE=${kustomize}`];
  let port: number;

  const start = (program: string, ...args: string[]): LongRunning => {
    const started = new LongRunning(program, args, { ...options, group: true });
    running.push(started);
    return started;
  };
  const ask = (...args: string[]): Promise<string> => mustRun(kubectl!, args, options);
  const apply = (name: string): ReturnType<typeof run> => {
    const object = { apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", metadata: { name }, spec: {} };
    return run(kubectl!, ["apply", "-f", "-"], { ...options, input: JSON.stringify(object) });
  };

  beforeAll(async () => {
    mkdirSync(project);
    [port] = (await freePorts(1)) as [number];
    const tsop = join(repository, "bin/tsop.js");
    const type = ["--group", "cache", "--kind", "Memcached"];
    await mustRun(process.execPath, [tsop, "init", "--domain", "example.com"], options);
    await mustRun(process.execPath, [tsop, "create", "api", ...type], options);
    const webhooks = ["--defaulting", "--programmatic-validation"];
    await mustRun(process.execPath, [tsop, "create", "webhook", ...type, ...webhooks], options);
    const flags = ["--kubeconfig", "sandbox.kubeconfig", "--webhook-port", String(port)];
    await start(process.execPath, tsop, "sandbox", ...flags).prints(/kubectl: export KUBECONFIG=/);
  });
  afterAll(async () => {
    for (const each of running.toReversed()) await each.stop();
    folder.remove();
  });

  it("becomes ready, with certificates that the sandbox issues", async () => {
    await mustRun("make", ["install", "deploy", "IMG=example.com/op:v1", ...tools], options);
    const deployment = "deployment/memcached-operator-controller-manager";
    await ask("rollout", "status", deployment, "-n", namespace, "--timeout=90s");
    await ask("wait", "certificates", "--all", "-n", namespace, "--for=condition=Ready", "--timeout=90s");
    const authority = await ask(
      "get",
      "secret",
      "webhook-server-cert",
      "-n",
      namespace,
      "-o",
      "jsonpath={.data.ca\\.crt}",
    );
    const bundle = "jsonpath={.webhooks[0].clientConfig.caBundle}";
    for (const kind of ["validating", "mutating"]) {
      const name = `memcached-operator-${kind}-webhook-configuration`;
      expect(await ask("get", `${kind}webhookconfiguration`, name, "-o", bundle)).toBe(authority);
    }
  });

  it("has its webhooks answered by make run", async () => {
    const before = await apply("early");
    expect(before.stderr).toMatch(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
    // kubectl writes the kubeconfig again, and keeps the certificate in it.
    await ask("config", "set-context", "--current", "--namespace=default");
    const flags = `--health-probe-bind-address=0 --webhook-port=${port}`;
    await start("make", "run", `ARGS=${flags}`).prints(/"msg":"Starting workers"/);
    expect(await apply("late")).toMatchObject({ code: 0 });
    const label = "jsonpath={.metadata.labels.app\\.kubernetes\\.io/managed-by}";
    expect(await ask("get", "memcached", "late", "-o", label)).toBe("memcached-operator");
  });

  it("leaves no secret to git", async () => {
    await mustRun("git", ["init", "-q"], options);
    const files = ["sandbox.kubeconfig", "webhook-certs/tls.key"];
    expect(await mustRun("git", ["check-ignore", ...files], options)).toBe(`${files.join("\n")}\n`);
  });
});

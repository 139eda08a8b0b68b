import { cpSync, existsSync, readFileSync, readdirSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import {
  createClient,
  defineKind,
  isInvalid,
  isNotFound,
  loadConfig,
  mergePatch,
  type Client,
  type KubeObject,
} from "../../src/index.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { TestEnvironment } from "../../src/testing/index.ts";
import { parseImageReference } from "../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../src/oci/registry/registry-client.ts";
import { pushBase } from "../unit/oci/base-image.ts";
import { startRegistry } from "../unit/oci/start-registry.ts";
import { isRelease } from "../is-release.ts";
import { completeMemcached } from "./complete-memcached.ts";
import { runWorkflow } from "./run-workflow.ts";
import { findProgram, LongRunning, mustRun, repository, run, temporaryFolder, until } from "./shell.ts";

interface Memcached extends KubeObject {
  spec?: { size?: number; containerPort?: number };
  status?: { nodes?: string[]; conditions?: { type: string; status: string }[] };
}

const Memcached = defineKind<Memcached>({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
});
const MemcachedV1 = defineKind<KubeObject & { spec?: { replicas?: number; containerPort?: number } }>({
  group: "cache.example.com",
  version: "v1",
  kind: "Memcached",
  plural: "memcacheds",
});
const key = { namespace: "default", name: "memcached-sample" };
const assets = process.env["KUBEBUILDER_ASSETS"];
/** What KUBEBUILDER_ASSETS names: nothing, for the embedded API server, and for a release a real one if there is one. */
const servers = ["", ...(assets && isRelease ? [assets] : [])];
/** Further versions of Node for the tests of a project and `run --local`; the workflows run all of this on them, too. */
const versions = isRelease ? [22, 24] : [];

/** A user's first days with the packed package; `npm run demo` and the pages of docs/ walk the first steps in a checkout. */
describe("the journey, from the packed package", () => {
  const folder = temporaryFolder("journey");
  const first = join(folder.path, "first/memcached-operator");
  const project = join(folder.path, "memcached-operator");
  const localKubeconfig = join(project, ".tsop/kubeconfig");
  let failed = false;
  const tsop = (...args: string[]) => mustRun("npx", ["--no-install", "tsop", ...args], { cwd: project });
  const npm = (...args: string[]) => mustRun("npm", args, { cwd: project });

  beforeAll(async () => {
    await mustRun("npm", ["pack", "--ignore-scripts", "--pack-destination", folder.path], { cwd: repository });
    const tarball = readdirSync(folder.path).find((name) => name.endsWith(".tgz"));
    mkdirSync(join(folder.path, "installed"));
    await mustRun("npm", ["init", "-y"], { cwd: join(folder.path, "installed") });
    await mustRun("npm", ["install", "--prefer-offline", join("..", tarball!)], {
      cwd: join(folder.path, "installed"),
    });
    mkdirSync(first, { recursive: true });
  });

  afterAll(() => {
    if (failed) console.log(`the failed journey's folder: ${folder.path}`);
    else folder.remove();
  });

  const stepTest = (name: string, work: () => Promise<void>) =>
    it(name, async () => {
      onTestFailed(() => void (failed = true));
      await work();
    });

  stepTest("init makes a project and installs its dependencies", async () => {
    await mustRun(join(folder.path, "installed/node_modules/.bin/tsop"), ["init", "--domain", "example.com"], {
      cwd: first,
    });
    expect(existsSync(join(first, "PROJECT"))).toBe(true);
    expect(existsSync(join(first, "node_modules/tsop/package.json"))).toBe(true);
  });

  // A colleague or CI with a project of an unpublished tsop, which brings its own copy in vendor/.
  stepTest("in a copy in another folder, npm ci installs them; the following steps are taken there", async () => {
    cpSync(first, project, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    rmSync(first, { recursive: true });
    await npm("ci", "--prefer-offline");
  });

  stepTest("the project with a kind passes its own tests by make", async () => {
    await tsop("create", "api", "--group", "cache", "--kind", "Memcached");
    expect(await npm("start", "--silent", "--", "--help")).toContain("--leader-elect");
    expect(await tsop("generate", "manifests", "--check")).toBe("");
    for (const KUBEBUILDER_ASSETS of servers)
      await mustRun("make", ["test"], { cwd: project, env: { KUBEBUILDER_ASSETS } });
  });

  stepTest("edited types and controller generate, lint and build", async () => {
    completeMemcached(project);
    await tsop("generate", "manifests");
    await tsop("generate", "code");
    await npm("run", "typecheck");
    await npm("run", "build");
    await npm("run", "lint");
    await npm("test");
  });

  for (const version of versions)
    stepTest(`in Node ${version} it works as well`, async () => {
      const found = await run("npx", ["-y", `node@${version}`, "-p", "process.execPath"], { cwd: folder.path });
      if (found.code !== 0) return; // not every registry has them
      const node = found.stdout.trim().split("\n").at(-1)!;
      expect(await mustRun(node, ["--version"], { cwd: project })).toMatch(`v${version}.`);
      await mustRun(node, ["node_modules/vitest/vitest.mjs", "run", "--project", "unit"], { cwd: project });
      await withOperator(
        project,
        [],
        async (operator) => {
          await operator.prints(/Created the Deployment/);
          await refusesAndDeletes(createClient({ config: await loadConfig({ kubeconfig: localKubeconfig }) }));
        },
        node,
      );
    });

  // Without KUBEBUILDER_ASSETS there is no real API server to run against.
  it.skipIf(!assets)("run --local reconciles the sample on a real API server", async () => {
    onTestFailed(() => void (failed = true));
    const environment = new TestEnvironment({ binaryAssetsDirectory: assets! });
    await environment.start();
    try {
      await onRealServer(project, environment);
    } finally {
      await environment.stop();
    }
  });

  stepTest("create webhook adds a validator, which refuses a bad object", async () => {
    await tsop("create", "webhook", "--group", "cache", "--kind", "Memcached", "--programmatic-validation");
    await npm("run", "typecheck");
    await withOperator(project, [], async (operator) => {
      await operator.prints(/memcached-sample created/);
      const client = createClient({ config: await loadConfig({ kubeconfig: localKubeconfig }) });
      const annotations = { "cache.example.com/copy-of": "twin" };
      const twin = { metadata: { namespace: "default", name: "twin", annotations }, spec: {} };
      await expect(client.create(Memcached, twin)).rejects.toThrow(
        `admission webhook "vmemcached-v1alpha1.kb.io" denied the request: Memcached twin cannot be a copy of itself`,
      );
    });
  });

  stepTest("a second version is converted to and from", async () => {
    await tsop("create", "api", "--group", "cache", "--version", "v1", "--kind", "Memcached", "--controller=false");
    await tsop("create", "webhook", "--group", "cache", "--version", "v1", "--kind", "Memcached", "--conversion");
    renameSize(project);
    await tsop("generate", "code");
    await tsop("generate", "manifests");
    await npm("run", "typecheck");
    await npm("run", "lint");
    await withOperator(project, [], async (operator) => {
      await operator.prints(/memcached-v1-sample created/);
      await operator.prints(/memcached-sample created/);
      await operator.prints(/Created the Deployment/);
      const client = createClient({ config: await loadConfig({ kubeconfig: localKubeconfig }) });
      const stored = await client.get(MemcachedV1, key);
      expect(stored.spec).toMatchObject({ replicas: 3, containerPort: 11211 });
      await client.patch(MemcachedV1, key, mergePatch({ spec: { replicas: 2 } }));
      expect((await client.get(Memcached, key)).spec).toMatchObject({ size: 2, containerPort: 11211 });
      await until("the Deployment follows", async () => {
        const deployment = await client.get(Deployment, key);
        return deployment.spec?.replicas === 2 || undefined;
      });
    });
  });

  stepTest("the tests of webhooks and conversion pass", async () => {
    for (const server of servers) await npmTest(server);
  });

  stepTest("the tests of a conversion show what it throws", async () => {
    const path = join(project, "webhooks/v1alpha1/memcached_spoke.ts");
    const spoke = readFileSync(path, "utf8");
    writeFileSync(
      path,
      spoke.replaceAll("  return {", '  if (metadata.name) throw new TypeError("no size");\n  return {'),
    );
    const args = ["test", "--", "memcached_spoke"];
    const { stderr } = await run("npm", args, { cwd: project });
    writeFileSync(path, spoke);
    expect(stderr).toMatch(/failed to convert[\s\S]+TypeError: no size\n +at .*memcached_spoke\.ts/);
  });

  const npmTest = (KUBEBUILDER_ASSETS: string) =>
    mustRun("npm", ["test", "--", "webhooks", "--no-file-parallelism"], { cwd: project, env: { KUBEBUILDER_ASSETS } });

  // `make bundle` needs kubectl.
  it.skipIf(!findProgram("kubectl"))("make bundle writes a valid bundle of both versions", async () => {
    onTestFailed(() => void (failed = true));
    await mustRun("make", ["bundle", `KUBECTL=${findProgram("kubectl")}`], { cwd: project });
    await tsop("bundle", "validate", "./bundle", "--select-optional", "suite=operatorframework");
    const folder = join(project, "bundle/manifests");
    const csv = readFileSync(join(folder, "memcached-operator.clusterserviceversion.yaml"), "utf8");
    expect(csv).toContain("type: ConversionWebhook");
    expect(csv).toContain("type: ValidatingAdmissionWebhook");
    expect(csv.match(/^ {6}version: v1(alpha1)?$/gm)).toHaveLength(2);
  });

  it.skipIf(!findProgram("kubectl"))(
    "the release workflow publishes the images, the chart and the manifests",
    async () => {
      onTestFailed(() => void (failed = true));
      const registry = await startRegistry();
      const client = new RegistryClient({ credentialsOf: async () => undefined });
      await pushBase(`${registry.host}/base:nonroot`, client);
      const dockerfile = join(project, "Dockerfile");
      const text = readFileSync(dockerfile, "utf8");
      writeFileSync(dockerfile, text.replace(/^FROM gcr\.io.*$/m, `FROM ${registry.host}/base:nonroot`));
      await tsop("edit", "--plugins", "release");
      const said = join(folder.path, "said.txt");
      const says = `echo "\${0##*/} $*" >> "${said}"`;
      const outside = ["docker", "helm", "cosign", "gh"];
      const { failed: step, log } = await runWorkflow(".github/workflows/release.yml", "release", {
        project,
        folder: join(folder.path, "release"),
        programs: {
          ...Object.fromEntries(outside.map((name) => [name, says])),
          kubectl: `exec "${findProgram("kubectl")}" "$@"`,
        },
        expressions: { "github.token": "token" },
        env: {
          REGISTRY: registry.host,
          GITHUB_REPOSITORY: "Team/Memcached-Operator",
          GITHUB_REF_NAME: "v1.2.3",
          GITHUB_ACTOR: "someone",
        },
      });
      expect(step, log).toBeUndefined();
      const name = `${registry.host}/team/memcached-operator`;
      const image = new RegExp(`image: ${name}@sha256:[0-9a-f]{64}\n`);
      for (const file of ["dist/install.yaml", "bundle/manifests/memcached-operator.clusterserviceversion.yaml"])
        expect(readFileSync(join(project, file), "utf8")).toMatch(image);
      for (const each of [`${name}:v1.2.3`, `${name}-bundle:v1.2.3`]) await client.manifest(parseImageReference(each));
      const calls = readFileSync(said, "utf8");
      expect(calls).toContain(`cosign sign --yes ${name}-bundle@sha256:`);
      expect(calls).toContain(`helm package dist/chart --version 1.2.3 --app-version v1.2.3`);
      expect(calls).toContain("gh release create v1.2.3 --verify-tag");
      await registry.stop();
    },
  );
});

async function refusesAndDeletes(client: Client): Promise<void> {
  const refusal = await client
    .patch(Memcached, key, mergePatch({ spec: { size: 5 } }))
    .catch((error: unknown) => error);
  expect(isInvalid(refusal)).toBe(true);
  expect(String(refusal)).toContain("spec.size in body should be less than or equal to 3");
  await client.delete(Memcached, key);
  await until("the Deployment is deleted", () => isGone(client.get(Deployment, key)));
}

/** Runs the operator on a real server without controllers: the Deployment is created but never becomes available. */
async function onRealServer(project: string, environment: TestEnvironment): Promise<void> {
  const kubeconfig = join(project, "real.kubeconfig");
  writeFileSync(kubeconfig, environment.kubeconfig, { mode: 0o600 });
  await withOperator(project, ["--kubeconfig", kubeconfig, "--install"], async () => {
    const deployment = await until("the Deployment exists", () => environment.client.getOrUndefined(Deployment, key));
    expect(deployment.metadata.ownerReferences?.[0]?.kind).toBe("Memcached");
    await until("the status reports the wait", async () => {
      const found = await environment.client.get(Memcached, key);
      return found.status?.conditions?.find(({ type }) => type === "Available")?.status === "False" ? true : undefined;
    });
    await environment.client.delete(Memcached, key);
    await until("the finalizer is removed", () => isGone(environment.client.get(Memcached, key)));
  });
}

/** Renames the size to replicas in v1; the spoke converts it. */
function renameSize(project: string): void {
  const read = (path: string): string => readFileSync(join(project, path), "utf8");
  const types = read("api/v1alpha1/memcached_types.ts")
    .replaceAll("v1alpha1", "v1")
    .replaceAll(/\bsize\b/g, "replicas")
    .replace(
      " * +kubebuilder:subresource:status",
      " * +kubebuilder:storageversion\n * +kubebuilder:subresource:status",
    );
  writeFileSync(join(project, "api/v1/memcached_types.ts"), types);
  const sample = "config/samples/cache_v1_memcached.yaml";
  writeFileSync(join(project, sample), read(sample).replace("spec:\n  foo: bar\n", "spec: {}\n"));
  const path = "webhooks/v1alpha1/memcached_spoke.ts";
  const spoke = read(path)
    .replace("{ metadata, spec, status }: Memcached", "{ metadata, spec: { size, ...spec }, status }: Memcached")
    .replace("{ metadata, spec, status }: Hub", "{ metadata, spec: { replicas, ...spec }, status }: Hub")
    .replace("metadata, spec, ...", "metadata, spec: { ...spec, ...(size !== undefined && { replicas: size }) }, ...")
    .replace(
      "metadata, spec, ...",
      "metadata, spec: { ...spec, ...(replicas !== undefined && { size: replicas }) }, ...",
    );
  writeFileSync(join(project, path), spoke);
  const test = path.replace(".ts", ".test.ts");
  const same = "expect(hub.spec).toEqual(created.spec);";
  expect(read(test)).toContain(same);
  const renamed = "const { size, ...rest } = created.spec;\n    expect(hub.spec).toEqual({ ...rest, replicas: size });";
  writeFileSync(join(project, test), read(test).replace(same, renamed));
}

/** Runs the operator during the work, then expects it to exit with 0 on Ctrl-C. */
async function withOperator(
  project: string,
  flags: readonly string[],
  work: (operator: LongRunning) => Promise<void>,
  node: string = process.execPath,
): Promise<void> {
  const args = [
    join(project, "node_modules/tsop/bin/tsop.js"),
    "run",
    "--local",
    "--apply",
    "config/samples",
    ...flags,
  ];
  const operator = new LongRunning(node, args, { cwd: project });
  try {
    await work(operator);
  } catch (error) {
    await operator.stop("SIGTERM");
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}\nthe operator said:\n${operator.output}`,
      { cause: error },
    );
  }
  expect(await operator.stop()).toBe(0);
}

/** Reports whether a read fails with "not found"; poll it until then. */
async function isGone(reading: Promise<unknown>): Promise<true | undefined> {
  return reading.then(
    () => undefined,
    (error: unknown) => isNotFound(error) || undefined,
  );
}

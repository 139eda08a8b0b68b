import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emitYaml } from "../../../../src/apimachinery/yaml/emit.ts";
import { parseYamlDocuments } from "../../../../src/apimachinery/yaml/parse.ts";
import { main } from "../../../../src/cli/main.ts";
import type { Client } from "../../../../src/client/client.ts";
import { CustomResourceDefinition } from "../../../../src/client/manifests/install-crds.ts";
import { CsvKind, OperatorGroupKind } from "../../../../src/client/manifests/olm-kinds.ts";
import { PodKind } from "../../../../src/olm/cluster/kinds.ts";
import { formatKubeconfig } from "../../../../src/sandbox/disk/write-kubeconfig.ts";
import { NamespaceKind, ServiceAccountKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { memoryIo } from "../../cli/memory-io.ts";
import { serveImage } from "../registry/serve-image.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const folder = temporaryFolder();
const stopping = new AbortController();
const namespace = "default";
let client: Client;
let kubeconfig: string;

interface Kubeconfig {
  readonly users: object[];
  readonly clusters: object[];
  readonly contexts: { name: string; context: object }[];
}

beforeAll(async () => {
  const sandbox = await startSandbox({ olm: true, runCommands: true, pace: { min: 1, max: 5 } }, stopping.signal);
  client = sandbox.client;
  kubeconfig = formatKubeconfig(sandbox.config);
  writeFileSync(join(folder, "kubeconfig"), kubeconfig);
});
afterAll(() => stopping.abort());

const runBundle = "run bundle bundle --timeout 30s";

const tsop = (line: string) => tsopWith({ of: "no-base" }, line);

/** Runs a command line that must succeed. */
async function succeed(line: string, bundle: BundleCase = { of: "no-base" }) {
  const result = await tsopWith(bundle, line);
  expect(result.code, result.err).toBe(0);
  return result;
}

async function refuse(line: string, error: string | RegExp, bundle: BundleCase = { of: "no-base" }) {
  const { code, err } = await tsopWith(bundle, line);
  expect([code, err]).toEqual([
    1,
    typeof error === "string" ? expect.stringContaining(error) : expect.stringMatching(error),
  ]);
}

const cleanUp = () => succeed("cleanup memcached-operator");

async function tsopWith(bundle: BundleCase, line: string) {
  const content = [...bundleOf(bundle)].map(([path, text]) => [`/p/bundle/${path}`, text]);
  const project = ["/p/PROJECT", 'layout: typescript.tsop.dev/v1\nprojectName: memcached-operator\nversion: "3"\n'];
  const env = { KUBECONFIG: join(folder, "kubeconfig") };
  const io = { ...memoryIo({ files: Object.fromEntries([...content, project]) }), env };
  const argv = line.split(" ").map((word) => (word === '""' ? "" : word));
  const [first, second = "", ...rest] = argv;
  // Only this command does without a cluster if no flag names one.
  const isRun = first === "run" && second === "bundle" && !argv.includes("--kubeconfig");
  const code = await main(isRun ? [first, second, "--kubeconfig", env.KUBECONFIG, ...rest] : argv, io);
  return { code, out: io.out(), err: io.err() };
}

const crds = async () => (await client.list(CustomResourceDefinition)).items.map(({ metadata }) => metadata.name);
const groups = async () =>
  (await client.list(OperatorGroupKind, { namespace })).items.map(({ metadata }) => metadata.name);

describe("flags of run bundle and cleanup", () => {
  it("give the registry pod its images, accounts and security", async () => {
    const images = "--index-image example.com/opm:1 --decompression-image example.com/gzip:1";
    const account = "--service-account puller --pull-secret-name login --image-pull-policy IfNotPresent";
    await client.create(ServiceAccountKind, { metadata: { name: "puller", namespace } });
    await succeed(`${runBundle} ${images} ${account} --security-context-config restricted`);
    const { items } = await client.list(PodKind, { namespace });
    const registry = items.find(({ spec }) => JSON.stringify(spec).includes("registry-grpc"));
    // With --run-commands, too: its command needs opm, which this machine may not have.
    expect(registry?.["status"]).toMatchObject({ containerStatuses: [{ ready: true, restartCount: 0 }] });
    const spec = registry?.["spec"];
    expect(spec).toMatchObject({
      serviceAccountName: "puller",
      imagePullSecrets: [{ name: "login" }],
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      initContainers: [{ image: "example.com/gzip:1" }],
      containers: [
        {
          image: "example.com/opm:1",
          imagePullPolicy: "IfNotPresent",
          securityContext: { privileged: false, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    });
  });

  it("choose what cleanup deletes", async () => {
    const left = async (): Promise<unknown> => ({
      crd: (await crds()).includes("memcacheds.cache.example.com"),
      group: (await groups()).length,
    });
    const install = async (): Promise<void> => {
      await succeed(runBundle);
      expect(await left()).toEqual({ crd: true, group: 1 });
    };
    const clean = async (flags = ""): Promise<unknown> => {
      await succeed(`cleanup memcached-operator${flags}`);
      return left();
    };
    const listed = await tsop("cleanup memcached-operator --delete-all=false --dry-run");
    expect(listed.out).toContain("subscriptions/");
    expect(listed.out).not.toMatch(/customresourcedefinitions|operatorgroups/);
    expect(await clean(" --delete-all=false")).toEqual({ crd: true, group: 1 });
    await install();
    expect(await clean(" --delete-all=false --delete-crds")).toEqual({ crd: false, group: 1 });
    await install();
    expect(await clean(" --delete-all=false --delete-operator-groups")).toEqual({ crd: true, group: 0 });
    await install();
    expect(await clean()).toEqual({ crd: false, group: 0 });
    expect((await tsop("cleanup memcached-operator")).err).toContain("nothing of package memcached-operator is in");
  });

  it("replace what an earlier run has installed", async () => {
    const crdUid = async () =>
      (await client.get(CustomResourceDefinition, { name: "memcacheds.cache.example.com" })).metadata.uid;
    await succeed(runBundle);
    const before = await crdUid();
    await refuse(runBundle, "[TSOP_CATALOG_EXISTS]");
    expect(await crdUid()).toBe(before);
    await refuse("run bundle-upgrade bundle --timeout 30s", /\[TSOP_BUNDLE_IN_CATALOG\]\n.* --replace\n$/);
    expect((await succeed(`${runBundle} --replace`)).out).toBe("memcached-operator.v0.0.0 is installed\n");
    expect(await crdUid()).not.toBe(before);
    await cleanUp();
  });

  it.each([
    ["older", "0.0.0-rc.1"],
    ["as old", "0.0.0+2"],
  ])("replace an operator by one that is %s only with --force", async (_, version) => {
    const name = "memcached-operator.other";
    const csv = [
      ["memcached-operator.v0.0.0", name],
      ["version: 0.0.0", `version: ${version}`],
    ] as const;
    const other: BundleCase = { of: "no-base", edit: { csv } };
    const upgrade = "run bundle-upgrade bundle --timeout 30s";
    await succeed(runBundle);
    const csvs = async () => (await client.list(CsvKind, { namespace })).items.map(({ metadata }) => metadata.name);
    const { code, err } = await tsopWith(other, upgrade);
    expect([code, err]).toEqual([1, expect.stringContaining("[TSOP_BUNDLE_NOT_NEWER]")]);
    expect(err).toContain(`${name} has version ${version}, which is not newer than 0.0.0 of memcached-operator`);
    expect(await csvs()).toEqual(["memcached-operator.v0.0.0"]);
    expect((await succeed(`${upgrade} --force`, other)).out).toBe(`${name} is installed\n`);
    await expect.poll(csvs).toEqual([name]);
    await cleanUp();
  });

  it("install nothing if there is nothing to apply", async () => {
    await refuse(`${runBundle} --apply nowhere`, "[TSOP_MANIFEST_NOT_FOUND]");
    const cleaned = await tsop("cleanup memcached-operator");
    expect(cleaned.err).toBe("nothing of package memcached-operator is in namespace default\n");
  });

  it("start no server if there is nothing to apply", async () => {
    const io = memoryIo();
    expect(await main(["run", "bundle", "bundle", "--apply", "nowhere"], io)).toBe(1);
    expect(io.err()).toMatch(/^error: \S+nowhere does not exist .*\[TSOP_MANIFEST_NOT_FOUND\]\nhint: /);
  });

  const pdb = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 1}\n";
  const version = "  version: 0.0.0\n";
  it.each<[string, BundleCase, RegExp]>([
    [
      "an API that is not served",
      { of: "no-base", write: { "manifests/a-budget.yaml": pdb } },
      /InstallPlan install-\w+: .*does not serve PodDisruptionBudget/,
    ],
    [
      "a version of the cluster that is none",
      { of: "no-base", edit: { csv: [[version, `${version}  minKubeVersion: "1.25"\n`]] } },
      /PresentNotSatisfied: CSV version parsing error/,
    ],
    [
      "a strategy that OLM does not know",
      { of: "no-base", edit: { csv: [["strategy: deployment", "strategy: deploymnt"]] } },
      /InvalidStrategy: install strategy invalid: unrecognized install strategy/,
    ],
  ])("explain why a bundle is not installed: %s", async (_, bundle, reason) => {
    await refuse("run bundle bundle --timeout 4s", reason, bundle);
    await cleanUp();
  });

  it("choose the cluster and its namespace by a context", async () => {
    const { users, clusters, contexts } = parseYamlDocuments(kubeconfig)[0] as Kubeconfig;
    const staging = { ...contexts[0]!.context, namespace: "other" };
    const broken = { server: "https://127.0.0.1:1" };
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "broken",
      users,
      clusters: [...clusters, { name: "broken", cluster: broken }],
      contexts: [
        { name: "broken", context: { ...staging, cluster: "broken" } },
        { name: "staging", context: staging },
      ],
    };
    const file = join(folder, "contexts");
    writeFileSync(file, emitYaml(config));
    await client.create(NamespaceKind, { metadata: { name: "other" } });
    const context = `--kubeconfig ${file} --context staging`;
    await succeed(`${runBundle} ${context}`);
    expect((await client.list(CsvKind, { namespace: "other" })).items.map(({ metadata }) => metadata.name)).toEqual([
      "memcached-operator.v0.0.0",
    ]);
    await succeed(`cleanup memcached-operator ${context} --timeout 30s`);
  });

  it("do not touch an operator that serves the namespace from another one", async () => {
    await client.create(NamespaceKind, { metadata: { name: "served" } });
    await succeed(runBundle);
    const key = { namespace: "served", name: "memcached-operator.v0.0.0" };
    await expect.poll(() => client.getOrUndefined(CsvKind, key)).toBeDefined();
    await refuse(`${runBundle} --namespace served`, "runs in namespace default, and serves");
    const cleaned = await tsop("cleanup memcached-operator --namespace served");
    expect(cleaned.err).toBe("nothing of package memcached-operator is in namespace served\n");
    expect(await crds()).toContain("memcacheds.cache.example.com");
    await cleanUp();
  });

  it.each(["--plain-http", "--use-http"])("pull a bundle without TLS with %s", async (flag) => {
    const registry = await serveImage(bundleOf({ of: "no-base" }));
    const pull = `run bundle ${registry.host}/bundle:v0.0.1 --timeout 30s --yes`;
    try {
      await refuse(pull, "needs --plain-http");
      await succeed(`${pull} ${flag}`);
      await cleanUp();
    } finally {
      registry.close();
    }
  });

  it.each([
    ["no bundle", "run bundle", "missing required argument 'bundle'"],
    ["a folder without one", "run bundle nowhere --timeout 5s", "TSOP_"],
    ["a mode that OLM does not know", "run bundle bundle --install-mode Own", "AllNamespaces"],
    ["an empty mode", 'run bundle bundle --install-mode ""', "AllNamespaces"],
    ["another pull policy", "run bundle bundle --image-pull-policy Sometimes", "Always, IfNotPresent, Never"],
    ["another security", "run bundle bundle --security-context-config none", "legacy, restricted"],
    ["a flag without its value", "run bundle bundle --index-image", "argument missing"],
    ["a flag with a typo", "run bundle bundle --index-imag a", "Did you mean --index-image?"],
    [
      "no verification",
      "run bundle-upgrade bundle --skip-tls-verify",
      "error: --skip-tls-verify: .* authority with --ca-file FILE",
    ],
    ["the secret of an authority", "run bundle bundle --ca-secret-name a", "use --ca-file FILE"],
    ["a command with a typo", "run bundel bundle", "unknown command 'bundel'; run has the commands bundle and"],
    ["no command", "run", "required option '--local' not specified"],
    ["no package", "cleanup", "missing required argument 'package'"],
    ["a boolean with a typo", "cleanup a --delete-all=flase", "flase"],
    [
      "a namespace that does not exist",
      "run bundle bundle --namespace absent",
      "not found {2}\\[TSOP_SERVER_REFUSED\\]\nhint: create it: kubectl create namespace absent",
    ],
    ["an upgrade of nothing", "run bundle-upgrade bundle --timeout 5s", "TSOP_"],
  ])("cause one error for %s", async (_, line, message) => {
    const { code, err } = await tsop(line);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(new RegExp(message));
    expect(err.match(/^error: /gm)).toHaveLength(1);
  });
});

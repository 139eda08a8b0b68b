import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { connectRegistry } from "../../../src/oci/registry/connect-registry.ts";
import { NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { pushBundle } from "./push-bundle.ts";
import { startQuay } from "./quay.ts";
import { registryProgram, startRegistry } from "../../unit/oci/start-registry.ts";
import { startRealOlm } from "./real-olm.ts";
import { comparableSteps, type Step } from "./tool-differences.ts";
import { bundleWithImage, toolScenarios } from "./tool-scenarios.ts";
import { operatorSdk, sdkAgent, tsop, tsopAgent, type Tool } from "./tools.ts";
import { auditedWrite, auditPolicy, loggedWrites, normalizeWrites, type Write } from "./writes.ts";

// tsop in the sandbox always. With operator-sdk and a registry, operator-sdk there as well; with a real OLM (see olm.test.ts),
// tsop on a real control plane, too. With TSOP_RECORD=1, what operator-sdk does on that becomes the recording.
const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const programs = process.env["TSOP_OLM"];
const program = join(assets, "operator-sdk");
const hasSdk = registryProgram !== undefined && existsSync(program);
const hasReal = programs !== undefined && hasSdk;
const recorded = new URL("../recorded/operator-sdk/", import.meta.url);

interface World {
  readonly client: Client;
  /** Address of the registry. */
  readonly host: string;
  toolFor(namespace: string): Tool;
  /** Returns the writes of the tool since the last call. */
  takeWrites(): Write[];
  push(bundle: ReturnType<typeof bundleWithImage>): Promise<void>;
  readonly stop: () => Promise<void>;
}

const onCluster = { timeoutMs: 60_000, inVainMs: 25_000 };
const lanes = [0, 1, 2, 3];

// Side by side on several servers: most of the time is waiting.
describe.concurrent.each(lanes)("tsop in the sandbox writes what operator-sdk writes on a cluster (%i)", (lane) =>
  compare(simulatedWorld, {
    name: "sim",
    scenarios: toolScenarios.filter((_, index) => index % lanes.length === lane),
  }),
);

describe.runIf(hasSdk)("operator-sdk in the sandbox writes what it writes on a cluster", () =>
  compare(simulatedWorldOfSdk, { name: "simsdk" }),
);

describe.runIf(hasReal)("tsop on a cluster writes what operator-sdk writes", () =>
  compare(() => realWorld("tsop"), { name: "tsop" }),
);

describe.runIf(hasReal && process.env["TSOP_RECORD"] === "1")("operator-sdk on a cluster", () =>
  compare(() => realWorld("operator-sdk"), { name: "sdk", record: true }),
);

interface Comparison {
  readonly name: string;
  readonly record?: boolean;
  readonly scenarios?: typeof toolScenarios;
}

function compare(
  start: () => Promise<World>,
  { name: prefix, record = false, scenarios = toolScenarios }: Comparison,
): void {
  let world: World;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world?.stop());
  // One after the other: the writes of a scenario are those between two moments.
  it.sequential.each(scenarios)("$name", async ({ name, play }) => {
    const { client, host } = world;
    const namespace = `${prefix}-${name}`;
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const steps: Step[] = [];
    world.takeWrites();
    await play({
      tool: world.toolFor(namespace),
      client,
      namespace,
      async bundle(options) {
        const bundle = bundleWithImage(name, host, options);
        await world.push(bundle);
        return bundle;
      },
      async step(title, action) {
        const error = (await action).replaceAll(namespace, "{ns}").replaceAll(host, "registry.example.com");
        steps.push({ step: title, error, writes: normalizeWrites(world.takeWrites(), { namespace, host }) });
      },
    });
    const file = new URL(`${name}.json`, recorded);
    if (record) writeFileSync(file, `${JSON.stringify(steps, undefined, 1)}\n`);
    else expect(comparableSteps(steps)).toEqual(comparableSteps(JSON.parse(readFileSync(file, "utf8"))));
  });
}

async function simulatedWorld(): Promise<World> {
  const { config, ...sandbox } = await auditedSandbox(tsopAgent);
  return {
    ...sandbox,
    host: "registry.example.com",
    toolFor: (namespace) => tsop({ config, namespace, waits: { timeoutMs: 60_000, inVainMs: 10_000 } }),
    push: async () => {},
  };
}

async function simulatedWorldOfSdk(): Promise<World> {
  const { config, ...sandbox } = await auditedSandbox(sdkAgent);
  const folder = mkdtempSync(join(tmpdir(), "tsop-sdk-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, formatKubeconfig(config), { mode: 0o600 });
  const images = await startImages(folder);
  return {
    ...sandbox,
    ...images,
    toolFor: (namespace) => operatorSdk({ program, kubeconfig, namespace, ...images, waits: onCluster }),
    async stop() {
      await sandbox.stop();
      await images.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the embedded server with the simulated OLM, which keeps the writes of one client. */
async function auditedSandbox(
  agent: string,
): Promise<Pick<World, "client" | "takeWrites" | "stop"> & { readonly config: ClientConfig }> {
  const ended = new AbortController();
  const writes: Write[] = [];
  const sandbox = await startSandbox(
    {
      olm: true,
      rbac: true,
      pace: { min: 1, max: 5 },
      onAudit: (event) => {
        const write = event.request.headers["user-agent"]?.startsWith(agent) ? auditedWrite(event) : undefined;
        if (write) writes.push(write);
      },
    },
    ended.signal,
  );
  return {
    client: sandbox.client,
    config: sandbox.config,
    takeWrites: () => writes.splice(0),
    async stop() {
      ended.abort();
      await sandbox.done;
    },
  };
}

interface Images {
  /** Address of the registry. */
  readonly host: string;
  readonly push: World["push"];
  /** The home of operator-sdk, and the variables by which it finds the registry in place of quay.io. */
  readonly home: string;
  readonly proxy: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Starts the registries from which a tool pulls bundles and the catalog's base. */
async function startImages(folder: string): Promise<Images> {
  const registry = await startRegistry();
  const quay = await startQuay(folder);
  const home = join(folder, "home");
  mkdirSync(home);
  const client = await connectRegistry({ env: { HOME: home }, disk: realDisk() });
  return {
    host: registry.host,
    push: (bundle) => pushBundle(bundle, client),
    home,
    proxy: quay.env,
    async stop() {
      await registry.stop();
      await quay.stop();
    },
  };
}

async function realWorld(name: "tsop" | "operator-sdk"): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "tsop-audit-"));
  const [policy, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  writeFileSync(policy, auditPolicy);
  const apiServerArguments = [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`];
  const { config, kubeconfig, ...olm } = await startRealOlm({ assets, programs: programs!, apiServerArguments });
  const images = await startImages(folder);
  let seen = 0;
  const agent = name === "tsop" ? tsopAgent : sdkAgent;
  return {
    client: olm.client,
    ...images,
    toolFor: (namespace) =>
      name === "tsop"
        ? tsop({ config, namespace, waits: onCluster })
        : operatorSdk({ program, kubeconfig, namespace, ...images, waits: onCluster }),
    takeWrites() {
      const all = loggedWrites(log, agent);
      const fresh = all.slice(seen);
      seen = all.length;
      return fresh;
    },
    async stop() {
      await olm.stop();
      await images.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

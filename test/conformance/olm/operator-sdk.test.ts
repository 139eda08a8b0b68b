import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { connectRegistry } from "../../../src/olm/registry/connect-registry.ts";
import { NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { pushBundle } from "./push-bundle.ts";
import { startQuay } from "./quay.ts";
import { registryProgram, startRegistry } from "../../unit/olm/registry/start-registry.ts";
import { startRealOlm } from "./real-olm.ts";
import { comparableSteps, type Step } from "./tool-differences.ts";
import { bundleWithImage, toolScenarios } from "./tool-scenarios.ts";
import { operatorSdk, sdkAgent, tsop, tsopAgent, type Tool } from "./tools.ts";
import { auditedWrite, auditPolicy, loggedWrites, normalizeWrites, type Write } from "./writes.ts";

// tsop in the sandbox always. With a real OLM (see olm.test.ts), operator-sdk and a registry, tsop on a real control plane
// as well; with TSOP_RECORD=1, what operator-sdk does there becomes the recording.
const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const programs = process.env["TSOP_OLM"];
const program = join(assets, "operator-sdk");
const hasReal = programs !== undefined && registryProgram !== undefined && existsSync(program);
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

describe("tsop in the sandbox writes what operator-sdk writes on a cluster", () =>
  compare(simulatedWorld, { name: "sim" }));

describe.runIf(hasReal)("tsop on a cluster writes what operator-sdk writes", () =>
  compare(() => realWorld("tsop"), { name: "tsop" }),
);

describe.runIf(hasReal && process.env["TSOP_RECORD"] === "1")("operator-sdk on a cluster", () =>
  compare(() => realWorld("operator-sdk"), { name: "sdk", record: true }),
);

function compare(
  start: () => Promise<World>,
  { name: prefix, record = false }: { name: string; record?: boolean },
): void {
  let world: World;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world?.stop());
  // One after the other: the writes of a scenario are those between two moments.
  it.each(toolScenarios)("$name", async ({ name, play }) => {
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
  const ended = new AbortController();
  let writes: Write[] = [];
  const sandbox = await startSandbox(
    {
      olm: true,
      rbac: true,
      pace: { min: 1, max: 5 },
      onAudit: (event) => {
        const write = event.request.headers["user-agent"] === tsopAgent ? auditedWrite(event) : undefined;
        if (write) writes.push(write);
      },
    },
    ended.signal,
  );
  return {
    client: sandbox.client,
    host: "registry.example.com",
    toolFor: (namespace) => tsop({ config: sandbox.config, namespace, timeoutMs: 6_000 }),
    takeWrites: () => writes.splice(0),
    push: async () => {},
    async stop() {
      ended.abort();
      await sandbox.done;
    },
  };
}

async function realWorld(name: "tsop" | "operator-sdk"): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "tsop-audit-"));
  const [policy, log] = [join(folder, "policy.json"), join(folder, "audit.log")];
  writeFileSync(policy, auditPolicy);
  const apiServerArguments = [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`];
  const olm = await startRealOlm({ assets, programs: programs!, apiServerArguments });
  const registry = await startRegistry();
  const { host } = registry;
  const quay = await startQuay(folder);
  let seen = 0;
  const agent = name === "tsop" ? tsopAgent : sdkAgent;
  const home = join(folder, "home");
  mkdirSync(home);
  const client = await connectRegistry({ env: { HOME: home }, disk: realDisk() });
  const timeoutMs = 25_000;
  return {
    client: olm.client,
    host,
    toolFor: (namespace) =>
      name === "tsop"
        ? tsop({ config: olm.config, namespace, timeoutMs })
        : operatorSdk({ program, kubeconfig: olm.kubeconfig, namespace, home, proxy: quay.env, timeoutMs }),
    takeWrites() {
      const all = loggedWrites(log, agent);
      const fresh = all.slice(seen);
      seen = all.length;
      return fresh;
    },
    push: (bundle) => pushBundle(bundle, client),
    async stop() {
      await olm.stop();
      await registry.stop();
      await quay.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isNotFound } from "../../../src/apimachinery/status.ts";
import { ApiCaller, isKindNotServed } from "../../../src/client/calls/api-caller.ts";
import type { Client } from "../../../src/client/client.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { discoverAll, preferredKinds } from "../../../src/client/discovery/discover-all.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { objectTitle } from "../../../src/olm/cluster/await-gone.ts";
import {
  ClusterRoleBindingKind,
  ClusterRoleKind,
  NamespaceKind,
  SecretKind,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { comparable } from "./known-differences.ts";
import { isLabelOfLostRole, observe } from "./observe.ts";
import { startRealOlm } from "./real-olm.ts";
import { olmScenarios, olmUser, webhook, type OlmScenario } from "./scenarios.ts";
import { thingBundle } from "./thing-bundle.ts";

// The simulated OLM always; a real one when TSOP_OLM names a folder with its programs (olm, catalog and deploy/chart/crds)
// and KUBEBUILDER_ASSETS one with a control plane and opm. With TSOP_RECORD=1 what the real one does becomes the recording.
const assets = process.env["KUBEBUILDER_ASSETS"];
const programs = process.env["TSOP_OLM"];
const record = process.env["TSOP_RECORD"] === "1";
const folder = new URL("../recorded/olm/", import.meta.url);

interface Target {
  readonly client: Client;
  readonly config: ClientConfig;
  readonly stop: () => Promise<void>;
}

async function startSimulated(): Promise<Target> {
  const ended = new AbortController();
  const sandbox = await startSandbox({ olm: true, rbac: true, pace: { min: 1, max: 5 } }, ended.signal);
  return {
    client: sandbox.client,
    config: sandbox.config,
    async stop() {
      ended.abort();
      await sandbox.done;
    },
  };
}

const simulatedScenarios = olmScenarios.filter(({ onlyReal }) => !onlyReal);
const lanes = [0, 1, 2, 3];

// Side by side on several servers: most of the time is waiting.
describe.concurrent.each(lanes)("the simulated OLM goes through the states of a real one (%i)", (lane) =>
  conformance(startSimulated, {
    recording: false,
    scenarios: simulatedScenarios.filter((_, index) => index % lanes.length === lane),
  }),
);

describe.runIf(assets && programs)("the real OLM goes through the recorded states", () =>
  conformance(() => startRealOlm({ assets: assets!, programs: programs! }), { recording: record }),
);

describe.runIf(assets && programs)("the real OLM goes through them on the embedded server", () =>
  conformance(() => startRealOlm({ assets: assets!, programs: programs!, embedded: true }), { recording: false }),
);

// Each on a server of its own: a real OLM behaves otherwise once it has labelled all that it found at its start.
describe("the server is as it was, after an upgrade and a cleanup", () => {
  it("of the simulated OLM", () => compareContent(startSimulated));
  it.runIf(assets && programs)("of a real OLM", () =>
    compareContent(() => startRealOlm({ assets: assets!, programs: programs! })),
  );
  it.runIf(assets && programs)("of a real OLM on the embedded server", () =>
    compareContent(() => startRealOlm({ assets: assets!, programs: programs!, embedded: true })),
  );
});

interface ConformanceOptions {
  readonly recording: boolean;
  readonly scenarios?: readonly OlmScenario[];
}

function conformance(start: () => Promise<Target>, { recording, scenarios = olmScenarios }: ConformanceOptions): void {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target?.stop());
  it.sequential.each(scenarios)("$name", async (scenario) => {
    const file = new URL(`${scenario.name}.json`, folder);
    const expected = recording ? {} : (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);
    try {
      const seen = await statesOf(scenario, target, expected);
      if (recording) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, `${JSON.stringify(seen, undefined, 1)}\n`);
      }
      expect(comparable(seen)).toEqual(comparable(recording ? seen : expected));
    } catch (failure) {
      // What it leaves would fail the next scenario.
      await target.stop();
      target = await start();
      throw failure;
    }
  });
}

/** Plays a scenario and returns the states at its steps, once they are as expected or no longer change. */
async function statesOf(
  { name, play }: OlmScenario,
  { client }: Target,
  expected: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const namespace = `olm-${name}`;
  await removeLeftRoles(client);
  await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const seen: Record<string, unknown> = {};
  const group = ".example.com";
  const host = { client, namespace, signal: new AbortController().signal, timeoutMs: 60_000, emit: () => {} };
  await play(
    olmUser(host, {
      look: async (step) =>
        void (seen[step] = await settled(
          () => observe(client, namespace, group),
          (state) => isDeepStrictEqual(asRecorded({ [step]: state }), asRecorded({ [step]: expected[step] })),
        )),
      impatientMs: 20_000,
      gone: () => untilGone(async () => (await observe(client, namespace, group)).filter(isCollected)),
      error: (step, text) =>
        void (seen[step] = text
          .replaceAll(namespace, "{ns}")
          .replaceAll("+tsop", "")
          .replace(/install-[a-z0-9]{5}/g, "install-<suffix>")
          .replace(/pod [0-9a-f]{40,}[a-z0-9]*:/g, "pod <unpack>:")
          .replace(/-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, "-<hash>")
          .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}:/g, "-<suffix>:")),
    }),
  );
  return seen;
}

/**
 * Removes the cluster roles that a real OLM has left of an earlier scenario. Those of a CSV for all namespaces have names
 * without its namespace, so that OLM takes them for those of the next one.
 */
async function removeLeftRoles(client: Client): Promise<void> {
  const labels = "olm.owner.kind=ClusterServiceVersion";
  for (const kind of [ClusterRoleKind, ClusterRoleBindingKind]) await client.deleteAllOf(kind, { labels });
}

/** Compares all objects of a server before a bundle is installed and after it is removed. */
async function compareContent(start: () => Promise<Target>): Promise<void> {
  const target = await start();
  try {
    const { client } = target;
    const namespace = "olm-content";
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await client.create(SecretKind, { metadata: { name: "mine", namespace } });
    const host = { client, namespace, signal: new AbortController().signal, timeoutMs: 60_000, emit: () => {} };
    const user = olmUser(host, { look: async () => {}, gone: async () => {}, error: () => {} });
    await expect.poll(async () => (await contentOf(target)).filter((name) => name.includes(namespace))).toHaveLength(4);
    const before = await contentOf(target);
    const webhooks = [webhook({})];
    await user.run(thingBundle("content", { webhooks }));
    await user.upgrade(thingBundle("content", { version: "0.2.0", webhooks }));
    const installed = await contentOf(target);
    expect(before.filter((name) => !installed.includes(name))).toEqual([]);
    expect(installed.length).toBeGreaterThan(before.length + 10);
    await user.cleanup("thing");
    await expect.poll(() => contentOf(target), { timeout: 90_000, interval: 200 }).toEqual(before);
  } finally {
    await target.stop();
  }
}

/**
 * Names the objects of a server, but events, which expire, leases, and Operators: OLM makes an Operator again while the
 * garbage collector has not finished, and never deletes it.
 */
async function contentOf({ client, config }: Target): Promise<string[]> {
  const kinds = preferredKinds(await discoverAll(new ApiCaller(new HttpTransport(config))));
  const stored = kinds.filter(
    ({ kind, verbs }) => verbs.includes("list") && !/^(Event|Lease|Operator)$/.test(kind.kind),
  );
  const lists = await Promise.all(
    stored.map(async ({ kind }) => {
      const { items } = await client.list(kind).catch((error: unknown) => {
        // A kind may go between the two requests.
        if (isNotFound(error) || isKindNotServed(error)) return { items: [] };
        throw error;
      });
      const lasting = items.filter((item) => !isLabelOfLostRole({ ...item, kind: kind.kind }));
      return lasting.map((object) => objectTitle(`${kind.plural}.${kind.group}`, object));
    }),
  );
  return lists.flat().toSorted();
}

/** OLM deletes no Operator: it would make it again while the garbage collector has not finished. */
function isCollected(object: object): boolean {
  return (object as { kind: string }).kind !== "Operator";
}

/** Waits for the garbage collector, which on a real cluster learns of new kinds every half minute. */
async function untilGone(read: () => Promise<object[]>): Promise<void> {
  await vi.waitFor(async () => expect(await read()).toEqual([]), { timeout: 90_000, interval: 100 });
}

/** Returns the comparable parts of states, without undefined fields, which a recording lacks. */
function asRecorded(states: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(comparable(states)));
}

/**
 * Returns the expected state as soon as it comes. Without it, returns a state that lasts: a real OLM goes on with a
 * Subscription, and with roles, seconds later, and waits for a CRD for some seconds.
 */
async function settled(read: () => Promise<object[]>, isExpected: (state: object[]) => boolean): Promise<object[]> {
  const quietMs = 20_000;
  let [state, since] = [await read(), performance.now()];
  while (!isExpected(state) && performance.now() - since < quietMs) {
    await wait(50);
    const next = await read();
    if (JSON.stringify(next) !== JSON.stringify(state)) [state, since] = [next, performance.now()];
  }
  return state;
}

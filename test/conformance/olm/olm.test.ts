import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { comparable } from "./known-differences.ts";
import { observe } from "./observe.ts";
import { startRealOlm } from "./real-olm.ts";
import { olmScenarios, olmUser } from "./scenarios.ts";

// The simulated OLM always; a real one when TSOP_OLM names a folder with its programs (olm, catalog and deploy/chart/crds)
// and KUBEBUILDER_ASSETS one with a control plane and opm. With TSOP_RECORD=1 what the real one does becomes the recording.
const assets = process.env["KUBEBUILDER_ASSETS"];
const programs = process.env["TSOP_OLM"];
const record = process.env["TSOP_RECORD"] === "1";
const folder = new URL("../recorded/olm/", import.meta.url);

interface Target {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

async function startSimulated(): Promise<Target> {
  const ended = new AbortController();
  const sandbox = await startSandbox({ olm: true, rbac: true, pace: { min: 1, max: 5 } }, ended.signal);
  return {
    client: sandbox.client,
    async stop() {
      ended.abort();
      await sandbox.done;
    },
  };
}

describe("the simulated OLM goes through the states of a real one", () =>
  conformance(startSimulated, { recording: false, timeoutMs: 6_000, simulated: true }));

describe.runIf(assets && programs)("the real OLM goes through the recorded states", () =>
  conformance(() => startRealOlm({ assets: assets!, programs: programs! }), { recording: record, timeoutMs: 20_000 }),
);

describe.runIf(assets && programs)("the real OLM goes through them on the embedded server", () =>
  conformance(() => startRealOlm({ assets: assets!, programs: programs!, embedded: true }), {
    recording: false,
    timeoutMs: 20_000,
  }),
);

function conformance(
  start: () => Promise<Target>,
  { recording, timeoutMs, simulated = false }: { recording: boolean; timeoutMs: number; simulated?: boolean },
): void {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target?.stop());
  it.each(olmScenarios.filter(({ onlyReal }) => !(simulated && onlyReal)))(
    "$name",
    async ({ name, timesOut, play }) => {
      const { client } = target;
      const namespace = `olm-${name}`;
      await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      const seen: Record<string, unknown> = {};
      const group = ".example.com";
      const host = {
        client,
        namespace,
        signal: new AbortController().signal,
        timeoutMs: simulated && timesOut ? timeoutMs / 2 : timeoutMs,
        emit: () => {},
      };
      await play(
        olmUser(host, {
          look: async (step) => void (seen[step] = await settled(() => observe(client, namespace, group))),
          gone: () => untilGone(() => observe(client, namespace, group)),
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
      const file = new URL(`${name}.json`, folder);
      if (recording) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, `${JSON.stringify(seen, undefined, 1)}\n`);
      }
      expect(comparable(seen)).toEqual(comparable(JSON.parse(readFileSync(file, "utf8"))));
    },
  );
}

/** Waits for the garbage collector, which on a real cluster learns of new kinds every half minute. */
async function untilGone(read: () => Promise<object[]>): Promise<void> {
  await expect.poll(read, { timeout: 90_000, interval: 100 }).toEqual([]);
}

/** Returns a state that has not changed for a while: a subscription follows its CSV a moment later. */
async function settled(read: () => Promise<object[]>): Promise<object[]> {
  const deadline = Date.now() + 10_000;
  for (let [before, same] = [await read(), 0]; ;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = await read();
    const text = JSON.stringify(now);
    // OLM waits for a CRD for some seconds.
    same = text === JSON.stringify(before) && !text.includes("WaitingForApi") ? same + 1 : 0;
    if (same === 12 || Date.now() > deadline) return now;
    before = now;
  }
}

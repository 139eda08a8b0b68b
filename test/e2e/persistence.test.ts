import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { loadConfig } from "../../src/client/config/load-config.ts";
import { LongRunning, repository, temporaryFolder, until } from "./shell.ts";

const folder = temporaryFolder("persistence");
afterAll(() => folder.remove());

const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
const state = join(folder.path, "state/state.json");
const kubeconfig = join(folder.path, "kubeconfig");

async function start(): Promise<{ sandbox: LongRunning; client: Client }> {
  const args = ["sandbox", "--simulate", "off", "--persist", "state", "--kubeconfig", "kubeconfig"];
  const sandbox = new LongRunning(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: folder.path });
  await sandbox.prints(/kubectl: export KUBECONFIG/);
  return { sandbox, client: createClient({ config: await loadConfig({ kubeconfig }) }) };
}

/** Writes until the server stops; acknowledged writes are in `acknowledged`, by name and version. */
async function write(client: Client, round: number, acknowledged: Map<string, number>): Promise<void> {
  for (let index = 0; ; index++) {
    const name = `r${round}-${index}`;
    const object = { metadata: { namespace: "default", name }, data: { text: "x".repeat(2_000) } };
    const made = await client.create(ConfigMap, object).catch(() => undefined);
    if (!made) return;
    acknowledged.set(name, Number(made.metadata.resourceVersion));
  }
}

it("loses no saved write when the process is killed, and reads the saved state", async () => {
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 4; round++) {
    const { sandbox, client } = await start();
    const before = acknowledged.size;
    const writers = [0, 1, 2, 3].map((writer) => write(client, round * 10 + writer, acknowledged));
    const flushed = await until("some of them are saved", async () => {
      if (!existsSync(state) || acknowledged.size < before + 50 * (round + 1)) return undefined;
      const { revision } = JSON.parse(readFileSync(state, "utf8")) as { revision: number };
      const latest = [...acknowledged.values()].filter((version) => version <= revision).length;
      return latest > before ? revision : undefined;
    });
    sandbox.child.kill("SIGKILL");
    await sandbox.ended;
    await Promise.all(writers);

    const again = await start();
    const newest = Math.max(...acknowledged.values());
    const { items, metadata } = await again.client.list(ConfigMap, { namespace: "default" });
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(newest);
    const found = new Set(items.map(({ metadata }) => metadata.name));
    const missing = [...acknowledged].filter(([name, version]) => version <= flushed && !found.has(name));
    expect(missing).toEqual([]);
    // Unsaved writes are lost and must not be expected in the next round.
    for (const name of acknowledged.keys()) if (!found.has(name)) acknowledged.delete(name);
    expect(await again.sandbox.stop("SIGINT")).toBe(0);
  }
});

import { afterEach, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { ConfigMapKind, NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../patience.ts";

let end: () => Promise<void>;
afterEach(() => end());

// `kubectl delete -f -` deletes a namespace first, then the objects in it, each of which must still exist.
it("keeps the objects of a deleted namespace for ten times the pace, five seconds by default", async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ pace: { min: 1, max: 300 } }, stop.signal);
  end = async () => {
    stop.abort();
    await sandbox.done;
  };
  const client = createClient({ config: sandbox.config });
  await client.create(NamespaceKind, { metadata: { name: "doomed" } });
  await client.create(ConfigMapKind, { metadata: { namespace: "doomed", name: "a" } });
  const isLeft = async (): Promise<boolean> =>
    (await client.getOrUndefined(ConfigMapKind, { namespace: "doomed", name: "a" })) !== undefined;

  const begin = performance.now();
  await client.delete(NamespaceKind, { name: "doomed" });
  await vi.waitUntil(async () => !(await isLeft()), { ...patience, interval: 10 });
  expect(performance.now() - begin).toBeGreaterThan(2_990);
  await vi.waitUntil(
    async () => (await client.getOrUndefined(NamespaceKind, { name: "doomed" })) === undefined,
    patience,
  );
});

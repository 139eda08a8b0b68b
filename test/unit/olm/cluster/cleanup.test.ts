import { afterEach, expect, it } from "vitest";
import { installCrds } from "../../../../src/manifests/install-crds.ts";
import { CsvKind, SubscriptionKind } from "../../../../src/manifests/olm-kinds.ts";
import { planCleanup } from "../../../../src/olm/cluster/cleanup.ts";
import { olmCrds } from "../../../../src/sandbox/olm/olm-crds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

it("finds the CSVs that replace the one that a Subscription names, which is gone", async () => {
  const { signal } = stopping;
  const { client } = await startSandbox({ simulate: false }, signal);
  await installCrds(client, olmCrds());
  const namespace = "default";
  const metadata = { name: "thing", namespace };
  const spec = { name: "thing", source: "thing-catalog", sourceNamespace: namespace };
  const subscription = await client.create(SubscriptionKind, { metadata, spec });
  const status = { installedCSV: "thing.v1", currentCSV: "thing.v1", lastUpdated: "2026-01-01T00:00:00Z" };
  await client.status.update(SubscriptionKind, { ...subscription, status });
  for (const [name, replaces] of Object.entries({
    "thing.v3": "thing.v2",
    "thing.v2": "thing.v1",
    "thing.v1": "thing.v0",
    "thing.v0": undefined,
    "other.v1": "other.v0",
  }))
    await client.create(CsvKind, {
      metadata: { name, namespace },
      spec: { ...(replaces !== undefined && { replaces }) },
    });
  const host = { client, namespace, signal, timeoutMs: 1_000, emit: () => {} };
  const doomed = await planCleanup(host, "thing", { crds: true, operatorGroups: true });
  expect(doomed.map(({ object }) => object.metadata.name)).toEqual([
    "thing",
    "thing.v0",
    "thing.v1",
    "thing.v2",
    "thing.v3",
  ]);
});

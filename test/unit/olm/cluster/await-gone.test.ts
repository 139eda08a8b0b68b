import { afterEach, expect, it } from "vitest";
import { mergePatch } from "../../../../src/client/patches.ts";
import { CsvKind } from "../../../../src/client/manifests/olm-kinds.ts";
import { awaitGone } from "../../../../src/olm/cluster/await-gone.ts";
import type { PendingRow } from "../../../../src/olm/cluster/olm-host.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

it("shows what a CSV waits for, whose conditions have no type", async () => {
  const { client } = await startSandbox({ olm: true, simulate: false }, stopping.signal);
  const object = await client.create(CsvKind, {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: "thing.v1", namespace: "default", finalizers: ["example.com/kept"] },
    spec: {},
  });
  const conditions = [{ phase: "Succeeded", reason: "InstallSucceeded", message: "done" }];
  await client.status.patch(CsvKind, object, mergePatch({ status: { conditions } }));
  await client.delete(CsvKind, object);
  const shown: PendingRow[] = [];
  const host = {
    client,
    namespace: "default",
    signal: stopping.signal,
    timeoutMs: 300,
    emit: () => {},
    show: (rows: readonly PendingRow[]) => void shown.push(...rows),
  };
  const waits = "it waits for the finalizers example.com/kept";
  await expect(awaitGone(host, { kind: CsvKind, object }, { deadline: Date.now() + 300 })).rejects.toMatchObject({
    code: "TSOP_REMAINS",
    message: expect.stringContaining(waits),
  });
  expect(shown[0]).toEqual({ name: "ClusterServiceVersion default/thing.v1", state: waits });
});

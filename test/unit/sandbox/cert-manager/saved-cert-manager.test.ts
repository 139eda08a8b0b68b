import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { mergePatch } from "../../../../src/client/patches.ts";
import { CustomResourceDefinition } from "../../../../src/client/manifests/install-crds.ts";
import { IssuerKind } from "../../../../src/sandbox/cert-manager/cert-manager-kinds.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { eventually } from "../../../../src/testing/eventually.ts";

/** Starts a sandbox on a folder, and stops it after the work. */
async function withSandbox(
  persist: string,
  certManager: boolean,
  work: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const sandbox = await startSandbox({ persist, certManager, pace: { min: 1, max: 5 } }, stop.signal);
  try {
    await work(sandbox);
  } finally {
    stop.abort();
    await sandbox.done;
  }
}

it("serves the kinds at once, also in a saved state without them, and keeps a definition that a user has changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsop-cert-manager-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const issuer = { namespace: "default", name: "self" };
  const name = "issuers.cert-manager.io";
  await withSandbox(folder, false, async ({ client }) => {
    await expect(client.create(IssuerKind, { metadata: issuer, spec: { selfSigned: {} } })).rejects.toThrow();
  });
  let uid: string | undefined;
  await withSandbox(folder, true, async ({ client }) => {
    await client.create(IssuerKind, { metadata: issuer, spec: { selfSigned: {} } });
    const labels = { team: "platform" };
    const changed = await client.patch(CustomResourceDefinition, { name }, mergePatch({ metadata: { labels } }));
    uid = changed.metadata.uid;
  });
  await withSandbox(folder, true, async ({ client }) => {
    const kept = await client.get(CustomResourceDefinition, { name });
    expect(kept.metadata).toMatchObject({ uid, labels: { team: "platform" } });
    await eventually(async () => {
      const { status } = await client.get(IssuerKind, issuer);
      expect(status?.conditions).toMatchObject([{ type: "Ready", status: "True", reason: "IsReady" }]);
    });
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { loadConfig } from "../../../src/client/load-config.ts";
import { serveSandbox } from "../../../src/sandbox/serve-sandbox.ts";
import { ConfigMapKind, ServiceAccountKind } from "../../../src/sandbox/simulation/simulated-kinds.ts";

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), "tsop-sandbox-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it("serves with what was applied until the signal, and takes its kubeconfig away", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  writeFileSync(
    join(cwd, "a.yaml"),
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: b }\n",
  );
  const kubeconfig = join(cwd, ".tsop/kubeconfig");
  const options = { simulate: false, apply: ["a.yaml"], kubeconfig: ".tsop/kubeconfig" };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  await vi.waitUntil(() => lines.includes("configmaps/a created"));
  expect(lines).toContain(`kubectl: export KUBECONFIG=${kubeconfig}`);
  expect(lines).toContain("namespaces/b created");
  const client = createClient({ config: await loadConfig({ kubeconfig }) });
  expect(await client.get(ConfigMapKind, { namespace: "default", name: "a" })).toBeTruthy();
  expect((await client.list(ServiceAccountKind)).items).toEqual([]);
  stop.abort();
  await done;
  expect(existsSync(kubeconfig)).toBe(false);
});

it("ends when it can't apply, and says what", async () => {
  const { signal } = new AbortController();
  const options = { simulate: true, apply: ["missing.yaml"], kubeconfig: "kubeconfig" };
  await expect(serveSandbox(options, { cwd, signal, emit: () => {} })).rejects.toMatchObject({
    code: "TSOP_MANIFEST_NOT_FOUND",
  });
  expect(existsSync(join(cwd, "kubeconfig"))).toBe(false);
});

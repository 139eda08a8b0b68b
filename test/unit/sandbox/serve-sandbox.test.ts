import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { loadConfig } from "../../../src/client/load-config.ts";
import { serveSandbox } from "../../../src/sandbox/serve-sandbox.ts";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import { freePorts } from "../../../src/sandbox/free-ports.ts";
import { ConfigMapKind, PodKind, ServiceAccountKind } from "../../../src/sandbox/simulation/simulated-kinds.ts";

const ValidatingWebhooks = defineKind({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  scope: "Cluster",
});

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

it("calls the webhooks of services at the operator's port, and tells of what it leaves out", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const [webhookPort] = await freePorts(1);
  const options = { simulate: false, kubeconfig: "kubeconfig", webhookPort: webhookPort! };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  const certificates = join(cwd, "webhook-certs");
  await vi.waitUntil(() => lines.some((line) => line.endsWith(`--webhook-cert-path ${certificates}`)));
  const [cert, key] = ["tls.crt", "tls.key"].map((name) => readFileSync(join(certificates, name)));
  const operator = createServer({ cert, key }, (request, response) => {
    request.on("data", (body) => {
      const { uid } = JSON.parse(String(body)).request;
      const status = { message: `not through ${new URL(request.url!, "https://a").pathname}` };
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid, allowed: false, status },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => operator.listen(webhookPort, "127.0.0.1", resolve));
  const client = createClient({ config: await loadConfig({ kubeconfig: join(cwd, "kubeconfig") }) });
  await client.create(ValidatingWebhooks, {
    metadata: { name: "v" },
    webhooks: [
      {
        name: "v.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { service: { namespace: "system", name: "webhook-service", path: "/validate-it" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
    ],
  });
  const refused = client.create(ConfigMapKind, { metadata: { name: "a", namespace: "default" } });
  await expect(refused).rejects.toThrow("not through /validate-it");
  await expect(client.subResource("proxy").get(PodKind, { namespace: "default", name: "p" })).rejects.toThrow(
    "not served",
  );
  expect(lines.at(-1)).toMatch(/^unsupported: GET \/api\/v1\/namespaces\/default\/pods\/p\/proxy: /);
  operator.close();
  stop.abort();
  await done;
  expect(existsSync(certificates)).toBe(false);
});

it("ends when it can't apply, and says what", async () => {
  const { signal } = new AbortController();
  const options = { simulate: true, apply: ["missing.yaml"], kubeconfig: "kubeconfig" };
  await expect(serveSandbox(options, { cwd, signal, emit: () => {} })).rejects.toMatchObject({
    code: "TSOP_MANIFEST_NOT_FOUND",
  });
  expect(existsSync(join(cwd, "kubeconfig"))).toBe(false);
});

it.each([
  ["a state folder that is a file", { persist: "file" }, "TSOP_FOLDER_UNUSABLE"],
  ["a kubeconfig below a file", { kubeconfig: "file/kubeconfig" }, "TSOP_FOLDER_UNUSABLE"],
  ["manifests that are not there", { apply: ["nowhere"] }, "TSOP_MANIFEST_NOT_FOUND"],
])("refuses %s before anything is served", async (_what, options, code) => {
  writeFileSync(join(cwd, "file"), "");
  const lines: string[] = [];
  const host = { cwd, signal: AbortSignal.timeout(20_000), emit: (line: string) => void lines.push(line) };
  const all = { simulate: false, rbac: false, kubeconfig: "kubeconfig", ...options };
  await expect(serveSandbox(all, host)).rejects.toMatchObject({ code });
  expect(lines).toEqual([]);
  expect(existsSync(join(cwd, "kubeconfig"))).toBe(false);
});

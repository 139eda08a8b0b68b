import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { patience, startTimeoutMs } from "../../patience.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../../src/testing/test-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-webhooks-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });

writeFileSync(
  join(folder, "manifests.yaml"),
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: validating-webhook-configuration }
webhooks:
- name: vconfigmap.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: { service: { name: webhook-service, namespace: system, path: /validate } }
  namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: default } }
  rules:
  - { apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }
`,
);

/** Refuses every ConfigMap called "bad". */
function serveWebhook({ host, port, certDir }: TestEnvironment["webhooks"]): Promise<() => Promise<void>> {
  const [cert, key] = ["tls.crt", "tls.key"].map((name) => readFileSync(join(certDir, name)));
  const server = createServer({ cert: cert!, key: key! }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string; name: string } };
      const { uid, name } = review.request;
      const answer = { uid, allowed: name !== "bad", ...(name === "bad" && { status: { message: "no bad names" } }) };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer }));
    });
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve) => server.listen(port, host, () => resolve(stop)));
}

const assets = process.env["KUBEBUILDER_ASSETS"];
const servers: [string, TestEnvironmentOptions][] = [["the embedded server", {}]];
if (assets) servers.push(["a real control plane", { binaryAssetsDirectory: assets, startTimeoutMs }]);

describe.each(servers)("on %s", (_, options) => {
  it("calls the webhooks of a folder on this machine", async () => {
    const environment = new TestEnvironment({ env: {}, webhookPaths: [folder], ...options });
    await environment.start();
    const stop = await serveWebhook(environment.webhooks);
    try {
      const { client } = environment;
      const create = (name: string) => client.create(ConfigMap, { metadata: { name, namespace: "default" } });
      // A real server takes a moment before it knows of a new webhook.
      await eventually(async () => {
        const error = await client
          .create(ConfigMap, { metadata: { name: "bad", namespace: "default" } }, { dryRun: true })
          .catch((error: unknown) => error);
        expect(error).toMatchObject({
          message: 'admission webhook "vconfigmap.example.com" denied the request: no bad names',
        });
      }, patience);
      expect((await create("good")).metadata.uid).toBeTruthy();
    } finally {
      await environment.stop();
      await stop();
    }
  });
});
